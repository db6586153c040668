#!/bin/sh
# list-mistakes.sh [--instead] MOST FILE...: prints the mistakes among the records in the FILEs, no
# more than MOST; with --instead also what to write instead.
set -eu
. "${0%/*}/say.sh"
instead=false
[ "$1" != --instead ] || { instead=true && shift; }
most=$1
shift
found=$(grep -hs '^{"type":"mistake"' -- "$@") || exit 0
printf '%s\n' "$found" | jq -nrf "$nbscope/share/plan/mistakes.jq" \
	--argjson most "$most" --argjson instead $instead | while IFS= read -r line; do
	say "$line"
done
