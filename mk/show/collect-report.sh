#!/bin/sh
# collect-report.sh UC LABEL BASE [TRUTH...]: collects what the report of a label shows in
# UC/report/LABEL: a graph of each run's samples, small copies of pictures, tables and the
# profilers' files; and prints the arguments with which metricreport writes index.html and a page
# for each notebook, each followed by a NUL. BASE is the label that it is compared with, or empty.
# TRUTH are runs of the calibration on this machine.
set -eu
. "${0%/*}/../show/say.sh"
uc=$1 label=$2 metrics=$1/metrics/$2 out=$1/report/$2 shots=$1/screenshots/$2
records=$metrics/metrics.jsonl work=$NBSCOPE_SCRATCH against=${3:+$metrics/against-$3}
plan=$uc/runs/$label/plan thumbnails=$out/.thumbnails
shift 3
rm -rf "$out/profiles"
mkdir -p "$out/samples" "$out/notebooks" "$out/figures" "$out/profiles"
# note TEXT...: prints what the report lacks.
note() { say "report: $*" >&2; }
# remove_others FOLDER NAMES: removes files of FOLDER that are not in the file NAMES.
remove_others() {
	find "$1" -type f -printf '%P\n' | grep -vxF -f "$2" |
		(cd "$1" && xargs -r -d '\n' rm -f --)
}

# In parallel, and a part that fails is left out.
metricstat --type cell_metrics --by name,cell_index --outliers mad --format json \
	--of client_execution_time_metric,kernel_peak_rss_bytes --show name,cell_index,repetition \
	"$records" >"$work/outliers" 2>/dev/null &
metricscale --format json "$records" >"$work/scaling" 2>/dev/null &
# Pictures that are large are shown as small copies.
if [ -d "$shots" ]; then
	"${NBSCOPE_FIGURE_VENV:-${NBSCOPE_STORE:-build}/figure-venv}/bin/python" \
		"$nbscope/share/report/thumbnails.py" \
		"$records" "$shots" "$thumbnails" 2>"$work/thumbnails" ||
		note "no small copies of pictures: $(tail -1 "$work/thumbnails")"
fi &
runtruth "${@:-/dev/null}" >"$work/truth" 2>/dev/null &
grep '^{"type":"run_plan".*"film":false' "$records" | "$nbscope/mk/run/list-usable.sh" >"$work/runs"
sed 's#.*/##; s#jsonl$#svg#' "$work/runs" >"$work/graphs"
remove_others "$out/samples" "$work/graphs"
# Half a graph.
find "$out/samples" -type f -exec grep -LZ '</svg>' {} + | xargs -0 -r rm -f --
while IFS= read -r run; do
	svg=${run##*/} svg=$out/samples/${svg%.jsonl}.svg
	[ "$svg" -nt "$run" ] || { rm -f "$svg" && printf '%s\0' "$svg" "$run"; }
done <"$work/runs" |
	xargs -0 -r -n 2 -P "$(nproc)" cellgraph --idle --width 1100 --output 2>/dev/null || :

stale=$(grep '"profile":"\([^w]\|w[^h]\).*"usable":false' "$plan" 2>/dev/null | jq -nr '[inputs]
	| "\(length) profile run\(if .[1] then "s are" else " is" end) left out, as " +
		(.[0] | "\(.name)@profile-\(.profile) (\(.reason))")') || :
[ -z "${stale##0*}" ] || note "$stale: $(type_to explain)"
# What the profilers found, of the runs that are still usable, and their own files.
"$nbscope/mk/run/list-usable.sh" --profile "$plan" >"$work/profiled" 2>/dev/null || :
set -- "$records" "$work/scaling" "$work/outliers" "$work/truth"
if [ -s "$work/profiled" ]; then
	"$nbscope/mk/show/write-profiles.sh" "$uc" "$label" <"$work/profiled" ||
		note "no files of the profilers: runprofile failed"
	mistakes=$uc/profiles/$label/mistakes.jsonl
	[ ! -e "$mistakes" ] || set -- "$@" "$mistakes"
fi
if [ -s "$work/profiled" ] &&
	{ cat "$work/profiled" && echo "${mistakes:-/dev/null}"; } |
		xargs -d '\n' runprofile --format json --metrics "$records" -- \
			>"$work/profiles"; then
	grep '"usable":true' "$plan" | "$nbscope/mk/run/print-members.sh" profile_files |
		while IFS= read -r files; do
			[ ! -d "$files" ] || cp -R "$files" "$out/profiles"
		done
	find "$out/profiles" -name .made -delete
	set -- "$@" --profiles "$work/profiles" --profile-files "$out/profiles"
elif [ -s "$work/profiled" ]; then
	note "no profiles: runprofile failed"
fi
rmdir --ignore-fail-on-non-empty "$out/profiles"
wait

[ ! -e "${against:-/nowhere}/comparison.jsonl" ] || set -- "$@" "$against/comparison.jsonl"
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
"$nbscope/mk/run/print-members.sh" name <"$uc/notebooks/.combinations.jsonl" | sed 's/$/.html/' \
	>"$work/pages"
remove_others "$out/notebooks" "$work/pages"
printf '%s\0' --pages "$out/notebooks" --samples "$out/samples" --screenshots "$shots" \
	--thumbnails "$thumbnails" --record "$out/report.json" \
	${REPORT_TEMPLATE:+--template "$REPORT_TEMPLATE"} --output "$out/index.html" "$@"
