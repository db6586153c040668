#!/bin/sh
# execute-task.sh JOB: a task of a Slurm array: makes the run that its line in JOB/states asks for,
# in a JupyterLab of its own; then makes the file JOB/TASK.end. Everything else is in the node's
# own temporary folder. In the environment: what execute-plan and labserve read there, and
#   SLURM_ARRAY_TASK_ID  the task: lines are counted from 0
#   TMPDIR               the temporary folder of the node (default /tmp)
set -u
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
# Its lock would hold up the other tasks of the node.
[ "${NBSCOPE_SCRATCH-}" ] || exec runlock --no-lock --scratch "${TMPDIR:-/tmp}" "$0" "$@"
job=$1 task=$SLURM_ARRAY_TASK_ID
state=$(sed -n "$((task + 1))p" "$job/states")
[ "$state" ] || { echo "slurm-task: '$job/states' has no line $((task + 1))" >&2; exit 3; }
# Slurm starts a task again if its node is lost, also if the run was made before that.
if ! mk/cluster/check-replaced.sh "$state"; then
	# Planned again here: another node has other memory.
	printf '%s\n' "$state" >"$NBSCOPE_SCRATCH/state"
	uc=${job%/runs/*} label=${job%/.jobs/*} label=${label##*/}
	runplan --label "$label" ${INSECURE:+--insecure} "$uc" |
		jq -c --slurpfile run "$NBSCOPE_SCRATCH/state" 'select(.run == $run[0].run)' >"$NBSCOPE_SCRATCH/plan"
	labserve ${INSECURE:+--insecure} mk/run/execute-plan.sh "$NBSCOPE_SCRATCH/plan"
fi
: >"$job/$task.end"
