#!/bin/sh
# adopt-notebook.sh NOTEBOOK UC: prepares the folder UC for a single notebook, which stays
# unchanged: writes to UC/notebooks the record of its only combination, a link to the notebook and,
# in .files, links to the files that it needs from its folder; and to UC a link to its gestures,
# NAME.interactions.jsonl or interactions.jsonl. A script, NAME.py or '-m
# MODULE:FUNCTION', is written there as a notebook, and is one of these files. In the environment:
#   FILES      names in the notebook's folder (unset: those of the last call)
#   ARGUMENTS  those of a script, quoted as in a shell (unset: those of the last call)
#   NBSCOPE_PARAMS  parameters, NAME=VALUE, quoted as in a shell (unset: those of the last call)
#   NBSCOPE_OUTPUT  where the executed notebook will be copied to (unset: nowhere)
#   VENV       the Python environment that the kernel has (default build/venv)
set -uf
. "${0%/*}/../show/say.sh"
notebook=$1 uc=$2 dir=${2%/nbscope/*} name=$(basename "$2") script='' work=${NBSCOPE_SCRATCH-}
given=$uc/notebooks/.arguments set=$uc/notebooks/.params links=$uc/notebooks/.files
# fail TEXT...
fail() { stop 2 "profile-notebook: $*"; }
# The script may need the kernel's version of Python to be parsed.
python=${VENV:-${OWN_VENV:-build/venv}}/bin/python
[ -x "$python" ] || python=python3
# The arguments are now those with which a script is read; a notebook has none.
case $notebook in
'-m '*)
	set -- -m "$(basename "${notebook#-m }")"
	module=${2%%[.:]*}
	for script in "$module.py" "$module" ''; do
		[ ! -e "$dir/$script" ] || break	# '': a module that is installed
	done ;;
*)
	case $notebook in -*) notebook=./$notebook ;; esac
	# Results may be there without it.
	[ -e "$notebook" ] || fail "no such notebook: '$notebook'"
	set -- "$notebook"
	case $notebook in *.py) script=$(basename "$notebook") ;; *) set -- ;; esac ;;
esac
[ $# -gt 0 ] || [ ! "${ARGUMENTS-}" ] || fail "ARGUMENTS are for scripts, not for '$notebook'"
export ARGUMENTS="${ARGUMENTS-$(cat "$given" 2>/dev/null)}"
export NBSCOPE_PARAMS="${NBSCOPE_PARAMS-$(cat "$set" 2>/dev/null)}"
# It is parsed before anything is started or written, and the folder is locked after that.
if [ ! "$work" ]; then
	if [ $# -gt 0 ]; then
		"$python" "$nbscope/share/script/notebook.py" "$@" /dev/null
	else
		cellrun --skip 'only parsed' "$notebook" >/dev/null
	fi || exit
	"$nbscope/share/script/parameters.py" "$name" >/dev/null || exit 2
	if [ "${NBSCOPE_OUTPUT-}" ]; then
		to=$NBSCOPE_OUTPUT
		[ ! "$to" -ef "$notebook" ] ||
			fail "OUTPUT is NOTEBOOK itself, which stays unchanged"
		case $to in
		*/*.ipynb) ;;
		*.ipynb) to=./$to ;;
		*) fail "OUTPUT names a notebook, *.ipynb, not '$to'" ;;
		esac
		[ -w "${to%/*}/" ] && [ ! -d "$to" ] || fail "cannot write OUTPUT='$to'"
	fi
	for f in ${FILES-}; do
		case /${f%/}/ in *//* | */../* | */./*)
			fail "FILES takes names in the notebook's folder, not '${f%/}'" ;;
		esac
		[ -e "$dir/$f" ] || fail "there is no '${f%/}' in the notebook's folder"
	done
	exec runlock --scratch "$uc/notebooks" "$0" "$notebook" "$uc"
fi

[ -z "${FILES+given}" ] || rm -rf "$links"
# link NAME: in the folder of links, to it in the notebook's folder.
link() { mkdir -p "$(dirname "$links/$1")" && ln -srfn "$dir/$1" "$links/$1" || exit 4; }
for f in ${FILES-}; do
	link "${f%/}"
done
gestures=$uc/interactions.jsonl
[ ! -L "$gestures" ] || rm -f "$gestures"
for f in "$name.interactions.jsonl" interactions.jsonl; do
	[ -e "$gestures" ] || [ ! -e "$dir/$f" ] || ln -sr "$dir/$f" "$gestures" || exit 4
done
adopted=$uc/notebooks/$name.ipynb template=$notebook
if [ $# -gt 0 ]; then
	"$python" "$nbscope/share/script/notebook.py" "$@" "$work/notebook" || exit
	template=$work/notebook
	printf '%s\n' "$ARGUMENTS" >"$given" || exit 4
	mkdir -p "$links"
	[ ! "$script" ] || link "$script"
fi
"$nbscope/share/script/parameters.py" "$name" >"$work/combinations" || exit 2
if [ "$NBSCOPE_PARAMS" ]; then
	kernel=${KERNEL:-$(jq -r '.metadata.kernelspec.name // empty' "$template")}
	nbpatch ${kernel:+--kernel "$kernel"} "$template" <"$work/combinations" \
		>"$work/patched" || exit
	mv "$work/patched" "$adopted" || exit 4
elif [ $# -gt 0 ]; then
	mv "$template" "$adopted" || exit 4
else
	ln -srfn "$notebook" "$adopted" || exit 4
fi
printf '%s\n' "$NBSCOPE_PARAMS" >"$set" || exit 4
mv "$work/combinations" "$uc/notebooks/.combinations.jsonl"
