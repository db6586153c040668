# cellrun with a real JupyterLab in a real browser.
load helpers
load oneserver
load faults
every_package

setup_file() {
	start_server
	use_server
	start_session
	use_session
	mkdir -p "$BATS_FILE_TMPDIR/files/data"
	echo 42 >"$BATS_FILE_TMPDIR/files/data/x.txt"
	echo 'answer = 43' >"$BATS_FILE_TMPDIR/files/helpers.py"
	profile all --noise --with-file "$BATS_FILE_TMPDIR/files" --executed "$BATS_FILE_TMPDIR/out/all.ipynb" \
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
	use_session
}

teardown_file() {
	stop_session
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

@test "the machine's noise is measured before the first cell, in less than 2 s" {
	run -0 jq -rs 'map(.type) | [index("watch"), index("machine_noise"), index("cell_start")] | . == sort and all' "$BATS_FILE_TMPDIR/all.jsonl"
	has true
	run -0 jq -c 'select(.type == "machine_noise")' "$BATS_FILE_TMPDIR/all.jsonl"
	jq -e '.took_ms > 0 and .took_ms < 2000 and ([.computation, .request] | all(.count >= 5 and 0 < .p10_ms and .p10_ms <= .median_ms and .median_ms <= .p90_ms))' <<<"$output" || has nothing
}

@test "the time between a cell and the next is divided into that of the page, the driver and the record" {
	run -0 cells all 'map(select(.added) | .added | [.page_ms, .question_ms, .answer_ms, .record_ms] | all(. >= 0)) | length >= 9 and all'
	has true
	run -0 jq 'select(.type == "run").driver_ms > 0' "$BATS_FILE_TMPDIR/all.jsonl"
	has true
}

@test "a sleep of 250 ms is read as 250 ms by the kernel's clock" {
	run -0 cells all '.[1].kernel_ms'
	python3 -c "import sys; t = float(sys.argv[1]); assert 249 < t < 300, t" "$output"
}

@test "the phases and the unattributed time sum to the client time" {
	run -0 cells all 'map(select(.received_t) | .client_ms - (.dispatch_ms + .transport_ms + .kernel_ms + .render_ms + .unattributed_ms) | fabs) | max < 0.01'
	has true
}

@test "the unattributed time is never above 5 ms or 2 percent" {
	run -0 cells all 'map(select(.received_t) | (.unattributed_ms | fabs) <= ([5, .client_ms * 0.02] | max)) | all'
	has true
}

@test "instants are in order: pressed, sent, received, done" {
	run -0 cells all 'map(select(.received_t) | .pressed_t <= .sent_t and .sent_t <= .received_t and .received_t <= .done_t) | all'
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

@test "a cell waits for HTML and a widget to settle, but not for a print" {
	run -0 cells all '[.[2], .[4], .[5]] | map([.changed, .waited])'
	has '[[false,false],[true,true],[true,true]]'
}

@test "widget messages are counted exactly" {
	run -0 cells all '.[6].comm_messages_received'
	has 9
	[ "${#output}" -eq 1 ]
}

@test "files are in the notebook's folder while it runs" {
	run -0 cells all '.[7].status'
	has completed
	run -0 jq -r '.cells[9].outputs[0].text | if type == "array" then join("") else . end' "$BATS_FILE_TMPDIR/out/all.ipynb"
	has '42 43'
}

@test "after an error in a cell tagged raises-exception the run goes on, another error ends it" {
	run -0 cells all '.[8:] | map([.status, .error_name, .marks])'
	has '[["completed","KeyError",["expected_error"]],["failed","ZeroDivisionError",[]],["not_run",null,[]]]'
}

@test "the executed notebook is kept with its outputs and its ids" {
	run -0 jq -c '[.cells[].id] | join(" ")' "$BATS_FILE_TMPDIR/out/all.ipynb"
	has 'c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 c10 c11 c12'
	run -0 jq -r '.cells[11].outputs[0].ename' "$BATS_FILE_TMPDIR/out/all.ipynb"
	has ZeroDivisionError
}

# rows FILE COLUMN: the height, and the colours from top to bottom in one column of a picture.
rows() {
	"$ROOT/build/venv/bin/python" - "$@" <<'P'
import sys
import PIL.Image
picture = PIL.Image.open(sys.argv[1]).convert("RGB")
seen = [picture.getpixel((int(sys.argv[2]), y)) for y in range(picture.height)]
print(picture.height, *["-".join(map(str, c)) for c, before in zip(seen, [None, *seen]) if c != before])
P
}

@test "a screenshot shows all of the cell's own outputs, whole and trimmed, or there is none" {
	run -1 profile pictured --screenshots "$BATS_FILE_TMPDIR/pictures" <<'EON'
[("code", """import ipywidgets, time
from IPython.display import display, HTML
bar = ipywidgets.IntProgress(value=1, max=10)
display(HTML('<div style="height:120px;width:300px;background:rgb(200,30,30)"></div>'), bar)
for i in range(3):
    time.sleep(0.1)
    bar.value = i + 2"""),
 ("code", "x = 1"),
 ("code", "HTML(''.join(f'<div style=width:400px;height:300px;background:rgb({20*i},200,100)></div>' for i in range(10)))"),
 ("code", "bar.value = 9"),
 ("code", "print('text')"),
 ("code", "y = 2"),
 ("code", "1/0")]
EON
	run -0 jq -r 'select(.type == "cell") | [.screenshot // "-", .screenshot_note // "-"] | join(" ")' "$BATS_FILE_TMPDIR/pictured.jsonl"
	has 'cell-001.png -
- no_output
cell-003.png -
cell-004.png changed_output
cell-005.png -
- no_output
cell-007.png -'
	cd "$BATS_FILE_TMPDIR/pictures" || return
	[ "$(ls)" = "$(printf 'cell-00%d.png\n' 1 3 4 5 7)" ]
	run -0 rows cell-001.png 20
	[[ $output == 1[4-7]?" 200-30-30 "* ]] || has 'both outputs'
	run -0 rows cell-003.png 20
	[[ $output =~ ^30..\ 0-200-100( [0-9]+-200-100){9}( 255-255-255)?$ ]] || has 'ten bands, and nothing else'
	run -0 widths cell-001.png cell-003.png cell-004.png
	has '310 408 310'
}

# widths FILE...: of pictures, in pixels.
widths() {
	file "$@" | sed 's/.*data, \([0-9]*\) x .*/\1/' | xargs
}

@test "a cell that shows nothing has no screenshot; a cell with an output has one" {
	[ ! -e "$BATS_FILE_TMPDIR/shots/cell-002.png" ]
	run -0 file "$BATS_FILE_TMPDIR/shots/cell-005.png"
	has 'PNG image data'
}

@test "outputs of extensions and late widget changes are waited for; a cleared output is not shown" {
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
	run -0 cells drawn '[.[1:6][] | .changed and .waited]'
	has '[true,true,true,true,true]'
	run -0 cells drawn '.[4] | .render_ms > 150 and .render_ms < 290'
	has true
	run -0 file "$BATS_FILE_TMPDIR/drawnshots/cell-006.png"
	[[ $output =~ 'x '([0-9]+)',' ]] && [ "${BASH_REMATCH[1]}" -lt 100 ]
}

@test "nothing is left on the server" {
	run -0 left_over
	[ "$output" = '[][]
[]' ] || has nothing
}
