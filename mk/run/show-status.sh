#!/bin/sh
# show-status.sh UC LABEL: prints how many runs of a label are made, wait or run on a cluster,
# failed and are missing, and which process or job makes some now.
set -u
. "${0%/*}/../show/say.sh"
uc=$1 label=$2 runs=$1/runs/$2 work=$NBSCOPE_SCRATCH
[ -e "$runs/.settings" ] || stop 2 "status: no runs of label '$label' yet: $(type_to profile)"
runplan --label "$label" "$uc" >"$work/plan"
[ $? -lt 2 ] || exit 4
"$nbscope/mk/cluster/list-tasks.sh" "$uc" "$label" >"$work/tasks" || echo unknown >"$work/jobs"
# Without waiting, runlock says who holds the folder.
in_use=$(runlock --wait 0 "$runs" 2>&1)
[ $? = 5 ] || in_use=
say "$(basename "$uc"), label $label"
jq -nrf "$nbscope/share/plan/status.jq" --rawfile tasks "$work/tasks" "$work/plan"
[ ! -e "$work/jobs" ] || echo "jobs      unknown: Slurm does not answer"
[ -z "$in_use" ] || say "${in_use#runlock: }"
