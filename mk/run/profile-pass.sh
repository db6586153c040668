#!/bin/sh
# profile-pass.sh UC LABEL PASS: makes the profile runs of a pass, such as lines or functions+dask,
# that are due. The standard input has a line {"name", "cells"} for each notebook, with numbers of
# cells or null. Writes the run_plan records of these runs. FUNCTIONS in the environment are more of
# those whose lines are counted.
set -eu
nbscope=${0%/*}/../..
uc=$1 label=$2 pass=$3 plan=$NBSCOPE_SCRATCH/pass-plan overlay=
# The profilers that Python does not bring. The user's environment stays as it is.
if [ -z "${JUPYTERLAB_URL-}" ] && awk -v pass="+$pass+" '$3 == "package" &&
	index(pass, "+" $1 "+") { found = 1 } END { exit !found }' \
		"$nbscope/share/profile/profilers"; then
	overlay=$("$nbscope/mk/setup/install-profilers.sh" \
		"${VENV:-${OWN_VENV:-build/venv}}/bin/python" </dev/null) || :
fi
jq -c --arg pass "$pass" --arg overlay "$overlay" --arg decorators "${DECORATORS:-}" \
	--arg functions "${FUNCTIONS:-}" '
	def words: [splits("[ \n]+") | select(. != "")];
	([$decorators | words[] | split("=") | {(.[1:] | join("=")): .[0]}] | add) as $kinds |
	{type: "profile_spec", name, spec: ({profilers: ($pass | split("+")), cells,
		functions: ($functions | words),
		overlay: ($overlay | select(. != "") // null)} +
		if $pass == "leaks" then {rounds: (env.ROUNDS | tonumber), round: env.LEAKS}
		else {} end +
		if $kinds then {decorators: $kinds} else {} end)}' >"$plan.specs"
runplan --label "$label" --profile "$pass" --specs "$plan.specs" --target "${TARGET:=explain}" \
	${RERUN:+--rerun "$RERUN"} ${INSECURE:+--insecure} "$uc" >"$plan" && due= || due=$?
grep '^{"type":"run_plan"' "$plan" || :
case $due in '') exit 0 ;; 1) ;; *) exit 4 ;; esac
export SCREENSHOTS=0 PAGE=fresh
exec labserve ${INSECURE:+--insecure} "$nbscope/mk/run/execute-plan.sh" "$plan" --target "$TARGET" \
	</dev/null >&2
