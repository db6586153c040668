#!/bin/sh
# make-due-runs.sh UC LABEL: makes the runs of a label that are due, by its plan, which is in
# UC/runs/LABEL/plan afterwards. In the environment: what prepare-label, execute-plan, labserve,
# wdsession and the engine read there, and
#   RERUN     failed or all: make these runs again, too
#   ENGINE    serial: one after the other, under one JupyterLab (default); local, slurm: as
#             execute-parallel and submit-runs do it
#   INSECURE  1: accept any TLS certificate of the server
set -u
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
[ "${NBSCOPE_SCRATCH-}" ] || exec runlock --scratch "$1/runs/$2" "$0" "$@"
uc=$1 label=$2 runs=$1/runs/$2
# No lock reaches to the nodes of a cluster.
if [ "${ENGINE:-serial}" != slurm ] && [ -d "$runs/.jobs" ]; then
	[ -z "$(mk/cluster/list-tasks.sh "$uc" "$label" || echo unknown)" ] || {
		echo "profile: a job of a cluster makes these runs: $(mk/show/print-command.sh profile "$uc" "$label" ENGINE=slurm)" \
			"waits for it, $(mk/show/print-command.sh cancel "$uc" "$label") ends it" >&2
		exit 2
	}
	rm -rf "$runs/.jobs"
fi
mk/run/prepare-label.sh "$uc" "$label" || exit
runplan --label "$label" ${RERUN:+--rerun "$RERUN"} ${INSECURE:+--insecure} --output "$runs/plan" "$uc"
due=$?
[ $due -lt 2 ] || exit 4
grep -q '"required":true' "$runs/plan" || {
	mk/show/sanitize-text.sh "profile: no combination is selected${WHERE:+ by WHERE='$WHERE'}" >&2
	exit 2
}
[ $due = 1 ] || exit 0
# After the runs there is another plan.
plan=$NBSCOPE_SCRATCH/plan
mv "$runs/plan" "$plan"
# The request outlives this make, until another run is in the place of the one that it names.
[ -z "${RERUN-}" ] || ! grep '"reason":"requested again"' "$plan" >"$NBSCOPE_SCRATCH/rerun" ||
	mv "$NBSCOPE_SCRATCH/rerun" "$runs/.rerun"
mk/run/note-environment.sh "$runs/.environment.jsonl" || exit 4
# Folders that are written at the end are checked before anything runs.
for folder in "$uc/executed/$label" "$uc/screenshots/$label"; do
	[ "${SCREENSHOTS:-0}" != 0 ] || [ "${folder%/screenshots/*}" = "$folder" ] || continue
	runlock --no-lock "$folder" || exit 4
done
case ${ENGINE:-serial} in
serial) exec labserve ${INSECURE:+--insecure} mk/run/execute-plan.sh "$plan" ;;
local) exec mk/run/execute-parallel.sh "$uc" "$label" "$plan" ;;
slurm) exec mk/cluster/submit-runs.sh "$uc" "$label" "$plan" ;;
esac
