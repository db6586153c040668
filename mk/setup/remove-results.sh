#!/bin/sh
# remove-results.sh UC [LABEL]: removes what was generated of a label in the folder UC; of all
# labels without LABEL, after a question on a terminal or with YES=1, and the folders of a single
# notebook if nothing else is in them. Takes the locks of all of it: fails at once if another make
# uses it.
set -eu
. "${0%/*}/../show/say.sh"
uc=$1 label=${2-} below='runs executed metrics screenshots profiles report'
[ "$label" ] || below="notebooks scripts $below"
set --
for folder in $below; do
	folder=$uc/$folder${label:+/$label}
	[ ! -e "$folder" ] || set -- "$@" "$folder"
done
if [ $# = 0 ]; then
	say "clean: there is nothing of it to remove${label:+ of label '$label'}"
	exit 0
fi
for of in "$uc"/runs/${label:-*}; do
	of=${of##*/}
	[ -z "$("$nbscope/mk/cluster/list-tasks.sh" "$uc" "$of")" ] ||
		stop 2 "clean: a job makes runs of label '$of': $(label=$of; type_to cancel)"
done
if [ ! "$label" ] && [ "${YES-}" != 1 ]; then
	say "clean: this removes from $uc, with all labels:"
	du -sh -- "$@" | while read -r size folder; do
		labels=$(cd "$folder" && ls -d -- */ 2>/dev/null | tr -d / | paste -sd' ')
		say "  $size  ${folder##*/}${labels:+: $labels}"
	done
	[ -t 0 ] || stop 2 "clean: nothing was removed: $(label=current; type_to clean YES=1)" \
		"removes all, and with LABEL=NAME one label"
	printf 'clean: remove all of it? [y/N] '
	read -r answer || answer=
	case $answer in [yY]*) ;; *) stop 2 "clean: nothing was removed" ;; esac
fi
removed=
for folder; do removed="$removed${removed:+, }${folder#"$uc"/}"; done
set -- rm -rf "$@"
for folder in "$uc/notebooks" "$uc/report" "$uc"/metrics/${label:-*} "$uc"/report/${label:-*} \
	"$uc"/runs/${label:-*}; do
	[ ! -d "$folder" ] || ! command -v runlock >/dev/null ||
		set -- runlock --wait 0 "$folder" "$@"
done
"$@"
say "clean: removed $removed from $uc"
[ "$label" ] || [ -z "${NOTEBOOK-}" ] || rmdir --ignore-fail-on-non-empty "$uc" "${uc%/*}"
