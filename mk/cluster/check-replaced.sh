#!/bin/sh
# check-replaced.sh STATE: succeeds if another run than that of the run_plan record STATE is in its
# place now: the run that it asked for was made.
set -u
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
run=$(printf '%s' "$1" | jq -r .run)
[ -e "$run" ] && { printf '%s\n' "$1"; head -n 1 -- "$run"; } | jq -se '.[0].t != .[1].t' >/dev/null
