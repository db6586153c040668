#!/bin/sh
# make-unless.sh whole|unless STAMP TARGET... -- SOURCE... [-- COMMAND...]: decides by contents,
# not by dates, whether files that a recipe makes have to be made again. The TARGETs are names in
# the folder of the file STAMP ("." is all of it), which has their sizes and checksums, and those
# of the SOURCEs: files or, where there is none of that name, texts. "whole" succeeds if the
# TARGETs are as they were made, or nothing is known of them. "unless" runs COMMAND unless they
# are, and the SOURCEs are, too; then it writes STAMP.
set -uf
newline='
'
what=$1 stamp=$2 targets='' files='' texts=''
shift 2
IFS=$newline
while [ $# -gt 0 ] && [ "$1" != -- ]; do
	targets=$targets$newline$1
	shift
done
shift
while [ $# -gt 0 ] && [ "$1" != -- ]; do
	if [ -f "$1" ]; then files=$files$newline$1; else texts=$texts$newline$1; fi
	shift
done
[ $# = 0 ] || shift
# shellcheck disable=SC2086  # lines
sums_of_targets() {
	cd "${stamp%/*}" 2>/dev/null || return
	case $targets in
	'') ;;
	"$newline.") find . -type f ! -name '.*' -exec cksum {} + | sort ;;
	*) cksum -- $targets 2>&1 ;;
	esac
}
# shellcheck disable=SC2086  # lines
sums_of_sources() {
	printf '%s\n' "$texts"
	[ -z "$files" ] || cksum -- $files
}
made=$(sums_of_targets)
[ "$what" != whole ] || { [ ! -e "$stamp" ] || [ "$made" = "$(sed 1d "$stamp")" ]; exit; }
from=$(sums_of_sources | cksum)
[ "$from$newline$made" != "$(cat "$stamp" 2>/dev/null)" ] || exit 0
unset IFS
"$@" || exit
made=$(sums_of_targets)
printf '%s\n%s\n' "$from" "$made" >"$stamp.$$.tmp" && mv "$stamp.$$.tmp" "$stamp"
