#!/bin/sh
# note-environment.sh FILE: writes an `environment` record to FILE: which packages are installed
# where LABEL is measured. The packages of a user's own server are unknown. In the environment:
#   WITH, CHECKOUTS  what was asked for, and what it was (mk/setup/identify-checkouts.sh)
set -eu
. "${0%/*}/../show/say.sh"
venv=${VENV:-${OWN_VENV:-build/venv}} temp=${NBSCOPE_SCRATCH:-$(dirname "$1")}/.environment.$$.tmp
trap 'rm -f "$temp"' EXIT
unknown() {
	printf '{"type":"environment","t":%s,"label":"%s","with":null,"named":[],' \
		"$(date +%s.%6N)" "${LABEL:-current}"
	printf '"checkouts":null,"python":null,"packages":null,"reason":"%s"}\n' "$1"
}
if [ "${JUPYTERLAB_URL:-}" ] || [ ! -x "$venv/bin/python" ]; then
	unknown 'a server of your own'
elif ! timeout 60 "$venv/bin/python" -I "$nbscope/share/lab/environment.py" "$venv/.named"; then
	say "profile: the Python of '$venv' does not list its packages" >&2
	unknown 'its Python did not list its packages'
fi >"$temp"
mv "$temp" "$1"
