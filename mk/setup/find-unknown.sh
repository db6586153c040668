#!/bin/sh
# find-unknown.sh FOLDER NAME...: prints the NAMEs that no makefile, program or FOLDER/usecase.mk
# reads or sets. Our variables are in capitals; those in lower case belong to the use case.
own=$1/usecase.mk
shift
for name; do
	case $name in
	*[a-z]*) set -- "$own" ;;
	*) set -- Makefile mk tools tests/*.mk share/tasks "$own" ;;
	esac
	# shellcheck disable=SC2016  # for grep
	grep -rqsE -e '([$][$({]*|getenv\(")'"$name"'([^A-Za-z0-9_]|$)' \
		-e '^((export|override) )*'"$name"' *[?:+]*=' "$@" || printf '%s\n' "$name"
done
