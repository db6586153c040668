# make record: a person, simulated over the browser's debugging port, works in a real JupyterLab, and
# what they did is found again after the page was loaded again.
# bats file_tags=untimed
load helpers
load server
load listen
every_package

SECRET=hunter2

setup_file() {
	start_server
	use_server
	put mine.ipynb <<'EON'
[("markdown", "# Mine"),
 ("code", "import ipywidgets as w\nslider, text, shown = w.IntSlider(description='size'), w.Text(description='words'), w.Label('-')\nsecret, pick = w.Password(description='key'), w.Dropdown(options=['one', 'two'], description='pick')\n"
          "go, other = w.Button(description='go'), w.Text(description='more')\nshown.add_class('shown'); other.add_class('other')\nw.jslink((secret, 'value'), (shown, 'value'))\nw.VBox([slider, go, text, secret, shown, other, pick, w.Button(description='go')])"),
 ("code", "import bqplot as b\nx, y = b.LinearScale(), b.LinearScale()\nb.Figure(marks=[b.Scatter(x=[1, 2, 3], y=[1, 2, 3], scales={'x': x, 'y': y})], interaction=b.PanZoom(scales={'x': [x], 'y': [y]}))"),
 ("code", "from IPython.display import HTML\nHTML('<iframe srcdoc=\"<button style=position:fixed;inset:0>inside</button>\" width=200 height=60></iframe>"
          "<div id=host style=\"width:90px\"></div><div id=pad style=\"width:300px;height:60px\" onwheel=\"this.title = this.textContent += 1\" onpointermove=\"this.textContent = event.offsetX\">0</div>"
          "<script>document.getElementById(\"host\").attachShadow({mode: \"open\"}).innerHTML = \"<button style=width:90px>shadowed</button>\"</script>')")]
EON
	start_browser work/mine.ipynb 3
	cd "$BATS_FILE_TMPDIR"
	cp put.ipynb mine.ipynb
	echo '{"after_cell":1,"gesture":"click","on":{"tag":"button"}}' >interactions.jsonl
	# The server is not named: the tab knows it.
	env -u JUPYTERLAB_URL -u JUPYTERLAB_TOKEN make --no-print-directory -C "$ROOT" record NOTEBOOK="$PWD/mine.ipynb" JOIN="127.0.0.1:$(cat port)" >said 2>&1 3>&- 4>&- &
	make=$!
	wait_for sh -c 'ls nbscope/mine/runs/current/.scratch*/records'
	records=$(echo nbscope/mine/runs/current/.scratch*/records)
	person "$(cat port)" <<-P
	wait window.__nbscopeListen && window.__nbscopeListen.on
	click .jp-CodeCell .jp-InputPrompt
	key Shift+Enter
	heard $records cell 1
	key Shift+Enter
	heard $records cell 2
	key Shift+Enter
	heard $records cell 3
	drag .noUi-handle 60 0
	heard $records interaction 1
	click .widget-button
	heard $records interaction 2
	double .widget-button
	heard $records interaction 3
	click .widget-text input
	type ab
	key Enter
	heard $records interaction 5
	click .widget-text input[type=password]
	type $SECRET
	heard $records interaction 7
	click .shown
	heard $records interaction 8
	click .other input
	type $SECRET
	heard $records interaction 10
	js document.querySelector('.widget-dropdown select').focus()
	key t
	heard $records interaction 11
	wheel .bqplot 3 -100
	heard $records interaction 12
	drag .bqplot 40 20
	heard $records interaction 13
	click .jp-RenderedHTML iframe
	heard $records interaction 14
	click #host
	heard $records interaction 15
	hover #pad 80 0
	heard $records interaction 16
	wheel #pad 2 -100
	heard $records interaction 17
	click .widget-button
	js new Promise(done => setTimeout(done, 500)).then(() => 1)
	close
	P
	wait $make
	echo $? >status
	# The page is loaded again, and its cells are run again.
	curl -s -X PUT "http://127.0.0.1:$(cat port)/json/new?${JUPYTERLAB_URL}lab/tree/work/mine.ipynb" >/dev/null
	is_open 3
	env --default-signal=INT -u JUPYTERLAB_URL TMPDIR="$BATS_FILE_TMPDIR" wdsession --join "127.0.0.1:$(cat port)" celllisten --gestures >again.jsonl 2>again.err 3>&- 4>&- &
	session=$!
	person "$(cat port)" >placed <<-P
	wait window.__nbscopeListen && window.__nbscopeListen.on
	click .jp-CodeCell .jp-InputPrompt
	key Shift+Enter
	key Shift+Enter
	key Shift+Enter
	heard again.jsonl cell 3
	wait document.querySelector('.bqplot svg')
	place interactions.jsonl
	click .widget-text input[type=password]
	type $SECRET
	heard again.jsonl interaction 2
	js void (document.querySelector('[type=password]').type = 'text')
	type 34
	heard again.jsonl interaction 3
	P
	kill -INT $session
	wait $session
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return
}

teardown_file() {
	stop_server
	stop_browser
}

# lines FILTER: applies jq to the array of the recorded gestures.
lines() {
	run -0 jq -s -c "$1" interactions.jsonl
}

@test "gestures are written next to the notebook; the last line says how many, and what performs them" {
	[ "$(cat status)" = 0 ] || { cat said; false; }
	run -0 tail -n 1 said
	[ "$output" = "record: 15 gestures, 15 after cell 3, are in '$PWD/interactions.jsonl'; next: make profile-notebook NOTEBOOK=$PWD/mine.ipynb" ] || has NONE
	lines 'map(.gesture)'
	[ "$output" = '["drag","click","double click","click","keys","click","click","click","choose","wheel","drag","click","click","hover","click"]' ] || has NONE
}

@test "a wheel that scrolls the notebook is left out" {
	grep -xF 'record: left out, 1 times: it scrolled the notebook' said || { cat said; false; }
}

@test "the last gesture is not lost if the page is closed before its output has settled" {
	lines '.[-1] | [.after_cell, .gesture, .on.label]'
	[ "$output" = '[3,"click","go"]' ] || has NONE
}

@test "gestures that were there before are kept, and a line says where" {
	has_line="record: the gestures that were there before are in '$PWD/interactions.jsonl.old'"
	grep -xF "$has_line" said
	[ "$(cat interactions.jsonl.old)" = '{"after_cell":1,"gesture":"click","on":{"tag":"button"}}' ]
}

@test "an element is named by what a person sees of it" {
	lines 'map(.on | del(.at))'
	[ "$output" = '[{"role":"slider","label":"size"},{"role":"button","label":"go"},{"role":"button","label":"go"},{"role":"textbox","label":"words"},{"role":"textbox","label":"words"},{"role":"textbox","label":"key"},{"class":"shown"},{"role":"textbox","label":"more"},{"role":"combobox","label":"pick"},{"class":"svg-figure"},{"class":"svg-figure"},{"role":"button","text":"inside"},{"role":"button","text":"shadowed"},{"text":"0"},{"role":"button","label":"go"}]' ] || has NONE
}

@test "what was done is in the line: path, turns, keys, choice, and where in the element" {
	lines '[.[0].path[0], .[0].path[-1][1:], (.[0].path | map(.[0]) | . == sort), .[4].keys, .[8].to, (.[9].turns | map(.[1:])), (.[13].path | length > 8), .[13].path[0][0]]'
	[ "$output" = '[[0,0.5,0.5],[4.25,0.5],true,["a","b","Enter"],"two",[[0,-100],[0,-100],[0,-100]],true,0]' ] || has NONE
	lines 'map(.on.at // [0.5, 0.5] | map(. - 0.5 | fabs < 0.02) | all) | all'
	has true
}

@test "every element is found again after the page was loaded again" {
	[ "$(grep -c ': found ' placed)" = 15 ] || { cat placed; false; }
	[ "$(grep -vc ': found ' placed)" = 1 ]	# what the person set
}

@test "what is typed into a field for passwords is in no line, nor a copy of it, nor when the field shows it" {
	run -1 grep -c "$SECRET" interactions.jsonl again.jsonl said
	grep -qxF 'record: left out, 2 times: typed into a field for passwords, or the same text' said
	run -0 jq -s -c '[.[] | select(.type == "interaction")] | map([.input, .line.gesture, .reasons.line])' again.jsonl
	[ "$output" = '[["click","click",null],["key",null,"typed into a field for passwords, or the same text"],["key",null,"typed into a field for passwords, or the same text"]]' ] || has NONE
}

@test "records with lines fit their schemas" {
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict again.jsonl
	status_is 0
}

@test "without a display, or without a page, it says what to do" {
	run -2 env -u DISPLAY -u WAYLAND_DISPLAY make --no-print-directory -C "$ROOT" record NOTEBOOK="$PWD/mine.ipynb"
	has 'no display for the browser'
	has 'JOIN=HOST:PORT'
	run -2 make --no-print-directory -C "$ROOT" record NOTEBOOK="$PWD/mine.ipynb" BROWSER=none
	has 'BROWSER=none has no page'
}
