#!/bin/sh
# measure-cost.sh MAKE UC LABEL: REPEAT runs of the use case with procsample and as many without,
# interleaved; then how much sampling slows cells down. In the environment: what alternate-labels
# reads there, and
#   SAMPLE_INTERVAL   that of procsample, ms (default 50)
set -u
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
[ "${NBSCOPE_SCRATCH-}" ] || exec runlock --scratch --no-lock "$2" "$0" "$@"
uc=$2 with=$3-with without=$3-without
RERUN=all TARGET=calibrate-cost PREPARE_B=SAMPLE_INTERVAL=0 mk/run/alternate-labels.sh "$1" "$uc" "$with" "$without" || exit
echo "procsample every ${SAMPLE_INTERVAL:-50} ms; load average at the end: $(cut -d' ' -f1-3 /proc/loadavg)"
for l in "$with" "$without"; do
	runplan --label "$l" "$uc" | mk/run/list-usable.sh
done | xargs -0 -r cat | runtruth --table
