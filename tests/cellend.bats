# cellrun: how a cell and a run end, and what is refused. (Each test has its own notebook; most share a browser.)
# bats file_tags=untimed,long
load helpers
load server
load faults

# Installs a kernelspec that does not run in its notebook's folder, as on another machine.
elsewhere() {
	local dir=$BATS_FILE_TMPDIR/jupyter/kernels/elsewhere
	mkdir -p "$dir"
	jq -n --arg python "${NBSCOPE_VENV:-$ROOT/build/venv}/bin/python" '{display_name: "elsewhere", language: "python",
		argv: ["sh", "-c", "export PLACE=$PWD; cd /; exec \"$0\" -m ipykernel_launcher -f \"$1\"", $python, "{connection_file}"]}' >"$dir/kernel.json"
	export JUPYTER_PATH=$BATS_FILE_TMPDIR/jupyter
}

setup_file() {
	elsewhere
	start_server
	use_server
	start_session
	use_session
	# Cells that complete and change nothing for others: 1-4 load and assert, 5-9 change their outputs,
	# 10-16 count items, 17-18 show widgets, 19-20 an alert, 21-26 what comes late.
	profile plain --max-wait-time 20 <<'EON'
[("code", "from IPython.display import HTML, Javascript, display\nimport os, time\nopen('big.bin', 'wb').write(os.urandom(300000))"),
 ("code", "HTML('<b>first, for what JupyterLab itself loads</b>')"),
 ("code", "here = 'parent.location.pathname.split(`/tree/`)[1].split(`/`).slice(0, -1).join(`/`)'\n"
          "display(HTML('<iframe srcdoc=\"<script>fetch(`/files/` + ' + here + ' + `/big.bin`)</script>x\"></iframe>'))\ntime.sleep(1)"),
 ("code", "display(Javascript('console.assert(1 === 2, `one is two`); console.assert(true, `nothing`)'))"),
 ("code", "import time; time.sleep(0.5)\nfrom IPython.display import clear_output, display, HTML, Javascript\nprint('a')\ndisplay(HTML('stays'))\nclear_output(wait=True)"),
 ("code", "h = display(HTML('x' * 1000), display_id=True)\nfor i in range(9):\n    h.update(HTML('y' * 500))"),
 ("code", "h.update(HTML('zz')); h.update(HTML('zzz')); print('b'); clear_output(wait=True); print('cc')"),
 ("code", "Javascript('throw new Error(\"no such thing\")')"),
 ("code", """Javascript('const m = jupyterapp.serviceManager; console.error("asked", !!m.nbconvert._requestingFormats, !!m.nbconvert._exportFormats, m.builder.shouldCheck)')"""),
 ("code", """import sys, time
from IPython.display import clear_output, display
def piece(text, stream=sys.stdout):
    stream.write(text); stream.flush(); time.sleep(0.05)"""),
 ("code", """print('begin\\n{"type":"items","items":100,"done":90}'); print('{"type":"items","items":28,"done":10}')"""),
 ("code", """piece('{"type": "it'); piece('ems", "items": 5}\\n{"type":"items","items":'); piece('2.5}')"""),
 ("code", """piece('{"type":"items","items":7}\\n{"type":"it'); clear_output(); piece('{"type":"items","items":1,"done":0}\\n')"""),
 ("code", """print('{"type":"items","items":7}'); clear_output(wait=True); print('{"type":"items","items":2}'); display(3); print('{"type":"items","items":2}')"""),
 ("code", """piece('{"type":"items","items":7}', sys.stderr); print('x{"type":"items","items":7}\\n{"type":"other","items":3}\\n{"type":"items","items":-1}\\n{"type":"items",\\n"items": 5}\\n[1]\\n{"type":"items","items":"8"}\\n{' + 'x' * 20000); piece('{"type":"items","items":7}')"""),
 ("code", "1"),
 ("code", "import ipywidgets as w\nfrom traitlets import Unicode\nw.IntSlider()"),
 ("code", "u = lambda word: Unicode(word).tag(sync=True)\nclass Absent(w.DOMWidget):\n"
          "    _view_name, _model_name = u('V'), u('M')\n    _view_module = _model_module = u('nosuchmodule')\n"
          "    _view_module_version = _model_module_version = u('1.0.0')\nAbsent()"),
 ("code", "HTML('<b>x</b><script>alert(1)</script>')"), ("code", "2"),
 ("code", """from IPython.display import HTML, display
import http.server, threading, time
class Slow(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        time.sleep(0.6)
        body, kind = (b'<p>there', 'text/html') if 'frame' in self.path else (b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>', 'image/svg+xml')
        self.send_response(200); self.send_header('Content-Type', kind); self.send_header('Content-Length', str(len(body))); self.end_headers(); self.wfile.write(body)
    def log_message(self, *a): pass
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Slow)
threading.Thread(target=server.serve_forever, daemon=True).start()
at = f'http://127.0.0.1:{server.server_port}'"""),
 ("code", "display(HTML(f'<iframe src={at}/frame width=200 height=50></iframe>'))"),
 ("code", "display(HTML(f'<img loading=lazy src={at}/lazy.svg width=90 height=90>'))"),
 ("code", "display(HTML('<div id=moved style=\"width:9px;height:9px\">x</div><script>moved.animate([{width: `9px`}, {width: `90px`}], 600)</script>'))"),
 ("code", "display(HTML('<svg width=90 height=20><rect width=9 height=9><animate attributeName=width from=9 to=90 dur=0.6s begin=indefinite id=grows /></rect></svg><script>grows.beginElement()</script>'))"),
 ("code", "display(HTML('<iframe srcdoc=x width=200 height=50></iframe>'))")]
EON
}

setup() {
	use_server
	use_session
}

teardown_file() {
	stop_session
	stop_server
}

# Two tests read it: a frame that takes long, and a cell that asks.
unwaited() {
	[ ! -e "$BATS_FILE_TMPDIR/unwaited.jsonl" ] || return 0
	run -1 profile unwaited --wait none <<'EON'
[("code", "from IPython.display import Javascript, display\nimport time"),
 ("code", "display(Javascript('const t = Date.now(); while (Date.now() < t + 400);'))\ntime.sleep(0.1)"),
 ("code", "1"), ("code", "input('your name? ')"), ("code", "2")]
EON
}

@test "a long frame is reported, even in a cell that does not wait for its output" {
	unwaited
	run -0 cells unwaited '.[1] | .waited, .page.long_animation_frame_ms > 350'
	has false
	has true
}

# bats test_tags=thorough
@test "a long frame that a busy machine shows late is reported too" {
	unset WD_SESSION
	TMPDIR=$BATS_TEST_TMPDIR run -0 profile late --wait none <<EON
[("code", "from IPython.display import Javascript, display\\nimport subprocess, time"),
 ("code", "subprocess.Popen(['sh', '-c', 'sleep 0.15; p=\$(pgrep -f \\"[t]ype=gpu-process.*$BATS_TEST_TMPDIR\\"); kill -STOP \$p; sleep 0.3; kill -CONT \$p'])\\n"
          "display(Javascript('const t = Date.now(); while (Date.now() < t + 400);'))\\ntime.sleep(0.1)")]
EON
	run -0 cells late '.[1] | .page.long_animation_frame_ms > 350'
	has true
}

# bats test_tags=thorough
@test "each frame that an animation changes counts as shown, in elements and in a canvas" {
	run -0 profile animated <<'EON'
[("code", "from IPython.display import HTML, Javascript, display\n"
          "def each_frame(element, step):\n"
          "    display(HTML(element))\n"
          "    display(Javascript('const b = document.getElementById(\"b\"); let n = 0; b.id = \"\"; const f = () => { '\n"
          "                       + step + '; if (++n < 90) requestAnimationFrame(f); }; requestAnimationFrame(f);'))"),
 ("code", "each_frame('<div id=b style=\"width: 80px; height: 80px; background: teal\"></div>', 'b.style.marginLeft = n + \"px\"')"),
 ("code", "each_frame('<svg><circle id=b cy=50 r=10 /></svg>', 'b.setAttribute(\"cx\", n)')"),
 ("code", "each_frame('<p id=b></p>', 'b.textContent = n')"),
 ("code", "each_frame('<canvas id=b></canvas>', 'b.getContext(\"2d\").fillRect(n, 9, 3, 3)')")]
EON
	run -0 cells animated '.[1:][].page.frames_shown'
	[ "${#lines[@]}" -eq 4 ]
	# Creating the element and its size are one or two more.
	for n in "${lines[@]}"; do
		[ "$n" -ge 89 ]
		[ "$n" -le 93 ]
	done
}

@test "what a frame of the same origin fetches is counted, and a failed assertion is reported" {
	run -0 cells plain '.[2].http_bytes_received | . >= 300000 and . < 320000'
	has true
	run -0 jq -r 'select(.type == "console" and .cell_index <= 4) | .message' "$BATS_FILE_TMPDIR/plain.jsonl"
	[ "$output" = 'Assertion failed: one is two' ]
}

# bats test_tags=thorough
@test "cells with a hidden source, a stolen focus, or a script that never runs complete" {
	run -0 profile odd --max-wait-time 8 <<'EON'
[("code", "from IPython.display import HTML, display\ndisplay(HTML('<input id=taken><script>taken.focus()</script>'))"),
 ("code", "'hidden'", [], {"jupyter": {"source_hidden": True}}),
 ("code", "display(HTML('<div id=holder>x</div><script>holder.insertAdjacentHTML(`beforeend`, `<script src=/nosuch.js><`+`/script>`); holder.append(new DOMParser().parseFromString(`<script src=/nosuch2.js><`+`/script>`, `text/html`).head.firstChild)</script>'))"),
 ("code", "display(HTML('<b>behind</b>'))")]
EON
	run -0 cells odd 'map(.status)'
	has '["completed","completed","completed","completed"]'
}

@test "a cell waits for a frame of another origin, a visible lazy image and finite animations" {
	run -0 cells plain '.[20:] | map([.status, .client_ms >= 590 and .client_ms < 3000, .marks])'
	has '[["completed",false,[]],["completed",true,["cross_origin_frame"]],["completed",true,[]],["completed",true,[]],["completed",true,[]],["completed",false,[]]]'
}

# bats test_tags=thorough
@test "cells with a playing video, an object or a worker are marked; later ones only if they may have changed it" {
	run -0 profile hidden <<'EON'
[("code", "from IPython.display import HTML, Javascript"),
 ("code", "HTML('<video id=film muted autoplay width=90 height=60></video><script>{ const c = document.createElement(`canvas`), d = c.getContext(`2d`); film.srcObject = c.captureStream(); d.fillRect(0, 0, 9, 9) }</script>')"),
 ("code", "'a cell that changes nothing else'"),
 ("code", "HTML('<b>one that does</b>')"),
 ("code", "Javascript('film.pause()')"),
 ("code", "HTML('<script>window.helper = new Worker(URL.createObjectURL(new Blob([`onmessage = () => 0`], {type: `text/javascript`})))</script>started')"),
 ("code", "1 + 1"),
 ("code", "Javascript('helper.postMessage(1)')"),
 ("code", "HTML('<object type=image/png width=9 height=9 data=data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==></object>')"),
 ("code", "HTML('<object type=image/svg+xml width=90 height=60 data=\"data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22/>\"></object>')"),
 ("code", "2 + 2")]
EON
	run -0 cells hidden 'map(.marks | join(" "))'
	has '["","video_playing","video_playing","","","web_worker late_updates_possible","","web_worker","","object_element","object_element"]'
	run -0 cells hidden 'all(.status == "completed")'
	has true
}

@test "a widget that cannot be shown is reported and is not a live view" {
	run -0 cells plain '.[16:18] | map(.page.widget_views)'
	has '[1,1]'
	run -0 jq -r 'select(.type == "console" and .cell_index > 9) | "\(.cell_index) \(.kind) \(.message | split("\n")[0])"' "$BATS_FILE_TMPDIR/plain.jsonl"
	[ "$output" = '18 console_error Error: No version of module nosuchmodule is registered' ]
}

# Two tests read it: outputs that change on and on, and a cell that never ends.
restless() {
	[ ! -e "$BATS_FILE_TMPDIR/restless.jsonl" ] || return 0
	run -1 profile restless --max-wait-time 2 <<'EON'
[("code", "from IPython.display import HTML\nHTML('<p id=n>0</p><script>ticker = setInterval(() => { document.getElementById(\"n\").textContent++ }, 50)</script>')"),
 ("code", "2", ["x"]),
 ("code", "import time\ntime.sleep(0.2)\nHTML('<p>3</p>')"),
 ("code", "time.sleep(0.5)\nHTML('<p id=four>4</p><script>clearInterval(ticker); setTimeout(() => { four.textContent = 5 }, 200)</script>')"),
 ("code", "time.sleep(0.5)"),
 ("code", "HTML('<script>setTimeout(() => { n.textContent = 6 }, 250)</script>')"),
 ("code", "while True: pass"), ("code", "1")]
EON
}

@test "a cell that never ends is timed_out at the limit, interrupted, and the rest not_run" {
	restless
	run -0 cells restless '.[6:] | [.[0].status, (.[0].client_ms > 1990 and .[0].client_ms < 3000), .[0].reason, .[1].status]'
	has '["timed_out",true,"the kernel was still busy at the limit","not_run"]'
}

@test "an input() ends the run at once, with what to do" {
	unwaited
	run -0 cells unwaited '.[2:] | map([.status, .reason]), (.[1].client_ms < 3000)'
	has '[["completed",null],["failed","input() or a debugger waits for an answer, which nobody gives: make it a parameter, or tag the cell skip_profiling"],["not_run","cell 4 failed"]]
true'
}

# One that kills itself is in faults-run.bats.
# bats test_tags=thorough
@test "a killed kernel is kernel_died within a second, not completed" {
	run -1 profile killed <<'EON'
[("code", "import os\nos.kill(os.getpid(), 9)"), ("code", "1")]
EON
	run -0 cells killed '[.[0].status, .[0].client_ms < 1500, .[1].status]'
	has '["kernel_died",true,"not_run"]'
}

@test "an output that never settles is not_settled with its kernel time, and delays no later cell" {
	restless
	# After two seconds, which is the limit here, the interval is known as periodic.
	run -0 cells restless '[.[0].marks - ["periodic_updates"], .[2].marks]'
	has '[[],["overlapped"]]'
	run -0 cells restless '.[:6] | map(.status)'
	has '["not_settled","completed","completed","completed","completed","completed"]'
	run -0 cells restless '[.[0].kernel_ms < 1000, (.[2].client_ms | . > 200 and . < 900), (.[3].client_ms | . > 700 and . < 1400), .[5].client_ms > 250]'
	has '[true,true,true,true]'
}

# bats test_tags=thorough
@test "a selector that matches nothing is no_viewer" {
	run -1 profile selector --viz-selector '#nothing' --wait tags <<'EON'
[("code", "1", ["wait_for_viz"]), ("code", "2")]
EON
	run -0 cells selector 'map(.status)'
	has '["no_viewer","completed"]'
}

@test "if any cell is tagged wait_for_viz, only tagged cells wait" {
	run -0 profile tagged <<'EON'
[("code", "from IPython.display import HTML\nHTML('<b>x</b>')"), ("code", "HTML('<b>y</b>')", ["wait_for_viz"]),
 ("code", "n = 1"), ("code", "n = 2", ["wait_for_viz"]), ("code", "n = 3"),
 ("code", "import asyncio\nfrom IPython.display import display\nh = display(0, display_id=True)\n"
          "asyncio.get_running_loop().call_later(0.6, h.update, 1)", ["wait_for_viz"])]
EON
	run -0 cells tagged 'map(.waited)'
	has '[false,true,false,true,false,true]'
}

@test "only the kernel of a tagged cell is asked, which adds nothing to its messages and bytes" {
	[ -e "$BATS_FILE_TMPDIR/tagged.jsonl" ] || skip 'after the test before'
	run -0 cells tagged 'map(.late_message_t != null)'
	has '[false,false,false,false,false,true]'
	run -0 cells tagged '.[2:4] | map([.ws_messages_sent, .ws_messages_received, .ws_bytes_received, .added.question_ms]) | .[0] == .[1] and .[1][3] == 0'
	has true
}

@test "a JavaScript alert is closed and reported, never a hang" {
	run -0 cells plain '.[18:20] | map([.status, .marks])'
	has '[["completed",["alert"]],["completed",[]]]'
}

@test "SIGTERM during a cell leaves no kernel and no file on the server" {
	python3 "$ROOT/tests/nb.py" "$BATS_TEST_TMPDIR/slow.ipynb" <<<'[("code", "import time\ntime.sleep(60)")]'
	cellrun "$BATS_TEST_TMPDIR/slow.ipynb" >"$BATS_TEST_TMPDIR/slow.jsonl" 3>&- &
	pid=$!
	timeout 60 sh -c "until grep -q cell_start '$BATS_TEST_TMPDIR/slow.jsonl'; do sleep 0.1; done"
	kill -TERM $pid
	wait $pid || true
	run -0 left_over
	[ "$output" = '[][]
[]' ] || { echo "$output"; false; }
	# Its guard ends after it.
	none_left() { ! pgrep -f "$BATS_TEST_TMPDIR"; }
	wait_for none_left
}

# bats test_tags=thorough
@test "a run under nohup goes on when its terminal hangs up" {
	cd "$BATS_TEST_TMPDIR"
	python3 "$ROOT/tests/nb.py" hold.ipynb <<<'[("code", "import time; time.sleep(3)"), ("code", "1")]'
	setsid env --ignore-signal=HUP sh -c 'wdsession --early cellrun hold.ipynb | procsample | runkeep hold.jsonl' >passed 2>err 3>&- &
	group=$!
	timeout 60 sh -c "until grep -q cell_start passed; do sleep 0.1; done"
	kill -HUP -- -$group
	wait $group
	[ "$(jq -r 'select(.type == "cell") | .status' hold.jsonl | tr '\n' ' ')" = 'completed completed ' ]
}

@test "the message for an unknown kernel lists those of the server" {
	run -4 profile kernel --kernel nosuch <<<'[("code", "1")]'
	has "no kernel 'nosuch' on the server; it has: nbscope python3"
}

@test "a file that is not a notebook of format 4 with a code cell is refused by name" {
	cd "$BATS_TEST_TMPDIR"
	: >empty.ipynb
	run -3 cellrun empty.ipynb
	has 'empty.ipynb:1:1:'
	echo '{"nbformat": 3, "worksheets": []}' >v3.ipynb
	run -3 cellrun v3.ipynb
	has 'notebook format 3'
	echo '{"cells": [], "nbformat": 4, "nbformat_minor": 5, "metadata": {}}' >none.ipynb
	run -3 cellrun none.ipynb
	has 'no code cell'
	echo '[1, 2' >broken.ipynb
	run -3 cellrun broken.ipynb
	has 'broken.ipynb:2:'
	echo '{"cells": 1, "cells": 2}' >twice.ipynb
	run -3 cellrun twice.ipynb
	has 'duplicate'
	run -3 cellrun missing.ipynb
	has "cannot read 'missing.ipynb': No such file"
}

# bats test_tags=thorough
@test "a notebook without cell ids runs" {
	python3 "$ROOT/tests/nb.py" "$BATS_TEST_TMPDIR/a.ipynb" <<<'[("code", "1"), ("markdown", "m"), ("code", "2")]'
	jq 'del(.cells[].id) | .nbformat_minor = 4' "$BATS_TEST_TMPDIR/a.ipynb" >"$BATS_TEST_TMPDIR/b.ipynb"
	run -0 cellrun "$BATS_TEST_TMPDIR/b.ipynb"
	[ "$(grep -c '"status":"completed"' <<<"$output")" -eq 3 ]
}

@test "skipped needs neither browser nor server" {
	python3 "$ROOT/tests/nb.py" "$BATS_TEST_TMPDIR/a.ipynb" <<<'[("code", "1"), ("code", "2")]'
	unset JUPYTERLAB_URL JUPYTERLAB_TOKEN WD_SESSION
	run -0 cellrun --skip 'needs 40 GB' "$BATS_TEST_TMPDIR/a.ipynb"
	[ "$(grep -c '"status":"skipped","tags\|"status":"skipped"' <<<"$output")" -eq 3 ]
	has 'needs 40 GB'
}

@test "tags are strings in a list, and anything else is ignored" {
	python3 "$ROOT/tests/nb.py" "$BATS_TEST_TMPDIR/a.ipynb" <<<'[("code", "1", "skip_profiling"), ("code", "2", ["a", 1, None, "b"]), ("code", "3", {"a": 1})]'
	run -0 cellrun --skip none "$BATS_TEST_TMPDIR/a.ipynb"
	[ "$(jq -sc 'map(select(.type == "cell") | [.tags, .profiled])' <<<"$output")" = '[[[],true],[["a","b"],true],[[],true]]' ]
}

# bats test_tags=thorough
@test "if the page stops synthetic keys, keys of the browser are used instead" {
	python3 "$ROOT/tests/nb.py" "$BATS_TEST_TMPDIR/a.ipynb" <<-'EON'
		[("code", "from IPython.display import HTML\nHTML('<script>window.addEventListener(\"keydown\", e => { if (!e.isTrusted) e.stopImmediatePropagation() }, true)</script>')"),
		 ("markdown", "a"), ("code", "1"), ("code", "2")]
	EON
	run -0 wdsession cellrun "$BATS_TEST_TMPDIR/a.ipynb"
	[ "$(grep -c '"status":"completed"' <<<"$output")" -eq 4 ]
}

@test "without a browser or a server the message says what to run" {
	unset WD_SESSION
	python3 "$ROOT/tests/nb.py" "$BATS_TEST_TMPDIR/a.ipynb" <<<'[("code", "1")]'
	run -2 cellrun "$BATS_TEST_TMPDIR/a.ipynb"
	has 'labserve wdsession cellrun NOTEBOOK'
}

@test "outputs are those in the notebook, errors shown instead are reported, the server is idle" {
	run -0 cells plain '.[4:9] | map(.outputs | [.count, .by_kind.stdout, .by_kind["text/html"]])'
	has '[[2,2,5],[1,null,500],[1,3,3],[1,null,null],[1,null,null]]'
	run -0 jq -c 'select(.type == "console" and .cell_index > 4) | [.cell_index, .kind, .message]' "$BATS_FILE_TMPDIR/plain.jsonl"
	[ "${lines[0]}" = '[8,"exception","Javascript Error: no such thing"]' ] || has exception
	# Neither the export formats nor whether a build is needed.
	[ "${lines[1]}" = '[9,"console_error","asked false false false"]' ] || has 'asked false false false'
}

@test "items in the remaining standard output are summed, however it is cut; others do not count" {
	run -0 cells plain '.[9:16] | map([.items, .items_done])'
	[ "$output" = '[[null,null],[128,100],[7.5,null],[1,0],[4,null],[7,null],[null,null]]' ]
	run -0 bash -c 'cellmetrics "$1/plain.jsonl" | jq -c "select(.items_done == 100) | [.cell_index, (.items_per_s * .client_execution_time_metric - 128 | fabs < 0.01)]"' - "$BATS_FILE_TMPDIR"
	[ "$output" = '[11,true]' ]
}

# bats test_tags=thorough
@test "a cell whose id JupyterLab ignores (a duplicate, or format before 4.5) runs as one without" {
	notebook() {
		jq -n "$1"' | {cells: map({cell_type: "code", id: ., metadata: {}, source: "1", execution_count: null, outputs: []}), metadata: {}, nbformat: 4, nbformat_minor: '"$2"'}' >"$BATS_TEST_TMPDIR/nb.ipynb"
		cellrun "$BATS_TEST_TMPDIR/nb.ipynb" | jq -c 'select(.type == "cell") | [.cell_id, .status]'
	}
	run -0 notebook '["a", "a", "b"]' 5
	[ "$output" = '["a","completed"]
["","completed"]
["b","completed"]' ] || has completed
	run -0 notebook '["a"]' 4
	[ "$output" = '["","completed"]' ] || has '["","completed"]'
}

# bats test_tags=thorough
@test "the target of a link in the notebook's folder stays when the folder is removed" {
	mkdir -p "$BATS_TEST_TMPDIR/precious/sub"
	touch "$BATS_TEST_TMPDIR/precious/sub/file"
	link() {
		profile linked "$@" <<EON
[("code", """import os
os.chdir(os.environ.get('PLACE', '.'))
os.symlink('$BATS_TEST_TMPDIR/precious', 'data')
os.symlink('nowhere', 'dangling')
os.makedirs('out/deep')
open('.hidden', 'w').close()""")]
EON
	}
	run -0 link
	[ -e "$BATS_TEST_TMPDIR/precious/sub/file" ]
	run -0 left_over
	[ "$output" = '[][]
[]' ] || has nothing
	run -0 link --kernel elsewhere
	[ -e "$BATS_TEST_TMPDIR/precious/sub/file" ]
	run -0 left_over
	[ "$output" = '[][]
[]' ] || has nothing
	run -0 jq -r 'select(.type == "cell").status' "$BATS_FILE_TMPDIR/linked.jsonl"
	[ "$output" = completed ]
}
