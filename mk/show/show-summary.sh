#!/bin/sh
# show-summary.sh UC LABEL: the end of a profile: prints a summary whose verdict is the exit status,
# where the tables are, and what to type next. In the environment:
#   NOISE   the noise of the machine at its last calibration
set -u
. "${0%/*}/../show/say.sh"
uc=$1 label=$2 metrics=$1/metrics/$2
# The summary of the same tables is the same, except how long ago the machine's noise was measured.
mk/metric/make-unless.sh unless "$metrics/.summed" .summary verdict.json -- "$metrics/.made" \
	"${NOISE:-none}" "$(($(date +%s) / 600))" -- sh -c '
	runsum ${2:+--calibration "$2"} --verdict "$1/verdict.json" "$1/metrics.jsonl" \
		>"$1/.summary.new"
	status=$?
	mv "$1/.summary.new" "$1/.summary"
	[ $status -lt 2 ] || { cat "$1/.summary"; exit $status; }' \
	sh "$metrics" "${NOISE-}" || exit
cat "$metrics/.summary"
[ -z "${NOTEBOOK-}" ] || mk/show/suggest-files.sh "$uc" "$label"
case $metrics in
*[!\ -~]*) say "tables: $metrics/{cell,notebook}_metrics.csv" ;;
*) echo "tables: $metrics/{cell,notebook}_metrics.csv" ;;
esac
echo "next: $(type_to report)"
base=$(mk/metric/find-last-label.sh "$uc" "$label")
[ -z "$base" ] || echo "      $(type_to compare "BASE=$base")"
grep -q '^{"verdict":"ok"' "$metrics/verdict.json"
