#!/bin/sh
# keep-previous.sh UC LABEL NEW: keeps the metrics of LABEL as LABEL@previous before the records NEW
# take their place, if these are of another notebook, other files or other packages.
set -eu
nbscope=${0%/*}/../..
uc=$1 label=$2 new=$3 from=$1/metrics/$2 to=$1/metrics/$2@previous
[ -s "$from/metrics.jsonl" ] || exit 0
# What runs were made from is in their notebooks' records. Damaged ones are not kept.
for of in "$from/metrics.jsonl" "$new"; do
	grep '^{"type":"notebook_metrics"' "$of" >"$NBSCOPE_SCRATCH/notebooks.${of##*/}" || :
done
changed=$(jq -L "$nbscope/share/jq" -nrf "$nbscope/share/plan/since.jq" --argjson keep true \
	--slurpfile old "$NBSCOPE_SCRATCH/notebooks.metrics.jsonl" \
	--slurpfile new "$NBSCOPE_SCRATCH/notebooks.${new##*/}" 2>/dev/null) || exit 0
[ "$changed" ] || exit 0
mkdir -p "$to"
jq -c --arg l "$label" 'if .label == $l then .label = $l + "@previous" else . end' \
	"$from/metrics.jsonl" >"$to/metrics.new"
"$nbscope/mk/metric/write-tables.sh" "$to" "$to/metrics.new"
runsum --verdict "$to/verdict.json" "$to/metrics.new" >/dev/null || [ $? = 1 ] || [ $? = 6 ]
rm -rf "$to"/against-* "$to/.made"
mv "$to/metrics.new" "$to/metrics.jsonl"
