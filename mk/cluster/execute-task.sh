#!/bin/sh
# execute-task.sh JOB: a task of a Slurm array: makes the run that the record JOB/TASK asks for, in
# a JupyterLab of its own. Everything else is in the node's temporary folder. In the environment:
#   SLURM_ARRAY_TASK_ID  the task
set -u
nbscope=${0%/*}/../..
uc=${1%/runs/*} label=${1%/.jobs/*} plan=$NBSCOPE_SCRATCH/plan
# Planned again here: another node has other memory, and Slurm starts a task again if its node is
# lost, also if the run was made before that.
! runplan --label "${label##*/}" ${INSECURE:+--insecure} "$uc" | grep '"due":true' |
	grep -F "$(grep -o '"run":".*","executed":' "$1/$SLURM_ARRAY_TASK_ID")" >"$plan" ||
	exec labserve ${INSECURE:+--insecure} "$nbscope/mk/run/execute-plan.sh" "$plan"
