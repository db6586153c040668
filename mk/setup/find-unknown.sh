#!/bin/sh
# find-unknown.sh FOLDER NAME...: prints the NAMEs that no makefile, program or FOLDER/usecase.mk
# reads or sets. Our variables are in capitals; those in lower case belong to the use case.
set -u
own=$1/usecase.mk
shift
for name; do
	set -- "$own"
	case $name in
	*[a-z]*) ;;
	*) set -- Makefile mk tools "$own" ;;
	esac
	# shellcheck disable=SC2016  # for grep
	grep -rqsE -e '([$][$({]*|getenv\(")'"$name"'([^A-Za-z0-9_]|$)' \
		-e '^((export|override) )*'"$name"' *[?:+]*=' "$@" || printf '%s\n' "$name"
done
