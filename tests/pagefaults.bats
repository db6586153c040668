# What a cell breaks in its page or its kernel, with a real JupyterLab in a real browser: what the page
# causes is called so, at once, and is no fault of the browser or the server, which would be tried again.
# bats file_tags=untimed,long
load helpers
load oneserver
load faults

# notebook NAME: the cells on stdin. attack NAME JS: the second of four cells runs it.
notebook() {
	python3 "$ROOT/tests/nb.py" "$1.ipynb"
}
attack() {
	python3 -c 'import sys; print([("code", "1"), ("code", f"from IPython.display import Javascript\nJavascript({sys.argv[1]!r})"),
		("code", "print(2)"), ("code", "3")])' "$2" | notebook "$1"
}

# in_one_browser NAME...: the records of each in NAME.jsonl, the seconds that it took in NAME.s.
in_one_browser() {
	wdsession bash -c 'for name; do
		SECONDS=0
		case $name in long) set -- --with-file "$(printf %0254d 1)" ;; *) set -- ;; esac
		cellrun --max-wait-time 8 "$@" "$name.ipynb" >"$name.jsonl" 2>"$name.err"
		echo "$SECONDS" >"$name.s"
	done' bash "$@" 3>&-
}

setup_file() {
	start_server
	use_server
	cd "$BATS_FILE_TMPDIR" || return
	notebook inserted <<'EON'
[("code", "1"), ("code", "get_ipython().set_next_input('inserted = 1')"), ("code", "'a'"), ("markdown", "between"),
 ("code", "%recall 1"), ("code", "'b'"), ("code", "get_ipython().set_next_input('pass', replace=True)"), ("code", "'inserted' in dir()")]
EON
	notebook own <<'EON'
[("code", "from IPython.display import Javascript, HTML\nimport time, ipywidgets as w"),
 ("code", '''Javascript("""performance.now = () => 42; Performance.prototype.now = () => 43; window.performance = {now: () => 44};
  Reflect.apply = () => 1""")'''),
 ("code", "time.sleep(.25)"), ("code", "s = w.IntSlider()\ns"), ("code", "for i in range(5): s.value = i"), ("code", "HTML('<b>shown</b>')"),
 ("code", '''Javascript("""for (const name of ['Kernel', 'Watch', 'Notebook', 'Usage', 'Scheduled']) for (const [key, f] of Object.entries(window['__nbscope' + name]))
  if (typeof f === 'function') try { window['__nbscope' + name][key] = () => 0 } catch {}""")'''),
 ("code", "print(2)"), ("code", "3")]
EON
	attack tojson "Array.prototype.toJSON = Object.prototype.toJSON = () => 'mine'"
	attack json "JSON.parse = JSON.stringify = () => { throw new Error('mine') }; window.JSON = {}"
	attack stamp "Object.defineProperty(Event.prototype, 'timeStamp', {get() { return 0 }}); MutationObserver.prototype.takeRecords = () => []"
	attack focus "const i = document.createElement('input'); element.append(i); setInterval(() => i.focus(), 10)"
	attack hidden "document.head.insertAdjacentHTML('beforeend', '<style>body { display: none }</style>')"
	attack swallowed "window.addEventListener('keydown', e => e.stopImmediatePropagation(), true)"
	attack frozen "for (const name of ['Kernel', 'Watch', 'Notebook', 'Usage', 'Scheduled']) Object.freeze(window['__nbscope' + name])"
	attack keys "setInterval(() => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowUp', code: 'ArrowUp', keyCode: 38, bubbles: true, cancelable: true, composed: true})), 5)"
	notebook restart <<'EON'
[("code", "import time"), ("code", "from IPython.display import Javascript, display"), ("code", '''display(Javascript("""const xsrf = /_xsrf=([^;]*)/.exec(document.cookie);
fetch('/api/kernels').then(r => r.json()).then(all => all.forEach(k =>
	fetch(`/api/kernels/${k.id}/restart`, {method: 'POST', headers: {'X-XSRFToken': xsrf ? decodeURIComponent(xsrf[1]) : ''}})))"""))
time.sleep(5)'''), ("code", "3")]
EON
	attack alerts "setInterval(() => alert('x'), 0)"
	notebook stdout <<'EON'
[("code", "1"), ("code", "import sys\nsys.stdout = None"), ("code", "2"), ("code", "3")]
EON
	# In one browser, so those last that leave it with dialogs.
	touch "$(printf %0254d 1)"
	cp inserted.ipynb long.ipynb
	in_one_browser inserted long own tojson json stamp focus frozen keys restart hidden swallowed stdout alerts
}

# ends_as NAME INDEX REASON [SECONDS]: that cell failed for this reason, those before it completed, and the
# run is no fault of the browser or the server.
ends_as() {
	jq -c 'select(.type == "cell") | [.status, .reason]' "$BATS_FILE_TMPDIR/$1.jsonl"
	run -0 jq -s -r '[.[] | select(.type == "cell")] | map(.status) | join(" ")' "$BATS_FILE_TMPDIR/$1.jsonl"
	[ "$(cut -d' ' -f"1-$2" <<<"$output")" = "$(yes completed | head -n $(($2 - 1)) | tr '\n' ' ')failed" ] || has 'completed until it failed'
	run -0 jq -r "select(.type == \"cell\" and .cell_index == $2).reason" "$BATS_FILE_TMPDIR/$1.jsonl"
	has "$3"
	run -0 jq -r 'select(.type == "run_end").status' "$BATS_FILE_TMPDIR/$1.jsonl"
	[ "$output" = failed ]
	below "$(cat "$BATS_FILE_TMPDIR/$1.s")" "${4:-20}"
}

# inserts_cells NAME: its records are those of a notebook whose cells insert others.
inserts_cells() {
	run -0 jq -c 'select(.type == "cell") | [.cell_index, .status, .marks, .source[:9]]' "$BATS_FILE_TMPDIR/$1.jsonl"
	[ "$output" = '[1,"completed",[],"1"]
[2,"completed",["inserted_cell"],"get_ipyth"]
[3,"completed",[],"'"'a'"'"]
[4,"completed",["inserted_cell"],"%recall 1"]
[5,"completed",[],"'"'b'"'"]
[6,"completed",[],"get_ipyth"]
[7,"completed",[],"'"'inserted"'"]' ] || has "right records in $1"
}

@test "a cell that inserts a cell is marked; the inserted one is not run, and those after it are, as in the file" {
	inserts_cells inserted
}

@test "a page that replaces the clock and other functions changes no number" {
	run -0 jq -s -c '[.[] | select(.type == "cell")] | .[:6] | map(.status), (.[2].client_ms | . > 249 and . < 500), (.[2] | [.dispatch_ms, .transport_ms, .kernel_ms, .render_ms] | all(. >= 0 and . < 400)),
		(.[4].comm_messages_received == 4), .[5].changes.dom > 0, map(.waited)' "$BATS_FILE_TMPDIR/own.jsonl"
	[ "$output" = '["completed","completed","completed","completed","completed","completed"]
true
true
true
true
[false,true,false,true,true,true]' ] || has 'numbers'
	run -0 jq -s -c '[.[] | select(.type == "cell")] | map(.status), (.[2:] | map(.client_ms < 400 and .marks == ["page_replaced"]))' "$BATS_FILE_TMPDIR/stamp.jsonl"
	has '["completed","completed","completed","completed"]
[true,true]'
}

@test "a page that gives arrays and objects a toJSON(), with which JupyterLab sends nothing, is named" {
	ends_as tojson 3 'the key press sent no execute_request; the page has replaced toJSON'
}

# What the scripts need of the language is their own, or its replacement is noticed: each name that they use, of
# whatever of the language has it, is replaced in one page, and looked for.
@test "no name of the language that the scripts use can be replaced unnoticed" {
	cd "$BATS_TEST_TMPDIR"
	sed 's|//.*||' "$ROOT"/share/page/*.js | grep -oE '[A-Za-z_]\w+' | sort -u | jq -R . | jq -s . >names
	# What they call by its name, and do not declare.
	sed "s|//.*||; s|'[^']*'||g" "$ROOT"/share/page/*.js >source
	grep -oP '(?<![.\w])[A-Za-z_]\w*(?=\()|(?<=new )[A-Z]\w*|(?<=instanceof )[A-Z]\w*|(?<![.\w])[A-Z]\w*(?=\.)' source | sort -u |
		grep -vxFf <(grep -oP '(?<=const |let )\w+|(?<=function )\w+|(?<=class )\w+|^\t+\K[a-z]\w*(?=\(.*\) \{)' source) | jq -R . | jq -s . >called
	cat >replace.js <<'EON'
const [names, called] = arguments, own = window.__nbscopeOwn, missed = [], seen = [];
for (const n of ['Array', 'String', 'Number', 'RegExp', 'Promise', 'Error', 'TextDecoder', 'DataView', 'Uint8Array'])
	for (const [name, thing] of [[n, window[n]], [`${n}.prototype`, window[n].prototype]])
		for (const key of Object.getOwnPropertyNames(thing)) {
			const had = Object.getOwnPropertyDescriptor(thing, key);
			if (!names.includes(key) || !had.configurable || key === 'stackTraceLimit')
				continue;
			Object.defineProperty(thing, key, 'value' in had ? {...had, value: () => 0} : {...had, get: () => 0});
			const told = own.replaced('language');
			Object.defineProperty(thing, key, had);
			(told === `${name}.${key}` ? seen : missed).push(`${name}.${key}`);
		}
let globals = 0;
for (const key of called.filter(name => typeof window[name] === 'function' && !(name in own))) {
	const had = Object.getOwnPropertyDescriptor(window, key);
	if (!had || !had.configurable)
		continue;
	Object.defineProperty(window, key, {...had, value: () => 0});
	const told = own.replaced('all');
	Object.defineProperty(window, key, had);
	(told === key ? seen : missed).push(key);
	globals++;
}
const start = performance.now();
for (let i = 0; i < 100; i++)
	own.replaced('language');
return {missed, seen: seen.length, globals, ms: (performance.now() - start) / 100, after: own.replaced('all')};
EON
	jq -n --rawfile own "$ROOT/share/page/own.js" --rawfile replace replace.js --slurpfile names names --slurpfile called called \
		'{script: "{\($own)}\n\($replace)", args: ($names + $called)}' >body
	wdsession bash -c 'curl -s -H "Content-Type: application/json" -d @body "$WD_SESSION/execute/sync"' >answer 3>&-
	run -0 jq -c '.value | .missed, .after, .seen > 50, .globals > 25, .ms < 1' answer
	has '[]
""
true
true
true' || { cat answer; false; }
}

@test "a page without JSON is named" {
	run -0 jq -s -c '[.[] | select(.type == "cell")] | map(.status), .[2].reason' "$BATS_FILE_TMPDIR/json.jsonl"
	has '"failed","not_run"]'
	has 'the key press sent no execute_request; the page has replaced JSON'
	below "$(cat "$BATS_FILE_TMPDIR/json.s")" 30
	# JupyterLab cannot read the reply to the cell that did it, which does not use up its limit of 8 s.
	run -0 jq -s '[(.[] | select(.type == "cell" and .cell_index == 2).t), (.[] | select(.type == "cell_start" and .cell_index == 3).t)] | .[1] - .[0]' "$BATS_FILE_TMPDIR/json.jsonl"
	below "$output" 6
}

@test "a page cannot replace what nbscope's scripts offer, and one that freezes it is named" {
	run -0 jq -s -c '[.[] | select(.type == "cell")] | .[6:] | map(.status), (.[1:] | map(.client_ms > 0 and .client_ms < 400))' "$BATS_FILE_TMPDIR/own.jsonl"
	has '["completed","completed","completed"]
[true,true]'
	ends_as frozen 2 'the page has replaced scripts of nbscope'
}

@test "a page that presses keys itself is named, with the key, and its cell is marked" {
	ends_as keys 3 'the page presses keys itself: ArrowUp'
	run -0 jq -r 'select(.type == "cell" and .cell_index == 2).marks[]' "$BATS_FILE_TMPDIR/keys.jsonl"
	has page_keys
}

@test "a kernel that the page restarts is named as that, not as an error of the next cell" {
	run -0 jq -s -c '[.[] | select(.type == "cell")] | map(.status), .[2].reason' "$BATS_FILE_TMPDIR/restart.jsonl"
	has '["completed","completed","kernel_died","not_run"]
"it was restarted: by a script in the page, or from elsewhere"'
}

@test "an output that takes the focus over and over is named" {
	ends_as focus 3 'the page keeps the keyboard focus from the notebook'
}

@test "a style that hides everything is named" {
	ends_as hidden 3 'the notebook is hidden or was removed from the page'
}

# bats test_tags=thorough
@test "so are other ways to break a page, and a notebook without cell ids" {
	cd "$BATS_FILE_TMPDIR"
	sed 's/"id": "c[0-9]*", *//; s/"nbformat_minor": 5/"nbformat_minor": 4/' inserted.ipynb >plain.ipynb
	attack array "for (const f of Object.getOwnPropertyNames(Array.prototype)) if (f !== 'length' && f !== 'constructor') Array.prototype[f] = () => { throw new Error('mine') }"
	attack map "Array.prototype.map = () => { throw new Error('mine') }"
	attack call "Function.prototype.call = Function.prototype.apply = function () {}; Reflect.apply = () => 0"
	attack promise "Promise.prototype.then = function () {}"
	attack invisible "document.head.insertAdjacentHTML('beforeend', '<style>* { visibility: hidden !important }</style>')"
	attack emptied "document.documentElement.remove()"
	attack then "Object.prototype.then = r => r(0)"
	attack removed "document.querySelector('.jp-Notebook').remove()"
	attack prompts "for (;;) prompt('x')"
	use_server
	in_one_browser plain array map call promise then invisible emptied removed
	# Its dialogs stay.
	in_one_browser prompts
	inserts_cells plain
	ends_as array 2 'the page has replaced Array.prototype.at, Array.prototype.concat, Array.prototype.copyWithin and '
	ends_as map 2 'the page has replaced Array.prototype.map'
	ends_as call 2 'the page has replaced Function.prototype.apply, Function.prototype.call'
	ends_as promise 2 'the page has replaced Promise.prototype.then'
	ends_as then 2 'the page has replaced Object.prototype.then'
	for name in invisible emptied removed; do
		ends_as "$name" 3 'the notebook is hidden or was removed from the page'
	done
	ends_as prompts 2 'the page opens dialogs without end'
}

@test "a page that swallows key presses is named" {
	ends_as swallowed 3 'the page swallows key presses'
}

@test "alerts without end are named" {
	ends_as alerts 2 'the page opens dialogs without end'
}

@test "a kernel that cannot reply because its standard output is gone is no lost server" {
	ends_as stdout 3 "the kernel is idle again, but has not replied: the cell's code may have broken the kernel, for example by replacing sys.stdout" 25
}

@test "a file whose name a server cannot hold is named, with what to do" {
	run -0 jq -r 'select(.type == "run_end") | .status, .reason' "$BATS_FILE_TMPDIR/long.jsonl"
	[[ $output == $'failed\nthe name of '\'0*1\'' has more than 250 bytes: rename it' ]] || has 'the reason'
}

@test "the records keep their schema, and nothing is left on the server" {
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict "$BATS_FILE_TMPDIR"/{inserted,stamp,focus,swallowed,alerts,stdout}.jsonl
	status_is 0
	use_server
	run -0 left_over
	[ "$output" = $'[][]\n[]' ] || has nothing
}
