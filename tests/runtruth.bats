load helpers

# A run of the cells that are given as members of their records.
a_run() {
	echo '{"type":"run","t":1,"name":"nb","label":"current","repetition":1,"attempt":1,"settings":{"quiet_ms":300}}'
	printf '{"type":"cell","t":2,"cell_index":1,%s}\n' "$@"
	echo '{"type":"run_end","t":9,"status":"completed"}'
}

# of FILTER: jq over the array of truth records in the output.
of() { jq -s -c "[.[] | select(.type == \"truth\")] | $1" <<<"$output"; }

@test "a field beside its truth gives the error, and 10 ms are allowed" {
	run runtruth < <(a_run '"cell_id":"a","tags":["truth:kernel_ms=250"],"kernel_ms":259.5' '"cell_id":"b","tags":["truth:kernel_ms=250"],"kernel_ms":239')
	status_is 1
	[ "$(of 'map([.cell_id,.metric,.truth,.measured,.error,.limit,.ok])')" = \
		'[["a","kernel_ms",250,259.5,9.5,10,true],["b","kernel_ms",250,239,-11,10,false]]' ]
}

@test "a count may be 1 percent off, and a dot steps into an object" {
	run -0 runtruth < <(a_run '"cell_id":"a","tags":["truth:outputs.by_kind.stdout=2000"],"outputs":{"by_kind":{"stdout":2020}}')
	[ "$(of 'map([.metric,.error,.limit,.ok])')" = '[["outputs.by_kind.stdout",20,20,true]]' ]
	run -1 runtruth < <(a_run '"cell_id":"a","tags":["truth:ws_bytes_received=2000"],"ws_bytes_received":2021')
}

@test "settled is compared with the page's own instant, which a later cell raises" {
	run -0 runtruth < <(a_run '"cell_id":"a","tags":["truth:settled"],"pressed_t":2,"settled_t":3.016' \
		'"cell_id":"r","tags":[],"error_name":"Truth","error_value":"{\"a\": 3.0}"')
	[ "$(of 'map([.cell_id,.metric,.truth,.measured,.error,.ok])')" = '[["a","settled_ms",1000,1016,16,true]]' ]
	run -1 runtruth < <(a_run '"cell_id":"a","tags":["truth:settled"],"pressed_t":2,"settled_t":3.018' \
		'"cell_id":"r","tags":[],"error_name":"Truth","error_value":"{\"a\": 3.0}"')
}

@test "a truth that the run does not hold is null, and not ok" {
	run -1 runtruth < <(a_run '"cell_id":"a","tags":["truth:settled"],"pressed_t":2,"settled_t":3')
	[ "$(of 'map([.truth,.ok,.reason])')" = '[[null,false,"the run does not hold the truth"]]' ]
}

@test "a value that was not measured is null, and not ok" {
	run -1 runtruth < <(a_run '"cell_id":"a","tags":["truth:kernel_ms=250"],"kernel_ms":null')
	[ "$(of 'map([.measured,.error,.ok,.reason])')" = '[[null,null,false,"not measured"]]' ]
}

@test "an error and a death count until the record behind theirs" {
	run -1 runtruth < <(a_run '"cell_id":"a","tags":["truth:raised"],"pressed_t":2,"error_value":"2.5"'
		echo '{"type":"run","t":1,"name":"x"}'
		echo '{"type":"cell","t":2,"cell_id":"b","tags":["truth:died=500"],"pressed_t":2,"busy_t":2.1}'
		echo '{"type":"cell","t":3.5,"cell_id":"c","tags":[],"status":"not_run"}')
	[ "$(of 'map([.cell_id,.metric,.truth,.measured,.error,.ok])')" = \
		'[["a","recorded_ms",500,7000,6500,false],["b","recorded_ms",600,1500,900,true]]' ]
}

@test "the residual may be 5 ms or 2 percent of the client time" {
	common='"tags":[],"profiled":true,"received_t":3,"settled_t":null,"script_ms":1'
	run -0 runtruth < <(a_run "\"cell_id\":\"a\",$common,\"client_ms\":1000,\"residual_ms\":-20" "\"cell_id\":\"b\",$common,\"client_ms\":10,\"residual_ms\":5")
	[ "$(of 'map(select(.metric == "residual_ms") | .limit)')" = '[20,5]' ]
	run -1 runtruth < <(a_run "\"cell_id\":\"a\",$common,\"client_ms\":1000,\"residual_ms\":21")
}

@test "what nbscope adds is counted from the cell's end to its record, apart with a viewer" {
	run -1 runtruth <<'EOR'
{"type":"run","t":1,"name":"x","settings":{"quiet_ms":300}}
{"type":"cell_start","t":1.5,"cell_index":1}
{"type":"cell","t":2,"cell_id":"a","tags":[],"profiled":true,"pressed_t":2,"received_t":3,"client_ms":1000,"residual_ms":0,"script_ms":2,"waited":false}
{"type":"cell_start","t":3.01,"cell_index":2}
{"type":"cell","t":3.1,"cell_id":"b","tags":[],"profiled":true,"pressed_t":3.1,"received_t":3.2,"settled_t":4,"client_ms":900,"residual_ms":0,"script_ms":2,"waited":true}
{"type":"cell_start","t":4.4,"cell_index":3}
{"type":"cell","t":4.5,"cell_id":"c","tags":[],"profiled":true,"pressed_t":4.5,"received_t":null,"status":"failed"}
{"type":"run_end","t":9,"status":"failed"}
EOR
	[ "$(of 'map(select(.metric | startswith("added")) | [.cell_id,.metric,.measured,.limit,.ok])')" = \
		'[["a","added_ms",10,20,true],["b","added_viewer_ms",400,300,false]]' ]
	[ "$(of 'map(select(.metric == "moving_ms") | [.cell_id,.measured])')" = '[["a",90],["b",100]]' ]
}

@test "the table has a row for each metric and cell, its medians and the worst" {
	run -0 runtruth --table < <(for ms in 251 252 253 249 290; do a_run "\"cell_id\":\"a\",\"tags\":[\"truth:kernel_ms=250\"],\"kernel_ms\":$ms"; done)
	[ "$(tail -n +2 <<<"$output" | tr -s ' ')" = 'kernel_ms a 5 250.0 252.0 2.0 -0.6 32.6 40.0 10.0 80 % 50 % ok' ]
}

@test "a median over the limit is NOT ok, and the status is 1" {
	run -1 runtruth --table < <(for ms in 251 270 280; do a_run "\"cell_id\":\"a\",\"tags\":[\"truth:kernel_ms=250\"],\"kernel_ms\":$ms"; done)
	has NOT
}

@test "a record of another kind passes byte for byte" {
	run -6 --separate-stderr runtruth <<<'{"type":"weather",  "t":1e0}'
	[ "$output" = '{"type":"weather",  "t":1e0}' ]
}

@test "every truth record keeps its schema" {
	a_run '"cell_id":"a","tags":["truth:kernel_ms=250","truth:settled"],"kernel_ms":null,"pressed_t":2' '"cell_id":"b","tags":[],"profiled":true,"client_ms":1,"received_t":3' |
		runtruth >"$BATS_TEST_TMPDIR/out" || true
	[ "$(wc -l <"$BATS_TEST_TMPDIR/out")" -ge 4 ]
	run -0 "$ROOT/build/venv/bin/python" "$ROOT/tests/validate" --strict "$BATS_TEST_TMPDIR/out"
}

@test "empty input cannot tell" {
	run -6 runtruth </dev/null
	has "runtruth: no measured cell in the input"
}

@test "a tag without a number, or of a truth that is not known, is named with its line" {
	run -3 runtruth < <(a_run '"cell_id":"a","tags":["truth:kernel_ms=soon"]')
	has "runtruth: stdin:2:1: the tag 'truth:kernel_ms=soon' has no number"
	run -3 runtruth < <(a_run '"cell_id":"a","tags":["truth:nothing"]')
	has "runtruth: stdin:2:1: a tag 'truth:nothing' is not known"
}

@test "what the page is said to know, and is not JSON, is named" {
	run -1 runtruth < <(a_run '"cell_id":"a","tags":["truth:settled"],"pressed_t":2,"settled_t":3' '"cell_id":"r","tags":[],"error_name":"Truth","error_value":"{"')
	has "runtruth: stdin:3: cell 'r': error_value:1:"
}

@test "bad lines are refused with their place" {
	run -3 runtruth <<<'not json'
	has 'runtruth: stdin:1:'
	run -3 runtruth <<<'{"type":"run","t":NaN}'
	has 'runtruth: stdin:1:'
	run -3 runtruth <<<'{"type":"run","type":"run"}'
	has 'runtruth: stdin:1:'
	run -3 runtruth < <(printf '{"type":"run","name":"\xff"}\n')
	has 'runtruth: stdin:1:'
	run -3 runtruth <<<'{"type":"cell","t":1}'
	has 'runtruth: stdin:1:1: a cell or an end of no run'
	run -3 runtruth < <(head -c 100000000 /dev/zero | tr '\0' x)
	has 'longer than'
}

@test "no newline at the end is no fault" {
	run -0 runtruth < <(a_run '"cell_id":"a","tags":["truth:kernel_ms=250"],"kernel_ms":251' | head -c -1)
}

@test "a full disk and a closed pipe end it with status 4" {
	a_run '"cell_id":"a","tags":["truth:kernel_ms=250"],"kernel_ms":251' >"$BATS_TEST_TMPDIR/in"
	run -4 sh -c 'runtruth "$1" >/dev/full' sh "$BATS_TEST_TMPDIR/in"
	has 'cannot write to standard output'
	run -4 runtruth /nowhere/x
	has "'/nowhere/x'"
}
