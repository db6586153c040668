#!/bin/sh
# find-unknown.sh FOLDER NAME...: prints the NAMEs that no makefile, program or FOLDER/usecase.mk
# reads or sets. Our variables are in capitals; those in lower case belong to the use case.
nbscope=${0%/*}/../..
own=$1/usecase.mk
shift
# Without their sources, the programs themselves have the names.
in_programs() {
	[ ! -d "$nbscope/tools" ] && grep -qszaxF -e "$1" -- "$nbscope"/../../bin/[a-z]*
}
for name; do
	case $name in
	*[a-z]*) set -- "$own" ;;
	*) set -- "$nbscope"/Makefile "$nbscope"/mk "$nbscope"/tools "$nbscope"/tests/*.mk \
		"$nbscope"/share/tasks "$own" ;;
	esac
	# shellcheck disable=SC2016  # for grep
	grep -rqsE -e '([$][$({]*|getenv\(")'"$name"'([^A-Za-z0-9_]|$)' \
		-e '^((export|override) )*'"$name"' *[?:+]*=' "$@" || in_programs "$name" ||
		printf '%s\n' "$name"
done
