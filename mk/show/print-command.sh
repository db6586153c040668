#!/bin/sh
# print-command.sh TARGET UC LABEL [VARIABLE=VALUE...]: prints the command that makes TARGET for
# these results. In the environment:
#   NOTEBOOK   the notebook, if UC is the folder of a single one
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
target=$1 uc=${2#usecases/} label=$3
shift 3
[ "$label" = current ] || set -- "LABEL=$label" "$@"
if [ -n "${NOTEBOOK-}" ]; then
	[ "$target" != profile ] || target=profile-notebook
	set -- "NOTEBOOK=$NOTEBOOK" "$@"
else
	[ "$uc" = quickstart ] || set -- "USECASE=$uc" "$@"
fi
set -- make "$target" "$@"
# Most words need no quotes.
special=
for word; do
	case $word in '' | *[!A-Za-z0-9_./=~+@%,:-]*) special=yes ;; esac
done
[ "$special" ] || { echo "$*" && exit; }
# shellcheck disable=SC2016  # $ARGS is not the shell'"'"'s
jq -nr '[$ARGS.positional[] | gsub("[[:cntrl:]]"; "?") | if test("^[A-Za-z0-9_./=~+@%,:-]+$") then . else
	(capture("^(?<variable>[A-Z]+=)(?<value>.*)") | .variable + (.value | @sh)) end] | join(" ")' --args "$@"
