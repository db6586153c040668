#!/bin/sh
# list-selected.sh UC: prints the paths of the selected notebooks of UC, each followed by a NUL.
nbscope=${0%/*}/../..
grep -v '"selected":false}$' "$1/notebooks/.combinations.jsonl" |
	"$nbscope/mk/run/print-members.sh" name | while IFS= read -r name; do
		printf '%s\0' "$1/notebooks/$name.ipynb"
	done
