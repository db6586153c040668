#!/bin/sh
# find-unknown.sh FOLDER NAME...: prints the NAMEs that no makefile, program or FOLDER/usecase.mk
# reads or sets. Our variables are in capitals; those in lower case belong to the use case.
set -u
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
folder=$1
shift
for name; do
	case $name in
	*[a-z]*) set -- "$folder/usecase.mk" ;;
	*) set -- Makefile mk/*.mk mk/*/*.sh tools/*/*.c tools/*/*/*.c tools/*/lib/*/*.c "$folder/usecase.mk" ;;
	esac
	# shellcheck disable=SC2016  # for grep
	grep -qsE -e '([$][$({]*|getenv\(")'"$name"'([^A-Za-z0-9_]|$)' -e '^((export|override) )*'"$name"' *[?:+]*=' "$@" || printf '%s\n' "$name"
done
