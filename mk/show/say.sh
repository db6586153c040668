#!/bin/sh
# say.sh: what scripts print; they read it with ".", by its path:
#   say TEXT...           prints a line without what controls a terminal
#   stop STATUS TEXT...   prints it to standard error, and ends the script
#   type_to TARGET [VARIABLE=VALUE...]  prints what to type to make TARGET of $uc and $label
say() { mk/show/sanitize-text.sh "$@"; }
stop() {
	stop_status=$1
	shift
	say "$@" >&2
	exit "$stop_status"
}
type_to() {
	type_target=$1
	shift
	# shellcheck disable=SC2154  # the script's
	mk/show/print-command.sh "$type_target" "$uc" "$label" "$@"
}
