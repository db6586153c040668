#!/bin/sh
# say.sh: what scripts print; they read it with ".", by its path:
#   say TEXT...           prints a line without what controls a terminal
#   stop STATUS TEXT...   prints it to standard error, and ends the script
#   type_to TARGET [VARIABLE=VALUE...]  prints what to type to make TARGET of $uc and $label
# The folder of nbscope's own files.
: "${nbscope:=${0%/*}/../..}"
say() { "$nbscope/mk/show/sanitize-text.sh" "$@"; }
stop() {
	stop_status=$1
	shift
	say "$@" >&2
	exit "$stop_status"
}
# shellcheck disable=SC2154  # uc and label are the script's
type_to() (
	command="make $1"
	shift
	[ "$label" = current ] || set -- "LABEL=$label" "$@"
	if [ "${NOTEBOOK-}" ]; then
		[ "$command" != 'make profile' ] || command='make profile-notebook'
		set -- "NOTEBOOK=$NOTEBOOK" "$@"
	elif [ "$uc" != usecases/quickstart ]; then
		set -- "USECASE=${uc#usecases/}" "$@"
	fi
	for word; do
		case $word in *[!A-Za-z0-9_./=~+@%,:-]*)
			word="${word%%=*}='$(say "${word#*=}" | sed "s/'/'\\\\''/g")'" ;;
		esac
		command="$command $word"
	done
	printf '%s\n' "$command"
)
