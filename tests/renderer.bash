# One process that draws all figures of a file's tests: setup_file calls start_renderer, and
# teardown_file calls stop_renderer. Where there is none yet, each program starts its own.

start_renderer() {
	local folder
	[ -x "$ROOT/build/figure-venv/bin/python" ] || return 0
	# The address of a socket has 107 characters at most.
	folder=$(mktemp -d /tmp/nbscope-renderer.XXXXXX)
	export RENDERER=$folder
	"$ROOT/build/figure-venv/bin/python" "$ROOT/tests/renderer.py" "$folder" </dev/null >/dev/null 2>"$BATS_FILE_TMPDIR/renderer.err" 3>&- 4>&- &
	export RENDERER_PID=$!
	wait_for test -x "$folder/bin/python"
	export NBSCOPE_FIGURE_VENV=$folder
}

stop_renderer() {
	[ -z "${RENDERER-}" ] || { kill "$RENDERER_PID"; rm -rf "$RENDERER"; }
}
