# The cells that make explain profiles, as {"name", "cells"} for each notebook.
# In:  cell_metrics records; $cells (numbers of code cells, all, or empty); $selected (for each
#      selected notebook its name, and whether cells of it have tags for profilers)
# Without numbers, cells with tags are profiled (null: the tags say which), else the five that take
# most of the kernel's time.
($selected | map(select(.tagged).name)) as $tagged
| if $cells == "" and $tagged != [] then {name: $tagged[], cells: null}
elif $cells != "" and $cells != "all" then
	{name: $selected[].name, cells: [$cells | scan("[0-9]+") | tonumber]}
else
	($selected | INDEX(.name)) as $is_selected
	| [inputs | select(.type == "cell_metrics" and $is_selected[.name] and
		($cells == "all" or .profiled and .kernel_s != null))]
	| group_by([.name, .cell_index])
	| map({name: .[0].name, cell: .[0].cell_index, s: (map(.kernel_s // 0) | sort
		| (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2)})
	| sort_by(-.s) | if $cells == "" then .[:5] else . end
	| group_by(.name) | sort_by(-(map(.s) | max))[]
	| {name: .[0].name, cells: (map(.cell) | sort)}
end
