# Loaded by every test: the programs of this tree first in PATH, a folder of its
# own for each test (bats removes it).
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BIN=$ROOT/${NBSCOPE_BUILD:-build}/bin
PATH=$BIN:$PATH
# What a test's own C program is linked with: with CFLAGS, as the library was made.
LIB=${BIN%/bin}/obj/libnbscope.a
[ -e "$LIB" ] || LIB=$ROOT/build/obj/libnbscope.a
OBJ=${LIB%/*}
# Limits on memory; programs that check themselves (tests/tests.mk) lift them.
ULIMIT=${NBSCOPE_ULIMIT:-ulimit -v}
export ROOT BIN LIB OBJ ULIMIT PATH LC_ALL=C.UTF-8
# JupyterLab without the packages of jdaviz: a page of it opens in three quarters of the time.
# In files and tests with `every_package` it is the one that users get.
[ -n "${NBSCOPE_VENV:-}" ] || [ ! -e "$ROOT/build/testlab/.done" ] || export NBSCOPE_VENV=$ROOT/build/testlab
every_package() {
	export NBSCOPE_VENV=$ROOT/build/venv
}
unset JUPYTERLAB_URL JUPYTERLAB_TOKEN JUPYTERLAB_USERNAME JUPYTERLAB_PASSWORD LOG_LEVEL LOG_FILE WD_SESSION WEBDRIVER_URL JUPYTERLAB_CERT LAB_HOST
bats_require_minimum_version 1.5.0

# has TEXT: the output of the last `run` contains TEXT; else prints the output.
has() {
	[[ "$output" == *"$1"* ]] && return
	printf 'wanted: %s\nstatus: %s\noutput: %s\n' "$1" "$status" "$output" >&2
	return 1
}

# status_is N: the last `run` ended with status N; else prints its output.
status_is() {
	[ "$status" -eq "$1" ] && return
	printf 'wanted status %s, got %s\noutput: %s\n' "$1" "$status" "$output" >&2
	return 1
}

# pause SECONDS: without a process of its own.
pause() {
	[ -n "${NEVER_READ-}" ] || exec {NEVER_READ}<> <(:)
	read -r -t "$1" -u "$NEVER_READ" || true
}

# wait_for COMMAND...: waits until it succeeds, for a minute at most.
wait_for() {
	for _ in $(seq 600); do
		! "$@" >/dev/null 2>&1 || return 0
		pause 0.1
	done
	echo "never came true: $*" >&2
	return 1
}

# made_from UC NAME [LABEL]: what a run of a notebook of UC would be made from now.
made_from() {
	printf '{"type":"combination","name":"%s"}\n' "$2" | runplan --label "${3:-current}" "$1" - |
		jq -c 'select(.type == "run_plan" and .required).made_from' | head -n 1
}

# executed_notebook: as short as one that is whole may be.
executed_notebook() {
	echo '{"cells": [], "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}'
}

# standard_figures FOLDER OUT SUBTITLE FORMAT...: draws the figures of FOLDER/metrics.jsonl as make figures does.
standard_figures() {
	local of
	NBSCOPE_SCRATCH=$BATS_TEST_TMPDIR "$ROOT/mk/show/list-figures.sh" "$@"
	for of in cell notebook; do
		[ ! -s "$BATS_TEST_TMPDIR/figures.$of" ] ||
			metricplot --figures "$BATS_TEST_TMPDIR/figures.$of" --type "${of}_metrics" "$1/metrics.jsonl" || [ $? = 6 ]
	done
}
