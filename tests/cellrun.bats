# cellrun, on a real JupyterLab in a real browser.
load helpers
load server

# profile NAME [cellrun's options]: the cells on stdin, the records in NAME.jsonl.
profile() {
	local name=$1
	shift
	python3 "$ROOT/tests/nb.py" "$BATS_FILE_TMPDIR/$name.ipynb"
	wdsession cellrun "$@" "$BATS_FILE_TMPDIR/$name.ipynb" >"$BATS_FILE_TMPDIR/$name.jsonl"
}

# cells NAME FILTER: jq over the array of its cell records.
cells() {
	jq -s -c "[.[] | select(.type == \"cell\")] | $2" "$BATS_FILE_TMPDIR/$1.jsonl"
}

# left_over: what of ours is still on the server.
left_over() {
	rest api/sessions
	rest api/contents | jq -c '.content | map(.name)'
	rest api/kernels
}

setup_file() {
	start_server
	use_server
	mkdir -p "$BATS_FILE_TMPDIR/files/data"
	echo 42 >"$BATS_FILE_TMPDIR/files/data/x.txt"
	echo 'answer = 43' >"$BATS_FILE_TMPDIR/files/helpers.py"
	profile all --with-file "$BATS_FILE_TMPDIR/files" --executed "$BATS_FILE_TMPDIR/out/all.ipynb" \
		--screenshots "$BATS_FILE_TMPDIR/shots" <<'EON' || true
[("markdown", "# Title"),
 ("code", "import time, ipywidgets as w", ["skip_profiling"]),
 ("code", "time.sleep(0.25)"),
 ("markdown", "between"),
 ("code", "print('hello')"),
 ("code", "  \n"),
 ("code", "from IPython.display import HTML\nHTML('<div style=\"height:80px;background:linear-gradient(red,blue)\">shown</div>')"),
 ("code", "slider = w.IntSlider()\nslider"),
 ("code", "for i in range(10):\n    slider.value = i"),
 ("code", "import helpers\nprint(open('data/x.txt').read().strip(), helpers.answer)"),
 ("code", "{}['expected']", ["raises-exception"]),
 ("code", "1/0"),
 ("code", "print('never')")]
EON
}

setup() {
	use_server
}

teardown_file() {
	stop_server
}

@test "each code cell has one record, in order, with its id and index" {
	run -0 cells all 'map([.cell_index, .cell_id])'
	has '[[1,"c1"],[2,"c2"],[3,"c4"],[4,"c5"],[5,"c6"],[6,"c7"],[7,"c8"],[8,"c9"],[9,"c10"],[10,"c11"],[11,"c12"]]'
}

@test "the run begins with a run record and ends with run_end" {
	run -0 jq -rs '[first.type, last.type, last.status, last.cells_run] | @csv' "$BATS_FILE_TMPDIR/all.jsonl"
	has '"run","run_end","failed",10'
	run -0 jq -rs 'first | [.name, .code_cells, .jupyterlab, .kernel] | @csv' "$BATS_FILE_TMPDIR/all.jsonl"
	has '"all",11,"4.'
}

@test "a sleep of 250 ms is read as 250 ms by the kernel's clock" {
	run -0 cells all '.[1].kernel_ms'
	python3 -c "import sys; t = float(sys.argv[1]); assert 249 < t < 300, t" "$output"
}

@test "the phases and the residual sum to the client time" {
	run -0 cells all 'map(select(.received_t) | .client_ms - (.dispatch_ms + .queue_delivery_ms + .kernel_ms + .render_ms + .residual_ms) | fabs) | max < 0.01'
	has true
}

@test "no residual is above 5 ms or 2 percent" {
	run -0 cells all 'map(select(.received_t) | (.residual_ms | fabs) <= ([5, .client_ms * 0.02] | max)) | all'
	has true
}

@test "instants are in order: pressed, sent, received" {
	run -0 cells all 'map(select(.received_t) | .pressed_t <= .sent_t and .sent_t <= .received_t) | all'
	has true
}

@test "a tagged cell runs but is not profiled" {
	run -0 cells all '.[0] | [.status, .profiled]'
	has '["completed",false]'
}

@test "outputs are counted by kind and in bytes" {
	run -0 cells all '.[2].outputs | [.count, .bytes, .by_kind.stdout]'
	has '[1,6,6]'
	run -0 cells all '.[4].outputs.by_kind | keys'
	has '["text/html","text/plain"]'
}

@test "an empty cell takes 0 ms and is marked" {
	run -0 cells all '.[3] | [.status, .client_ms, .marks]'
	has '["completed",0,["empty"]]'
}

@test "HTML and a widget are drawing and waited for; a print is not" {
	run -0 cells all '[.[2], .[4], .[5]] | map([.drawn, .waited])'
	has '[[false,false],[true,true],[true,true]]'
}

@test "messages of widgets are counted exactly" {
	run -0 cells all '.[6].comm_messages_received'
	has 9
	[ "${#output}" -eq 1 ]
}

@test "files stand beside the notebook while it runs" {
	run -0 cells all '.[7].status'
	has completed
	run -0 jq -r '.cells[9].outputs[0].text | if type == "array" then join("") else . end' "$BATS_FILE_TMPDIR/out/all.ipynb"
	has '42 43'
}

@test "raises-exception goes on, another error ends the notebook" {
	run -0 cells all '.[8:] | map([.status, .error_name, .marks])'
	has '[["completed","KeyError",["expected_error"]],["failed","ZeroDivisionError",[]],["not_run",null,[]]]'
}

@test "the executed notebook is kept with its outputs and its ids" {
	run -0 jq -c '[.cells[].id] | join(" ")' "$BATS_FILE_TMPDIR/out/all.ipynb"
	has 'c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 c10 c11 c12'
	run -0 jq -r '.cells[11].outputs[0].ename' "$BATS_FILE_TMPDIR/out/all.ipynb"
	has ZeroDivisionError
}

@test "a screenshot shows the viewer, once there is one" {
	[ ! -e "$BATS_FILE_TMPDIR/shots/cell-002.png" ]
	run -0 file "$BATS_FILE_TMPDIR/shots/cell-005.png"
	has 'PNG image data'
}

@test "what extensions draw is drawing, a widget may draw later, and what is cleared away is no viewer" {
	run -0 profile drawn --screenshots "$BATS_FILE_TMPDIR/drawnshots" <<'EON'
[("code", """from comm import create_comm
from IPython.display import clear_output, display, HTML, Javascript
import pythreejs as three, time
cube = three.Mesh(three.BoxGeometry(1, 1, 1), three.MeshBasicMaterial(color='red'))
eye = three.PerspectiveCamera(position=[3, 3, 3])"""),
 ("code", "display({'application/json': {'a': [1, 2]}}, raw=True)"),
 ("code", "three.Renderer(camera=eye, scene=three.Scene(children=[cube, eye]), controls=[three.OrbitControls(controlling=eye)], width=300, height=200)"),
 ("code", """display(HTML('<div id=later style=height:200px>now</div>'), Javascript('''
jupyterapp.shell.currentWidget.sessionContext.session.kernel.registerCommTarget('later', comm => {
	comm.onMsg = () => setTimeout(() => document.getElementById('later').append('later'), 200);
})'''))
c = create_comm(target_name='later')"""),
 ("code", "c.send({})"),
 ("code", "for i in range(3):\n    clear_output(wait=True)\n    display(HTML('<p>%d</p>' % i))\n    time.sleep(0.1)")]
EON
	run -0 cells drawn '[.[1:6][] | .drawn and .waited]'
	has '[true,true,true,true,true]'
	run -0 cells drawn '.[4] | .render_ms > 150 and .render_ms < 290'
	has true
	run -0 file "$BATS_FILE_TMPDIR/drawnshots/cell-006.png"
	[[ $output =~ 'x '([0-9]+)',' ]] && [ "${BASH_REMATCH[1]}" -lt 100 ]
}

@test "a long frame is told of, in a cell that waits for no viewer too" {
	run -0 profile long --wait none <<'EON'
[("code", "from IPython.display import Javascript, display\nimport time"),
 ("code", "display(Javascript('const t = Date.now(); while (Date.now() < t + 400);'))\ntime.sleep(0.1)")]
EON
	run -0 cells long '.[1] | .waited, .page.long_frame_ms > 350'
	has false
	has true
}

@test "nothing is left on the server" {
	run -0 left_over
	[ "$output" = '[][]
[]' ] || { echo "$output"; false; }
}

@test "a cell that never ends is timed_out at the limit, interrupted, and the rest not_run" {
	run -1 profile never --max-wait-time 2 <<'EON'
[("code", "while True: pass"), ("code", "1")]
EON
	run -0 cells never '[.[0].status, (.[0].client_ms > 1990 and .[0].client_ms < 3000), .[0].reason, .[1].status]'
	has '["timed_out",true,"the kernel was still busy at the limit","not_run"]'
}

@test "an input() that waits is named as the reason" {
	run -1 profile input --max-wait-time 1 <<'EON'
[("code", "input('your name? ')")]
EON
	run -0 cells input '[.[0].status, .[0].reason]'
	has 'input() waits'
}

@test "a killed kernel is kernel_died within a second, not completed" {
	run -1 profile killed <<'EON'
[("code", "import os\nos.kill(os.getpid(), 9)"), ("code", "1")]
EON
	run -0 cells killed '[.[0].status, .[0].client_ms < 1500, .[1].status]'
	has '["kernel_died",true,"not_run"]'
}

@test "a viewer that never rests is not_settled, keeps its kernel time, and the next cell runs" {
	run -1 profile restless --max-wait-time 2 <<'EON'
[("code", "from IPython.display import HTML\nHTML('<p id=n>0</p><script>setInterval(() => { document.getElementById(\"n\").textContent++ }, 50)</script>')"),
 ("code", "2", ["x"])]
EON
	run -0 cells restless '[.[0].status, .[0].kernel_ms < 1000, .[1].status == "not_run"]'
	has '["not_settled",true,false]'
}

@test "a selector that matches nothing is no_viewer" {
	run -1 profile selector --viz-selector '#nothing' --wait tags <<'EON'
[("code", "1", ["wait_for_viz"]), ("code", "2")]
EON
	run -0 cells selector 'map(.status)'
	has '["no_viewer","completed"]'
}

@test "with a tag somewhere, only tagged cells are waited for" {
	run -0 profile tagged <<'EON'
[("code", "from IPython.display import HTML\nHTML('<b>x</b>')"), ("code", "HTML('<b>y</b>')", ["wait_for_viz"])]
EON
	run -0 cells tagged 'map(.waited)'
	has '[false,true]'
}

@test "a JavaScript alert is closed and reported, never a hang" {
	run -0 profile alert --max-wait-time 20 <<'EON'
[("code", "from IPython.display import HTML\nHTML('<b>x</b><script>alert(1)</script>')"), ("code", "2")]
EON
	run -0 cells alert 'map([.status, .marks])'
	has '[["completed",["alert"]],["completed",[]]]'
}

@test "SIGTERM in the middle leaves no kernel and no file on the server" {
	python3 "$ROOT/tests/nb.py" "$BATS_TEST_TMPDIR/slow.ipynb" <<<'[("code", "import time\ntime.sleep(60)")]'
	wdsession cellrun "$BATS_TEST_TMPDIR/slow.ipynb" >"$BATS_TEST_TMPDIR/slow.jsonl" 3>&- &
	pid=$!
	timeout 60 sh -c "until grep -q cell_start '$BATS_TEST_TMPDIR/slow.jsonl'; do read -r _ </proc/uptime; done"
	kill -TERM $pid
	wait $pid || true
	run -0 left_over
	[ "$output" = '[][]
[]' ] || { echo "$output"; false; }
	run ! pgrep -f "$BATS_TEST_TMPDIR"
}

@test "an unknown kernel is named together with those that there are" {
	run -4 profile kernel --kernel nosuch <<<'[("code", "1")]'
	has "no kernel 'nosuch' on the server; it has: python3"
}

@test "what is no notebook of format 4 with a code cell is refused by name" {
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

@test "a notebook without cell ids runs" {
	python3 "$ROOT/tests/nb.py" "$BATS_TEST_TMPDIR/a.ipynb" <<<'[("code", "1"), ("markdown", "m"), ("code", "2")]'
	jq 'del(.cells[].id) | .nbformat_minor = 4' "$BATS_TEST_TMPDIR/a.ipynb" >"$BATS_TEST_TMPDIR/b.ipynb"
	run -0 wdsession cellrun "$BATS_TEST_TMPDIR/b.ipynb"
	[ "$(grep -c '"status":"completed"' <<<"$output")" -eq 3 ]
}

@test "skipped needs neither browser nor server" {
	python3 "$ROOT/tests/nb.py" "$BATS_TEST_TMPDIR/a.ipynb" <<<'[("code", "1"), ("code", "2")]'
	unset JUPYTERLAB_URL JUPYTERLAB_TOKEN
	run -0 cellrun --skip 'needs 40 GB' "$BATS_TEST_TMPDIR/a.ipynb"
	[ "$(grep -c '"status":"skipped","tags\|"status":"skipped"' <<<"$output")" -eq 3 ]
	has 'needs 40 GB'
}

@test "without a browser or a server it says what to run" {
	python3 "$ROOT/tests/nb.py" "$BATS_TEST_TMPDIR/a.ipynb" <<<'[("code", "1")]'
	run -2 cellrun "$BATS_TEST_TMPDIR/a.ipynb"
	has 'labserve wdsession cellrun NOTEBOOK'
}
