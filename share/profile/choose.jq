# The cells that make explain profiles, as {"name", "cells", "page"} for each notebook; page: in one of
# its cells, page and transport take at least a quarter of what the person waits for.
# In:  cell_metrics records; $cells (numbers of code cells, all, or empty); $selected (for each
#      selected notebook its name, and whether cells of it have tags for profilers)
# Without numbers, cells with tags are profiled (null: the tags say which), else the five that take
# most of the client time, or without a page of the kernel's.
def median: sort | (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2;
def waited: .client_execution_time_metric // .kernel_s // 0;
($selected | map(select(.tagged).name)) as $tagged
| ($selected | INDEX(.name)) as $is_selected
| [inputs | select(.type == "cell_metrics" and $is_selected[.name])] as $all
| ($all | map(select(waited - (.kernel_s // waited) > ([waited / 4, 0.1] | max)))
	| group_by(.name) | map({key: .[0].name, value: map(.cell_index)}) | from_entries) as $paged
| if $cells == "" and $tagged != [] then {name: $tagged[], cells: null}
elif $cells != "" and $cells != "all" then
	{name: $selected[].name, cells: [$cells | scan("[0-9]+") | tonumber]}
else
	[$all[] | select($cells == "all" or .profiled and .kernel_s != null)]
	| group_by([.name, .cell_index])
	| map({name: .[0].name, cell: .[0].cell_index, s: (map(waited) | median)})
	| sort_by(-.s) | if $cells == "" then .[:5] else . end
	| group_by(.name) | sort_by(-(map(.s) | max))[]
	| {name: .[0].name, cells: (map(.cell) | sort)}
end
| .page = ($paged[.name] as $of | .cells as $chosen
	| $of != null and ($chosen == null or any($of[]; IN($chosen[]))))
