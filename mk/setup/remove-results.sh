#!/bin/sh
# remove-results.sh UC: removes what was generated in the folder UC, and the folders of a single
# notebook if nothing else is in them.  Takes the locks of all of it: fails at once if another make
# uses it.
set -eu
. "${0%/*}/../show/say.sh"
[ -d "$1" ] || { echo "clean: there is nothing of it to remove"; exit 0; }
uc=$1
for label in "$uc"/runs/*; do
	label=${label##*/}
	[ -z "$(mk/cluster/list-tasks.sh "$uc" "$label")" ] ||
		stop 2 "clean: a job makes runs of label '$label': $(type_to cancel)"
done
set -- rm -rf
for folder in notebooks runs executed metrics screenshots profiles report scripts; do
	set -- "$@" "$uc/$folder"
done
for folder in "$uc/notebooks" "$uc"/metrics/* "$uc/report" "$uc"/report/* "$uc"/runs/*; do
	[ ! -d "$folder" ] || ! command -v runlock >/dev/null ||
		set -- runlock --wait 0 "$folder" "$@"
done
"$@"
say "clean: removed notebooks, runs, executed, metrics, screenshots, profiles, report and" \
	"scripts from $uc"
[ -z "${NOTEBOOK-}" ] || rmdir --ignore-fail-on-non-empty "$uc" "${uc%/*}"
