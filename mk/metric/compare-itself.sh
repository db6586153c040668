#!/bin/sh
# compare-itself.sh MAKE UC LABEL: the environment of LABEL against itself, interleaved: how often
# the comparison would be wrong with the noise of this machine.
set -u
uc=$2 a=$3-a b=$3-b
WITH='' TARGET=aa mk/run/alternate-labels.sh "$1" "$uc" "$a" "$b" || exit
# Its verdict is no failure here.
$1 compare BASE="$a" LABEL="$b" || [ -e "$uc/metrics/$b/against-$a/verdict.json" ] || exit 4
echo
echo "load average: $(cut -d' ' -f1-3 /proc/loadavg)"
metricrate --format table ${GATE:+--gate "$GATE"} --seed "${SEED:-1}" \
	"$uc/metrics/$a/metrics.jsonl" "$uc/metrics/$b/metrics.jsonl"
