#!/bin/sh
# execute-parallel.sh UC LABEL PLAN: makes the due runs of the file PLAN, JOBS at once. Each has
# processors of its own, for kernel, browser and server; runs that need too much memory for that are
# made first, fewer at once. Then makes one of them again, alone, and prints what sharing the
# machine costs.
set -u
uc=$1 label=$2 plan=$3 work=$NBSCOPE_SCRATCH last=0

mk/run/divide-processors.sh "$JOBS" "${CORES:-}" >"$work/processors" || exit
nbplan --json --runs "$uc/runs/$label" <"$plan" >"$work/prediction"
# The due runs in order, each with how many of its kind there is memory for at once.
jq -nc --argjson jobs "$JOBS" --argjson spare "$SPARE_BYTES" \
	--slurpfile prediction "$work/prediction" '
	($prediction[0].machine_memory_bytes // infinite) as $memory |
	[inputs | select(.type == "run_plan" and .due)
		| {at_once: ($memory / ((.memory_bytes // 0) + $spare) | floor)} + .
		| .at_once = ([$jobs, .at_once] | min | [., 1] | max)] |
	sort_by(.at_once)[]' "$plan" >"$work/queue"
NBSCOPE_NOTEBOOKS=$(wc -l <"$work/queue") NBSCOPE_STARTED=$(date +%s)
export NBSCOPE_NOTEBOOKS NBSCOPE_STARTED
echo 1 >"$work/next"
sed 's/^{"at_once":\([0-9]*\).*/\1/' "$work/queue" | uniq -c >"$work/kinds"
while read -r runs at_once; do
	last=$((last + runs))
	[ "$at_once" = "$JOBS" ] ||
		echo "profile: runs that need much memory: $runs, of which $at_once at once"
	# Lines of several runs cannot be redrawn.
	head -n "$at_once" "$work/processors" |
		TERM=dumb xargs -P "$at_once" -I{} taskset -c {} labserve ${INSECURE:+--insecure} \
			mk/run/execute-plan.sh "$work/queue" --shared "$work/next" --last "$last"
done <"$work/kinds"
mk/run/measure-sharing.sh "$work/queue" "$(head -n 1 "$work/processors")"
