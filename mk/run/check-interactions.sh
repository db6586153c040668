#!/bin/sh
# check-interactions.sh UC: checks the gestures that are performed in the runs of UC before anything
# runs: the lines of interactions.jsonl, and that each notebook has the cells that they name. Prints
# how many there are; to standard error, why none is performed. In the environment:
#   INTERACTIONS, BROWSER  the settings
set -u
. "${0%/*}/../show/say.sh"
uc=$1 file=$1/interactions.jsonl
[ -e "$file" ] || exit 0
if [ "${INTERACTIONS:-1}" = 0 ]; then
	why="INTERACTIONS=0"
elif [ "${BROWSER:-}" = none ]; then
	why="BROWSER=none has no page"
else
	what=$("$nbscope/mk/generate/list-selected.sh" "$uc" |
		xargs -0 -r cellinteract --check "$file") || exit 3
	say "interactions: $what in each run (interactions.jsonl)"
	exit 0
fi
say "interactions: those of interactions.jsonl are not performed: $why" >&2
