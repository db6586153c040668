#!/bin/sh
# collect-report.sh UC LABEL BASE [TRUTH...]: collects what the report of a label shows in
# UC/report/LABEL: a graph of each run's samples, small copies of pictures, tables and the
# profilers' files; and prints the arguments with which metricreport writes index.html and a page
# for each notebook, each followed by a NUL. BASE is the label that it is compared with, or empty.
# TRUTH are runs of the calibration on this machine.
set -eu
. "${0%/*}/../show/say.sh"
uc=$1 label=$2 base=$3 metrics=$1/metrics/$2 out=$1/report/$2 shots=$1/screenshots/$2
records=$metrics/metrics.jsonl work=$NBSCOPE_SCRATCH against=${base:+$metrics/against-$base}
thumbnails=$out/.thumbnails
shift 3
mkdir -p "$out/samples" "$out/notebooks" "$out/figures"
note() { say "report: $*" >&2; }

# In parallel, and a part that fails is left out.
metricstat --type cell_metrics --by name,cell_index --outliers mad --format json \
	--of client_execution_time_metric,kernel_peak_rss_bytes --show name,cell_index,repetition \
	"$records" >"$work/outliers" 2>/dev/null &
metricscale --format json "$records" >"$work/scaling" 2>/dev/null &
# Pictures that are large are shown as small copies.
if [ -d "$shots" ]; then
	"${NBSCOPE_FIGURE_VENV:-build/figure-venv}/bin/python" share/report/thumbnails.py \
		"$records" "$shots" "$thumbnails" 2>"$work/thumbnails" ||
		note "no small copies of pictures: $(tail -1 "$work/thumbnails")"
fi &
runtruth "${@:-/dev/null}" >"$work/truth" 2>/dev/null &
grep '^{"type":"run_plan".*"film":false' "$records" | mk/run/list-usable.sh |
	tr '\0' '\n' >"$work/runs"
sed 's#.*/##; s#jsonl$#svg#' "$work/runs" >"$work/graphs"
find "$out/samples" -type f -printf '%P\n' | grep -vxF -f "$work/graphs" |
	(cd "$out/samples" && xargs -r -d '\n' rm -f --)
# Half a graph.
find "$out/samples" -type f -exec grep -LZ '</svg>' {} + | xargs -0 -r rm -f --
while IFS= read -r run; do
	svg=${run##*/} svg=$out/samples/${svg%.jsonl}.svg
	[ "$svg" -nt "$run" ] || { rm -f "$svg" && printf '%s\0' "$svg" "$run"; }
done <"$work/runs" |
	xargs -0 -r -n 2 -P "$(nproc)" cellgraph --idle --width 1100 --output 2>/dev/null || :

# What the profilers found, of the runs that are still usable, and their own files.
cat "$uc/runs/$label/plan" 2>/dev/null | mk/run/list-usable.sh --profile >"$work/profiled" || :
[ ! -s "$work/profiled" ] ||
	xargs -0 runprofile --format json --metrics "$records" -- <"$work/profiled" \
		>"$work/profiles" ||
	note "no profiles: runprofile failed"
rm -rf "$out/profiles"
mkdir "$out/profiles"
tr '\0' '\n' <"$work/profiled" | sed 's#.*/##; s#\.jsonl$##' | while IFS= read -r run; do
	[ ! -d "$uc/profiles/$label/$run" ] || cp -R "$uc/profiles/$label/$run" "$out/profiles"
done
rmdir --ignore-fail-on-non-empty "$out/profiles"
wait

set -- "$records" "$work/scaling" "$work/outliers" "$work/truth"
[ ! -e "${against:-/nowhere}/comparison.jsonl" ] || set -- "$@" "$against/comparison.jsonl"
[ ! -s "$work/profiles" ] ||
	set -- "$@" --profiles "$work/profiles" --profile-files "$out/profiles"
rm -f "$out/comparison.csv"
find "$metrics"/*_metrics.csv ${against:+"$against"} -name '*.csv' -exec cp {} "$out" \;
# The most telling figures first.
first='waterfall cell-time largest notebooks sweep'
others=$(cd "$out/figures" && find . -name '*.svg' -printf '%P\n' | sed 's/\.svg$//' | sort |
	grep -vxF "$(printf '%s\n' $first)") || :
for name in $first $others; do
	[ ! -e "$out/figures/$name.svg" ] || set -- "$@" --figure "$out/figures/$name.svg"
done
for f in "$out"/*.csv "$out"/figures/*.???*; do
	[ ! -e "$f" ] || set -- "$@" --link "${f#"$out"/}"
done
mk/run/print-members.sh name <"$uc/notebooks/.combinations.jsonl" >"$work/names"
find "$out/notebooks" "$out/samples" -type f -printf '%f\t%p\n' | awk -F '\t' '
	NR == FNR { current[$0]; next }
	{ name = $1; sub(/(@[^@]*)?\.[a-z]+$/, "", name) }
	!(name in current) { print $2 }' "$work/names" - | xargs -r -d '\n' rm -f
printf '%s\0' --pages "$out/notebooks" --samples "$out/samples" --screenshots "$shots" \
	--thumbnails "$thumbnails" --record "$out/report.json" \
	${REPORT_TEMPLATE:+--template "$REPORT_TEMPLATE"} --output "$out/index.html" "$@"
