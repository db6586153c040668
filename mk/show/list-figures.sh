#!/bin/sh
# list-figures.sh METRICS FOLDER SUBTITLE FORMAT...: prints the figure records of the standard
# figures of METRICS/metrics.jsonl in FOLDER, each in all FORMATs (svg png pdf html json), for
# metricplot. Those of notebook_metrics, where sums of cells would depend on repetitions, are
# written to NBSCOPE_SCRATCH/figures.notebooks. Files of an earlier call are removed.
set -eu
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
[ "${NBSCOPE_SCRATCH-}" ] || exec runlock --scratch "$2" "$0" "$@"
records=$1/metrics.jsonl out=$2 subtitle=$3
shift 3
mkdir -p "$out"
for format; do
	rm -f "$out"/*."$format"
done

# Sums of repetitions would depend on how many each notebook has: then medians, those of notebooks
# from their own records.
repeated=false
! grep -q '"repetition":[2-9]' "$records" || repeated=true

# The parameters of each notebook, from its first record.
awk '/"type":"cell_metrics"/ && match($0, /"name":"[^"]*"/) && !seen[substr($0, RSTART, RLENGTH)]++' "$records" |
	jq -c '.params // {}' | jq -cn --argjson repeated $repeated --arg out "$out" --arg subtitle "$subtitle" '
	"client_execution_time_metric" as $time
	| [inputs | to_entries[]] | group_by(.key) | map({key: (.[0].key + "_param"), values: map(.value) | unique})
	| map(select(.values | length > 1)) as $varied
	| [$varied[].key] as $params
	| [$varied[] | select(all(.values[]; type == "number")).key] as $numbers
	| def figure($name; $kind; $title; $options): {type: "figure", id: $name, $kind, $title, $subtitle}
		+ $options + {output: [$ARGS.positional[] | "\($out)/\($name).\(.)"]};
	def cells($name; $kind; $title; $of): figure($name; $kind; $title; {by: "cell_index", $of});
	figure("waterfall"; "waterfall"; "Time of the cells by phase"; {}),
	cells("cell-time"; "box"; "Time of each cell"; $time + ",kernel_execution_time_metric"),
	cells("cell-cpu"; "bands"; "CPU time of each cell"; "kernel_cpu_s,browser_cpu_s"),
	cells("cell-memory"; "whiskers"; "Peak memory of each cell"; "kernel_peak_rss_bytes,browser_peak_rss_bytes"),
	cells("cell-bytes"; "points"; "Data received by the browser"; "client_total_data_received_metric"),
	(if $repeated then figure("largest"; "bars"; "The slowest cells: median time"; {by: "cell_index", of: "\($time):median", sort: "value", top: 40})
		else cells("largest"; "largest"; "The slowest cells"; $time) end),
	figure("notebooks"; if $repeated then "bars" else "ranked" end; "The slowest notebooks" + if $repeated then ": median time" else "" end;
		{of: ($time + if $repeated then ":median" else "" end), sort: "value", top: 40}
		+ if $params == [] then {by: "name"} else {by: $params[:8] | join(",")} end),
	(if $numbers == [] then empty else figure("sweep"; "sweep"; "Time of each cell by parameter"; {of: $time, against: $numbers | join(",")}) end),
	($params[] as $p | ($p | rtrimstr("_param")) as $name
		| figure("heat-" + $name; "heatmap"; "Median time of each cell by \($name)"; {of: $time, against: $p}))' --args "$@" >"$out/.figures"
if $repeated; then
	grep '"id":"notebooks"' "$out/.figures" >"$NBSCOPE_SCRATCH/figures.notebooks" || :
	grep -v '"id":"notebooks"' "$out/.figures"
else
	rm -f "$NBSCOPE_SCRATCH/figures.notebooks"
	cat "$out/.figures"
fi
rm "$out/.figures"
