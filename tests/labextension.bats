# The line under each cell that the labextension draws in a person's own JupyterLab: nbscope-ipython(7).
load helpers
load server
load listen

# A person's JupyterLab on a hub, with the labextension as it is written, and a browser.
setup_file() {
	cd "$BATS_FILE_TMPDIR"
	export PYTHONPATH=$ROOT/share/ipython PYTHONDONTWRITEBYTECODE=1 XDG_STATE_HOME=$PWD/state
	local port
	port=$(free_port)
	mkdir -p home/data/labextensions
	python3 "$ROOT/share/labextension/write.py" home/data/labextensions/nbscope
	users_token=secret users_server "$PWD/home" "--port=$port" --ServerApp.base_url=/pre/user/zoe/ \
		--LabApp.expose_app_in_browser=True
	echo "export JUPYTERLAB_URL=http://127.0.0.1:$port/pre/user/zoe/ JUPYTERLAB_TOKEN=secret users_pid=$users_pid" >server.env
	use_server
	wait_for rest api/status
	put mine.ipynb <<-'EON'
	[("code", "%load_ext nbscope"), ("code", "import time\ntime.sleep(0.25)"),
	 ("code", "from IPython.display import HTML\nHTML('<p id=late>a<script>setTimeout(() => { late.textContent = \"b\"; }, 400)</script>')"),
	 ("code", "1 / 0"), ("code", "block = bytearray(10**8)\ntime.sleep(1.5)"), ("code", "%nbscope"), ("code", "'last'"),
	 ("code", "import ipywidgets as w\nslider = w.IntSlider(max=600)\ndisplay(slider)\nfor i in range(600):\n    slider.value = i")]
	EON
	echo '[("code", "%load_ext nbscope"), ("code", "x = 1"), ("code", "%nbscope")]' | put none.ipynb
	start_browser work/mine.ipynb 8
	cat >walked <<-'P'
	front
	js [jupyterapp.isPluginActivated('nbscope:line'), !!window.__nbscopeKernel, setTimeout.toString()]
	js [1, 4].map(i => cell(i).node.offsetHeight)
	click .jp-CodeCell .jp-InputPrompt
	key Control+Enter
	wait window.__nbscopeLine
	P
	{
		for i in 1 2 3 4; do run_cell "$i"; done
		echo 'js [1, 4].map(i => cell(i).node.offsetHeight)'
		pressed 5
		run_cell 6
		run_cell 7
		echo 'wait lineOf(7).querySelector(".nbscope-line-why")'
		echo 'js [0, 1, 2, 3, 4, 5, 6].map(i => lineOf(i) && lineOf(i).innerText.split("\n"))'
		echo 'js [1, 2, 3, 4].map(i => lineOf(i).querySelector("[role=img]").title)'
		echo 'js performance.getEntriesByType("resource").map(e => new URL(e.name)).filter(u => u.origin !== location.origin && u.protocol !== "data:" && u.protocol !== "blob:").map(String)'
		# It is not in the notebook: what is saved with lines is what is saved without.
		echo "js $save"
		echo 'js [...document.querySelectorAll(".nbscope-line-off")].length'
		echo 'js (why => [why.textContent, why.title])(lineOf(7).querySelector(".nbscope-line-why"))'
	} >>walked
	person "$(cat port)" <walked | grep -v '^null$' >said
}
save="jupyterapp.commands.execute('docmanager:save').then(() => 'saved')"

# What the scripts call: a code cell, its line.
person() {
	timeout 240 "$ROOT/build/venv/bin/python" "$ROOT/tests/person.py" "$1" /lab < <(
		cat <<-'P'
		wait !window.old && window.jupyterapp && document.querySelector('.jp-CodeCell')
		js void Object.assign(window, {cell: i => [...jupyterapp.shell.widgets('main')].find(w => w.context).content.widgets.filter(w => w.model.type === 'code')[i], lineOf: i => cell(i).node.querySelector('.nbscope-line')})
		P
		cat)
}

# pressed N, run_cell N: the lines of a script that runs the code cell N, counted from 0; that also waits
# for its line.
pressed() {
	printf '%s\n' "js lineOf($1) && delete lineOf($1).dataset.clientMs" "click [data-windowed-list-index=\"$1\"] .jp-InputPrompt" \
		'key Control+Enter'
}
run_cell() {
	pressed "$1"
	echo "wait lineOf($1) && lineOf($1).dataset.clientMs"
}

# said N FILTER: of line N of what the first walk printed; acts: the same of a script on stdin.
said() {
	sed -n "$1p" said | jq -c "$2"
}
acts() {
	person "$(cat port)" | grep -v '^null$'
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return
	use_server
}

teardown_file() {
	use_server
	kill "$users_pid"
	stop_browser
}

@test "a labextension that nothing has compiled is active on a hub, and leaves the page alone until a kernel has %load_ext nbscope" {
	run -0 said 1 .
	[ "$output" = '[true,false,"function setTimeout() { [native code] }"]' ]
}

@test "each cell that the kernel records has a line: its time, whether it failed, its peak memory, its phases" {
	run -0 said 4 'map(type)'
	[ "$output" = '["null","array","array","array","array","null","array"]' ] || has nothing
	run -0 said 4 '(.[1], .[3], .[4]) | join(" ")'
	[[ "$output" =~ ^'"'[0-9.]+' 'm?s' peak memory '[0-9.]+' MB ×"'$'\n''"'[0-9.]+' 'm?s' failed peak memory '.*$'\n''"'[1-9][0-9.]*' s peak memory 1'[0-9][0-9.]+' MB ×"'$ ]] || has nothing
	run -0 said 5 '.[0], .[1]'
	[[ "$output" =~ 'dispatch '.*', transport '.*', kernel '.*$'\n'.*', render '[3-9][0-9][0-9]' ms' ]] || has nothing
}

@test "the line of a cell with a plain mistake says so, with the line of the cell" {
	run -0 said 9 'map(contains("line 5 of cell 8 sets `value` of IntSliderModel")), (.[1] | contains("hold_sync"))'
	[ "$output" = $'[true,true]\ntrue' ] || { cat said; false; }
}

@test "a line moves the cells below it by one line of text at most, and no address elsewhere is asked for anything" {
	run -0 jq -sc '.[2] as $after | .[1] | to_entries | map($after[.key] - .value) | max > 0 and max < 25' said
	[ "$output" = true ] || { cat said; false; }
	run -0 said 6 .
	[ "$output" = '[]' ]
}

@test "the saved notebook is the same with lines and without, and one click turns them off" {
	cp home/root/work/mine.ipynb with
	[ "$(said 8 .)" = 6 ]
	jq -e '.cells[1].outputs == [] and (.cells[1].metadata | has("nbscope") | not)' with
	run ! grep -E 'nbscope-line|dispatch' with
	# By the keyboard, which then is no command to the notebook.
	{
		echo 'js lineOf(1).querySelector("button").focus()'
		echo 'key Enter'
		echo 'wait !document.querySelector(".nbscope-line")'
		echo "js $save"
		echo 'js [__nbscopeListen.on, cell(0).parent.parent ? document.querySelector(".jp-Notebook").classList.contains("jp-mod-editMode") : null]'
		pressed 6
		echo 'wait cell(6).node.querySelector(".jp-InputPrompt").textContent === "[9]:"'
		echo 'js document.querySelectorAll(".nbscope-line").length'
	} | acts >off
	[ "$(paste -sd' ' off)" = '"saved" [false, false] 0' ] || { cat off; false; }
	diff with home/root/work/mine.ipynb
	# They stay off, and a command turns them on.
	{
		echo 'js jupyterapp.commands.execute("nbscope:toggle-lines").then(() => 1)'
		run_cell 6
		echo 'js document.querySelectorAll(".nbscope-line").length'
	} | acts >on
	[ "$(tail -n 1 on)" = 1 ] || { cat on; false; }
}

@test "while a cell runs, its line has its last time, also of an earlier page, and an extension of another version says so" {
	sed -i "s/VERSION = '[^']*'/VERSION = '0.0.9'/" home/data/labextensions/nbscope/static/remoteEntry.*.js
	{ run_cell 4; echo 'js lineOf(4).innerText.split("\n")[0]'; echo "js $save"; echo 'js window.old = 1, setTimeout(() => location.reload())'; } | acts >first
	{
		echo 'wait window.__nbscopeLine'
		pressed 4
		echo 'wait lineOf(4)'
		echo 'js lineOf(4).innerText.split("\n")'
		echo 'wait lineOf(4).dataset.clientMs'
		echo 'js lineOf(4).innerText.split("\n")'
	} | acts >second
	run -0 jq -rs '.[0][0], .[0][1], .[1][2], .[1][3]' second
	version=$(cat "$ROOT/VERSION")
	last=$(grep -o '[0-9.]* m\?s' first)
	[ "$output" = "running"$'\n'"last time $last"$'\n'"last time $last"$'\n'"labextension 0.0.9 is not that of the programs, $version" ] || { cat first second; false; }
}

@test "a line is removed with its cell" {
	{
		echo 'js document.querySelectorAll(".nbscope-line").length'
		echo 'click [data-windowed-list-index="4"] .jp-InputPrompt'
		echo 'js jupyterapp.commands.execute("notebook:delete-cell").then(() => document.querySelectorAll(".nbscope-line").length)'
	} | acts >removed
	[ "$(paste -sd' ' removed)" = '1 0' ] || { cat removed; false; }
}

# Both listen in one page: the labextension has other names for what its scripts define.
@test "the line's times differ from cellrun's by 5 ms at most, and where nothing disturbs them its scripts take less" {
	sed -i 's/__nbscope/__nbsc0pe/g' home/data/labextensions/nbscope/static/*.js
	python3 "$ROOT/tests/nb.py" both.ipynb <<-'EON'
	[("code", "import nbscope.driven\nnbscope.driven.driven = False\n%load_ext nbscope"),
	 ("code", "import json, time\nimport ipywidgets as w\nfrom IPython.display import HTML"),
	 ("code", "time.sleep(0.01)"), ("code", "time.sleep(0.25)"), ("code", "print('x' * 100)"),
	 ("code", "HTML('<p id=late>a<script>setTimeout(() => { late.textContent = \"b\"; }, 400)</script>')"),
	 ("code", "HTML('<canvas id=c></canvas><script>{const pen = c.getContext(\"2d\"), start = performance.now(), ms = () => performance.now() - start, paint = () => { pen.fillStyle = `hsl(${ms() / 3}, 80%, 50%)`; pen.fillRect(0, 0, 300, 150); if (ms() < 600) requestAnimationFrame(paint); }; paint();}</script>')"),
	 ("code", "w.VBox([w.IntSlider(i) for i in range(20)])"), ("code", "raise ValueError", ["raises-exception"]),
	 ("code", "HTML('<p id=busy>a<script>setTimeout(() => { const start = performance.now(); while (performance.now() - start < 200); busy.textContent = \"b\"; }, 200)</script>')"),
	 ("code", "HTML('<p id=end>a<script>setTimeout(() => { end.textContent = \"b\"; }, 1000)</script>')"),
	 ("code", "print(json.dumps([[c.client_s, c.script_s] for c in nbscope.state.cells]))")]
	EON
	wdsession cellrun --executed done.ipynb both.ipynb >both.jsonl
	jq -r '.cells[-1].outputs[0].text | if type == "array" then add else . end' done.ipynb >seen
	run python3 - <<-'P'
	import json, statistics
	cells = [json.loads(line) for line in open("both.jsonl") if '"type":"cell"' in line]
	seen = json.load(open("seen"))
	assert len(seen) == len(cells) - 2, (len(seen), len(cells))
	for cell, (client_s, script_s) in zip(cells[1:], seen):
	    off = client_s * 1e3 - cell["client_ms"]
	    print(cell["cell_index"], cell["client_ms"], round(off, 2), round(script_s * 1e3, 2))
	    assert abs(off) <= 5
	assert statistics.quantiles([script_s for _, script_s in seen])[0] < 0.005
	P
	echo "$output"
	status_is 0
}

@test "without the labextension, the magics work and nothing is shown" {
	rm -r home/data/labextensions/nbscope
	printf '%s\n' "js $save" 'js window.old = 1, setTimeout(() => location.assign(location.pathname.replace(/tree.*/, "tree/work/none.ipynb?reset")))' |
		acts >/dev/null
	{
		echo 'wait (k => k && k.kernel.status === "idle")([...jupyterapp.shell.widgets("main")].find(w => w.context).sessionContext.session)'
		for i in 0 1 2; do
			pressed $i
			echo "wait /\\d/.test(cell($i).node.querySelector('.jp-InputPrompt').textContent)"
		done
		echo 'wait cell(2).node.innerText.includes("peak memory")'
		echo 'js [!!window._JUPYTERLAB.nbscope, document.querySelectorAll(".nbscope-line").length]'
	} | acts >none
	[ "$(tail -n 1 none)" = '[false, 0]' ] || { cat none; false; }
}
