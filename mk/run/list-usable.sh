#!/bin/sh
# list-usable.sh [--profile] [FILE...]: prints the paths of the runs that are usable, one per line,
# from the run_plan records in the FILEs or the standard input: those whose times count, or with
# --profile the profile runs, but not those of make whatif, whose lines were delayed.
nbscope=${0%/*}/../..
profile=null
[ "${1-}" != --profile ] || { profile='"([^w]|w[^h])' && shift; }
cat -- "$@" | grep -E '^\{"type":"run_plan".*"profile":'"$profile"'.*"usable":true' |
	"$nbscope/mk/run/print-members.sh" run
