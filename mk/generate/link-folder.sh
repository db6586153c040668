#!/bin/sh
# link-folder.sh NOTEBOOK: prints the name of a link to the folder of a single notebook's results,
# which may have any path; the link is in build/results.
set -u
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
folder=$(mk/generate/name-folder.sh "$1" 2>/dev/null) || { echo build/results/none; exit; }
link=build/results/$(printf '%s' "$folder" | cksum | tr ' ' -)
mkdir -p build/results && ln -sfn "$folder" "$link" && echo "$link"
