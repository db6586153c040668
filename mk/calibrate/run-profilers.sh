#!/bin/sh
# run-profilers.sh UC LABEL: runs the notebooks of a use case whose cells say what profilers must
# find, under the profilers of lines and of memory, and prints the paths of these runs, each
# followed by a NUL. On a server of the user's own nothing is run, because it may not have the
# profilers.
set -eu
. "${0%/*}/../show/say.sh"
[ -z "${JUPYTERLAB_URL-}" ] ||
	stop 0 "calibrate: the profilers are not calibrated on a server of your own"
mk/run/prepare-label.sh "$1" "$2"
REPEAT=1 RERUN=all TARGET=calibrate FUNCTIONS='' mk/run/profile-pass.sh "$1" "$2" lines+memory \
	<"$1/notebooks/.combinations.jsonl" >/dev/null
runplan --label "$2" --profile lines+memory "$1" | mk/run/list-usable.sh --profile
