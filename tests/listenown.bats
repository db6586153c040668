# celllisten in a browser of its own: a person, simulated over the browser's debugging port,
# works in the tab that celllisten opened.
# bats file_tags=untimed
load helpers
load oneserver
load listen

# The person has a notebook of their own on the server, with a kernel, which no run ends.
setup_file() {
	start_server
	use_server
	put mine.ipynb <<<'[("code", "1")]'
	curl -sf -H "Authorization: token $JUPYTERLAB_TOKEN" "${JUPYTERLAB_URL}api/sessions" >/dev/null \
		-d '{"path": "work/mine.ipynb", "name": "", "type": "notebook", "kernel": {"name": "python3"}}'
}

setup() {
	use_server
	cd "$BATS_FILE_TMPDIR" || return
}

# The same script of the page says so to cellrun, in arrival.bats.
# bats test_tags=thorough
@test "a reply that waits for a busy page is not in transport while listening" {
	python3 "$ROOT/tests/nb.py" nb.ipynb <<-'EON'
	[("code", "from IPython.display import Javascript, display\ndisplay(Javascript('const t = performance.now(); while (performance.now() < t + 1500);'))")]
	EON
	export TMPDIR=$BATS_TEST_TMPDIR
	listening busy
	person "$port" <<-'P'
	wait window.__nbscopeListen && window.__nbscopeListen.on
	click .jp-CodeCell .jp-InputPrompt
	key Control+Enter
	heard busy.jsonl cell 1
	close
	P
	wait $session
	run -0 jq -c 'select(.type == "cell") | [.handling_delay_ms, .transport_ms, .render_ms]' busy.jsonl
	echo "$output" >&2
	jq -e '.[0] > 1300 and .[1] < 200 and .[2] > 1300' <<<"$output"
}

@test "a file is uploaded and removed; closing its tab ends the run, and the result is written" {
	python3 "$ROOT/tests/nb.py" nb.ipynb <<<'[("code", "6 * 7"), ("code", "import time; time.sleep(60)")]'
	export TMPDIR=$BATS_TEST_TMPDIR
	listening own --executed own.ipynb
	person "$port" <<-'P'
	wait window.__nbscopeListen && window.__nbscopeListen.on
	click .jp-CodeCell .jp-InputPrompt
	key Shift+Enter
	heard own.jsonl cell 1
	js new Promise(done => { const c = jupyterapp.shell.currentWidget.context; c.model.dirty ? c.fileChanged.connect(done) : done() }).then(() => 1)
	key Shift+Enter
	heard own.jsonl cell_start 2
	close
	P
	wait $session
	run -0 jq -c 'select(.type == "cell") | [.cell_index, .status, .reason, .marks]' own.jsonl
	has '[1,"completed",null,[]]'
	has '[2,"browser_died","the tab was closed",["truncated"]]'
	run -0 jq -c 'select(.type == "cell" and .cell_index == 2) | [.pressed_by, .sent_t - .pressed_t < 1, .client_ms]' own.jsonl
	has '["keydown",true,null]'
	run -0 tail -1 own.jsonl
	has '"status":"completed","reason":"the tab was closed"'
	run -0 jq -c '.cells[0].outputs[0].data["text/plain"]' own.ipynb
	has 42
	run -0 rest api/contents
	run -0 jq -c '.content | map(.name)' <<<"$output"
	[ "$output" = '["work"]' ]
	[ "$(rest api/kernels | jq length)" = 1 ]
	[ -z "$(ls -d "$TMPDIR"/nbscope-* 2>/dev/null)" ]
}

@test "a late change belongs to its click; other notebooks are ignored, a renamed one is not" {
	export TMPDIR=$BATS_TEST_TMPDIR
	put beside.ipynb <<-'EON'
	[("code", "from IPython.display import HTML, display\nimport time\nfor i in range(12):\n    display(HTML('<b>x</b>'), clear=True); time.sleep(0.2)")]
	EON
	python3 "$ROOT/tests/nb.py" nb.ipynb <<-'EON'
	[("code", "import ipywidgets as w, threading, time\nb, h = w.Button(description='go'), w.HTML('a')\n"
	          "b.on_click(lambda _: threading.Timer(0.8, lambda: setattr(h, 'value', 'late')).start())\nw.VBox([b, h])"),
	 ("code", "time.sleep(0.5)")]
	EON
	listening late --executed late.ipynb
	person "$port" <<-'P'
	wait window.__nbscopeListen && window.__nbscopeListen.on
	click .jp-CodeCell .jp-InputPrompt
	key Shift+Enter
	heard late.jsonl cell 1
	click .jupyter-button
	heard late.jsonl interaction 1
	js (window.first = jupyterapp.shell.currentWidget, 1)
	js jupyterapp.commands.execute('docmanager:open', {path: 'work/beside.ipynb'}).then(w => (window.beside = w).sessionContext.ready).then(() => 1)
	js void jupyterapp.commands.execute('notebook:run-all-cells')
	wait document.querySelector('.jp-NotebookPanel:not(.lm-mod-hidden) .jp-OutputArea-output b')
	js (jupyterapp.shell.activateById(window.first.id), 1)
	wait document.querySelector('.jp-NotebookPanel:not(.lm-mod-hidden) .jupyter-button')
	js window.first.context.rename('renamed.ipynb').then(() => 1)
	click .jp-NotebookPanel:not(.lm-mod-hidden) .jp-CodeCell:last-child .jp-InputPrompt
	key Control+Enter
	heard late.jsonl cell 2
	js window.beside.sessionContext.shutdown().then(() => 1)
	close
	P
	wait $session
	run -0 jq -s -c 'map(select(.type == "interaction")) | [length, .[0].input, .[0].last_visual_change_ms > 790 and .[0].last_visual_change_ms < 1400, .[0].marks]' late.jsonl
	has '[1,"click",true,[]]'
	run -0 jq -s -c 'map(select(.type == "cell")) | map([.cell_index, .status, .changed, .marks]), (.[1].client_ms < 900)' late.jsonl
	has '[[1,"completed",true,[]],[2,"completed",false,[]]]'
	has true
	run -0 jq -c '.cells | length, .[1].source' late.ipynb
	has '"time.sleep(0.5)"'
	[ ! -s late.err ]
}

# bats test_tags=thorough
@test "a change that the output's script makes later belongs to its cell; a clock ends it nevertheless" {
	export TMPDIR=$BATS_TEST_TMPDIR
	python3 "$ROOT/tests/nb.py" nb.ipynb <<-'EON'
	[("code", "from IPython.display import HTML\nHTML('<p id=late>a</p><script>setTimeout(() => { late.textContent = 1; truth = performance.timeOrigin + performance.now() }, 700)</script>')"),
	 ("code", "HTML('<p id=clock>0</p><script>setInterval(() => { clock.textContent++ }, 500)</script>')"),
	 ("code", "1 + 1")]
	EON
	listening script
	person "$port" >script.truth <<-'P'
	wait window.__nbscopeListen && window.__nbscopeListen.on
	click .jp-CodeCell .jp-InputPrompt
	key Shift+Enter
	heard script.jsonl cell 1
	js truth
	key Shift+Enter
	heard script.jsonl cell 2
	key Shift+Enter
	heard script.jsonl cell 3
	close
	P
	wait $session
	run -0 jq -s -c --argjson truth "$(grep -Eo '[0-9]{13}[0-9.]*' script.truth)" 'map(select(.type == "cell")) |
		map([.status, .changed, .marks]), (.[0].last_visual_change_t * 1000 - $truth | fabs < 50), (.[1].client_ms < 500)' script.jsonl
	[ "$output" = $'[["completed",true,[]],["completed",true,["periodic_updates"]],["completed",false,[]]]\ntrue\ntrue' ] || has nothing
}

# bats test_tags=thorough
@test "a kernel that the person restarts is followed, and its cells have its own numbers" {
	local pinned=$BATS_TEST_TMPDIR/pinned
	export TMPDIR=$BATS_TEST_TMPDIR
	python3 "$ROOT/tests/nb.py" nb.ipynb <<-EON
	[("code", "import os\nprint(len(os.sched_getaffinity(0)), file=open('$pinned', 'a'))"),
	 ("code", "import os, time\nprint(len(os.sched_getaffinity(0)), file=open('$pinned', 'a'))\nwhile time.thread_time() < 0.8: pass"),
	 ("code", "import time\ntime.sleep(100)"), ("code", "'after'")]
	EON
	listening again --cores 1
	person "$port" <<-'P'
	wait window.__nbscopeListen && window.__nbscopeListen.on
	click .jp-CodeCell .jp-InputPrompt
	key Shift+Enter
	heard again.jsonl cell 1
	js jupyterapp.shell.currentWidget.sessionContext.restartKernel().then(() => 1)
	heard again.jsonl watch 6
	key Shift+Enter
	heard again.jsonl cell 2
	key Shift+Enter
	heard again.jsonl cell_start 3
	js jupyterapp.shell.currentWidget.sessionContext.restartKernel().then(() => 1)
	heard again.jsonl cell 3
	heard again.jsonl watch 9
	key Control+Enter
	heard again.jsonl cell 4
	close
	P
	wait $session
	run -0 jq -s -c 'map(select(.type == "cell")) | map([.status, .marks]) | .[2:]' again.jsonl
	has '[["kernel_died",[]],["completed",[]]]'
	run -0 jq -r 'select(.type == "run").settings.cores' again.jsonl
	has 1
	run -0 jq -s -c 'map(select(.type == "cell")) | [.[0].status, .[1].status, .[0].usage.kernel.pid == .[1].usage.kernel.pid, .[1].usage.kernel.cpu_s > 0.1, .[1].usage.kernel.reason]' again.jsonl
	has '["completed","completed",false,true,null]'
	[ "$(cat "$pinned")" = $'1\n1' ]
	run -0 jq -s -c '[.[] | select(.type == "watch" and .role == "kernel").pid] == ([.[] | select(.type == "cell" and .status == "completed").usage.kernel.pid])' again.jsonl
	has true
}

# bats test_tags=thorough
@test "a menu item is the input, not the click on its menu; ambiguous changes are marked" {
	export TMPDIR=$BATS_TEST_TMPDIR
	python3 "$ROOT/tests/nb.py" nb.ipynb <<-'EON'
	[("code", "import ipywidgets as w, time\nh, slow, quick = w.HTML('0'), w.Button(description='slow'), w.Button(description='quick')\n"
	          "slow.add_class('slow'); quick.add_class('quick')\n"
	          "def by(seconds):\n    time.sleep(seconds); h.value = str(int(h.value) + 1)\n"
	          "slow.on_click(lambda _: by(0.8)); quick.on_click(lambda _: by(0.4))\nw.VBox([h, slow])"),
	 ("code", "quick")]
	EON
	listening menu
	person "$port" <<-'P'
	wait window.__nbscopeListen && window.__nbscopeListen.on
	click .jp-CodeCell .jp-InputPrompt
	key Shift+Enter
	heard menu.jsonl cell 1
	click .lm-MenuBar-item:nth-child(4)
	wait document.querySelector('.lm-Menu-item[data-command="notebook:run-cell"]')
	wait performance.now() > (window.begun = window.begun || performance.now()) + 1500
	click .lm-Menu-item[data-command="notebook:run-cell"]
	heard menu.jsonl cell 2
	click .slow
	click .quick
	heard menu.jsonl interaction 2
	close
	P
	wait $session
	run -0 jq -s -c 'map(select(.type == "cell"))[1] | [.pressed_by, .client_ms < 1500, .marks]' menu.jsonl
	has '["pointerup",true,[]]'
	run -0 jq -s -c 'map(select(.type == "interaction")) | map(select(.element.class | test("slow|quick")).marks)' menu.jsonl
	has '[["overlapped"],["overlapped"]]'
	[ ! -s menu.err ]
}

# bats test_tags=thorough
@test "a notebook on the server stays unchanged, and a kernel that was started for it is ended" {
	put other.ipynb <<<'[("code", "1"), ("code", "2")]'
	before=$(rest api/contents/work/other.ipynb | jq .last_modified)
	env --default-signal=INT wdsession celllisten work/other.ipynb >other.jsonl 2>other.err 3>&- &
	session=$!
	timeout 90 sh -c "until grep -q '\"role\":\"server\"' other.jsonl; do sleep 0.1; done"
	kill -INT $session
	wait $session
	run -0 jq -c 'select(.type == "run") | [.name, .code_cells, .settings.listen]' other.jsonl
	has '["other",2,true]'
	[ "$(rest api/contents/work/other.ipynb | jq .last_modified)" = "$before" ]
	[ "$(rest api/kernels | jq length)" = 1 ]
}
