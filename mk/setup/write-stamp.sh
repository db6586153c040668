#!/bin/sh
# write-stamp.sh FILE TEXT: writes TEXT to FILE as a whole. In the environment:
#   NBSCOPE_SCRATCH   the folder of the temporary file (runlock --scratch removes it after a kill)
set -eu
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
dir=$(dirname "$1")
# runlock has the best messages about unusable folders; before the first build there is none.
! [ -x build/bin/runlock ] || build/bin/runlock --no-lock "$dir"
mkdir -p "$dir"
temp=$(mktemp "${NBSCOPE_SCRATCH:-$dir}/.stamp.XXXXXX.tmp")
trap 'rm -f "$temp"' EXIT
cat >"$temp" <<END
$2
END
sync "$temp"
mv -f "$temp" "$1"
