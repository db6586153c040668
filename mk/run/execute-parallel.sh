#!/bin/sh
# execute-parallel.sh UC LABEL PLAN: makes the due runs of the file PLAN, JOBS at once. Each has
# processors of its own, for kernel, browser and server; runs that need too much memory for that are
# made first, fewer at once. Then makes some of those that had company again, alone on the same
# number of processors, and prints how much longer they took in company; the runs alone are in no
# table.
set -u
. "${0%/*}/../show/say.sh"
uc=$1 label=$2 plan=$3 work=$NBSCOPE_SCRATCH alone=$NBSCOPE_SCRATCH/alone last=0

"$nbscope/mk/run/divide-processors.sh" "$JOBS" "${CORES:-}" >"$work/processors" || exit
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
			"$nbscope/mk/run/execute-plan.sh" "$work/queue" --shared "$work/next" \
				--last "$last"
done <"$work/kinds"

# The shortest, three to eight that took at most a tenth of the time of all.
grep -v '^{"at_once":1,' "$work/queue" | grep '"film":false' |
	"$nbscope/mk/run/print-members.sh" run >"$work/shared"
xargs -rd '\n' grep -sH '^{"type":"run_end".*"status":"completed"' <"$work/shared" |
	sed 's/\(.*\):{.*"wall_ms":\([0-9.]*\).*/\2 \1/' | sort -n | awk '
		{ ms[NR] = $1; all += $1; sub(/^[^ ]* /, ""); run[NR] = $0 }
		END {
			while (n < 8 && (sum += ms[n + 1]) <= all / 10) n++
			for (i = 1; n >= 3 && i <= n; i++) print run[i]
		}' >"$work/again"
[ -s "$work/again" ] || exit 0
mkdir -p "$alone" || exit 4
jq -c --rawfile again "$work/again" --arg alone "$alone" 'select(IN(.run; $again | split("\n")[])) |
	[.run, .executed, .screenshots, .kernel_files] as $own |
	walk(if type == "string" and IN($own[]) then $alone + "/" + (split("/") | last)
		else . end)' "$work/queue" >"$alone/plan"
NBSCOPE_NOTEBOOKS=$(wc -l <"$alone/plan")
echo "profile: $NBSCOPE_NOTEBOOKS runs again, alone: what does sharing the machine cost?"
taskset -c "$(head -n 1 "$work/processors")" labserve ${INSECURE:+--insecure} \
	"$nbscope/mk/run/execute-plan.sh" "$alone/plan" </dev/null
while IFS= read -r run; do
	cellmetrics "$run" "$alone/${run##*/}" 2>/dev/null |
		jq -c 'select(.type == "notebook_metrics") |
			[.client_execution_time_metric, .kernel_execution_time_metric]' | jq -sc .
done <"$work/again" | jq -rsf "$nbscope/share/plan/sharing.jq"
