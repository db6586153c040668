# bats file_tags=untimed,long
# Figures where users see them: in JupyterLab, in Altair, and their pages in a browser.
load helpers
load server

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return
	python3 -c "
import random
random.seed(3)
print('step,task,run_time_s,memory_bytes,size_param,label')
for i in range(300):
    k = i % 5
    print(f'{k // 2},task_{k},{random.lognormvariate(k, .5):.4f},{1e9 * random.lognormvariate(k / 4, .3):.0f},{2 ** (i % 4)},{\"released\" if i % 2 else \"pr\"}')" >t.csv
	{
		for kind in bars bands points whiskers box largest ranked histogram ridge; do
			echo "{\"type\":\"figure\",\"kind\":\"$kind\",\"by\":\"task\",\"of\":\"run_time_s\",\"title\":\"$kind\",\"output\":\"$kind.json\"}"
		done
		cat <<-'J'
		{"type":"figure","kind":"dashes","by":"task","of":"run_time_s,run_time_s","title":"dashes","output":"dashes.json"}
		{"type":"figure","kind":"dominant","by":"task","of":"memory_bytes,run_time_s","title":"dominant","output":"dominant.json"}
		{"type":"figure","kind":"pairs","by":"task","of":"run_time_s,memory_bytes","title":"pairs","output":"pairs.json"}
		{"type":"figure","kind":"hulls","by":"task","of":"run_time_s,memory_bytes","rank":"1-10","title":"hulls","output":["hulls.json","ranks.svg","ranks.html"]}
		{"type":"figure","kind":"categories","by":"task","of":"run_time_s","category":"memory_bytes:small<=1GB,high","title":"categories","output":["categories.json","categories.html"]}
		{"type":"figure","kind":"sweep","by":"task","of":"run_time_s","against":"size_param","title":"sweep","output":"sweep.json"}
		{"type":"figure","kind":"ab","by":"task","of":"run_time_s","title":"ab","output":"ab.json"}
		{"type":"figure","kind":"heatmap","by":"task","of":"run_time_s","against":"size_param","title":"heatmap","output":["heatmap.json","heatmap.html"]}
		J
	} | metricplot --figures - t.csv
	cellmetrics "$ROOT/tests/data/runs.jsonl" | metricplot -k waterfall --title waterfall -o waterfall.json -
	[ "$(ls ./*.json | wc -l)" -eq 18 ]
}

# see URL SCRIPT: what the script returns once it is not null, in a browser at this address.
see() {
	run -0 wdsession bash -c '
		post() { curl -sf "$WD_SESSION/$1" -H "Content-Type: application/json" -d @-; }
		jq -nc --arg u "$1" "{url: \$u}" | post url >/dev/null
		for _ in $(seq 300); do
			got=$(jq -nc --arg s "$2" "{script: \$s, args: []}" | post execute/sync | jq -c .value)
			[ "$got" = null ] || break
			read -r -t 0.2 <> <(:) || true
		done
		echo "$got"' see "$1" "$2"
}

# bats test_tags=thorough
@test "JupyterLab shows every kind of figure as an output, and a figure's file, also with its dark theme" {
	cd "$BATS_FILE_TMPDIR"
	jq -sc '{cells: [{cell_type: "code", id: "a", execution_count: 1, metadata: {}, source: "1",
		outputs: [.[] | {output_type: "display_data", metadata: {}, data: {"application/vnd.vegalite.v5+json": .}}]}],
		metadata: {}, nbformat: 4, nbformat_minor: 5}' ./*.json >all.ipynb
	start_server
	use_server
	put() { curl -sf -X PUT -H "Authorization: token $JUPYTERLAB_TOKEN" -H 'Content-Type: application/json' -d @- "${JUPYTERLAB_URL}api/contents/$1" >/dev/null; }
	jq -c '{type: "notebook", format: "json", content: .}' all.ipynb | put all.ipynb
	jq -c '{type: "file", format: "text", content: tostring}' box.json | put box.vl.json
	marks='const v = [...document.querySelectorAll(".vega-embed svg.marks")];
		return v.length < N || !v.every(s => s.querySelector(".role-mark path, .role-mark line, .role-mark text")) ? null :
		v.map(s => [...s.querySelectorAll(".role-title text, .role-title tspan")].map(t => t.textContent).find(t => /^[a-z]+$/.test(t)))'
	see "${JUPYTERLAB_URL}lab/tree/all.ipynb?token=$JUPYTERLAB_TOKEN" "${marks/N/18}"
	[ "$output" = '["ab","bands","bars","box","categories","dashes","dominant","heatmap","histogram","hulls","largest","pairs","points","ranked","ridge","sweep","waterfall","whiskers"]' ] || { echo "$output"; stop_server; return 1; }
	see "${JUPYTERLAB_URL}lab/workspaces/box/tree/box.vl.json?token=$JUPYTERLAB_TOKEN" "${marks/N/1}"
	[ "$output" = '["box"]' ] || { echo "$output"; stop_server; return 1; }
	# Its dark theme has no white cards, and light texts.
	curl -sf -X PUT -H "Authorization: token $JUPYTERLAB_TOKEN" -H 'Content-Type: application/json' -d '{"raw": "{\"theme\": \"JupyterLab Dark\"}"}' \
		"${JUPYTERLAB_URL}lab/api/settings/@jupyterlab/apputils-extension:themes"
	see "${JUPYTERLAB_URL}lab/tree/all.ipynb?token=$JUPYTERLAB_TOKEN" 'const v = [...document.querySelectorAll(".vega-embed svg.marks")];
		const all = of => [...new Set(v.map(of))];
		return v.length < 18 || document.body.dataset.jpThemeLight !== "false" ? null :
			[all(s => getComputedStyle(s).backgroundColor), all(s => s.querySelector(".role-title text").getAttribute("fill"))]'
	stop_server
	[ "$output" = '[["rgb(51, 51, 51)"],["#e4e9ef","#9eabb8"]]' ] || { echo "$output"; return 1; }
}

# bats test_tags=thorough
@test "Altair reads every kind of figure, and finds nothing wrong in it" {
	cd "$BATS_FILE_TMPDIR"
	"$ROOT/build/testvenv/bin/python" - ./*.json <<-'P'
	import sys
	import altair
	for path in sys.argv[1:]:
	    chart = altair.Chart.from_json(open(path).read())
	    assert chart.to_dict(), path
	P
}

@test "a figure's page shows it without a network, and with the value under the pointer" {
	cd "$BATS_FILE_TMPDIR"
	see "file://$PWD/heatmap.html" '
		const cells = document.querySelectorAll("#picture.vega-embed .mark-rect.role-mark path");
		if (cells.length !== 20) return null;
		const r = cells[7].getBoundingClientRect();
		cells[7].dispatchEvent(new PointerEvent("pointermove", {bubbles: true, clientX: r.x + 5, clientY: r.y + 5}));
		cells[7].dispatchEvent(new MouseEvent("mousemove", {bubbles: true, clientX: r.x + 5, clientY: r.y + 5}));
		const tip = document.querySelector("#vg-tooltip-element.visible");
		return tip && [tip.textContent, performance.getEntriesByType("resource").length]'
	grep -q '^\["task_1, size 8: .* s",0\]$' <<<"$output"
}

@test "a click on the legend of a figure's page mutes a class in all its panels, and another click shows it" {
	cd "$BATS_FILE_TMPDIR"
	# How many bars are muted, and how many there are: before, and after each of two clicks.
	see "file://$PWD/categories.html" '
		const bars = [...document.querySelectorAll("#picture.vega-embed .mark-rect.role-mark path")];
		const labels = [...document.querySelectorAll("#picture.vega-embed .role-legend-label text")];
		if (labels.length !== 2) return null;
		const count = () => [bars.filter(bar => +getComputedStyle(bar).opacity < 0.5).length, bars.length];
		window.seen ||= [count()];
		if (window.seen.length > 2) return window.seen;
		labels[1].dispatchEvent(new MouseEvent("click", {bubbles: true}));
		return new Promise(done => setTimeout(() => { window.seen.push(count()); done(null); }, 300));'
	jq -e '.[0][0] == 0 and .[1][0] > 5 and .[1][0] < .[1][1] and .[2] == .[0]' <<<"$output"
}

# The mouse and the keys of the driver, on what the page says where it is; JavaScript changes nothing.
@test "a click or a key on the legend of hulls hides a group, and the pointer names hulls, in a report and in a figure's page" {
	cd "$BATS_FILE_TMPDIR"
	metricstat --format json --by task --of run_time_s t.csv | metricreport --as tables --title T --figure ranks.svg --output report.html -
	cat >hulls.py <<-'P'
	import json, os, sys, time, urllib.request

	def post(path, **body):
	    request = urllib.request.Request(f"{os.environ['WD_SESSION']}/{path}", json.dumps(body).encode(), {"Content-Type": "application/json"})
	    return json.load(urllib.request.urlopen(request))["value"]

	def look():
	    """Of each group of the legend: where it is, whether it is pressed, and its text; shown marks; where a hull is; the text at the pointer."""
	    return post("execute/sync", args=[], script="""
	        const root = document.querySelector('.groups')?.shadowRoot || document, at = e => { const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; };
	        root.querySelector('.role-legend')?.scrollIntoView({block: 'center'});
	        return {groups: [...root.querySelectorAll('[role=button]')].map(e => [at(e), e.getAttribute('aria-pressed'), e.getAttribute('aria-label')]),
	            marks: [...root.querySelectorAll('.role-mark path, .role-mark use')].filter(e => e.getClientRects().length).length,
	            hulls: [...root.querySelectorAll('.mark-line.role-mark path')].map(at), tip: document.querySelector('#tip:not([hidden])')?.textContent || '',
	            focus: root.activeElement?.getAttribute('aria-label'), loaded: performance.getEntriesByType('resource').length}""")

	def mouse(place, *then):
	    post("actions", actions=[{"type": "pointer", "id": "m", "actions": [{"type": "pointerMove", "x": int(place[0]), "y": int(place[1])}, *({"type": k, "button": 0} for k in then)]}])

	def key(value):
	    post("actions", actions=[{"type": "key", "id": "k", "actions": [{"type": k, "value": value} for k in ("keyDown", "keyUp")]}])

	for page in sys.argv[1:]:
	    post("url", url=page)
	    for _ in range(100):
	        if look()["groups"]:
	            break
	        time.sleep(0.1)
	    before = look()
	    assert len(before["groups"]) == len(before["hulls"]) == 5 and before["loaded"] == 0, before
	    assert before["groups"][0][2].startswith("hull of task_4: 60 rows, total run time "), before
	    mouse(before["groups"][0][0], "pointerDown", "pointerUp")
	    hidden = look()
	    assert hidden["groups"][0][1] == "false" and before["marks"] - hidden["marks"] == 61, hidden
	    mouse(before["hulls"][1])
	    named = look()["tip"].split("\n")
	    assert before["groups"][1][2] in named and before["groups"][0][2] not in named, named
	    for _ in range(30):
	        if look()["focus"] == before["groups"][1][2]:
	            break
	        key("\ue004")
	    key("\ue007")
	    assert [g[1] for g in look()["groups"]] == ["false", "false", "true", "true", "true"], look()
	    key(" ")
	    assert look()["marks"] == hidden["marks"], look()
	P
	run -0 wdsession python3 hulls.py "file://$PWD/report.html" "file://$PWD/ranks.html"
}

# analyse DRIVER...: runs share/examples/analysis.ipynb with it and reads what its cells print.
analyse() {
	mkdir "$BATS_TEST_TMPDIR/analysis"
	cd "$BATS_TEST_TMPDIR/analysis" || return
	export NBSCOPE_PARQUET_VENV=$ROOT/build/testvenv
	packages=("$NBSCOPE_PARQUET_VENV"/lib/python3.*/site-packages)
	mkdir -p uc/metrics/x uc/runs/x
	cp "$ROOT/tests/data/sampled.jsonl" uc/runs/x/
	cellmetrics uc/runs/x/sampled.jsonl >uc/metrics/x/metrics.jsonl
	"$NBSCOPE_PARQUET_VENV/bin/python" - <<-'P'
	import pathlib
	import pyarrow as pa, pyarrow.parquet as pq
	for step in 1, 2:
	    folder = pathlib.Path(f"campaign/step_{step}/isr_resource_usage")
	    folder.mkdir(parents=True)
	    pq.write_table(pa.table({"run_time": [1.5, 2.5, 4.0], "memory": [10**9, 2 * 10**9, 10**9], "band": ["r", "g", None]}), folder / "part-0.parq")
	P
	nbpatch -o . "$ROOT/share/examples/analysis.ipynb" <<-J
	{"type": "combination", "name": "analysis", "usecase": "u", "params": {"nbscope": "$ROOT", "usecase": "$PWD/uc", "label": "x", "campaign": "$PWD/campaign"}}
	J
	PYTHONPATH=${packages[0]} run -0 labserve "$@" --executed executed.ipynb analysis.ipynb
	jq -r '.cells[].outputs[]? | .text? // .data?["text/plain"] // empty | if type == "array" then add else . end' executed.ipynb | tr -s ' ' >said
	for text in "('cell_index', Int64)" "('client_execution_time_metric', Float64)" "('tags', List(String))" 'notebook_filename str' 'client_execution_time_metric float64' \
		'cell_index float64' 'rss_bytes float64' "('memory', Int64)" "('count', Int64)" "('sum', Float64)" 'True True'; do
		grep -qF -- "$text" said || { echo "no '$text' in:"; cat said; return 1; }
	done
}

@test "the notebook share/examples/analysis.ipynb opens metrics, samples and a campaign with typed columns" {
	analyse kernelrun
}

# bats test_tags=thorough
@test "the notebook share/examples/analysis.ipynb says the same in a browser's JupyterLab" {
	analyse wdsession cellrun
}
