#!/bin/sh
# list-records.sh UC LABEL: prints the files from which the tables of a label are made, each
# followed by a NUL: its environment with the machines of its runs, the order of interleaved runs,
# its plan, and its usable runs. A run that is stale or damaged is left out; its run_plan record
# says why.
set -eu
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
[ "${NBSCOPE_SCRATCH-}" ] || exec runlock --scratch "$1/metrics/$2" "$0" "$@"
runs=$1/runs/$2 plan=$1/runs/$2/plan
planned=$NBSCOPE_SCRATCH/planned machines=$NBSCOPE_SCRATCH/machines
grep '^{"type":"run_plan"' "$plan" >"$planned" || :
# The machines of the runs are known only now.
mk/run/list-usable.sh "$planned" >"$NBSCOPE_SCRATCH/usable"
xargs -0 -r head -qn 1 <"$NBSCOPE_SCRATCH/usable" >"$machines"
environment=$NBSCOPE_SCRATCH/environment
{
	for file in "$runs/.environment.jsonl" "$runs/.order.jsonl"; do
		[ -e "$file" ] || continue
		if ! jq empty "$file" 2>/dev/null; then
			mk/show/sanitize-text.sh "metrics: '$file' is damaged and left out" >&2
		elif [ "$file" = "$runs/.order.jsonl" ]; then
			printf '%s\0' "$file"
		else
			jq -c --slurpfile runs "$machines" '.machines = ($runs | map(.machine) | unique)' "$file" >"$environment"
			printf '%s\0' "$environment"
		fi
	done
	printf '%s\0' "$planned"
	cat "$NBSCOPE_SCRATCH/usable"
}
