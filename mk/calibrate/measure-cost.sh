#!/bin/sh
# measure-cost.sh MAKE UC LABEL: REPEAT runs of the use case with procsample and as many without,
# interleaved; then how much sampling slows cells down.
set -u
uc=$2 with=$3-with without=$3-without
RERUN=all TARGET=calibrate-cost PREPARE_B=SAMPLE_INTERVAL=0 \
	mk/run/alternate-labels.sh "$1" "$uc" "$with" "$without" || exit
echo "procsample every ${SAMPLE_INTERVAL:-50} ms;" \
	"load average at the end: $(cut -d' ' -f1-3 /proc/loadavg)"
for l in "$with" "$without"; do
	runplan --label "$l" "$uc" | mk/run/list-usable.sh
done | mk/run/pass-arguments.sh cat | runtruth --table
