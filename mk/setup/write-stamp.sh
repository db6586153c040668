#!/bin/sh
# write-stamp.sh FILE TEXT: writes TEXT to FILE as a whole.
set -eu
dir=$(dirname "$1")
# runlock has the best messages about unusable folders; before the first build there is none.
runlock=${NBSCOPE_BIN:-build/bin}/runlock
! [ -x "$runlock" ] || "$runlock" --no-lock "$dir"
mkdir -p "$dir"
temp=$(mktemp "${NBSCOPE_SCRATCH:-$dir}/.stamp.XXXXXX.tmp")
trap 'rm -f "$temp"' EXIT
# The shell's own printf does not say why it cannot write.
cat >"$temp" <<END
$2
END
sync "$temp"
mv -f "$temp" "$1"
