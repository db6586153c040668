#!/bin/sh
# show-summary.sh UC LABEL: the end of a profile: prints a summary whose verdict is
# the exit status, where the tables are, and what to type next. In the environment: what
# command and suggest-files read, and
#   NOISE   the noise of the machine at its last calibration
set -u
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
uc=$1 label=$2 metrics=$1/metrics/$2
[ "${NBSCOPE_SCRATCH-}" ] || exec runlock --scratch "$metrics" "$0" "$@"
# Found while runsum works.
{
	echo "next: $(mk/show/print-command.sh report "$uc" "$label")"
	base=$(mk/metric/find-last-label.sh "$uc" "$label")
	[ -z "$base" ] || echo "      $(mk/show/print-command.sh compare "$uc" "$label" "BASE=$base")"
} >"$NBSCOPE_SCRATCH/next" &
runsum ${NOISE:+--calibration "$NOISE"} --verdict "$metrics/verdict.json" "$metrics/metrics.jsonl"
status=$?
case $status in 0 | 1) ;; *) exit $status ;; esac
[ -z "${ENDED-}" ] || echo yes >"$ENDED"
[ -z "${NOTEBOOK-}" ] || mk/show/suggest-files.sh "$uc" "$label"
case $metrics in
*[!\ -~]*) mk/show/sanitize-text.sh "tables: $metrics/{cell,notebook}_metrics.csv" ;;
*) echo "tables: $metrics/{cell,notebook}_metrics.csv" ;;
esac
wait
cat "$NBSCOPE_SCRATCH/next"
exit $status
