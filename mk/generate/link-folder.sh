#!/bin/sh
# link-results NOTEBOOK: prints the name of a link to the folder of a single notebook's results, which may
# have any path; the link is in build/results.
set -u
[ "${1-}" != --help ] || exec mk/usage "$0"
folder=$(mk/notebook-folder "$1" 2>/dev/null) || { echo build/results/none; exit; }
link=build/results/$(printf '%s' "$folder" | cksum | tr ' ' -)
mkdir -p build/results && ln -sfn "$folder" "$link" && echo "$link"
