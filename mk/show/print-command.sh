#!/bin/sh
# print-command.sh TARGET UC LABEL [VARIABLE=VALUE...]: prints the command that makes TARGET for
# these results.
target=$1 uc=${2#usecases/} label=$3
shift 3
[ "$label" = current ] || set -- "LABEL=$label" "$@"
if [ -n "${NOTEBOOK-}" ]; then
	[ "$target" != profile ] || target=profile-notebook
	set -- "NOTEBOOK=$NOTEBOOK" "$@"
else
	[ "$uc" = quickstart ] || set -- "USECASE=$uc" "$@"
fi
command="make $target"
for word; do
	case $word in
	*[!A-Za-z0-9_./=~+@%,:-]*)
		value=$(mk/show/sanitize-text.sh "${word#*=}" | sed "s/'/'\\\\''/g")
		word="${word%%=*}='$value'" ;;
	esac
	command="$command $word"
done
printf '%s\n' "$command"
