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
what=$1 stamp=$2 targets='' sources=''
shift 2
while [ "$1" != -- ]; do
	targets=$targets$newline$1
	shift
done
shift
while [ $# -gt 0 ] && [ "$1" != -- ]; do
	sources=$sources$newline$1
	shift
done
[ $# = 0 ] || shift
# shellcheck disable=SC2086  # lines
sums_of_targets() (
	cd "${stamp%/*}" 2>/dev/null && IFS=$newline || exit
	case $targets in
	'') ;;
	"$newline.") find . -type f ! -name '.*' -exec cksum {} + | sort ;;
	*) cksum -- $targets 2>&1 ;;
	esac
)
made=$(sums_of_targets)
[ "$what" != whole ] || { [ ! -e "$stamp" ] || [ "$made" = "$(sed 1d "$stamp")" ]; exit; }
# shellcheck disable=SC2086  # lines
from=$(IFS=$newline; { printf '%s\n' "$sources"; cksum -- $sources 2>/dev/null; } | cksum)
[ "$from$newline$made" != "$(cat "$stamp" 2>/dev/null)" ] || exit 0
"$@" || exit
printf '%s\n%s\n' "$from" "$(sums_of_targets)" >"$stamp.$$.tmp" && mv "$stamp.$$.tmp" "$stamp"
