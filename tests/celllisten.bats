# celllisten: a person, simulated over the browser's debugging port, works in a real
# JupyterLab in a real browser.
load helpers
load server
load listen
every_package

# of TYPE FILTER: applies jq to the array of the joined run's records of that type.
of() {
	jq -s -c "[.[] | select(.type == \"$1\")] | $2" "$BATS_FILE_TMPDIR/joined.jsonl"
}

tabs() {
	curl -s "http://127.0.0.1:$(cat "$BATS_FILE_TMPDIR/port")/json" | jq -c '[.[] | select(.type == "page") | .url | sub("http://[^/]*"; "") | sub("\\?.*"; "")] | sort'
}

setup_file() {
	start_server
	use_server
	put mine.ipynb <<'EON'
[("markdown", "# Mine"),
 ("code", "import time\ntime.sleep(0.25)"),
 ("code", "print('hello')\nprint('{\"type\": \"items\", \"items\": 3}')"),
 ("code", "1/0"),
 ("code", "import bqplot as b\nx, y = b.LinearScale(), b.LinearScale()\nb.Figure(marks=[b.Scatter(x=[1, 2, 3], y=[1, 2, 3], scales={'x': x, 'y': y})], interaction=b.PanZoom(scales={'x': [x], 'y': [y]}))"),
 ("code", "import ipywidgets as w\nbutton, label, text, echo = w.Button(description='go'), w.Label('before'), w.Text(), w.Label()\ndef clicked(_):\n    time.sleep(0.2)\n    label.value = 'after'\nbutton.on_click(clicked)\ntext.observe(lambda e: setattr(echo, 'value', e.new), 'value')\nw.VBox([button, label, text, echo])"),
 ("code", "'last'")]
EON
	start_browser work/mine.ipynb 6
	cd "$BATS_FILE_TMPDIR"
	# The server is not named: the tab knows it.
	env --default-signal=INT -u JUPYTERLAB_URL -u JUPYTERLAB_TOKEN TMPDIR="$BATS_FILE_TMPDIR" wdsession --join "127.0.0.1:$(cat port)" \
		celllisten --executed mine.ipynb >joined.jsonl 2>joined.err 3>&- 4>&- &
	session=$!
	person "$(cat port)" <<-'P'
	wait window.__nbscopeListen && window.__nbscopeListen.on
	click .jp-CodeCell .jp-InputPrompt
	key Shift+Enter
	key Shift+Enter
	heard joined.jsonl cell 2
	key Shift+Enter
	heard joined.jsonl cell 3
	click jp-button[data-command="notebook:run-cell-and-select-next"]
	heard joined.jsonl cell 4
	wheel .bqplot 4 -100
	heard joined.jsonl interaction 1
	drag .bqplot 50 20
	heard joined.jsonl interaction 2
	click [data-windowed-list-index="5"] .jp-InputPrompt
	click jp-button[data-command="notebook:run-cell-and-select-next"]
	heard joined.jsonl cell 5
	js window.truth = 0, new MutationObserver(() => { truth = performance.timeOrigin + performance.now() }).observe(document.querySelectorAll('.widget-label')[0], {subtree: true, childList: true, characterData: true})
	click .widget-button
	heard joined.jsonl interaction 3
	js truth
	click .widget-text input
	heard joined.jsonl interaction 4
	type abc
	heard joined.jsonl interaction 5
	click .jp-CodeCell .jp-InputPrompt
	key a
	key Enter
	type 12
	key Control+Enter
	heard joined.jsonl cell 6
	js new Promise(done => setTimeout(done, 300)).then(() => 1)
	js void jupyterapp.commands.execute('notebook:run-all-cells')
	heard joined.jsonl cell 13
	P
	kill -INT $session
	wait $session
	echo $? >joined.status
} >"$BATS_FILE_TMPDIR/said"

setup() {
	use_server
	cd "$BATS_FILE_TMPDIR" || return
}

teardown_file() {
	stop_server
	stop_browser
}

@test "every cell that the person ran has a cell_start and a cell, in the order of their requests" {
	run -0 of cell_start 'map(.cell_index)'
	has '[1,2,3,4,5,1,1,2,3,4,5,6,7]'
	run -0 of cell 'map(.cell_id) | .[:5]'
	has '["c1","c2","c3","c4","c5"]'
}

@test "keys and the run button are distinguished, and their times are complete" {
	run -0 of cell '.[:5] | map(.pressed_by)'
	has '["keydown","keydown","keydown","mousedown","mousedown"]'
	run -0 of cell '.[:6] | map(.pressed_t <= .sent_t and .sent_t <= .received_t and .t == .pressed_t and .client_ms > 0) | all'
	has true
	run -0 of cell '.[:6] | map(.client_ms - (.dispatch_ms + .transport_ms + .kernel_ms + .render_ms + .unattributed_ms) | fabs) | max < 0.01'
	has true
}

@test "a sleep of 250 ms is read as 250 ms by the kernel's clock" {
	run -0 of cell '.[0].kernel_ms'
	python3 -c "import sys; t = float(sys.argv[1]); assert 249 < t < 600, t" "$output"
}

@test "a cell queued behind another is marked, and its queue phase is the other's time" {
	run -0 of cell '.[:2] | map(.marks | index("queued") != null)'
	has '[false,true]'
	run -0 of cell '.[1].status'
	has completed
}

@test "items that a cell printed are counted" {
	run -0 of cell '[.[0].items, .[1].items, .[1].items_done]'
	[ "$output" = '[null,3,null]' ]
}

@test "an error is failed, with its name" {
	run -0 of cell '.[2] | [.status, .error_name]'
	has '["failed","ZeroDivisionError"]'
}

@test "each cell has page and usage as in a normal run" {
	run -0 of cell '.[:6] | map(.page.messages_by_type.execute_request.sent_messages == 1 and .usage.kernel.pid > 0 and .usage.browser.cpu_s > 0 and .usage.kernel.peak_rss_bytes > 0) | all'
	has true
	run -0 of cell '.[3] | [.changed, .waited, .comm_messages_received > 0]'
	has '[true,true,true]'
}

@test "a cell inserted while the notebook was open has its current index and source" {
	run -0 of cell '.[5] | [.cell_index, .source, .status, .outputs.count]'
	has '[1,"12","completed",1]'
	run -0 of cell '.[6:] | map(select(.cell_id == "c1"))[0].cell_index'
	has 2
}

@test "a cell that no input led to has no pressed_t and the mark untriggered" {
	run -0 of cell '.[6:] | map(select(.status != "not_run") | [.pressed_t, .client_ms, .pressed_by, (.marks | index("untriggered") != null)]) | unique'
	has '[[null,null,null,true]]'
}

@test "cells that the kernel aborted after an error are not_run" {
	run -0 of cell '.[6:] | map([.cell_id, .status]) | map(select(.[0] | length == 2)) | sort'
	has '[["c1","completed"],["c2","completed"],["c3","failed"],["c4","not_run"],["c5","not_run"],["c6","not_run"]]'
}

@test "turns of the wheel over a plot are one interaction, with the messages that they sent" {
	run -0 of interaction '.[0] | [.input, .inputs, .status, .first_visual_change_ms > 0, .changes.dom > 0, .comm_messages_sent > 0, .comm_bytes_sent > 0, (.element.viewer | contains("bqplot"))]'
	has '["wheel",4,"completed",true,true,true,true,true]'
}

@test "a drag, the press and its moves, is one interaction" {
	run -0 of interaction '.[1] | [.input, .inputs, .changes.dom > 0]'
	has '["drag",6,true]'
}

@test "the last change after a click on a button is dated within a frame" {
	truth=$(sed -n 's/^\([0-9]\{13\}[0-9.]*\)$/\1/p' said)
	run -0 of interaction '.[2] | [.input, .t * 1000 + .gesture_ms + .last_visual_change_ms, .last_visual_change_ms]'
	python3 - "$output" "$truth" <<-'P'
	import json, sys
	(kind, settled, took), truth = json.loads(sys.argv[1]), float(sys.argv[2])
	assert kind == "click" and took > 200 and abs(settled - truth) < 17, (kind, settled - truth, took)
	P
}

@test "a click whose callback takes 200 ms has them in the kernel's phase, and in the step that sent the message" {
	run -0 of interaction '.[2] | [.kernel_callback_ms >= 200, .kernel_ms >= 195, .after_end_ms >= 200, .client_ms >= 200, .unanswered_max, (.latency_source | type)]'
	has '[true,true,true,true,1,"string"]'
	run -0 of interaction_step 'map(select(.number == 3)) | [map(.input), (map(select(.comm_messages_sent > 0)) | length), (map(.answer_visual_change_ms // 0) | max >= 200)]'
	has '[["pointerdown","pointerup"],1,true]'
}

@test "a click after which nothing changed has no times, and typing is one gesture" {
	run -0 of interaction '.[3] | [.input, .first_visual_change_ms, .last_visual_change_ms, .reason]'
	has '["click",null,null,"no output changed"]'
	run -0 of interaction '.[4] | [.input, .inputs, .last_visual_change_ms > 0]'
	has '["key",3,true]'
}

@test "no record holds what was typed into a widget" {
	run -1 grep -c 'abc' joined.jsonl
}

@test "SIGINT ends the run as completed, and the executed notebook is as in the page" {
	[ "$(cat joined.status)" = 0 ]
	run -0 tail -1 joined.jsonl
	has '"type":"run_end"'
	has '"status":"completed","reason":"interrupted","cells_run":13'
	run -0 jq -c '[(.cells | length), .cells[1].source]' mine.ipynb
	has '[8,"12"]'
}

@test "the joined browser, its tabs, the kernel and the notebook stay as they were" {
	run -0 tabs
	[ "$output" = '["/lab/tree/work/mine.ipynb","about:blank"]' ] || [ "$output" = '["/lab/tree/work","about:blank"]' ] || { echo "$output"; false; }
	run -0 rest api/sessions
	has work/mine.ipynb
	run -0 rest api/contents/work/mine.ipynb
	run -0 jq '.content.cells | length' <<<"$output"
	has 7
	person "$(cat port)" <<<'wait document.querySelectorAll(".jp-CodeCell").length === 7'
	[ -z "$(ls -d "$BATS_FILE_TMPDIR"/nbscope-* 2>/dev/null)" ]
}

@test "all records fit their schemas" {
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict joined.jsonl
	status_is 0
}

@test "cellmetrics writes a line for each time that a cell was run, and metrics2csv a row" {
	cellmetrics joined.jsonl >metrics.jsonl
	run -0 jq -s -c '[map(select(.type == "cell_metrics")) | length, (map(.cell_index) | max)], (last | .executed_cells)' metrics.jsonl
	has '[13,7]'
	has 10
	run -0 metrics2csv metrics.jsonl
	[ "$(grep -c '^mine.ipynb,' <<<"$output")" = 13 ]
}

@test "when a cell's last message arrived is known while listening, too, also without the server's name" {
	of cell 'map([.cell_index, .status, .idle_t, .arrived_t, .received_t, .handling_delay_ms])' >&2
	run -0 of cell 'map(select(.received_t and .status != "not_run")) | [length >= 10, (map(select(.arrived_t)) | length * 10 >= 9 * length),
		all(.arrived_t == null or (.arrived_t <= .received_t and .arrived_t >= .sent_t and (.handling_delay_ms - (.received_t - .arrived_t) * 1000 | fabs) < 1))]'
	[ "$output" = '[true,true,true]' ]
}

@test "a notebook that cannot be listened to is named" {
	run -2 celllisten
	has 'wdsession --join'
	run -2 celllisten --screenshots shots nb.ipynb
	has '--screenshots'
	echo '{"profilers": []}' >settings.json
	run -2 cellprofile settings.json celllisten nb.ipynb
	has "a person's cells cannot be profiled"
	run -2 celllisten nb.ipynb other.ipynb
	has 'at most one NOTEBOOK'
	run -4 wdsession celllisten work/none.ipynb
	has "'work/none.ipynb' is not a file, and the server has no such notebook"
	unset JUPYTERLAB_URL
	run -4 wdsession --join "127.0.0.1:$(cat port)" celllisten nosuch.ipynb
	has "no tab of the joined browser shows 'nosuch.ipynb'"
}
