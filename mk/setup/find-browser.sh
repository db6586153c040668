#!/bin/sh
# find-browser.sh: prints the path of the Chromium that wdsession would start: BROWSER, if it names
# one, else the first of those that tools/run/wdsession/browser.c knows. Status 1: there is none.
set -eu
case ${BROWSER-} in *chrom*) [ "$BROWSER" = chromium ] || set -- "$BROWSER" ;; esac
for browser in "$@" /usr/lib/chromium/chromium chromium chromium-browser google-chrome \
	google-chrome-stable chrome; do
	! command -v "$browser" || exit 0
done
exit 1
