#!/bin/sh
# list-tasks.sh UC LABEL [all]: prints the tasks of Slurm that make runs of a label: those that
# wait or run, or with "all" also those that ended a short time ago. Each line has the job's name,
# the number of its task, the state, the node, why it waits, and the run_plan record, with tabs
# between. The record of a task is the file UC/runs/LABEL/.jobs/NAME/TASK.
set -u
. "${0%/*}/../show/say.sh"
cd "$1/runs/$2/.jobs" 2>/dev/null || exit 0
names=$(find . -mindepth 1 -maxdepth 1 -type d -printf '%P,')
[ "$names" ] || exit 0
command -v squeue >/dev/null ||
	stop 4 "jobs: a cluster makes runs of label '$2', and there is no squeue here"
found=$(squeue --noheader --array --user "$(id -un)" --name "${names%,}" ${3:+--states=all} \
	--format '%j|%K|%T|%N|%r') || exit 4
printf '%s\n' "$found" | sort -t '|' -k1,1 -k2,2n | awk -F '|' -v OFS='\t' 'NF >= 5 {
	file = $1 "/" $2; record = ""
	getline record <file; close(file)
	print $1, $2, $3, $4, $5, record
}'
