#!/bin/sh
# execute-task.sh JOB: a task of a Slurm array: makes the run that its line in JOB/states asks for,
# in a JupyterLab of its own; then makes the file JOB/TASK.end. Everything else is in the node's own
# temporary folder. In the environment:
#   SLURM_ARRAY_TASK_ID  the task: lines are counted from 0
set -u
. "${0%/*}/../show/say.sh"
job=$1 task=$SLURM_ARRAY_TASK_ID uc=${1%/runs/*} label=${1%/.jobs/*} plan=$NBSCOPE_SCRATCH/plan
state=$(sed -n "$((task + 1))p" "$job/states")
[ "$state" ] || stop 3 "slurm-task: '$job/states' has no line $((task + 1))"
# Planned again here: another node has other memory, and Slurm starts a task again if its node is
# lost, also if the run was made before that.
runplan --label "${label##*/}" ${INSECURE:+--insecure} "$uc" |
	grep -F "$(printf '%s' "$state" | grep -o '"run":".*","executed":')" |
	grep '"due":true' >"$plan" &&
	labserve ${INSECURE:+--insecure} mk/run/execute-plan.sh "$plan"
: >"$job/$task.end"
