# bats file_tags=untimed,long
# make report, publish and archive; and the report in a real browser: one for the whole file.
load helpers
load renderer

# browse: what one browser saw of the pages, in files that the tests read.
browse() {
	wdsession --window 1200x900 bash -c '
	post() { curl -sf "$WD_SESSION/$1" -H "Content-Type: application/json" -d "$2"; }
	cdp() { jq -nc --arg c "$1" --argjson p "$2" "{cmd: \$c, params: \$p}" | curl -sf "$WD_SESSION/goog/cdp/execute" -H "Content-Type: application/json" -d @- | jq -c .value; }
	js() { jq -nc --arg s "$1" "{script: \$s, args: []}" | curl -sf "$WD_SESSION/execute/sync" -H "Content-Type: application/json" -d @- | jq -c .value; }
	go() { post url "{\"url\": \"file://$PWD/$1\"}" >/dev/null; }
	press() { post actions "{\"actions\":[{\"type\":\"key\",\"id\":\"k\",\"actions\":[{\"type\":\"keyDown\",\"value\":\"$1\"},{\"type\":\"keyUp\",\"value\":\"$1\"}]}]}" >/dev/null; }
	cdp Page.addScriptToEvaluateOnNewDocument "{\"source\":\"window.bad=[];for(const e of [\\\"error\\\",\\\"unhandledrejection\\\",\\\"securitypolicyviolation\\\"])addEventListener(e,v=>bad.push(e+(v.message||v.blockedURI||\\\"\\\")),true);for(const k of [\\\"error\\\",\\\"warn\\\"]){const f=console[k];console[k]=(...a)=>{bad.push(a.join());f(...a)}}window.alert=m=>bad.push(m)\"}" >/dev/null
	seen="return bad.sort()"
	go fetches.html; js "$seen" >control
	go index.html; js "$seen" >seen
	js "$1" >did
	go fetches.html
	go index.html
	js "document.querySelector(\"table.cells th button\").focus(); return document.activeElement.textContent" >focus
	press "\\uE007"; js "return [document.activeElement.closest(\"th\").ariaSort, document.querySelector(\"table.cells tbody th\").textContent]" >enter
	press "\\uE004"; js "return document.activeElement.textContent" >tab
	press "\\uE007"; js "return [document.activeElement.closest(\"th\").ariaSort, document.querySelectorAll(\"table.cells [aria-sort]\").length]" >second
	go "index.html#c-side7/9"; js "const r = document.querySelector(\"tr.here\"), b = r.getBoundingClientRect(); return [r.id, b.top > 0 && b.bottom < innerHeight, document.activeElement.id]" >cell
	cdp Accessibility.getFullAXTree "{}" >tree
	cdp Emulation.setEmulatedMedia "{\"media\": \"print\"}" >/dev/null
	js "const t = document.querySelector(\"table.cells\"); return [getComputedStyle(t.querySelector(\"th button\")).display] " >print
	cdp Emulation.setEmulatedMedia "{\"media\": \"\"}" >/dev/null
	pixel() {
		at=$(js "const e = document.querySelector(\"$1\"); e.scrollIntoView(); const b = e.getBoundingClientRect(); return {x: b.x + scrollX + 8, y: b.y + scrollY + 8, width: 2, height: 2, scale: 1}")
		png=$(cdp Page.captureScreenshot "{\"clip\": $at, \"captureBeyondViewport\": true}" | jq -r .data)
		js "const i = new Image(); i.src = \"data:image/png;base64,$png\"; return i.decode().then(() => { const c = document.createElement(\"canvas\").getContext(\"2d\"); c.drawImage(i, 0, 0); return Math.max(...c.getImageData(0, 0, 1, 1).data.slice(0, 3)) })"
	}
	go index.html
	for scheme in light dark; do
		cdp Emulation.setEmulatedMedia "{\"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"$scheme\"}]}" >/dev/null
		for s in body .number "#figures img"; do pixel "$s"; done | jq -sc . >"$scheme"
	done
	cdp Emulation.setEmulatedMedia "{\"features\": []}" >/dev/null
	cdp Emulation.setEmulatedMedia "{\"media\": \"print\"}" >/dev/null
	js "return [getComputedStyle(document.querySelector(\"nav\")).display, getComputedStyle(document.querySelector(\".tools\")).display, document.querySelectorAll(\".number\").length, document.querySelector(\".numbers\").getBoundingClientRect().height < 300]" >printed
	cdp Emulation.setEmulatedMedia "{\"media\": \"\"}" >/dev/null
	cdp Emulation.setDeviceMetricsOverride "{\"width\": 400, \"height\": 800, \"deviceScaleFactor\": 1, \"mobile\": false}" >/dev/null
	for f in index.html pages/side7.html; do
		go $f
		js "const row = e => e.getBoundingClientRect().height; return [document.documentElement.scrollWidth, Math.max(0, ...[...document.querySelectorAll(\"tbody tr\")].map(row)), Math.min(...[...document.querySelectorAll(\".figures img\")].map(i => i.getBoundingClientRect().width))]"
	done | jq -sc . >narrow
	go compared.html
	js "return [...document.querySelectorAll(\"table.changes tbody tr\")].map(r => [...r.cells].find(c => c.textContent === \"worse\").getBoundingClientRect().right)" >result
	go history.html
	js "document.querySelector(\".plot svg\").focus(); return document.documentElement.scrollWidth" >curve
	said="const s = document.activeElement, t = document.getElementById(\"tip\"); return [s.role, s.ariaValueText, t.hidden ? null : t.textContent, s.querySelector(\".here title\")]"
	press "\\uE012"; js "$said" >>curve
	press "\\uE011"; js "$said" >>curve
	js "const s = document.querySelectorAll(\".plot svg\")[1], b = s.getBoundingClientRect(), t = document.getElementById(\"tip\"), said = []; for (const [k, x] of [[\"move\", 0.99], [\"leave\", 2]]) { s.dispatchEvent(new PointerEvent(\"pointer\" + k, {bubbles: true, clientX: b.left + x * b.width, clientY: b.top})); said.push(t.hidden ? null : t.textContent) } return said" >>curve
	js "$seen" >>curve
	go compared.html
	cdp Emulation.setDeviceMetricsOverride "{\"width\": 1400, \"height\": 900, \"deviceScaleFactor\": 1, \"mobile\": false}" >/dev/null
	js "const [left, right] = document.querySelector(\".first\").children; const r = right.getBoundingClientRect(); return [r.left > 680, r.top < left.getBoundingClientRect().bottom, r.bottom < 900]" >wide
	cdp Emulation.setEmulatedMedia "{\"media\": \"print\"}" >/dev/null
	js "return [...new Set([...document.querySelectorAll(\".packages tbody tr\")].map(r => Math.round(r.getBoundingClientRect().left)))].length" >columns
	cdp Emulation.setEmulatedMedia "{\"media\": \"\"}" >/dev/null
	cdp Emulation.clearDeviceMetricsOverride "{}" >/dev/null
	js "$3" >names
	go pages/side7.html; js "$seen" >page
	js "$2" >zoomed
	cdp Emulation.setScriptExecutionDisabled "{\"value\": true}" >/dev/null
	go index.html
	root=$(cdp DOM.getDocument "{}" | jq .root.nodeId)
	count() { cdp DOM.querySelectorAll "{\"nodeId\": $root, \"selector\": \"$1\"}" | jq ".nodeIds | length"; }
	for s in "noscript tbody tr" "table.cells.live tbody tr" ".tools" "svg.bar" "td.code"; do printf "%s=%s\n" "$s" "$(count "$s")"; done >without
	for s in "noscript tbody tr" ".whole svg" ".picture img"; do
		node=$(cdp DOM.querySelector "{\"nodeId\": $root, \"selector\": \"$s\"}" | jq .nodeId)
		printf "%s %s\n" "$(cdp DOM.getBoxModel "{\"nodeId\": $node}" | jq -r "[.model.width, .model.height] | map(. > 10) | @csv")" "$s"
	done >>without
	' - "$(cat <<'J'
		const t = document.querySelector('table.cells'), body = t.tBodies[0], tools = t.parentElement.previousElementSibling;
		const input = tools.querySelector('input'), said = () => tools.querySelector('.state').textContent;
		const column = i => [...body.rows].map(r => r.cells[i].textContent);
		const out = {rows: body.rows.length, said: said(), hint: input.placeholder};
		const type = v => { input.value = v; input.dispatchEvent(new Event('input')); };
		const kernel = [...t.tHead.rows[0].cells].findIndex(h => h.textContent.startsWith('kernel, s'));
		t.tHead.rows[0].cells[kernel].querySelector('button').click();
		out.most = column(kernel).slice(0, 2).map(Number);
		out.sort = t.tHead.rows[0].cells[kernel].ariaSort;
		t.tHead.rows[0].cells[kernel].querySelector('button').click();
		out.least = column(kernel).slice(0, 2).map(Number);
		tools.querySelectorAll('button')[1].click();
		out.next = said();
		type('SIDE7 line_9'); out.words = [said(), column(0)[0], column(1)[0]];
		type('client>29.5'); out.above = [said(), column(2).map(Number)];
		type('peak>50'); out.peak = said();
		type('no such thing'); out.none = [said(), body.rows.length];
		type('show side7'); out.heading = [said(), ...new Set(column(5))];
		type(''); tools.querySelector('select').value = 'Failed'; tools.querySelector('select').dispatchEvent(new Event('change'));
		out.failed = [said(), ...new Set(column(6))];
		out.evil = document.querySelectorAll('img[src=x], b.evil').length;
		return out;
J
	)" "$(cat <<'J'
		const view = () => document.querySelector('table.fall svg.bar').getAttribute('viewBox').split(' ').map(Number);
		const before = view(), b = [...document.querySelectorAll('.tools button')];
		b.find(x => x.textContent === '+').click();
		const near = view();
		b.find(x => x.textContent === 'All').click();
		const img = document.querySelector('.picture img');
		img.click();
		const open = document.querySelector('dialog').open;
		[...document.querySelectorAll('dialog button')].find(x => x.textContent === 'Close').click();
		return [near[2] < before[2], view()[2] === before[2], img.naturalWidth > 0, open];
J
	)" "$(sed -n '/const HASH/,/const scriptsOf/p' "$ROOT/share/page/usage.js" | sed '$d'; cat <<'J'
		return [
			{sourceURL: 'http://h:1/lab/extensions/@jupyter-widgets/jupyterlab-manager/static/121.5c5a442bc10a67ee.js?v=1', sourceFunctionName: 't', invoker: 'DOMWebSocket.onmessage'},
			{sourceURL: 'http://h:1/user/x/static/lab/jlab_core.8811dd2733d03721.js', invoker: 'Div#id-5fc6b3a0-11.onfocus'},
			{sourceURL: 'http://h:1/files/lab.5c5a442bc10a67ee.js', sourceFunctionName: 'draw'},
			{sourceURL: 'http://h:1/files/121.5c5a442bc10a67ee.js', invoker: 'TimerHandler:setTimeout'},
			{sourceURL: 'blob:http://h/0', sourceFunctionName: 'render'}, {},
		].map(scriptName);
J
	)"
}

# Records of one notebook, its comparison, and 224 packages.
compared() {
	head -n 11 records | tail -n 11 | sed 's/"side1"/"a_rather_long_notebook_name"/'
	for c in 1 2; do
		echo '{"type":"comparison","name":"a_rather_long_notebook_name","cell_index":'$c',"source_line":"viewer.load(data)","metric":"client_execution_time_metric","result":"worse","result_text":"worse","base_median":1,"median":2,"change":"+100.0 % (+90.0 to +110.0 %)","q":0.01}'
	done
	echo '{"type":"comparison_verdict","verdict":"worse","line":"verdict: worse","base":"old","alpha":0.05,"tests":2,"no_worse":0,"better":0,"worse":2,"unknown":0,"differences":[]}'
	jq -nc '{type: "environment", python: "3.11", packages: [range(224) | {key: "package-\(.)", value: "1.\(.).0"}] | from_entries}'
}

# 30 notebooks of 10 cells; one has a name and errors that try to be script.
records() {
	python3 - <<-'P'
	import json
	evil = "</script><img src=x onerror=alert(1)><b class='evil'>\u001b[31m"
	for s in range(1, 31):
	    name = f"side{s}" if s != 30 else evil
	    same = {"usecase": "u", "name": name, "label": "l", "repetition": 1, "attempt": 1, "params": {"side": s}}
	    for c in range(1, 11):
	        k = s * c / 10
	        print(json.dumps({"type": "cell_metrics", **same, "cell_index": c, "cell_id": f"c{c}", "execution_status": "Failed" if s == 30 and c == 10 else "Completed",
	            "client_execution_time_metric": k + .5, "dispatch_s": .1, "transport_s": .1, "kernel_s": k, "render_s": .3,
	            "kernel_peak_rss_bytes": 1e8, "client_total_data_received_metric": .1, "diagnosis": evil if s == 30 else None,
	            "heading": "Load" if c < 6 else "Show", "source_line": f"line_{c}" if s != 30 else evil, "t": 1e9 + 60 * s + 5 * c}))
	    print(json.dumps({"type": "notebook_metrics", **same, "total_cells": 10, "executed_cells": 10, "execution_status": "Failed" if s == 30 else "Completed",
	        "failed_cell": 10 if s == 30 else None, "error_name": evil if s == 30 else None, "error_value": evil if s == 30 else None,
	        "client_execution_time_metric": s * 5.5 + 5, "dispatch_s": 1, "transport_s": 1, "kernel_s": s * 5.5, "render_s": 3, "marks": [], "wall_s": 60, "t": 1e9 + 60 * s}))
	P
}

setup_file() {
	start_renderer
	cd "$BATS_FILE_TMPDIR" || return
	records >records
	mkdir samples
	cellgraph --output samples/side7.svg "$ROOT/tests/data/sampled.jsonl"
	metricreport --pages pages --samples samples --figure samples/side7.svg --output index.html records 2>/dev/null
	compared | metricreport --output compared.html
	for k in 1 2 3; do
		for cell in null 1; do
			echo '{"type":"label_history","t":179000000'$k',"label":"v'$k'","usecase":"u","name":"n","cell_index":'$cell',"cell_id":null,"metric":"client_execution_time_metric","median":'$k',"mad":null,"runs":6,"machine":{"host":"a","processor":"P"}}'
		done
	done | metricreport --as history --output history.html
	# The same with a picture of a file's and an error, which must be seen.
	sed 's#</body>#<img src="samples/side7.svg"><script>throw Error("on purpose")</script></body>#' index.html >fetches.html
	browse 3>&-
	make_use_case
}

teardown_file() {
	stop_renderer
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return
}

# is FILE JQ-EXPRESSION: it holds of what was seen.
is() {
	jq -e "$2" "$1" >/dev/null || { echo "$1: $(head -c 2000 "$1")"; return 1; }
}

@test "the pages cause no error and load nothing" {
	# The page's policy forbids all loading; an attempt is an error.
	is control '. == ["error", "errorUncaught Error: on purpose", "securitypolicyviolationfile"]'
	is seen '. == []'
	is page '. == []'
	is did '.evil == 0'
}

@test "a table of 300 cells is shown a hundred rows at a time" {
	is did '.rows == 100 and .said == "1 to 100 of 300"'
	is did '.next == "101 to 200 of 300"'
}

@test "a heading sorts: the largest numbers first, then the smallest" {
	is did '.sort == "descending" and .most == [30, 29] and .least == [0.1, 0.2]'
}

@test "a filter takes words, also of headings, limits of a column and a status" {
	is did '.words[0] == "1 to 1 of 1, 300 in all" and .words[1:] == ["side=7", "9"]'
	is did '.hint == "words, or client>1"'
	is did '.above[0] == "1 to 1 of 1, 300 in all" and .above[1] == [30.5]'
	# A column whose first word another has.
	is did '.peak == "1 to 100 of 300"'
	is did '.none == ["none of 300", 0]'
	is did '.heading == ["1 to 5 of 5, 300 in all", "Show"]'
	is did '.failed == ["1 to 1 of 1, 300 in all", "Failed"]'
}

@test "the keyboard can sort and move to the next heading" {
	is focus '. == "notebook"'
	is enter '. == ["ascending", "side=1"]'
	is tab '. == "cell"'
	is second '. == ["descending", 1]'
}

@test "a printed table has its headings on each page" {
	# Chromium does not paint buttons in repeated heads.
	is print '.[0] == "contents"'
}

@test "an address shows one cell, wherever in the table it is" {
	is cell '. == ["c-side7/9", true, "c-side7/9"]'
}

@test "tables, headings and controls have names for a screen reader" {
	is tree '[.nodes[] | select(.role.value == "table") | .name.value] | length >= 4 and all(. != "")'
	is tree '[.nodes[] | select(.role.value == "columnheader")] | length >= 20'
	is tree '[.nodes[] | select(.role.value | IN("button", "searchbox", "combobox", "image", "link")) | .name.value] | length > 100 and all(. != null and . != "")'
	# Voice control uses the visible label: a button's name begins with it.
	! grep -nE "button\('([A-Za-z]+)', '" "$ROOT/share/report/report.js" | grep -vE "button\('([A-Za-z]+)', '\1[ ']" || return 1
}

@test "a notebook's timeline zooms, and its picture opens" {
	is zoomed '. == [true, true, true, true]'
}

@test "at 400 px no page is wider, no row is high, and figures are legible in a scroller" {
	is narrow 'map(.[0] <= 400 and .[1] < 120) | all'
	is narrow '.[0][2] >= 600'
}

@test "the points of a curve are read by arrow keys and under the pointer, at 400 px" {
	[ "$(cat curve)" = '400
["slider","v2, 2026-09-21 14:13 UTC: 2 s, 6 runs","v2, 2026-09-21 14:13 UTC: 2 s, 6 runs",null]
["slider","v1, 2026-09-21 14:13 UTC: 1 s, 6 runs","v1, 2026-09-21 14:13 UTC: 1 s, 6 runs",null]
["v3, 2026-09-21 14:13 UTC: 3 s, 6 runs",null]
[]' ] || { cat curve; false; }
}

@test "at 400 px the result of a comparison is seen without scrolling" {
	is result 'length == 2 and all(.[]; . <= 400)'
}

@test "at 1,400 px the first screen has two columns below its numbers" {
	is wide '. == [true, true, true]'
}

@test "a printed report has its packages in three columns" {
	is columns '. == 3'
}

@test "in dark mode cards and figures are dark" {
	is light 'map(. > 230) | all'
	is dark 'map(. < 90) | all'
}

@test "a printed report has its numbers in one row, and no controls" {
	is printed '. == ["none", "none", 3, true]'
}

@test "a script is named by its program and function, without a bundler's hashes and ids" {
	is names '. == ["@jupyter-widgets/jupyterlab-manager DOMWebSocket.onmessage", "JupyterLab Div.onfocus", "lab.js draw", "TimerHandler:setTimeout", "blob render", "(inline)"]'
}

@test "all tables and pictures are visible without JavaScript" {
	run cat without
	has 'noscript tbody tr=200'
	has 'table.cells.live tbody tr=100'
	has '.tools=0'
	has 'true,true noscript tbody tr'
	has 'true,true .whole svg'
	has 'true,true .picture img'
}

# ---- the comparison ---------------------------------------------------------------

# other_label NAME T: a copy of the label current whose runs began at T.
other_label() {
	mkdir -p "$UC/runs/$1"
	cp "$UC/runs/current/.settings" "$UC/runs/$1/"
	for f in "$UC"/runs/current/*.jsonl; do
		jq -c --arg l "$1" --argjson t "$2" 'if .type == "run" then .label = $l | .t = $t else . end' "$f" >"$UC/runs/$1/${f##*/}"
	done
	nb metrics LABEL="$1" >/dev/null
}

@test "make report and the end of a profile compare with the label that was measured last, and report names a BASE that it cannot compare with" {
	use_case
	other_label aa-newest 3000000000
	other_label zz-oldest 1000	# whose tables are newer
	cd "$ROOT"
	run runlock --no-lock --scratch "$BATS_TEST_TMPDIR/scratch" mk/show/show-summary.sh "$UC" current
	has "      make compare USECASE=$UC BASE=aa-newest"
	cd "$BATS_FILE_TMPDIR"
	run -0 nb report
	grep -q 'class="compared"><b>Compared with aa-newest</b>' "$UC/report/current/index.html"
	[ -s "$UC/metrics/current/against-aa-newest/comparison.jsonl" ]
	run -0 nb report BASE=zz-oldest
	grep -q '<b>Compared with zz-oldest</b>' "$UC/report/current/index.html"
	run -0 nb report BASE=nobody
	has "report: no comparison with 'nobody': no metrics of label 'nobody' yet"
	run ! grep -q 'class="compared"' "$UC/report/current/index.html"
}

# bats test_tags=thorough
@test "make report makes small copies of large pictures, and removes those of pictures that are gone" {
	use_case
	mkdir -p "$UC/screenshots/current/small-n1"
	cp "$ROOT/share/readme/imviz.png" "$UC/screenshots/current/small-n1/cell-002.png"
	jq -c 'if .type == "cell" and .cell_index == 2 then .screenshot = "cell-002.png" else . end' "$UC/runs/current/small-n1.jsonl" >run
	mv run "$UC/runs/current/small-n1.jsonl"
	nb report >/dev/null
	small=$UC/report/current/.thumbnails/small-n1/cell-002.jpg
	[ "$(head -c 3 "$small" | od -An -tx1 | tr -d ' ')" = ffd8ff ]
	[ "$(wc -c <"$small")" -lt 60000 ]
	grep -q 'src="data:image/jpeg;base64' "$UC/report/current/notebooks/small-n1.html"
	rm "$UC/screenshots/current/small-n1/cell-002.png"
	nb report >/dev/null
	[ ! -e "$small" ]
}

# ---- make -------------------------------------------------------------------------

# A use case with the record of a run that completed and of one that failed, and its
# report, which takes some seconds: made once.
make_use_case() {
	UC=$BATS_FILE_TMPDIR/small
	mkdir -p "$UC/runs/current"
	python3 "$ROOT/tests/nb.py" "$UC/template.ipynb" <<<'[("code", "n = {n_value}", ["parameters"])]'
	echo '{"n": [1, 2]}' >"$UC/params.json"
	sed 's/"name":"[^"]*"/"name":"small-n1"/; s/"usecase":"[^"]*"/"usecase":"small"/' "$ROOT/tests/data/used.jsonl" >"$UC/runs/current/small-n1.jsonl"
	sed -n '/"name":"demo-n2/,$p' "$ROOT/tests/data/runs.jsonl" | sed 's/demo-n2-modewebp/small-n2/g; s/"usecase":"demo"/"usecase":"small"/' >"$UC/runs/current/small-n2.jsonl"
	mkdir -p "$UC/executed/current"
	executed_notebook | tee "$UC/executed/current/small-n1.ipynb" >"$UC/executed/current/small-n2.ipynb"
	nb generate >generated 2>&1
	echo environment= >"$UC/runs/current/.settings"
	for name in small-n1 small-n2; do
		jq -c --argjson from "$(made_from "$UC" "$name")" 'if .type == "run" then .made_from = $from else . end' "$UC/runs/current/$name.jsonl" >run
		mv run "$UC/runs/current/$name.jsonl"
	done
	nb report >made 2>&1
}

# use_case: a copy of it.
use_case() {
	cp -a "$BATS_FILE_TMPDIR/small" "$BATS_TEST_TMPDIR/"
	UC=$BATS_TEST_TMPDIR/small
}

nb() {
	make --no-print-directory -C "$ROOT" USECASE="$UC" "$@"
}

@test "make report works after a failure, follows the runs, and removes pages of removed notebooks" {
	use_case
	[ "$(cat "$BATS_FILE_TMPDIR/made")" = "report: $BATS_FILE_TMPDIR/small/report/current/index.html" ]
	r=$UC/report/current
	[ "$(ls "$r/notebooks")" = $'small-n1.html\nsmall-n2.html' ]
	grep -q '1 of 2 runs failed' "$r/index.html"
	grep -q 'src="data:image/svg+xml' "$r/notebooks/small-n1.html"
	[ -s "$r/cell_metrics.csv" ]
	[ -s "$r/figures/waterfall.svg" ]
	[ ! -e "$r/figures/waterfall.png" ]
	run -0 nb report FIGURES_AS='png no-such-format'
	[ "$(head -c 4 "$r/figures/waterfall.png" | tail -c 3)" = PNG ] && [ -s "$r/figures/waterfall.svg" ]
	grep -q 'href="figures/waterfall.png"' "$r/index.html"
	echo '{"n": [1]}' >"$UC/params.json"
	rm "$UC/runs/current/small-n2.jsonl"
	touch "$UC/runs/current/small-n1.jsonl"
	run -0 nb report
	[ "$(ls "$r/notebooks")" = small-n1.html ]
	run ! grep -q 'runs failed' "$r/index.html"
	run nb report LABEL=none
	status_is 2
	has "report: no metrics of label 'none' yet: make profile"
	run nb report REPORT_TEMPLATE=/no/such/file
	status_is 2
	has "cannot read '/no/such/file'"
}

# bats test_tags=thorough
@test "make report draws half a graph of samples again, and removes one of no run" {
	use_case
	run -0 nb report
	local graphs=$UC/report/current/samples
	cp -r "$graphs" whole
	truncate -s 300 "$graphs/small-n1.svg"
	echo junk >"$graphs/small-n2.svg"
	touch "$graphs/other.svg"
	run -0 nb report
	diff -r "$graphs" whole
	# So does one of a use case that is named by its path from here.
	touch "$graphs/other.svg"
	local absolute=$UC
	UC=$(realpath --relative-to="$ROOT" "$UC")
	run -0 nb report
	[ "$output" = "report: $UC/report/current/index.html" ]
	diff -r "$absolute/report/current/samples" whole
}

@test "make report first installs what draws figures" {
	run -0 make --no-print-directory -C "$ROOT" -pn report USECASE=quickstart
	grep -qE '^usecases/quickstart/report/current/figures/.made:.* build/figure-venv/\.done' <<<"$output"
}

@test "make publish updates the index and removes only files that it wrote" {
	use_case
	to=$BATS_TEST_TMPDIR/public
	run -0 nb publish DEST="$to"
	has "reports in $to/index.html: 1"
	mine=$to/small/current
	echo mine >"$mine/notes.txt"
	echo changed >"$mine/notebooks/small-n2.html"
	touch "$BATS_TEST_TMPDIR/outside"
	echo "$(sha256sum <"$BATS_TEST_TMPDIR/outside" | cut -d' ' -f1)  ../../../outside" >>"$mine/.published"
	rm "$UC/report/current/notebooks/"*.html "$UC/report/current/samples/"*
	cp -r "$mine" "$to/small/older"
	run -0 nb publish DEST="$to"
	has "kept '$mine/notebooks/small-n2.html': it was changed after it was published"
	has "reports in $to/index.html: 2"
	[ "$(ls "$mine/notebooks")" = small-n2.html ]
	[ ! -e "$mine/samples" ]
	[ -e "$mine/notes.txt" ]
	[ -e "$BATS_TEST_TMPDIR/outside" ]
	grep -q 'href="./small/older/index.html"' "$to/index.html"
	run nb publish
	status_is 2
	has 'publish: DEST is required'
}

@test "make publish ignores the files of others, and refuses to replace their index.html" {
	use_case
	to=$BATS_TEST_TMPDIR/shared
	mkdir -p "$to/jest/x" "$to/list/x"
	echo '{"half":' >"$to/jest/x/report.json"
	echo '[1]' >"$to/list/x/report.json"
	run -0 nb publish DEST="$to"
	has "publish: 'jest/x/report.json' is not a report of nbscope: not in the index"
	has "publish: 'list/x/report.json' is not a report of nbscope: not in the index"
	has "reports in $to/index.html: 1"
	echo theirs >"$to/index.html"
	rm -r "$to/small"
	run nb publish DEST="$to"
	status_is 2
	has "publish: '$to/index.html' was not written by nbscope: use another DEST"
	[ "$(cat "$to/index.html")" = theirs ] && [ ! -e "$to/small" ]
}

@test "make archive packs records, environment and report, and its checksums match" {
	use_case
	run -0 nb archive AUTHOR='A "B" C'
	tar -C "$BATS_TEST_TMPDIR" -xzf "$UC/report/current.tar.gz"
	cd "$BATS_TEST_TMPDIR/small-current"
	sha256sum --quiet -c SHA256SUMS
	[ "$(find . -type f ! -name SHA256SUMS | wc -l)" = "$(wc -l <SHA256SUMS)" ]
	cmp runs/small-n1.jsonl "$UC/runs/current/small-n1.jsonl"
	grep -q '^jupyterlab==' requirements.txt
	jq -e '.measured_on[0].machine.cores and .archived_on.kernel' hardware.json
	jq -e '.seed == 1' seeds.json
	grep -q '^Notebooks were run with nbscope' METHODS.md
	run ! grep -q '[<&]' METHODS.md
	python3 -c 'import yaml, sys; c = yaml.safe_load(open("CITATION.cff")); assert c["authors"][0]["name"] == "A \"B\" C" and c["cff-version"] == "1.2.0" and c["type"] == "dataset", c' ||
		"$ROOT/build/venv/bin/python" -c 'import yaml; c = yaml.safe_load(open("CITATION.cff")); assert c["authors"][0]["name"] == "A \"B\" C", c'
	[ -e report/index.html ]
}
