#!/bin/sh
# name-folder.sh [--link] NOTEBOOK: prints the folder of a single notebook's results: nbscope/NAME
# next to the notebook. It is used like the folder of a use case. NOTEBOOK may also be a script,
# NAME.py, or '-m MODULE' or '-m MODULE:FUNCTION', where the folder of the module may precede its
# name. With --link, prints the name of a link to it in build/results, since it may have any path.
. "${0%/*}/../show/say.sh"
if [ "$1" = --link ]; then
	links=${NBSCOPE_STORE:-build}/results
	folder=$("$0" "$2" 2>/dev/null) || { echo "$links/none"; exit; }
	link=$links/$(printf '%s' "$folder" | cksum | tr ' ' -)
	mkdir -p "$links" && ln -sfn "$folder" "$link" && echo "$link"
	exit
fi
fail() { stop 2 "nbscope: $1"; }
what=notebook
case $1 in
'-m '*)
	what=module target=${1#-m }
	case $target in */*) ;; *) target=./$target ;; esac
	# The function is a part of the name: module.function.
	set -- "${target%/*}/$(printf '%s' "${target##*/}" | tr : .)" ;;
-*) set -- "./$1" ;;
esac
[ "$1" ] || fail 'which notebook? NOTEBOOK=path/to/it.ipynb'
dir=$(cd "$(dirname "$1")" 2>/dev/null && pwd) || fail "no such $what: '$1'"
name=$(basename "$1" .ipynb)
uc=${dir%/}/nbscope/$name
# ".." would be the notebook's own folder; and scripts list paths in lines.
case $name/$1$dir in
.*) fail "the name of a notebook cannot begin with a dot: rename '$1'" ;;
*'
'*) fail "the path of a notebook cannot contain a line end: rename '$1'" ;;
esac
[ "$what" = module ] || [ -e "$1" ] || [ -d "$uc" ] || fail "no such notebook: '$1'"
printf '%s\n' "$uc"
