#!/bin/sh
# note-environment.sh FILE: writes an `environment` record to FILE: which packages are installed
# where LABEL is measured. The packages of a user's own server are unknown. In the environment:
#   WITH, CHECKOUTS  what was asked for, and what it was (mk/setup/identify-checkouts.sh)
set -eu
. "${0%/*}/../show/say.sh"
venv=${VENV:-build/venv} temp=${NBSCOPE_SCRATCH:-$(dirname "$1")}/.environment.$$.tmp found=null
trap 'rm -f "$temp"' EXIT
reason='a server of your own'
if [ -z "${JUPYTERLAB_URL:-}" ] && [ -x "$venv/bin/python" ]; then
	reason=
	found=$(timeout 60 "$venv/bin/python" -I -c 'import importlib.metadata, json, platform
names = {d.metadata["Name"]: d.version for d in importlib.metadata.distributions()}
packages = {n.lower().replace("_", "-").replace(".", "-"): v for n, v in names.items() if n}
print(json.dumps({"python": platform.python_version(), "packages": packages}))') || {
		say "profile: the Python of '$venv' does not list its packages" >&2
		reason='its Python did not list its packages' found=null
	}
fi
[ -z "$reason" ] || WITH='' CHECKOUTS='' venv=
named=$(cat "$venv/.named" 2>/dev/null) || :
# shellcheck disable=SC2153  # LABEL is make's
printf '%s\n' "$found" | jq -c --arg l "${LABEL:-current}" --arg with "${WITH-}" \
	--arg checkouts "${CHECKOUTS-}" --arg reason "$reason" --arg named "$named" '
	def given: if . == "" then null else . end;
	{type: "environment", t: now, label: $l, with: ($with | given),
	named: [$named | splits("\n") | select(. != "")], checkouts: ($checkouts | given),
	python: .python?, packages: .packages?, reason: ($reason | given)}' >"$temp"
mv "$temp" "$1"
