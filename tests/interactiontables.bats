# bats file_tags=quick
# Interactions in all that is made of metrics: a click and a drag of a recorded run, and made-up
# repetitions of two labels, of which one answers later.
load helpers

setup_file() {
	cellmetrics "$ROOT/tests/data/interactions.jsonl" >"$BATS_FILE_TMPDIR/metrics"
	python3 - "$BATS_FILE_TMPDIR/metrics" >"$BATS_FILE_TMPDIR/labels" <<-'P'
	import json, random, sys
	random.seed(1)
	rows = [json.loads(line) for line in open(sys.argv[1])]
	for label, more_s in (("old", 0), ("new", 0.03)):
	    for k in range(1, 13):
	        noise = random.uniform(-0.002, 0.002)
	        for row in rows:
	            row = {**row, "label": label, "repetition": k}
	            if row["type"] == "notebook_metrics":
	                row.update(t=1e9 + k + (50 if label == "new" else 0), machine={"host": "h", "processor": "p", "cores": 2})
	            for key in ("latency_s", "client_execution_time_metric"):
	                if isinstance(row.get(key), float):
	                    row[key] += noise + (more_s if row.get("interaction") == "stretch" else 0)
	            print(json.dumps(row))
	P
}

setup() {
	metrics=$BATS_FILE_TMPDIR/metrics labels=$BATS_FILE_TMPDIR/labels
	cd "$BATS_TEST_TMPDIR" || return
}

interactions() { jq -c "select(.type == \"interaction_metrics\") | $1" "$metrics"; }

@test "each gesture has a record, in the order of the run, with a name of its own" {
	run jq -rc 'select(.type != "notebook_metrics") | [.cell_index, .interaction, .number, .execution_status, .reason] | join("|")' "$metrics"
	[ "$output" = '1|||Completed|
1|stretch|1|Completed|
1|click button|2|Completed|
1|click button (2)|3|Completed|no output changed
2|||Failed|
2|pan|4|Not Run|its cell failed' ] || { echo "$output"; return 1; }
}

@test "no value of a cell or a notebook changes by interactions, except the longest latency" {
	grep -v '"type":"interaction' "$ROOT/tests/data/interactions.jsonl" | cellmetrics >without
	[ "$(jq -c 'select(.type != "interaction_metrics") | del(.longest_interaction_s)' "$metrics" | sha256sum)" = \
		"$(jq -c 'del(.longest_interaction_s)' without | sha256sum)" ]
	[ "$(jq -c 'select(.type == "notebook_metrics").longest_interaction_s' "$metrics" without | paste -sd' ')" = '0.0565 null' ]
}

@test "the phases add up to the client time, and usage is that of the gesture" {
	run interactions 'select(.client_execution_time_metric) | [.person_s, .input_s, .page_s, .transport_s, .kernel_s, .delivery_s, .render_s, .unattributed_s] as $all |
		[.interaction, ($all | add * 1e6 | round), (.client_execution_time_metric * 1e6 | round), .kernel_cpu_s, .kernel_mean_cpu_metric]'
	[ "$output" = '["stretch",1200000,1200000,0.95,79.166667]
["click button",310000,310000,0.235,75.806452]
["click button (2)",16000,16000,0,0]' ] || { echo "$output"; return 1; }
}

@test "the diagnosis says how it was answered" {
	[ "$(interactions .diagnosis)" = '"is up to 310 ms behind the pointer, shows 12 of 72 frames, ends 240 ms after the last input; 840 ms of 1.200 s in the kernel; the browser'"'"'s main thread was blocked for 90 ms, mostly by noUiSlider.js move"
"answers after 310 ms, 240 ms of it in the kernel"
"changes nothing that can be seen"
null' ] || { interactions .diagnosis; return 1; }
}

@test "the table has the columns of the catalogue, and a row for each interaction of each run" {
	metrics2csv --interactions "$labels" | tr -d '\r' >t
	[ "$(wc -l <t)" = 97 ]
	[[ "$(head -1 t)" == notebook_filename,cell_index,interaction,number,execution_status,n_param,client_execution_time_metric,* ]]
	run ! grep -q 'ws_messages\|outputs\|heading' <(head -1 t)
	metrics2csv --interactions-to i.csv --cells-to c.csv "$metrics"
	[ "$(wc -l <i.csv) $(wc -l <c.csv)" = '5 3' ]
	run -0 metricstat --type interaction_metrics --by interaction --of latency_s --format json "$labels"
	[ "$(jq -r 'select(.group.interaction == "stretch") | .count' <<<"$output")" = 24 ]
	run -0 --separate-stderr metricstat --by cell_index --of client_execution_time_metric --format json "$labels"
	[ "$(jq -s 'map(.count) | add' <<<"$output")" = 48 ]
}

@test "an interaction that answers later is worse, and cells are not" {
	run -1 metriccmp --format json --base old "$labels"
	run jq -rc 'select(.type == "comparison" and .result == "worse") | "\(.interaction) \(.metric)"' <<<"$output"
	[ "$output" = 'stretch latency_s' ] || { echo "$output"; return 1; }
	run -1 metriccmp --format table --base old "$labels"
	has 'verdict: worse: latency of gestures-n1 cell 1, stretch +5'
	run ! grep -q 'geometric mean of [3-9]' <<<"$output"
	run -0 metriccmp --format json --base old --gate client,kernel,memory "$labels"
}

@test "a limit may be about interactions, by the pattern of their names" {
	printf '%s\n' '- {interaction: "str*", latency: 50 ms}' '- {interaction: "click*", client: 1 s}' '- {cell: 1, client: 2 s}' >b.yaml
	run -1 metricbudget --format table b.yaml "$metrics"
	has 'verdict: over budget: latency of gestures-n1 cell 1, stretch 56.50 ms, limit 50 ms'
	[ "$(grep -c within <<<"$output")" = 3 ]
	echo '- {interaction: "zoom*", latency: 50 ms}' >b.yaml
	run -6 metricbudget --format table b.yaml "$metrics"
	has 'no cell with a value matches the rule'
	echo '- {cell: "*", latency: 1 ms}' >b.yaml
	run -6 metricbudget --format table b.yaml "$metrics"
}

@test "a history, JUnit and Prometheus have interactions of their own" {
	jq -c 'select(.label == "old")' "$labels" >old
	run -0 metrichist --append h.jsonl --format json old
	[ "$(jq -r 'select(.interaction == "stretch") | .metric' h.jsonl | paste -sd' ')" = 'client_execution_time_metric kernel_execution_time_metric kernel_peak_rss_bytes latency_s' ]
	[ "$(jq -r 'select(.cell_index == 1 and .interaction == null) | .metric' h.jsonl | grep -c latency)" = 0 ]
	run -0 metricjunit "$metrics"
	has 'name="n=1 cell 1, stretch" time="1.200"/>'
	has 'tests="6" failures="1" errors="0" skipped="1" time="1.000"'
	run -0 metricprom "$metrics"
	has 'nbscope_interaction_latency_seconds{usecase="gestures",label="current",notebook="gestures-n1",cell="1",interaction="stretch"} 0.0565'
	has 'nbscope_notebook_longest_interaction_seconds{usecase="gestures",label="current",notebook="gestures-n1"} 0.0565'
}

@test "the summary has them below their cells, and those that failed are named" {
	run -1 runsum "$metrics"
	has '      click button: answers after 310 ms, 240 ms of it in the kernel'
	has '      pan: Not Run: its cell failed'
	[ "$(grep -n 'cell 1  \|stretch:\|cell 2  ' <<<"$output" | head -3 | sed 's/[0-9]*: *//; s/[ :].*//' | paste -sd' ')" = 'cell stretch cell' ]
	jq -c 'if .interaction == "stretch" then .execution_status = "Failed" | .reason = "not found" | .cell_index = null else . end' "$metrics" >lost
	run -1 runsum lost
	has '      stretch: Failed: not found'
}

@test "the report has a card for each below its cell, and the frames of its film" {
	jq -c '., (if .type == "notebook_metrics" then .repetition = 0 | .marks = ["filmed"] elif .interaction == "stretch" then
		.repetition = 0 | .client_execution_time_metric = null | .frames = [{after_s: 0.1, progress: 0.5, file: "i-1/1.png"}, {after_s: 1, progress: 1, file: "i-1/2.png"}]
		else empty end)' "$metrics" >filmed
	mkdir -p shots/gestures-n1@film/i-1
	printf '\x89PNG\r\n' | tee shots/gestures-n1@film/i-1/{1,2}.png >/dev/null
	metricreport --pages pages --screenshots shots --output r.html --model model filmed
	run jq -rc '[.longest_interaction[] | .interaction, .latency_ms], [.slow_interactions[].interaction]' model
	[ "$output" = '["stretch",56.5]
["stretch","click button","click button (2)","pan"]' ] || { echo "$output"; return 1; }
	page=$(cat pages/gestures-n1.html)
	[[ "$page" == *'<article class="cell" id="source-1">'*'<div class="gesture" id="i-1-stretch">'*'<b>0.10 s</b>'*'<b>1.00 s</b>'*'id="i-1-click~button">'*'id="source-2"'*'id="i-2-pan"'* ]]
	[[ "$(cat r.html)" == *'Longest interaction'*'56.50 ms'*'href="pages/gestures-n1.html#i-1-stretch"'* ]]
	"$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" <(jq -c . model)
}

@test "a trace has a lane of them and of their inputs" {
	runtrace "$ROOT/tests/data/interactions.jsonl" >trace.json
	run jq -r '.traceEvents | (map(select(.name == "thread_name") | {key: "\(.pid) \(.tid)", value: .args.name}) | from_entries) as $tracks |
		.[] | select(.ph == "X") | [$tracks["\(.pid) \(.tid)"], .name, .dur / 1e6] | join(" ")' trace.json
	has 'interactions stretch 1.2'
	has 'inputs pointermove 0.0565'
}

@test "bisect asks for the interaction that became worse, without cells and other interactions" {
	run jq -cf "$ROOT/share/bisect/only.jq" --argjson of '{"metric":"latency_s","name":"gestures-n1","cell_index":1,"interaction":"stretch"}' "$metrics"
	[ "$(jq -rs 'map(.interaction // .type) | join(" ")' <<<"$output")" = 'stretch notebook_metrics' ]
	run jq -cf "$ROOT/share/bisect/only.jq" --argjson of '{"metric":"client_execution_time_metric","name":"gestures-n1","cell_index":1,"interaction":null}' "$metrics"
	[ "$(jq -rs 'map(.type) | join(" ")' <<<"$output")" = 'cell_metrics notebook_metrics' ]
}
