#!/bin/sh
# run-profilers.sh UC LABEL: runs the notebooks of a use case whose cells say what profilers must
# find, under the profilers of lines and of memory, and prints the paths of these runs, each
# followed by a NUL. On a server of the user's own nothing is run, because it may not have the
# profilers. In the environment: what profile-pass and prepare-label read there.
set -eu
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
[ -z "${JUPYTERLAB_URL-}" ] || { echo "calibrate: the profilers are not calibrated on a server of your own" >&2; exit 0; }
[ "${NBSCOPE_SCRATCH-}" ] || exec runlock --scratch "$1/runs/$2" "$0" "$@"
uc=$1 label=$2
mk/run/prepare-label.sh "$uc" "$label"
jq -c 'select(.type == "combination") | {name, cells: null, functions: []}' "$uc/notebooks/.combinations.jsonl" |
	REPEAT=1 RERUN=all TARGET=calibrate mk/run/profile-pass.sh "$uc" "$label" lines+memory >/dev/null
runplan --label "$label" --profile lines+memory "$uc" | mk/run/list-usable.sh --profile
