#!/bin/sh
# list-runs.sh UC LABEL: prints the paths of the usable runs of this machine's calibration: those of
# LABEL or, if there are none, those of the label that was calibrated last. UC is the use case.
nbscope=${0%/*}/../..
uc=$1
[ -e "$uc/notebooks/.combinations.jsonl" ] || exit 0
for label in "$2" $(ls -t "$uc/runs" 2>/dev/null); do
	[ ! -e "$uc/runs/$label/.settings" ] ||
		! runplan --label "$label" "$uc" | "$nbscope/mk/run/list-usable.sh" | grep . ||
			break
done
