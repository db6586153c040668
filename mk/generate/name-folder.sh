#!/bin/sh
# name-folder.sh NOTEBOOK: prints the folder of a single notebook's results: nbscope/NAME next to
# the notebook. It is used like the folder of a use case. NOTEBOOK may also be a script, NAME.py,
# or '-m MODULE' or '-m MODULE:FUNCTION', where the folder of the module may precede its name.
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
what=notebook
case $1 in
'-m '*)
	what=module
	target=${1#-m }
	case $target in */*) ;; *) target=./$target ;; esac
	# The function is a part of the name: module.function.
	set -- "${target%/*}/$(printf '%s' "${target##*/}" | tr : .)" ;;
-*) set -- "./$1" ;;
esac
name=$(basename "$1" .ipynb)
if [ -z "$1" ]; then
	reason='which notebook? NOTEBOOK=path/to/it.ipynb'
elif ! dir=$(cd "$(dirname "$1")" 2>/dev/null && pwd); then
	reason="no such $what: '$1'"
else
	newline='
'
	# ".." would be the notebook's own folder; and scripts list paths in lines.
	case $name/$1$dir in
	.*) reason="the name of a notebook cannot begin with a dot: rename '$1'" ;;
	*"$newline"*) reason="the path of a notebook cannot contain a line end: rename '$1'" ;;
	*)
		uc=${dir%/}/nbscope/$name
		[ "$what" = notebook ] && [ ! -e "$1" ] && [ ! -d "$uc" ] || { printf '%s\n' "$uc" && exit; }
		reason="no such notebook: '$1'" ;;
	esac
fi
mk/show/sanitize-text.sh "nbscope: $reason" >&2
exit 2
