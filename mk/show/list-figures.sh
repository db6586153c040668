#!/bin/sh
# list-figures.sh METRICS FOLDER SUBTITLE FORMAT...: writes the figure records of the standard
# figures of METRICS/metrics.jsonl in FOLDER, each in all FORMATs (svg png pdf html json), for
# metricplot: to NBSCOPE_SCRATCH/figures.cell those of cell_metrics, to figures.interaction and
# figures.notebook those of interaction_metrics and notebook_metrics. Files of an earlier call are removed.
set -eu
records=$1/metrics.jsonl out=$2 subtitle=$3 figures=$NBSCOPE_SCRATCH/figures repeated=false
interactions=false
shift 3
mkdir -p "$out"
for format; do
	rm -f "$out"/*."$format"
done
! grep -q '"repetition":[2-9]' "$records" || repeated=true
! grep -q '^{"type":"interaction_metrics"' "$records" || interactions=true
# A single run has one value of each cell, which is a bar, not a distribution.
once=true
[ "$(grep -c '"type":"notebook_metrics".*"repetition":[1-9]' "$records")" -lt 2 ] || once=false
awk '/"type":"cell_metrics"/ && match($0, /"name":"[^"]*"/) &&
	!seen[substr($0, RSTART, RLENGTH)]++' "$records" |
	jq -cnf "${0%/*}/../../share/figure/standard.jq" --argjson repeated $repeated \
		--argjson once $once --argjson interactions $interactions \
		--arg out "$out" --arg subtitle "$subtitle" --args "$@" >"$figures"
$repeated && of_notebooks='"id":"notebooks"' || of_notebooks='^$'
grep "$of_notebooks" "$figures" >"$figures.notebook" || :
grep '"id":"interactions"' "$figures" >"$figures.interaction" || :
grep -v "$of_notebooks" "$figures" | grep -v '"id":"interactions"' >"$figures.cell"
