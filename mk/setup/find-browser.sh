#!/bin/sh
# find-browser.sh: prints the path of the Chromium that wdsession starts (browser.c there): BROWSER,
# if it names one, or the first on PATH; on Debian, what its script starts. Status 1: none.
set -eu
case ${BROWSER-} in chromium) ;; *chrom*) set -- "$BROWSER" ;; esac
for browser in "$@" chromium chromium-browser google-chrome google-chrome-stable chrome; do
	if path=$(command -v "$browser"); then
		behind=/usr/lib/chromium/chromium
		[ "$path" != /usr/bin/chromium ] || [ ! -x $behind ] || path=$behind
		echo "$path"
		exit
	fi
done
exit 1
