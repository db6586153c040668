# bats file_tags=untimed
# Firefox, by geckodriver: a run of a small notebook, and what is left after it.
load helpers
load browser

# lacks: prints which of Firefox and its driver is missing.
lacks() {
	for program in firefox geckodriver; do
		command -v $program >/dev/null || { echo $program; return; }
	done
}

setup_file() {
	PATH=$PATH:$ROOT/build/geckodriver/bin
	export PATH BROWSER=firefox
	[ -z "$(lacks)" ] || return 0
	cd "$BATS_FILE_TMPDIR" || return
	jq -n '
		def cell($id): {cell_type: "code", execution_count: null, id: $id, metadata: {}, outputs: [], source: .};
		{metadata: {kernelspec: {name: "python3", display_name: "Python 3"}}, nbformat: 4, nbformat_minor: 5, cells: [
			("from IPython.display import HTML, display\nimport time\ntime.sleep(0.2)" | cell("sleep")),
			("display(HTML(\"<canvas id=gl></canvas><script>gl.getContext(\u0027webgl2\u0027).clear(16384)</script>\"))" | cell("webgl")),
			("display(HTML(\"\"\"<iframe srcdoc=\"<script>setTimeout(() => document.body.append(\u0027late\u0027), 1200)</script>\"></iframe>\"\"\"))" | cell("frame")),
			("display(HTML(\"<script>console.error(\u0027wrong\u0027)</script>\"))" | cell("console"))]}' >small.ipynb
	labserve sh -c 'wdsession --early cellrun --max-wait-time 30 small.ipynb | procsample >run.jsonl'
}

setup() {
	[ -z "$(lacks)" ] || skip "no $(lacks): make setup BROWSER=firefox installs it"
	cd "$BATS_FILE_TMPDIR" || return
}

# cells FILTER: of each cell record.
cells() {
	run -0 jq -c "select(.type == \"cell\") | $1" run.jsonl
}

@test "all cells complete in a Firefox, with all phases" {
	cells '[.cell_id, .status]'
	[ "$output" = $'["sleep","completed"]\n["webgl","completed"]\n["frame","completed"]\n["console","completed"]' ] || has nothing
	cells 'select([.client_ms, .dispatch_ms, .transport_ms // .queue_ms, .kernel_ms, .render_ms] | any(. == null))'
	[ -z "$output" ] || has nothing
	run -0 jq -r 'select(.type == "run").browser' run.jsonl
	[[ $output =~ ^firefox\ [0-9.]+$ ]] || has 'firefox VERSION'
}

@test "what Firefox does not report is null, with the reason" {
	cells '[.page.heap_bytes, .page.long_animation_frame_count, .page.total_blocking_time_ms, .page.reasons.heap_bytes, .page.reasons.long_animation_frames]'
	[ "$(sort -u <<<"$output")" = '[null,null,null,"this browser does not report its heap","this browser does not report long animation frames"]' ] || has nothing
}

@test "its content processes are counted as the browser's" {
	cells 'select(.usage.browser.processes < 3 or .usage.browser.cpu_s <= 0 or .usage.browser.rss_bytes < 3e8)'
	[ -z "$output" ] || has nothing
}

@test "Firefox draws with WebGL without a display" {
	cells 'select(.cell_id == "webgl").changes.webgl'
	[ "$output" -ge 1 ]
}

@test "what the script of a frame schedules at once is waited for" {
	cells 'select(.cell_id == "frame") | (.last_visual_change_t - .pressed_t) * 1000 | floor'
	[ "$output" -ge 1200 ]
}

@test "an error on the console is recorded with its cell" {
	run -0 jq -c 'select(.type == "console") | [.kind, .message]' run.jsonl
	[ "$output" = '["console_error","wrong"]' ] || has nothing
}

@test "SIGKILL leaves no process and no folder of a Firefox" {
	export TMPDIR=$BATS_TEST_TMPDIR
	wdsession sh -c 'touch "$1/ready"; exec tail -f /dev/null' sh "$BATS_TEST_TMPDIR" 3>&- &
	pid=$!
	wait_for test -e "$BATS_TEST_TMPDIR/ready"
	[ "$(ours)" -ge 2 ]
	kill -KILL $pid
	wait $pid || true
	gone
}
