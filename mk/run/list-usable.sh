#!/bin/sh
# list-usable.sh [--profile] [FILE...]: prints the paths of the runs that are usable, one per line,
# from the run_plan records in the FILEs or the standard input: those whose times count, or with
# --profile the profile runs.
nbscope=${0%/*}/../..
profile=null
[ "${1-}" != --profile ] || { profile='"' && shift; }
cat -- "$@" | grep '^{"type":"run_plan".*"profile":'"$profile"'.*"usable":true' |
	"$nbscope/mk/run/print-members.sh" run
