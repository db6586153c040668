# bats file_tags=untimed
# The profiles on a notebook's page, in a real browser; tests/metricreport.bats is without one.
load helpers

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return
	printf '%s\n' \
		'{"type":"cell_metrics","usecase":"demo","name":"demo-n1","label":"l","repetition":1,"attempt":1,"params":{},"cell_index":5,"execution_status":"Completed","client_execution_time_metric":3,"kernel_s":3,"source":"f()","source_line":"f()"}' \
		'{"type":"notebook_metrics","usecase":"demo","name":"demo-n1","label":"l","repetition":1,"attempt":1,"params":{},"total_cells":1,"executed_cells":1,"execution_status":"Completed","client_execution_time_metric":3,"marks":[]}' >metrics
	runprofile -f json "$ROOT/tests/data/profiles/spectrum.jsonl" >folded
	metricreport --profiles folded --pages pages --output index.html metrics
	wdsession --window 1200x900 bash -c '
	post() { curl -sf "$WD_SESSION/$1" -H "Content-Type: application/json" -d "$2"; }
	cdp() { jq -nc --arg c "$1" --argjson p "$2" "{cmd: \$c, params: \$p}" | curl -sf "$WD_SESSION/goog/cdp/execute" -H "Content-Type: application/json" -d @- | jq -c .value; }
	js() { jq -nc --arg s "$1" "{script: \$s, args: []}" | curl -sf "$WD_SESSION/execute/sync" -H "Content-Type: application/json" -d @- | jq -c .value; }
	cdp Page.addScriptToEvaluateOnNewDocument "{\"source\":\"window.bad=[];for(const e of [\\\"error\\\",\\\"securitypolicyviolation\\\"])addEventListener(e,v=>bad.push(e+(v.message||v.blockedURI||\\\"\\\")),true)\"}" >/dev/null
	post url "{\"url\": \"file://$PWD/pages/demo-n1.html\"}" >/dev/null
	js "$1" >frames
	js "document.querySelectorAll(\".flame-frame\")[4].dispatchEvent(new MouseEvent(\"click\", {bubbles: true})); $1" >zoomed
	js "document.querySelector(\".flame-frame\").dispatchEvent(new MouseEvent(\"click\", {bubbles: true})); $1" >back
	js "return bad" >bad
	js "const c = i => getComputedStyle([...document.querySelectorAll(\".lines td:last-child\")].find(d => d.textContent.includes(i))).backgroundColor; return [c(\"fit(a)\"), c(\"a.bright\"), c(\"def run_\")]" >heat
	cdp Emulation.setDeviceMetricsOverride "{\"width\": 400, \"height\": 800, \"deviceScaleFactor\": 1, \"mobile\": false}" >/dev/null
	js "return document.documentElement.scrollWidth" >narrow
	' - 'return [...document.querySelectorAll(".flame-frame")].map(s => { const b = s.getBoundingClientRect(), all = s.closest(".flame > .frames").getBoundingClientRect(); return [s.title.split(":")[0].split(" (")[0] + Math.round(b.top - all.top), Math.round(100 * (b.left - all.left) / all.width), b.width ? Math.round(100 * b.width / all.width) : 0]; })'
}

@test "a flame graph's frames are as wide as their time, and a click makes one as wide as the graph" {
	cd "$BATS_FILE_TMPDIR"
	[ "$(cat frames)" = '[["cell 50",0,100],["<module>18",0,100],["run_all36",0,78],["run_powerspectrum_analysis54",0,78],["run_all36",78,22]]' ]
	# The callers of the frame stay above it; the other frames are hidden.
	[ "$(jq -c 'map(select(.[2] > 0))' zoomed)" = '[["cell 50",0,100],["<module>18",0,100],["run_all36",0,100]]' ]
	cmp frames back
}

@test "the page of a profiled notebook causes no error, and fits into 400 px" {
	cd "$BATS_FILE_TMPDIR"
	[ "$(cat bad)" = '[]' ]
	[ "$(cat narrow)" -le 400 ]
}

@test "a line that takes more of the time is redder, and one that takes none has no colour" {
	cd "$BATS_FILE_TMPDIR"
	python3 - <<-'P'
	import json, re
	alphas = [float(re.findall(r"[\d.]+", c)[-1]) for c in json.load(open("heat"))]
	assert alphas[0] > 0.5 > alphas[1] > 0, alphas
	assert json.load(open("heat"))[2] == "rgba(0, 0, 0, 0)"
	P
}
