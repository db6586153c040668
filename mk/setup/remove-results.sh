#!/bin/sh
# remove-results.sh UC: removes what was generated in the folder UC, and the folders of a single
# notebook if nothing else is in them.  Takes the locks of all of it: fails at once if another make
# uses it.
set -eu
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
[ -d "$1" ] || { echo "clean: there is nothing of it to remove"; exit 0; }
uc=$1
for label in "$uc"/runs/*; do
	[ -z "$(mk/cluster/list-tasks.sh "$uc" "${label##*/}")" ] || { echo "clean: a job makes runs of label '${label##*/}': $(mk/show/print-command.sh cancel "$uc" "${label##*/}")" >&2; exit 2; }
done
set -- rm -rf "$uc/notebooks" "$uc/runs" "$uc/executed" "$uc/metrics" "$uc/screenshots" "$uc/profiles" "$uc/report" "$uc/scripts"
for folder in "$uc/notebooks" "$uc"/metrics/* "$uc/report" "$uc"/report/* "$uc"/runs/*; do
	[ ! -d "$folder" ] || ! command -v runlock >/dev/null || set -- runlock --wait 0 "$folder" "$@"
done
"$@"
mk/show/sanitize-text.sh "clean: removed notebooks, runs, executed, metrics, screenshots, profiles, report and scripts from $uc"
[ -z "${NOTEBOOK-}" ] || rmdir --ignore-fail-on-non-empty "$uc" "${uc%/*}"
