# The figures that make figures draws of a label's metrics, as figure records.
# In:  a cell_metrics record of each notebook, with its parameters
#      $repeated (whether a notebook ran more than once), $once (whether there is a single run),
#      $interactions (whether there are any),
#      $out (the folder), $subtitle, positional: the formats
# Sums of repetitions would depend on how many each notebook has: then medians, those of notebooks
# from their own records.
"client_execution_time_metric" as $time
| (if $repeated then ": median time" else "" end) as $median
| [inputs | .params // {} | to_entries[]] | group_by(.key)
| map({key: (.[0].key + "_param"), values: map(.value) | unique}
	| select(.values | length > 1))
| map(.key) as $params | map(select(all(.values[]; type == "number")).key) as $numbers
| def figure($id; $kind; $title; $options): {type: "figure", $id, $kind, $title, $subtitle}
	+ $options + {output: [$ARGS.positional[] | "\($out)/\($id).\(.)"]};
def cells($name; $kind; $title; $of):
	figure($name; if $once then "bars" else $kind end; $title; {by: "cell_index", $of});
figure("waterfall"; "waterfall"; "Time of the cells by phase"; {}),
cells("cell-time"; "box"; "Time of each cell"; $time + ",kernel_execution_time_metric"),
cells("cell-cpu"; "bands"; "CPU time of each cell"; "kernel_cpu_s,browser_cpu_s"),
cells("cell-memory"; "whiskers"; "Peak memory of each cell";
	"kernel_peak_rss_bytes,browser_peak_rss_bytes"),
cells("cell-bytes"; "points"; "Data received by the browser";
	"client_total_data_received_metric"),
if $interactions then figure("interactions"; if $once then "bars" else "box" end;
	"Latency of each interaction"; {by: "interaction", of: "latency_s:median"}) else empty end,
if $repeated then figure("largest"; "bars"; "The slowest cells" + $median;
		{by: "cell_index", of: "\($time):median", sort: "value", top: 40})
	else cells("largest"; "largest"; "The slowest cells"; $time) end,
figure("notebooks"; if $repeated then "bars" else "ranked" end;
	"The slowest notebooks" + $median;
	{of: ($time + if $repeated then ":median" else "" end), sort: "value", top: 40,
	by: ($params[:8] | join(",") | select(. != "") // "name")}),
if $numbers == [] then empty else figure("sweep"; "sweep"; "Time of each cell by parameter";
	{of: $time, against: $numbers | join(",")}) end,
($params[] as $p | ($p | rtrimstr("_param")) as $name | figure("heat-" + $name; "heatmap";
	"Median time of each cell by \($name)"; {of: $time, against: $p}))
