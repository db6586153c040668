#!/bin/sh
# list-records.sh UC LABEL: prints the files from which the tables of a label are made, each
# followed by a NUL: its environment with the machines of its runs, the order of interleaved runs,
# its plan, and its usable runs. A run that is stale or damaged is left out; its run_plan record
# says why.
set -eu
. "${0%/*}/../show/say.sh"
runs=$1/runs/$2 planned=$NBSCOPE_SCRATCH/planned usable=$NBSCOPE_SCRATCH/usable
environment=$NBSCOPE_SCRATCH/environment
grep '^{"type":"run_plan"' "$runs/plan" >"$planned" || :
mk/run/list-usable.sh "$planned" >"$usable"
# The machines of the runs are known only now.
xargs -0 -r head -qn 1 <"$usable" >"$environment.machines"
for file in "$runs/.environment.jsonl" "$runs/.order.jsonl"; do
	[ ! -e "$file" ] || jq -c --slurpfile runs "$environment.machines" '
		if .type == "environment" then .machines = ($runs | map(.machine) | unique)
		else . end' "$file" 2>/dev/null ||
		say "metrics: '$file' is damaged and left out" >&2
done >"$environment"
printf '%s\0' "$environment" "$planned"
cat "$usable"
