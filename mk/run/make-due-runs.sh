#!/bin/sh
# make-due-runs.sh UC LABEL: makes the runs of a label that are due, by its plan, which is in
# UC/runs/LABEL/plan afterwards.
set -u
. "${0%/*}/../show/say.sh"
uc=$1 label=$2 runs=$1/runs/$2
# No lock reaches to the nodes of a cluster.
if [ "${ENGINE:=serial}" != slurm ] && [ -d "$runs/.jobs" ]; then
	[ -z "$("$nbscope/mk/cluster/list-tasks.sh" "$uc" "$label" || echo unknown)" ] ||
		stop 2 "profile: a job of a cluster makes these runs:" \
			"$(type_to profile ENGINE=slurm) waits for it, $(type_to cancel) ends it"
	rm -rf "$runs/.jobs"
fi
"$nbscope/mk/run/prepare-label.sh" "$uc" "$label" || exit
runplan --label "$label" ${RERUN:+--rerun "$RERUN"} ${INSECURE:+--insecure} --output "$runs/plan" \
	"$uc"
due=$?
[ $due -lt 2 ] || exit 4
grep -q '"required":true' "$runs/plan" ||
	stop 2 "profile: no combination is selected${WHERE:+ by WHERE='$WHERE'}"
if [ "${SCREENSHOTS:-0}" = 1 ]; then
	without=$(grep '"usable":true' "$runs/plan" | "$nbscope/mk/run/print-members.sh" run |
		xargs -d '\n' -r head -qn 1 | grep -vc '"screenshots":true')
	[ "$without" = 0 ] || say "profile: $without of these runs were made without pictures;" \
		"to make them again: $(type_to profile SCREENSHOTS=1 RERUN=all)"
fi
# That of current runs is the one of now.
[ $due = 1 ] || grep -qs '^{"type":"environment",.*}$' "$runs/.environment.jsonl" ||
	"$nbscope/mk/run/note-environment.sh" "$runs/.environment.jsonl" || exit 4
[ $due = 1 ] || exit 0
# After the runs there is another plan.
plan=$NBSCOPE_SCRATCH/plan
mv "$runs/plan" "$plan"
# The request outlives this make, until another run is in the place of the one that it names.
[ -z "${RERUN-}" ] || ! grep '"reason":"requested again"' "$plan" >"$NBSCOPE_SCRATCH/rerun" ||
	mv "$NBSCOPE_SCRATCH/rerun" "$runs/.rerun"
"$nbscope/mk/run/note-environment.sh" "$runs/.environment.jsonl" || exit 4
# Folders that are written at the end are checked before anything runs.
runlock --no-lock "$uc/executed/$label" || exit 4
[ "${SCREENSHOTS:-0}" = 0 ] || runlock --no-lock "$uc/screenshots/$label" || exit 4
# Progress begins with the prediction of make plan.
planned=$(nbplan --json --runs "$runs" --label "$label" <"$plan" 2>/dev/null |
	"$nbscope/mk/run/print-members.sh" time_s)
[ "${planned:-null}" = null ] || export NBSCOPE_PLANNED_S="$planned"
case $ENGINE in
serial) exec labserve ${INSECURE:+--insecure} "$nbscope/mk/run/execute-plan.sh" "$plan" ;;
local) exec "$nbscope/mk/run/execute-parallel.sh" "$uc" "$label" "$plan" ;;
slurm) exec "$nbscope/mk/cluster/submit-runs.sh" "$uc" "$label" ;;
esac
