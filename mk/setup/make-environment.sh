#!/bin/sh
# make-environment.sh DIR: makes a virtual environment with a kernel and the requirements of WITH.
# Packages that WITH does not name have the versions of share/lab/requirements.txt, if possible. In
# the environment:
#   WITH   the requirements, as pip reads them
set -euf
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
dir=$1 with=${WITH-}
[ "$with" ] || { echo "make-env: WITH is required, as in: WITH='jdaviz==5.0.2' mk/setup/make-environment.sh DIR" >&2; exit 2; }
pins=share/lab/requirements.txt

# The distributions that the requirements name; a folder's name is in its project file.
named() {
	for word in $with; do
		case $word in
		-*) ;;
		*)
			if [ -d "$word" ]; then
				sed -n 's/^name *= *["'"'"']\{0,1\}\([A-Za-z0-9._-]*\).*/\1/p' "$word/pyproject.toml" "$word/setup.cfg" 2>/dev/null | head -1
			else
				expr "$word" : '\([A-Za-z0-9._-]*\)' || :
			fi ;;
		esac
	done | tr 'A-Z_.' 'a-z--'
}

mk/show/sanitize-text.sh "env: $with into ${dir#"$PWD"/}"
rm -rf "$dir"
mkdir -p "$(dirname "$dir")"
python3 -m venv "$dir"
named >"$dir/.named"
sed 's/ *#.*//; /^$/d' "$pins" | awk 'FILENAME == ARGV[1] {named[$0]; next}
	{name = tolower($0); sub(/[=<>~!].*/, "", name); gsub(/[_.]/, "-", name)}
	!(name in named)' "$dir/.named" - >"$dir/.constraints"
pip() {
	# shellcheck disable=SC2086  # requirements are words
	"$dir/bin/python" -m pip install --quiet --disable-pip-version-check "$@" $with ipykernel 2>"$dir/.log"
}
# A version that does not exist, and the newest that do: pip lists all.
stop_if_absent() {
	absent=$(sed -n 's/^ERROR: No matching distribution found for //p' "$dir/.log")
	[ -n "$absent" ] || return 0
	versions=$(sed -n 's/.*(from versions: \(.*\))$/\1/p' "$dir/.log" | tr -d ' ' | tr , '\n' | grep -v '^none$' | tail -n 4 | paste -sd' ')
	mk/show/sanitize-text.sh "env: there is no '$absent'${versions:+; the newest versions are $versions}" >&2
	exit 1
}
if ! pip -c "$dir/.constraints"; then
	stop_if_absent
	echo "env: these conflict with the pinned versions of other packages; installing without pins" >&2
	pip || {
		stop_if_absent
		cat "$dir/.log" >&2
		mk/show/sanitize-text.sh "env: '$with' cannot be installed" >&2
		exit 1
	}
fi
printf 'PACKAGES := %s\n' "$(find "$dir/lib" -maxdepth 3 -path '*/site-packages/*.dist-info' | sort | cksum | tr ' ' '-')" >"$dir/.packages.mk"
