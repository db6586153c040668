#!/bin/sh
# show-status.sh UC LABEL: prints how many runs of a label are made, wait or run on a cluster,
# failed and are missing, and which process or job makes some now.
set -u
. "${0%/*}/../show/say.sh"
uc=$1 label=$2 runs=$1/runs/$2 work=$NBSCOPE_SCRATCH
[ -e "$runs/.settings" ] || stop 2 "status: no runs of label '$label' yet: $(type_to profile)"
runplan --label "$label" "$uc" >"$work/plan"
[ $? -lt 2 ] || exit 4
mk/cluster/list-tasks.sh "$uc" "$label" >"$work/tasks" || echo unknown >"$work/jobs"
# Without waiting, runlock says who holds the folder.
in_use=$(runlock --wait 0 "$runs" 2>&1)
[ $? = 5 ] || in_use=
say "$(basename "$uc"), label $label"
jq -nr --rawfile tasks "$work/tasks" '
	[$tasks | splits("\n") | split("\t") | select(length > 5)
		| {state: .[2], node: .[3], why: .[4], run: (.[5] | fromjson? | .run)}] as $tasks |
	[inputs | select(.type == "run_plan" and .required)] as $runs |
	($tasks | INDEX(.run)) as $queued |
	def row($what; $more): select(length > 0)
		| "\(($what + " " * 10)[:10])\(length)\($more)";
	def words(f): map(f) | unique | join(", ");
	[$runs[] | select(.due | not)] as $made |
	[$made[] | select(.status != "completed" and .status != "skipped")] as $failed |
	"runs      \($runs | length)",
	($made | row("current"; if $failed == [] then "" else
		", of which \($failed | length) failed (\($failed | words(.status)))" end)),
	($tasks | map(select(.state != "PENDING"))
		| row("running"; " on \(map(.node) | unique | join(" "))")),
	($tasks | map(select(.state == "PENDING"))
		| row("waiting"; " in the queue (\(words(.why)))")),
	([$runs[] | select(.due and ($queued[.run] | not))] | group_by(.state)[]
		| row(.[0].state; ""))' "$work/plan"
[ ! -e "$work/jobs" ] || echo "jobs      unknown: Slurm does not answer"
[ -z "$in_use" ] || say "${in_use#runlock: }"
