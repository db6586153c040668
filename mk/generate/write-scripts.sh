#!/bin/sh
# write-scripts.sh UC: writes cells of each selected notebook of UC as
# UC/scripts/NAME/jupyter_to_script.py, and jupyter_to_script_run.sh next to it, which runs that in
# the folder of the notebook's files. In the environment:
#   CELLS   numbers of code cells, as in 5,8, or all; default: those between %%start_writefile and
#           %%end_writefile, else those with the tag script, else all
#   VENV    the Python environment that the script is for (default build/venv)
set -eu
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
uc=$1
case ${CELLS:=} in
all) ;;
*[!0-9,]*) echo "script: CELLS must be numbers of code cells, as in 5,8, or all; not '$CELLS'" >&2; exit 2 ;;
esac
case ${VENV:-build/venv} in
/*) python=$VENV/bin/python ;;
*) python=$PWD/${VENV:-build/venv}/bin/python ;;
esac
if [ -n "${NOTEBOOK-}" ]; then folder=${uc%/nbscope/*}; else folder=$uc/files; fi
[ -d "$folder" ] || folder=$uc
jq -r 'select(.type == "combination" and .selected != false) | .name' "$uc/notebooks/.combinations.jsonl" | while IFS= read -r name; do
	mkdir -p "$uc/scripts/$name"
	PYTHONPATH=share/ipython "$python" -m nbscope.script ${CELLS:+--cells "$CELLS"} --python "$python" \
		--folder "$folder" --output "$uc/scripts/$name/jupyter_to_script.py" "$uc/notebooks/$name.ipynb" </dev/null
done >"${NBSCOPE_SCRATCH:?}/written"
while IFS= read -r path; do mk/show/sanitize-text.sh "script: wrote $path"; done <"$NBSCOPE_SCRATCH/written"
