#!/bin/sh
# collect-report.sh UC LABEL BASE [TRUTH...]: collects what the report of a label shows in
# UC/report/LABEL: a graph of each run's samples, small copies of pictures, tables and the
# profilers' files; and prints the arguments with which metricreport writes index.html and a page
# for each notebook, each followed by a NUL. BASE is the label that it is compared with, or empty.
# TRUTH are runs of the calibration on this machine. In the environment:
#   REPORT_TEMPLATE  the template of index.html
set -eu
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
[ "${NBSCOPE_SCRATCH-}" ] || exec runlock --scratch "$1/report/$2" "$0" "$@"
uc=$1 label=$2 base=$3 runs=$1/runs/$2 metrics=$1/metrics/$2 out=$1/report/$2 shots=$1/screenshots/$2
names=$1/notebooks/.combinations.jsonl records=$metrics/metrics.jsonl work=$NBSCOPE_SCRATCH
shift 3
mkdir -p "$out/samples" "$out/notebooks" "$out/figures"

# In parallel, and a part that fails is left out.
metricstat --type cell_metrics --by name,cell_index --of client_execution_time_metric,kernel_peak_rss_bytes --outliers mad \
	--show name,cell_index,repetition --format json "$records" >"$work/outliers" 2>/dev/null &
metricscale --format json "$records" >"$work/scaling" 2>/dev/null &
# Pictures that are large are shown as small copies.
thumbnails=$out/.thumbnails
if [ -d "$shots" ]; then
	"${NBSCOPE_FIGURE_VENV:-build/figure-venv}/bin/python" share/report/thumbnails.py "$records" "$shots" "$thumbnails" 2>"$work/thumbnails" ||
		echo "report: no small copies of pictures: $(tail -1 "$work/thumbnails")" >&2
fi &
runtruth "${@:-/dev/null}" >"$work/truth" 2>/dev/null &
grep '^{"type":"run_plan".*"film":false' "$records" | mk/run/list-usable.sh | tr '\0' '\n' >"$work/runs"
sed 's#.*/##; s#jsonl$#svg#' "$work/runs" >"$work/graphs"
ls "$out/samples" | grep -vxF -f "$work/graphs" | (cd "$out/samples" && xargs -r -d '\n' rm -f --)
while IFS= read -r run; do
	svg=${run##*/} svg=$out/samples/${svg%.jsonl}.svg
	[ "$svg" -nt "$run" ] || { [ ! -e "$svg" ] || rm "$svg"; printf '%s\0' "$svg" "$run"; }
done <"$work/runs" | xargs -0 -r -n 2 -P "$(($(nproc) > 1 ? $(nproc) - 1 : 1))" cellgraph --idle --width 1100 --output 2>/dev/null || :

# What the profilers found, of the runs that are still usable.
[ ! -e "$runs/plan" ] || mk/run/list-usable.sh --profile "$runs/plan" >"$work/profiled"
touch "$work/profiled"
[ ! -s "$work/profiled" ] || xargs -0 runprofile --format json -- <"$work/profiled" >"$work/profiles" ||
	mk/show/sanitize-text.sh "report: no profiles: runprofile failed" >&2
# The profilers' own files, for other viewers.
rm -rf "$out/profiles"
tr '\0' '\n' <"$work/profiled" | sed 's#.*/##; s#\.jsonl$##' | while IFS= read -r run; do
	[ -d "$uc/profiles/$label/$run" ] || continue
	mkdir -p "$out/profiles"
	cp -R "$uc/profiles/$label/$run" "$out/profiles"
done

against=${base:+$metrics/against-$base}
wait

set -- "$records" "$work/scaling" "$work/outliers" "$work/truth"
[ ! -e "${against:-/nowhere}/comparison.jsonl" ] || set -- "$@" "$against/comparison.jsonl"
[ ! -s "$work/profiles" ] || set -- "$@" --profiles "$work/profiles" --profile-files "$out/profiles"
rm -f "$out/comparison.csv"
find "$metrics"/*_metrics.csv ${against:+"$against"} -name '*.csv' -exec cp {} "$out" \;
# The most telling figures first.
first=' waterfall cell-time largest notebooks sweep '
for name in $first; do
	[ ! -e "$out/figures/$name.svg" ] || set -- "$@" --figure "$out/figures/$name.svg"
done
for f in "$out"/*.csv "$out"/figures/*.???*; do
	case $f in
	*\**) continue ;;
	*.svg)
		case $first in
		*" $(basename "$f" .svg) "*) ;;
		*) set -- "$@" --figure "$f" ;;
		esac ;;
	esac
	set -- "$@" --link "${f#"$out"/}"
done
set -- --pages "$out/notebooks" --samples "$out/samples" --screenshots "$shots" --thumbnails "$thumbnails" \
	--record "$out/report.json" ${REPORT_TEMPLATE:+--template "$REPORT_TEMPLATE"} --output "$out/index.html" "$@"
jq -r .name "$names" >"$work/names"
find "$out/notebooks" "$out/samples" -type f -printf '%f\t%p\n' | awk -F '\t' 'NR == FNR { current[$0]; next }
	{ name = $1; sub(/(@[^@]*)?\.[a-z]+$/, "", name) } !(name in current) { print $2 }' "$work/names" - | xargs -r -d '\n' rm -f
printf '%s\0' "$@"
