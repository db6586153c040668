#!/bin/sh
# list-records.sh UC LABEL: prints the paths, one per line, of the files from which the tables of a
# label are made: its environment with the machines of its runs, the order of interleaved runs, its
# plan, and its usable runs. A run that is stale or damaged is left out; its run_plan record says
# why.
set -eu
. "${0%/*}/../show/say.sh"
uc=$1 label=$2 runs=$1/runs/$2 work=$NBSCOPE_SCRATCH
grep '^{"type":"run_plan"' "$runs/plan" >"$work/planned" || :
"$nbscope/mk/run/list-usable.sh" "$work/planned" >"$work/usable"
# The machines of the runs are known only now.
xargs -d '\n' -r head -qn 1 <"$work/usable" >"$work/machines"
for name in environment order; do
	file=$runs/.$name.jsonl
	[ ! -e "$file" ] || jq -c --slurpfile runs "$work/machines" '
		if .type == "environment" then .machines = ($runs | map(.machine) | unique)
		else . end' "$file" 2>/dev/null | grep . ||
		say "metrics: '$file' is damaged and left out; to write it again:" \
			"$([ $name = order ] && echo "$typed ab RERUN=all" || type_to profile)" >&2
done >"$work/environment"
printf '%s\n' "$work/environment" "$work/planned"
cat "$work/usable"
