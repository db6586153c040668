#!/bin/sh
# write-scripts.sh UC: writes cells of each selected notebook of UC as
# UC/scripts/NAME/jupyter_to_script.py, and jupyter_to_script_run.sh next to it, which runs that in
# the folder of the notebook's files.
set -eu
nbscope=${0%/*}/../..
uc=$1 python=${VENV:-${OWN_VENV:-build/venv}}/bin/python folder=$1/files
written=${NBSCOPE_SCRATCH:?}/written
case $python in /*) ;; *) python=$PWD/$python ;; esac
[ -z "${NOTEBOOK-}" ] || folder=${uc%/nbscope/*}
[ -d "$folder" ] || folder=$uc
"$nbscope/mk/generate/list-selected.sh" "$uc" |
	xargs -0 env PYTHONPATH="$nbscope/share/ipython" "$python" -B -m nbscope.script \
		${CELLS:+--cells "$CELLS"} --python "$python" --folder "$folder" \
		--scripts "$uc/scripts" >"$written"
xargs -r -d '\n' -n 1 "$nbscope/mk/show/sanitize-text.sh" 'script: wrote' <"$written"
