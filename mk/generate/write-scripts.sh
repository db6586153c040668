#!/bin/sh
# write-scripts.sh UC: writes cells of each selected notebook of UC as
# UC/scripts/NAME/jupyter_to_script.py, and jupyter_to_script_run.sh next to it, which runs that in
# the folder of the notebook's files.
set -eu
. "${0%/*}/../show/say.sh"
uc=$1 python=${VENV:-build/venv}/bin/python
case ${CELLS:=} in
all) ;;
*[!0-9,]*)
	echo "script: CELLS must be numbers of code cells, as in 5,8, or all; not '$CELLS'" >&2
	exit 2 ;;
esac
case $python in /*) ;; *) python=$PWD/$python ;; esac
folder=$uc/files
[ -z "${NOTEBOOK-}" ] || folder=${uc%/nbscope/*}
[ -d "$folder" ] || folder=$uc
grep -v '"selected":false}$' "$uc/notebooks/.combinations.jsonl" |
	mk/run/print-members.sh name | while IFS= read -r name; do
	mkdir -p "$uc/scripts/$name"
	PYTHONPATH=share/ipython "$python" -m nbscope.script ${CELLS:+--cells "$CELLS"} \
		--python "$python" --folder "$folder" \
		--output "$uc/scripts/$name/jupyter_to_script.py" \
		"$uc/notebooks/$name.ipynb" </dev/null
done >"${NBSCOPE_SCRATCH:?}/written"
while IFS= read -r path; do
	say "script: wrote $path"
done <"$NBSCOPE_SCRATCH/written"
