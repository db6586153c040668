#!/bin/sh
# say.sh: what scripts print; they read it with ".", by its path:
#   say TEXT...           prints a line without what controls a terminal
#   stop STATUS TEXT...   prints it to standard error, and ends the script
#   $typed                what a user types for make
#   type_to TARGET [VARIABLE=VALUE...]  prints what to type to make TARGET of $uc and $label
: "${nbscope:=${0%/*}/../..}"	# the folder of nbscope's own files
typed=nbscope
[ ! -e "$nbscope/mk/build.mk" ] || typed=make
say() { "$nbscope/mk/show/sanitize-text.sh" "$@"; }
stop() {
	stop_status=$1
	shift
	say "$@" >&2
	exit "$stop_status"
}
# shellcheck disable=SC2154  # uc and label are the script's
type_to() (
	target=$1
	shift
	[ "$label" = current ] || set -- "LABEL=$label" "$@"
	if [ "${NOTEBOOK-}" ]; then
		set -- "NOTEBOOK=$NOTEBOOK" "$@"
		[ "$target" != profile ] || target=profile-notebook
		case $typed-$target-$NOTEBOOK in
		*=* | *--*) ;;
		nbscope-profile-notebook-*) target=run ;;
		esac
	elif [ "$uc" != usecases/quickstart ]; then
		set -- "USECASE=${uc#usecases/}" "$@"
	fi
	command="$typed $target"
	for word; do
		name=${word%%=*}= word=${word#*=}
		[ "$target $name" != 'run NOTEBOOK=' ] || name=
		case $word in *[!A-Za-z0-9_./=~+@%,:-]*)
			word="'$(say "$word" | sed "s/'/'\\\\''/g")'" ;;
		esac
		command="$command $name$word"
	done
	printf '%s\n' "$command"
)
