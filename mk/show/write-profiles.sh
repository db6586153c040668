#!/bin/sh
# write-profiles.sh UC LABEL: writes the profilers' own files of profile runs, whose paths are on
# the standard input, one per line, to UC/profiles/LABEL, a folder for each run.
set -eu
nbscope=${0%/*}/../..
profiles=$1/profiles/$2
while IFS= read -r run; do
	grep -q '^{"type":"profile"' "$run" || continue	# its kernel died
	files=${run##*/} files=$profiles/${files%.jsonl}
	mkdir -p "$files"
	"$nbscope/mk/metric/make-unless.sh" unless "$files/.made" . -- "$run" -- \
		runprofile --format json --files "$files" -- "$run" >/dev/null
done
