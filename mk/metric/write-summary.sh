#!/bin/sh
# write-summary.sh UC LABEL [again]: writes the summary of a label's tables, which the terminal
# shows, to .summary next to them, and its verdict to verdict.json. "again": only if there was one.
# In the environment:
#   NOISE   the noise of the machine at its last calibration
set -u
metrics=$1/metrics/$2
[ "${3-}" != again ] || [ -e "$metrics/.summed" ] || [ -e "$metrics/verdict.json" ] || exit 0
# The summary of the same tables is the same, except how long ago the machine's noise was measured.
mk/metric/make-unless.sh unless "$metrics/.summed" .summary verdict.json -- "$metrics/.made" \
	"${NOISE:-none}" "$(($(date +%s) / 600))" -- sh -c '
	runsum ${2:+--calibration "$2"} --verdict "$1/verdict.json" "$1/metrics.jsonl" \
		>"$1/.summary.new"
	status=$?
	mv "$1/.summary.new" "$1/.summary"
	[ $status -lt 2 ] || { cat "$1/.summary"; exit $status; }' \
	sh "$metrics" "${NOISE-}" || [ "${3-}" = again ]	# the tables are as they were
