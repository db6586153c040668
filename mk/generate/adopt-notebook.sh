#!/bin/sh
# adopt-notebook.sh NOTEBOOK UC: prepares the folder UC for a single notebook, which stays
# unchanged: writes to UC/notebooks the record of its only combination, a link to the notebook and,
# in .files, links to the files that it needs from its folder. A script, NAME.py or '-m
# MODULE:FUNCTION', is written there as a notebook, and is one of these files. In the environment:
#   FILES      names in the notebook's folder (unset: those of the last call)
#   ARGUMENTS  those of a script, quoted as in a shell (unset: those of the last call)
#   VENV       the Python environment that the kernel has (default build/venv)
set -uf
. "${0%/*}/../show/say.sh"
notebook=$1 uc=$2 dir=${2%/nbscope/*} script='' scripted=yes
given=$uc/notebooks/.arguments links=$uc/notebooks/.files
# The script may need the kernel's version of Python to be parsed.
python=${VENV:-build/venv}/bin/python
[ -x "$python" ] || python=python3
case $notebook in
'-m '*)
	target=${notebook#-m }
	target=${target##*/}
	module=${target%%[.:]*}
	for script in "$module.py" "$module" ''; do
		[ ! -e "$dir/$script" ] || break	# '': a module that is installed
	done
	to_notebook() { "$python" share/script/notebook.py -m "$target" "$1"; } ;;
*)
	case $notebook in -*) notebook=./$notebook ;; esac
	# Results may be there without it.
	[ -e "$notebook" ] || stop 2 "profile-notebook: no such notebook: '$notebook'"
	case $notebook in *.py) script=$(basename "$notebook") ;; *) scripted= ;; esac
	to_notebook() { "$python" share/script/notebook.py "$notebook" "$1"; } ;;
esac
[ "$scripted" ] || [ ! "${ARGUMENTS-}" ] ||
	stop 2 "profile-notebook: ARGUMENTS are for scripts, not for '$notebook'"
[ "${ARGUMENTS+given}" ] || [ ! -e "$given" ] || ARGUMENTS=$(cat "$given")
[ ! "${ARGUMENTS-}" ] || export ARGUMENTS
# It is parsed before anything is started or written, and the folder is locked after that.
if [ ! "${NBSCOPE_SCRATCH-}" ]; then
	if [ "$scripted" ]; then
		to_notebook /dev/null
	else
		cellrun --skip 'only parsed' "$notebook" >/dev/null
	fi || exit
	for f in ${FILES-}; do
		case /${f%/}/ in
		*//* | */../* | */./*)
			stop 2 "profile-notebook: FILES takes names in the notebook's folder," \
				"not '${f%/}'" ;;
		esac
		[ -e "$dir/$f" ] ||
			stop 2 "profile-notebook: there is no '${f%/}' in the notebook's folder"
	done
	exec runlock --scratch "$uc/notebooks" "$0" "$@"
fi

[ -z "${FILES+given}" ] || rm -rf "$links"
for f in ${FILES-}; do
	f=${f%/}
	mkdir -p "$(dirname "$links/$f")"
	ln -srn "$dir/$f" "$links/$f" || exit 4
done
name=$(basename "$uc")
if [ "$scripted" ]; then
	to_notebook "$NBSCOPE_SCRATCH/notebook" || exit
	mv "$NBSCOPE_SCRATCH/notebook" "$uc/notebooks/$name.ipynb" || exit 4
	printf '%s\n' "${ARGUMENTS-}" >"$given" || exit 4
	mkdir -p "$links"
	[ ! "$script" ] || ln -srfn "$dir/$script" "$links/$script" || exit 4
else
	ln -srfn "$notebook" "$uc/notebooks/$name.ipynb" || exit 4
fi
jq -nc --arg name "$name" '{type: "combination", usecase: $name, name: $name, params: {}}' \
	>"$NBSCOPE_SCRATCH/combinations"
mv "$NBSCOPE_SCRATCH/combinations" "$uc/notebooks/.combinations.jsonl"
