#!/bin/sh
# show-status.sh UC LABEL: prints how many runs of a label are made, wait or run on a cluster,
# failed and are missing, and which process or job makes some now. In the environment: what
# list-tasks reads there.
set -u
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
[ "${NBSCOPE_SCRATCH-}" ] || exec runlock --no-lock --scratch "$1" "$0" "$@"
uc=$1 label=$2 runs=$1/runs/$2 work=$NBSCOPE_SCRATCH
[ -e "$runs/.settings" ] || { echo "status: no runs of label '$label' yet: $(mk/show/print-command.sh profile "$uc" "$label")" >&2; exit 2; }
runplan --label "$label" "$uc" >"$work/plan"
[ $? -lt 2 ] || exit 4
mk/cluster/list-tasks.sh "$uc" "$label" >"$work/tasks" || echo unknown >"$work/jobs"
# Without waiting, runlock says who holds the folder.
in_use=$(runlock --wait 0 "$runs" 2>&1)
[ $? = 5 ] || in_use=
mk/show/sanitize-text.sh "$(basename "$uc"), label $label"
jq -nr --rawfile tasks "$work/tasks" '
	[$tasks | splits("\n") | split("\t") | select(length > 5)
		| {state: .[2], node: .[3], why: .[4], run: (.[5] | fromjson? | .run)}] as $tasks |
	[inputs | select(.type == "run_plan" and .required)] as $runs | ($tasks | INDEX(.run)) as $queued |
	def row($what; $n; $more):
		if $n > 0 then "\($what + " " * (10 - ($what | length)))\($n)\($more)" else empty end;
	def statuses: [.[].status] | unique | join(", ");
	($runs | map(select(.due | not))) as $made |
	($made | map(select(.status != "completed" and .status != "skipped"))) as $failed |
	($tasks | map(select(.state != "PENDING"))) as $running |
	($tasks | map(select(.state == "PENDING"))) as $waiting |
	"runs      \($runs | length)",
	row("current"; $made | length;
		if $failed != [] then ", of which \($failed | length) failed (\($failed | statuses))" else "" end),
	row("running"; $running | length; " on \([$running[].node] | unique | join(" "))"),
	row("waiting"; $waiting | length; " in the queue (\([$waiting[].why] | unique | join(", ")))"),
	([$runs[] | select(.due and ($queued[.run] | not))] | group_by(.state)[] | row(.[0].state; length; ""))' "$work/plan"
[ ! -e "$work/jobs" ] || echo "jobs      unknown: Slurm does not answer"
[ -z "$in_use" ] || mk/show/sanitize-text.sh "${in_use#runlock: }"
