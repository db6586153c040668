#!/bin/sh
# list-usable.sh [--profile] [FILE...]: prints the paths of the runs that are usable, each followed
# by a NUL, from the run_plan records in the FILEs or the standard input: those whose times count,
# or with --profile the profile runs.
set -u
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
profile=false
[ "${1-}" != --profile ] || { profile=true && shift; }
cat -- "$@" | grep '^{"type":"run_plan"' |
	jq -j --argjson p $profile 'select(.usable and (.profile != null) == $p) | .run + "\u0000"'
