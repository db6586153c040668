#!/bin/sh
# write-history.sh PAGE HISTORY [FILE...]: appends the labels in FILEs, which are metrics and other
# histories, to the file HISTORY, and the steps that comparisons among them found; prints all steps,
# and draws PAGE.
set -eu
. "${0%/*}/say.sh"
page=$1 history=$2 work=$NBSCOPE_SCRATCH
shift 2
for file; do
	[ "${file##*/}" != comparison.jsonl ] || jq -cf "$nbscope/share/plan/steps.jq" "$file"
done >"$work/compared"
metrichist --append "$history" --format json ${ITEM_METRICS:+--metrics "$ITEM_METRICS"} \
	"$@" "$work/compared" >"$work/steps"
jq -cnf "$nbscope/share/plan/history.jq" "$history" >"$work/history"
metrichist --format table "$work/history"
mkdir -p "${page%/*}"
metrichist --format json "$work/history" >"$work/steps"
metricreport --as history --output "$page" "$work/history" "$work/steps"
say "history: $page"
