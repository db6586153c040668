#!/bin/sh
# show-summary.sh UC LABEL: the end of a profile: prints a summary whose verdict is the exit status,
# where the tables are, and what to type next. In the environment:
#   NOISE   the noise of the machine at its last calibration
#   ENDED   a file that is not empty afterwards: the tables were made
set -u
. "${0%/*}/../show/say.sh"
uc=$1 label=$2 metrics=$1/metrics/$2
runsum ${NOISE:+--calibration "$NOISE"} --verdict "$metrics/verdict.json" "$metrics/metrics.jsonl"
status=$?
[ $status -lt 2 ] || exit $status
[ -z "${ENDED-}" ] || echo yes >"$ENDED"
[ -z "${NOTEBOOK-}" ] || mk/show/suggest-files.sh "$uc" "$label"
case $metrics in
*[!\ -~]*) say "tables: $metrics/{cell,notebook}_metrics.csv" ;;
*) echo "tables: $metrics/{cell,notebook}_metrics.csv" ;;
esac
echo "next: $(type_to report)"
base=$(mk/metric/find-last-label.sh "$uc" "$label")
[ -z "$base" ] || echo "      $(type_to compare "BASE=$base")"
exit $status
