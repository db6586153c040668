#!/bin/sh
# leave-out.sh WHAT COMMAND...: runs COMMAND, which makes a part of a report. If it fails, prints
# that the report has no WHAT, with its last message, and succeeds.
set -u
. "${0%/*}/../show/say.sh"
what=$1 messages=$NBSCOPE_SCRATCH/messages
shift
"$@" 2>"$messages" ||
	say "report: no $what: $(tail -n 1 "$messages")" >&2
