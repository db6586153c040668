#!/bin/sh
# make-environment.sh DIR: makes a virtual environment with a kernel, the requirements of WITH, and
# those of the file REQUIREMENTS, if there is one, that WITH does not name. Other packages have the
# versions of share/lab/requirements.txt, if possible. If a word of WITH is --no-deps, it names all
# packages besides the kernel.
set -euf
. "${0%/*}/../show/say.sh"
dir=$1 with=${WITH-}
[ "$with" ] || stop 2 "make-env: WITH is required, as in:" \
	"WITH='jdaviz==5.0.2' mk/setup/make-environment.sh DIR"

# The distributions that the requirements name; a folder's name is in its project file.
named() {
	for word in $with; do
		if [ -d "$word" ]; then
			cat "$word/pyproject.toml" "$word/setup.cfg" 2>/dev/null | tr -d "\"'" |
				sed -n 's/^name *= *\([A-Za-z0-9._-]*\).*/\1/p' | head -1
		else
			printf '%s\n' "$word" | grep -v '^-' | grep -o '^[A-Za-z0-9._-]*' || :
		fi
	done | tr 'A-Z_.' 'a-z--'
}

say "env: $with into ${dir#"$PWD"/}"
rm -rf "$dir"
mkdir -p "$(dirname "$dir")"
"${BASE_PYTHON:-python3}" -m venv --without-pip "$dir"
# uv takes a tenth of the time that Python takes for the same pip.
"$nbscope/mk/setup/install-packages.sh" "$dir/bin/python" --no-index \
	"$("$nbscope/mk/setup/find-pip.sh" "$dir/bin/python")" >/dev/null 2>&1 ||
	"$dir/bin/python" -m ensurepip >/dev/null
named >"$dir/.named"
# unnamed FILE: its packages that WITH does not name.
unnamed() {
	sed 's/ *#.*//; /^$/d; /^-/d' "$1" | awk 'FILENAME == ARGV[1] {named[$0]; next}
		{name = tolower($0); sub(/[^a-z0-9._-].*/, "", name)}
		{gsub(/[_.]/, "-", name)}
		!(name in named)' "$dir/.named" -
}
unnamed "$nbscope/share/lab/requirements.txt" >"$dir/.constraints"
unnamed "${REQUIREMENTS:-/dev/null}" >"$dir/.requirements"
# A version that does not exist, and the newest that do: pip lists all.
stop_if_absent() {
	absent=$(sed -n 's/^ERROR: No matching distribution found for //p' "$dir/.log")
	[ -n "$absent" ] || return 0
	versions=$(sed -n 's/.*(from versions: \(.*\))$/\1/p' "$dir/.log" | tr -d ' ' | tr , '\n' |
		grep -v '^none$' | tail -n 4 | paste -sd' ')
	stop 1 "env: there is no '$absent'${versions:+; the newest versions are $versions}"
}
pip() {
	"$dir/bin/python" -m pip install --quiet --disable-pip-version-check "$@" \
		2>"$dir/.log" || {
		stop_if_absent
		return 1
	}
}
kernel=ipykernel
case " $with " in *' --no-deps '*)
	pip -c "$dir/.constraints" ipykernel || cat "$dir/.log" >&2
	: >"$dir/.constraints"
	: >"$dir/.requirements"
	kernel='' ;;
esac
# shellcheck disable=SC2086  # requirements are words
if ! pip -c "$dir/.constraints" -r "$dir/.requirements" $with $kernel; then
	say "env: these conflict with the pinned versions of other packages;" \
		"installing without pins" >&2
	# shellcheck disable=SC2086  # requirements are words
	pip -r "$dir/.requirements" $with $kernel || {
		cat "$dir/.log" >&2
		stop 1 "env: '$with' cannot be installed"
	}
fi
packages=$(find "$dir/lib" -maxdepth 3 -path '*/site-packages/*.dist-info' | sort |
	cksum | tr ' ' '-')
echo "PACKAGES := $packages" >"$dir/.packages.mk"
