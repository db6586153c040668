#!/bin/sh
# note-environment.sh FILE: writes an `environment` record to FILE: which packages are installed
# where LABEL is measured. The packages of a user's own server are unknown. In the environment:
#   LABEL            of the runs (default current)
#   VENV             their Python environment (default build/venv)
#   WITH, CHECKOUTS  what was asked for, and what it was (mk/setup/identify-checkouts.sh)
#   JUPYTERLAB_URL   the user's own server
set -eu
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
temp=${NBSCOPE_SCRATCH:-$(dirname "$1")}/.environment.$$.tmp
exec >"$temp"
trap 'rm -f "$temp"' EXIT
# shellcheck disable=SC2153  # LABEL is make's
label=${LABEL:-current} venv=${VENV:-build/venv} with=${WITH:-} checkouts=${CHECKOUTS:-}
named=/dev/null reason=
[ ! -e "$venv/.named" ] || named=$venv/.named
if [ -n "${JUPYTERLAB_URL:-}" ] || [ ! -x "$venv/bin/python" ]; then
	reason='a server of your own' found=
elif ! found=$(timeout 60 "$venv/bin/python" -I -c 'import importlib.metadata, json, platform
names = {d.metadata["Name"]: d.version for d in importlib.metadata.distributions()}
packages = {n.lower().replace("_", "-").replace(".", "-"): v for n, v in names.items() if n}
print(json.dumps({"python": platform.python_version(), "packages": packages}))'); then
	mk/show/sanitize-text.sh "profile: the Python of '$venv' does not list its packages" >&2
	reason='its Python did not list its packages' found=
fi
[ -z "$reason" ] || with='' checkouts='' named=/dev/null
printf '%s\n' "${found:-null}" | jq -c --arg l "$label" --arg with "$with" --arg checkouts "$checkouts" \
	--arg reason "$reason" --rawfile named "$named" '
	def given: if . == "" then null else . end;
	{type: "environment", t: now, label: $l, with: ($with | given),
	named: [$named | splits("\n") | select(. != "")], checkouts: ($checkouts | given),
	python: .python?, packages: .packages?, reason: ($reason | given)}'
mv "$temp" "$1"
