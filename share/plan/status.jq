# What make status prints of the runs of a label: how many are made, wait, run, failed, are missing.
# In:  run_plan records; $tasks (those of a cluster, as mk/cluster/list-tasks.sh prints them)
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
	| row(.[0].state; ""))
