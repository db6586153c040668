# cellinteract: gestures in a real page, dispatched as a person's inputs are. One page has all
# gestures, another one all that keeps a gesture from being performed.
# bats file_tags=untimed
load helpers
load oneserver

setup_file() {
	start_server
	start_session
}

teardown_file() {
	stop_session
	stop_server
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# perform ARGUMENTS...: performs i.jsonl in nb.ipynb; what became of each gesture is in `lines`.
perform() {
	use_server
	cellinteract -s . "$@" i.jsonl cellrun nb.ipynb >run.jsonl 2>err || true
	run jq -r 'select(.type == "interaction") | "\(.number) \(.status) \(.reason)"' run.jsonl
	cat err >&2
}

gestures() {
	cat >i.jsonl
}

# interaction N EXPRESSION: of gesture N, jq's answer.
interaction() {
	jq -c --argjson n "$1" "select(.type == \"interaction\" and .number == \$n) | $2" run.jsonl
}

notebook() {
	python3 "$ROOT/tests/nb.py" nb.ipynb
}

@test "what a line lacks is named with its place, before anything runs" {
	check() {
		gestures <<<"$1"
		run cellinteract --check i.jsonl
		status_is 3
		has "cellinteract: i.jsonl:$2"
	}
	on='"after_cell": 1, "on": {"tag": "canvas"}'
	check '{"after_cell": 1,' '1:17: '
	check $'\n'"{$on}" "2:1: 'gesture' is missing"
	check "{$on, \"gesture\": \"tap\"}" "1:44: unknown gesture 'tap'; known are: click, "
	check "{$on, \"gesture\": \"drag\"}" "1:44: 'drag' requires 'path'"
	check "{$on, \"gesture\": \"drag\", \"path\": [[5, 0, 0], [4, 1, 1]]}" "1:63: 'path' must be like [[0,0.1,0.5],[16.5,0.2,0.5]]"
	check "{$on, \"gesture\": \"drag slider to\", \"to\": \"40\"}" "1:73: 'to' must be like 0.5"
	check "{$on, \"gesture\": \"click\", \"pause_ms\": -1}" "1:64: 'pause_ms' must be like 500.5"
	check "{$on, \"gesture\": \"click\", \"pause\": 1}" "1:64: unknown member 'pause'"
	check "{$on, \"gesture\": \"keys\", \"keys\": [\"a\", \"Ctrl+z\"]}" "1:77: unknown modifier 'Ctrl'"
	check "{$on, \"gesture\": \"keys\", \"keys\": [\"Right\"]}" "1:72: unknown key 'Right'"
	check '{"after_cell": 1, "gesture": "click", "on": {"at": [0, 0]}}' "1:39: 'on' names no element"
	check "{$on, \"gesture\": \"click\", \"pace\": \"slow\"}" "1:64: 'pace' cannot be 'slow', only recorded, fast"
	run cellinteract i.jsonl touch ran
	status_is 3
	[ ! -e ran ]
}

@test "cells, tags and parameters are those of the notebook" {
	notebook <<<'[("code", "1", ["parameters"]), ("code", "2", ["view"])]'
	jq '.metadata.nbscope.params = {"n": 3, "size": "a"}' nb.ipynb >p.ipynb
	gestures <<-'G'
	{"after_cell": "view", "gesture": "drag slider to", "on": {"label": "{size_value} of {n_value}"}, "to": "{n_value}"}
	{"after_cell": "{n_value}", "gesture": "click", "on": {"text": "x"}}
	G
	run cellinteract --check i.jsonl nb.ipynb
	status_is 3
	has "i.jsonl:1:70: the notebook has no parameter 'size'"
	run cellinteract --check i.jsonl p.ipynb
	status_is 3
	has "i.jsonl:2:2: 'p.ipynb' has no code cell 3"
	sed -i 2d i.jsonl
	run -0 cellinteract --check i.jsonl p.ipynb
	[ "$output" = '1 gesture after 1 cell' ]
	sed -i 's/"view"/"other"/' i.jsonl
	run cellinteract --check i.jsonl p.ipynb
	has "'p.ipynb' has no code cell with the tag or id \"other\""
}

# A listener that takes 40 ms for each move of a drag; each input draws once.
canvas='<canvas id=c width=600 height=300 tabindex=0></canvas><script>(() => { const c = document.getElementById("c"), x = c.getContext("2d"); let n = 0; const busy = () => { for (const t = performance.now(); performance.now() < t + 40; ); }; const draw = () => x.fillRect(5 * ++n, 5, 4, 4); c.onpointermove = e => { if (e.buttons) busy(); draw(); }; c.onwheel = e => { e.preventDefault(); draw(); }; c.onkeydown = e => { e.stopPropagation(); draw(); }; c.ondblclick = draw; })()</script>'

@test "gestures of all kinds reach their elements as a person's inputs do" {
	use_session
	notebook <<-EON
	[("code", """import ipywidgets as w
	s = w.IntSlider(description='size', max=100, layout={'width': '600px'})
	l, b, t, d = w.Label('0'), w.Button(description='go'), w.Text(description='name'), w.Dropdown(description='one of', options=['first', 'second'])
	s.observe(lambda c: setattr(l, 'value', str(c['new'])), 'value')
	b.on_click(lambda _: setattr(l, 'value', 'clicked'))
	w.VBox([s, l, b, t, d])"""), ("code", '''from IPython.display import HTML; HTML('$canvas')'''),
	("code", "print([s.value, l.value, t.value, d.value])")]
	EON
	gestures <<-'G'
	{"after_cell": 1, "gesture": "drag slider to", "on": {"role": "slider", "label": "size"}, "to": 80, "name": "size"}
	{"after_cell": 1, "gesture": "keys", "on": {"role": "slider"}, "keys": ["ArrowRight", "ArrowRight"]}
	{"after_cell": 1, "gesture": "text", "on": {"label": "name"}, "text": "Hi ä"}
	{"after_cell": 1, "gesture": "choose", "on": {"label": "one of"}, "to": "second"}
	{"after_cell": 1, "gesture": "click", "on": {"role": "button", "text": "go"}}
	{"after_cell": 2, "gesture": "pan", "on": {"tag": "canvas"}, "steps": 60, "duration_ms": 960}
	{"after_cell": 2, "gesture": "zoom in", "on": {"tag": "canvas"}}
	{"after_cell": 2, "gesture": "keys", "on": {"tag": "canvas"}, "keys": ["a", "Shift+B", "Enter"]}
	{"after_cell": 2, "gesture": "double click", "on": {"tag": "canvas"}}
	{"after_cell": 2, "gesture": "hover", "on": {"tag": "canvas"}, "path": [[0, 0.1, 0.5], [50, 0.2, 0.5], [100, 0.3, 0.5]]}
	G
	use_server
	cellinteract i.jsonl cellrun --executed done.ipynb nb.ipynb >run.jsonl
	run jq -r 'select(.type == "interaction") | "\(.number) \(.status) \(.reason)"' run.jsonl
	[ "$(grep -c ' completed null$' <<<"$output")" = 10 ] || has 'ten that completed'
	# The kernel has what the person did, the page has drawn once for each input that reached it.
	run -0 jq -r '.cells[2].outputs[].text' done.ipynb
	has "[82, 'clicked', 'Hi ä', 'second']"
	[ "$(interaction 1 '[.name, .cell_index, .cell_id, .gesture, .inputs_dispatched, .pace]')" = '["size",1,"c0","drag slider to",31,"recorded"]' ]
	run -0 interaction 6 '[.inputs, .inputs_dispatched, .changes.canvas2d == .inputs - 1, .gesture_ms > 900]'
	# 960 ms of a listener that takes 40 ms for each move.
	[[ $output =~ ^\[(.*),61,true,true\]$ ]]
	((BASH_REMATCH[1] > 5 && BASH_REMATCH[1] <= 30)) || has 'about 24 moves'
	for n in 7:5 8:3 10:3; do
		[ "$(interaction ${n%:*} '.inputs, .changes.canvas2d')" = "${n#*:}"$'\n'"${n#*:}" ] || echo "gesture $n" >&2
	done
	interaction 9 '.inputs == 2 and .changes.canvas2d == 1' | grep true
	interaction 6 '.usage.kernel.cpu_s >= 0 and .usage.browser.cpu_s > 0.3' | grep true
	run -0 jq -r 'select(.type == "cell").status' run.jsonl
	[ "$output" = $'completed\ncompleted\ncompleted' ]
	"$ROOT/tests/validate" <run.jsonl
}

@test "a gesture that cannot be performed has a reason and a picture, and the cells go on" {
	use_session
	notebook <<-'EON'
	[("code", """from IPython.display import HTML
	HTML('''<p id=plain>plain</p><button disabled>disabled</button><style>@keyframes m { to { margin-left: 300px } }</style>
	<div style="position: relative"><button>covered</button><i style="position: absolute; inset: 0">lid</i></div>
	<button id=m style="animation: m 1s infinite linear">moving</button>
	<button onclick="alert('boo'); plain.textContent = 'alerted'">alerts</button>
	<iframe height=60 srcdoc="<button onclick=&quot;document.body.style.background = 'red'&quot;>framed</button>"></iframe>
	<div id=host></div><script>document.getElementById('host').attachShadow({mode: 'open'}).innerHTML = '<button>shadow</button>';
	document.getElementById('host').shadowRoot.firstChild.onclick = () => { document.getElementById('plain').textContent = 'shadow'; document.getElementById('m').style.animation = ''; };</script>
	<div style="height: 3000px">long</div><button onclick="plain.textContent = 'far'">far below</button>''')"""),
	("code", "2"), ("code", "raise ValueError"), ("code", "4")]
	EON
	gestures <<-'G'
	{"after_cell": 1, "gesture": "click", "on": {"role": "button", "text": "no such"}}
	{"after_cell": 1, "gesture": "click", "on": {"text": "disabled"}}
	{"after_cell": 1, "gesture": "click", "on": {"text": "covered"}}
	{"after_cell": 1, "gesture": "click", "on": {"text": "moving"}}
	{"after_cell": 1, "gesture": "click", "on": {"text": "shadow"}}
	{"after_cell": 1, "gesture": "click", "on": {"text": "alerts"}}
	{"after_cell": 1, "gesture": "click", "on": {"text": "framed"}}
	{"after_cell": 1, "gesture": "click", "on": {"text": "far below"}}
	{"after_cell": 1, "gesture": "wheel", "on": {"css": "#plain"}, "turns": [[0, 0, 100], [50, 0, 100]]}
	{"after_cell": 1, "gesture": "text", "text": "x", "on": {"css": "#plain"}}
	{"after_cell": 1, "gesture": "click", "on": {"css": "::("}}
	{"after_cell": 1, "gesture": "drag slider to", "to": 7, "on": {"text": "shadow"}}
	{"after_cell": 3, "gesture": "click", "on": {"text": "shadow"}}
	{"after_cell": 4, "gesture": "click", "on": {"text": "shadow"}}
	G
	perform
	[[ ${lines[0]} = '1 failed no visible element is {"role":"button","text":"no such"}: '* ]]
	[[ ${lines[1]} = "2 failed button 'disabled' is disabled"* ]]
	[[ ${lines[2]} = "3 failed button 'covered' is covered by i "* ]]
	[[ ${lines[3]} = "4 failed button 'moving' still moves"* ]]
	[ "${lines[4]} ${lines[6]} ${lines[7]}" = '5 completed null 7 completed null 8 completed null' ]
	[ "${lines[5]}" = '6 completed null' ]
	interaction 6 '.marks | index("alert") != null' | grep true
	[[ ${lines[8]} = '9 failed the notebook scrolled by 200 px under the pointer' ]]
	[[ ${lines[9]} = '10 failed the element cannot have the keyboard focus' ]]
	[[ ${lines[10]} = '11 failed SyntaxError: '* ]]
	[[ ${lines[11]} = "12 failed button 'shadow' is no slider" ]]
	[ "${lines[12]} ${lines[13]}" = '13 not_run cell 3: failed 14 not_run cell 3: failed' ]
	for n in 001 002 009; do
		[ "$(head -c 4 interaction-$n.png | tail -c 3)" = PNG ]
	done
	[ ! -e interaction-005.png ]
	[ "$(interaction 1 .screenshot)" = '"interaction-001.png"' ]
	run -0 jq -r 'select(.type == "cell").status' run.jsonl
	[ "$output" = $'completed\ncompleted\nfailed\nnot_run' ]
	"$ROOT/tests/validate" <run.jsonl
}

@test "a film of a drag has the frames that were shown, and its metrics have eight of them" {
	use_session
	notebook <<-'EON'
	[("code", """from IPython.display import HTML
	HTML('''<div id=pad style="width: 600px; height: 60px"><i id=dot style="position: absolute; width: 40px; height: 40px; background: red"></i></div>
	<script>pad.onpointermove = e => { dot.style.left = e.offsetX + 'px'; };</script>''')""")]
	EON
	jq -nc '{after_cell: 1, gesture: "drag", on: {css: "#pad"},
		path: [range(31) | [. * 50, 0.05 + 0.03 * ., 0.5]]}' | gestures
	perform --film film
	[ "${lines[0]}" = '1 completed null' ]
	run -0 jq -r 'select(.type == "film") | .interaction, (.frames | length >= 10),
		(.frames | . == sort_by(.t)), .frames[].file' run.jsonl
	[ "${lines[*]:0:3}" = '1 true true' ]
	for file in "${lines[@]:3}"; do
		[ "$(head -c 4 "film/$file" | tail -c 3)" = PNG ]
	done
	[ "$(find film -name '*.png' | wc -l)" -eq $((${#lines[@]} - 3)) ]
	run -0 jq -c 'select(.type == "interaction_metrics") | .frames |
		[length > 5 and length <= 8, .[0].after_s < 0.1, .[-1].after_s > 1.4]' < <(cellmetrics run.jsonl)
	[ "$output" = '[true,true,true]' ]
	"$ROOT/tests/validate" < <(cat run.jsonl; cellmetrics run.jsonl)
}

@test "a signal while a gesture is performed ends the driver at once, as at any other time" {
	use_session
	notebook <<-'EON'
	[("code", "import ipywidgets as w\nw.Button(description='go')")]
	EON
	gestures <<<'{"after_cell": 1, "gesture": "click", "on": {"text": "go"}, "pause_ms": 60000}'
	use_server
	cellinteract i.jsonl cellrun nb.ipynb >run.jsonl 3>&- &
	local pid=$! began
	wait_for grep -q '"type":"cell"' run.jsonl
	began=$(date +%s%N)
	kill -TERM $pid
	local status=0
	wait $pid || status=$?
	[ $status = 143 ]
	(($(date +%s%N) - began < 3000000000))
}

# bats test_tags=thorough
@test "a kernel that dies in a callback ends its gesture, and those after it are not run" {
	use_session
	notebook <<-'EON'
	[("code", "import ipywidgets as w, os\nb = w.Button(description='exit'); b.on_click(lambda _: os._exit(3)); b"), ("code", "2")]
	EON
	gestures <<-'G'
	{"after_cell": 1, "gesture": "click", "on": {"text": "exit"}}
	{"after_cell": 1, "gesture": "click", "on": {"text": "exit"}}
	{"after_cell": 2, "gesture": "click", "on": {"text": "exit"}}
	G
	perform
	[ "${lines[0]}" = '1 kernel_died the kernel ended meanwhile' ]
	[[ ${lines[1]} = '2 not_run the kernel died'* ]]
	[ "${lines[2]}" = '3 not_run cell 2: kernel_died' ]
	run -0 jq -c 'select(.type == "cell") | [.status, .client_ms >= 0]' run.jsonl
	[ "$output" = $'["completed",true]\n["kernel_died",true]' ]
}

# bats test_tags=thorough
@test "a browser that dies in a drag ends its gesture, and those after it are not run" {
	use_server
	notebook <<-'EON'
	[("code", "import ipywidgets as w, os, signal\ns = w.IntSlider()\ns.observe(lambda c: c['new'] > 20 and os.kill(int(open('PID').read()), signal.SIGKILL), 'value')\ns"), ("code", "2")]
	EON
	sed -i "s|'PID'|'$PWD/pid'|" nb.ipynb
	gestures <<-'G'
	{"after_cell": 1, "gesture": "drag slider to", "on": {"role": "slider"}, "to": 90, "duration_ms": 2000}
	{"after_cell": 1, "gesture": "drag slider to", "on": {"role": "slider"}, "to": 90}
	G
	wdsession sh -c 'echo $WD_BROWSER_PID >pid; exec "$@"' sh cellinteract i.jsonl cellrun nb.ipynb >run.jsonl || true
	run -0 jq -r 'select(.type == "interaction" or .type == "cell").status' run.jsonl
	[ "$output" = $'completed\nbrowser_died\nnot_run\nbrowser_died' ]
	"$ROOT/tests/validate" <run.jsonl
}

# bats test_tags=thorough
@test "in a Firefox gestures are WebDriver's actions, marked" {
	command -v firefox-esr firefox >/dev/null || skip 'no Firefox'
	PATH=$ROOT/build/geckodriver/bin:$PATH
	use_server
	notebook <<<"[('code', '''from IPython.display import HTML; HTML('$canvas')'''), ('code', '2')]"
	gestures <<-'G'
	{"after_cell": 1, "gesture": "pan", "on": {"tag": "canvas"}}
	{"after_cell": 1, "gesture": "zoom in", "on": {"tag": "canvas"}}
	{"after_cell": 1, "gesture": "keys", "on": {"tag": "canvas"}, "keys": ["a", "b"]}
	G
	wdsession --browser firefox cellinteract i.jsonl cellrun nb.ipynb >run.jsonl
	run -0 jq -c 'select(.type == "interaction") | [.status, .inputs, .changes.canvas2d, .marks]' run.jsonl
	[ "$output" = $'["completed",31,30,["webdriver_actions"]]\n["completed",5,5,["webdriver_actions"]]\n["completed",2,2,["webdriver_actions"]]' ] || has that
	[ "$(jq -r 'select(.type == "cell").status' run.jsonl | sort -u)" = completed ]
}

# bats test_tags=thorough
@test "profilers name the callback and the function of the page that a gesture runs" {
	use_session
	use_server
	notebook <<-EON
	[("code", """import ipywidgets as w, time
	s = w.IntSlider(layout={'width': '600px'})
	def slow(c):
	    time.sleep(0.05)
	s.observe(slow, 'value'); s"""), ("code", '''from IPython.display import HTML; HTML('$canvas')'''), ("code", "3")]
	EON
	gestures <<-'G'
	{"after_cell": 1, "gesture": "drag slider to", "on": {"role": "slider"}, "to": 80}
	{"after_cell": 2, "gesture": "pan", "on": {"tag": "canvas"}}
	G
	echo '{"profilers": ["functions", "browser"], "cells": null, "functions": [], "overlay": null}' >settings.json
	cellprofile settings.json cellinteract i.jsonl cellrun nb.ipynb >run.jsonl
	"$ROOT/tests/validate" <run.jsonl
	run -0 runprofile run.jsonl
	has 'of gesture 1 after cell 1 is <cell 1> slow, called '
	run -0 jq -r 'select(.type == "profile_function" and .interaction == 2) | .function' run.jsonl
	has busy
	run -0 jq -r 'select(.type == "interaction").status' run.jsonl
	[ "$output" = $'completed\ncompleted' ]
}
