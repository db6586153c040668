#!/bin/sh
# profile-pass.sh UC LABEL PASS: makes the profile runs of a pass, such as lines or functions+dask,
# that are due. The standard input has a line {"name", "cells", "functions"} for each notebook,
# with numbers of cells or null and the functions whose lines are timed. Writes the run_plan
# records of these runs. In the environment: what execute-plan and labserve read there, and
#   RERUN  failed or all: make these runs again, too
#   DECORATORS  KIND=MODULE:NAME of the user's own decorators that profile; KIND is dask or
#               single_thread
#   VENV   the kernel's Python environment (default build/venv)
set -eu
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
[ "${NBSCOPE_SCRATCH-}" ] || exec runlock --scratch "$1/runs/$2" "$0" "$@"
uc=$1 label=$2 pass=$3 plan=$NBSCOPE_SCRATCH/pass-plan overlay=
# The profilers that Python does not bring. The user's environment stays as it is.
if [ -z "${JUPYTERLAB_URL-}" ]; then
	if awk -v pass="+$pass+" '$3 == "package" && index(pass, "+" $1 "+") { found = 1 }
		END { exit !found }' share/profile/profilers; then
		overlay=$(mk/setup/install-profilers.sh "${VENV:-build/venv}/bin/python" </dev/null) || overlay=
	fi
fi
jq -c --arg pass "$pass" --arg overlay "$overlay" --arg decorators "${DECORATORS:-}" '
	([$decorators | splits(" +") | select(. != "") | capture("^(?<kind>[^=]*)=(?<name>.*)$") | {(.name): .kind}]
		| add // {}) as $decorators |
	{type: "profile_spec", name, spec: ({profilers: ($pass | split("+")), cells, functions,
		overlay: (if $overlay == "" then null else $overlay end)} +
		if $decorators == {} then {} else {$decorators} end)}' >"$plan.specs"
runplan --label "$label" --profile "$pass" --specs "$plan.specs" --target "${TARGET:=explain}" \
	${RERUN:+--rerun "$RERUN"} ${INSECURE:+--insecure} "$uc" >"$plan" && due= || due=$?
grep '^{"type":"run_plan"' "$plan" || :
case $due in '') exit 0 ;; 1) ;; *) exit 4 ;; esac
export SCREENSHOTS=0 PAGE=fresh
exec labserve ${INSECURE:+--insecure} mk/run/execute-plan.sh "$plan" --target "$TARGET" </dev/null >&2
