# bats file_tags=quick
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	cellmetrics "$ROOT/tests/data/runs.jsonl" >m
	mkdir e
}

# printed TEXT: the second cell of demo-n1-modepng printed that.
printed() {
	jq -nc --arg t "$1" '{cells: [{cell_type: "markdown", source: ""}, {cell_type: "code", outputs: []},
		{cell_type: "code", outputs: [{output_type: "stream", name: "stdout", text: ($t | split("\n") | map(. + "\n"))}, {output_type: "stream", name: "stderr", text: "{\"type\":\"items\",\"items\":7}"}]}]}' >e/demo-n1-modepng.ipynb
}
items() { metricitems -e e m | jq -c 'select(.items != null) | [.name, .cell_index, .items, .items_done]'; }

@test "what a cell prints of its items is added to its metrics, over its client time" {
	printed $'begin\n{"type":"items","items":100,"done":90}\n{"type":"items","items":28,"done":10}'
	[ "$(items)" = '["demo-n1-modepng",2,128,100]' ]
	metricitems -e e m | jq -se 'map(select(.items)) | .[0] | (.items_per_s * .client_execution_time_metric - 128 | fabs) < 0.01 and (.items_done_per_s * .client_execution_time_metric - 100 | fabs) < 0.01'
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict <(metricitems -e e m)
	status_is 0
}

@test "without how many were done that is null" {
	printed '{"type":"items","items":100}'
	[ "$(items)" = '["demo-n1-modepng",2,100,null]' ]
}

@test "all else passes byte for byte" {
	printed $'{"type":"other","items":3}\n{"type":"items","items":-1}\n{"type":"items",\nitems: 5'
	{ cat m; echo '{"type":"x", "y" : 1 }'; } >in
	metricitems -e e in | cmp - in
	metricitems -e nothere in | cmp - in
}

@test "bad input is named" {
	printf '{' >bad
	run metricitems -e e bad
	status_is 3
	echo '{"cells":' >e/demo-n1-modepng.ipynb
	run metricitems -e e m
	status_is 3
	has 'e/demo-n1-modepng.ipynb:'
	run metricitems m
	status_is 2
	run bash -c 'metricitems -e nothere m >/dev/full'
	status_is 4
}
