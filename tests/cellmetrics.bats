load helpers

setup() {
	runs=$ROOT/tests/data/runs.jsonl
	cd "$BATS_TEST_TMPDIR" || return
}

# A record of each kind, as short as cellmetrics takes them.
a_run() { printf '{"type":"run","t":1.5,"name":"%s","notebook":"%s.ipynb","code_cells":%d}\n' "$1" "$1" "$2"; }
a_cell() { printf '{"type":"cell","cell_index":%d,"status":"%s","profiled":true%s}\n' "$1" "$2" "$3"; }
an_end() { printf '{"type":"run_end","status":"%s","reason":%s}\n' "$1" "${2:-null}"; }

# of TYPE FILTER: what jq says of the output's lines of that type.
of() { jq -c "select(.type==\"$1\") | $2" <<<"$output"; }

@test "one line for each code cell and one for each run, in the runs' order" {
	run cellmetrics "$runs"
	status_is 0
	[ "$(jq -r '.type + " " + (.cell_index | tostring)' <<<"$output" | paste -sd,)" = \
		"cell_metrics 1,cell_metrics 2,cell_metrics 3,cell_metrics 4,notebook_metrics null,cell_metrics 1,cell_metrics 2,cell_metrics 3,cell_metrics 4,notebook_metrics null" ]
}

@test "milliseconds become seconds and bytes of both ways become 10^6 bytes" {
	run cellmetrics "$runs"
	[ "$(of cell_metrics 'select(.cell_index==3 and .name=="demo-n1-modepng") | [.client_execution_time_metric, .kernel_execution_time_metric, .client_total_data_received_metric, .dispatch_s, .queue_s, .delivery_s, .render_s, .settled_s]')" = \
		'[2,0.25,4.2,0.005,0.005,0.04,1.7,2]' ]
}

@test "a notebook's numbers are the sums over its profiled cells alone" {
	run cellmetrics "$runs"
	[ "$(of notebook_metrics 'select(.name=="demo-n1-modepng") | [.total_cells, .executed_cells, .profiled_cells, .client_execution_time_metric, .kernel_execution_time_metric, .client_total_data_received_metric, .wall_s, .open_s]')" = \
		'[4,4,3,3.28,1.5,4.203,15,7.5005]' ]
}

@test "a cell that is not profiled has nulls, not zeros" {
	run cellmetrics "$runs"
	[ "$(of cell_metrics 'select(.cell_index==1) | [.execution_status, .client_execution_time_metric, .ws_bytes_received, .drawn]' | uniq)" = '["Completed",null,null,null]' ]
}

@test "an empty cell took no time and does not hide the others' phases" {
	run cellmetrics "$runs"
	[ "$(of cell_metrics 'select(.cell_index==4 and .name=="demo-n1-modepng") | [.client_execution_time_metric, .queue_s, .marks]')" = '[0,null,["empty"]]' ]
	[ "$(of notebook_metrics 'select(.name=="demo-n1-modepng") | [.queue_s, .delivery_s, .queue_delivery_s]')" = '[0.011,0.06,0.071]' ]
}

@test "queue and delivery are null for a notebook in which one cell lacks them" {
	run cellmetrics "$runs"
	[ "$(of notebook_metrics 'select(.failed_cell) | [.queue_s, .delivery_s, .queue_delivery_s]')" = '[null,null,0.023]' ]
}

@test "what failed first is named in its notebook's line" {
	run cellmetrics "$runs"
	[ "$(of notebook_metrics '[.execution_status, .failed_cell, .error_name, .reason]' | tail -1)" = '["Failed",3,"ValueError","cell 3 failed"]' ]
	[ "$(of notebook_metrics .error_value | tail -1)" = "$(jq -c 'select(.error_value != null) | .error_value' "$runs")" ]
}

@test "a cell's own reason is better than the run's" {
	run cellmetrics < <(a_run a 1; a_cell 1 timed_out ',"reason":"the kernel was still busy"'; an_end timed_out '"cell 1 timed_out"')
	[ "$(of notebook_metrics '[.execution_status,.reason]')" = '["Timed Out","the kernel was still busy"]' ]
}

@test "every status has its word, and no other word is taken" {
	for s in completed failed timed_out not_settled no_viewer kernel_died browser_died server_lost skipped not_run; do
		a_run a 1; a_cell 1 $s; an_end $s
	done >all
	run cellmetrics all
	status_is 0
	[ "$(of cell_metrics .execution_status | paste -sd,)" = '"Completed","Failed","Timed Out","Not Settled","No Viewer","Kernel Died","Browser Died","Server Lost","Skipped","Not Run"' ]
	[ "$(of cell_metrics .execution_status)" = "$(of notebook_metrics .execution_status)" ]
	run cellmetrics < <(a_run a 1; a_cell 1 fine)
	status_is 3
	has 'cellmetrics: stdin:2:1: no "status" that is known'
}

@test "the first line of a source is the first that is not blank, whole characters" {
	long=$(printf 'é%.0s' {1..300})
	a_run a 5 >in
	a_cell 1 completed ',"source":"\n \n\t  x = 1\ny"' >>in
	a_cell 2 completed ",\"source\":\"$long\"" >>in
	a_cell 3 completed ',"source":"\\n is a \\ backslash\nz"' >>in
	a_cell 4 completed ",\"source\":\"$(printf '\\ud83d\\ude00%.0s' {1..60})\"" >>in
	a_cell 5 completed >>in
	run cellmetrics in
	status_is 0
	[ "$(of cell_metrics .source_line | sed -n 1p)" = '"x = 1"' ]
	[ "$(of cell_metrics '.source_line | explode | [length, unique[]]' | sed -n 2p)" = '[100,233]' ]
	[ "$(of cell_metrics .source_line | sed -n 3p)" = '"\\n is a \\ backslash"' ]
	[ "$(of cell_metrics '.source_line | explode | unique' | sed -n 4p)" = '[128512]' ]
	[ "$(of cell_metrics .source_line | sed -n 5p)" = null ]
}

@test "unknown records pass byte for byte and in their place; known ones are consumed" {
	note='{ "type" : "note", "x":1.50, "é":"\u0041" }'
	{ a_run a 1; echo "$note"; a_cell 1 completed; echo '{"type":"sample"}'; echo '{"type":"viz"}'; echo '{"type":"watch"}'; an_end completed; echo '{"type":"cell_metrics"}'; } >in
	run cellmetrics in
	status_is 0
	[ "${lines[0]}" = "$note" ]
	[ "$(jq -r .type <<<"$output" | paste -sd,)" = note,cell_metrics,notebook_metrics,cell_metrics ]
}

@test "a torn run keeps the cells that stand there; the others are not run and torn" {
	{ a_run a 4; a_cell 1 completed; echo '{"type":"cell_start","cell_index":2,"cell_id":"two","tags":["skip_profiling"]}'; a_run b 1; } >in
	run --separate-stderr cellmetrics in
	status_is 0
	[ "$stderr" = "cellmetrics: in: run 'a' has no run_end: torn
cellmetrics: in: run 'b' has no run_end: torn" ]
	[ "$(of cell_metrics 'select(.name=="a") | [.cell_index, .execution_status, .cell_id, .profiled, .marks]' | sed 1d)" = \
'[2,"Not Run","two",false,["torn"]]
[3,"Not Run",null,null,["torn"]]
[4,"Not Run",null,null,["torn"]]' ]
	[ "$(of notebook_metrics '[.name, .execution_status, .executed_cells, .marks, .wall_s]')" = \
'["a","Not Run",1,["torn","partial"],null]
["b","Not Run",0,["torn"],null]' ]
}

@test "a torn run has the status of what broke, where something says so" {
	run --separate-stderr cellmetrics < <(a_run a 2; a_cell 1 failed)
	[ "$(of notebook_metrics .execution_status)" = '"Failed"' ]
	run --separate-stderr cellmetrics < <(a_run a 2; echo '{"type":"fault","what":"server_lost","message":"gone"}')
	[ "$(of notebook_metrics .execution_status)" = '"Server Lost"' ]
}

@test "cells of which an ended run says nothing have its reason, and are not torn" {
	run cellmetrics < <(a_run a 2; an_end skipped '"needs 40 GB"')
	[ "$(of cell_metrics '[.execution_status, .reason, .marks]' | uniq)" = '["Skipped","needs 40 GB",[]]' ]
	[ "$(of notebook_metrics '[.execution_status, .reason, .executed_cells, .client_execution_time_metric]')" = '["Skipped","needs 40 GB",0,null]' ]
	run cellmetrics < <(a_run a 2; an_end browser_died '"gone"')
	[ "$(of cell_metrics '[.execution_status, .reason]' | uniq)" = '["Not Run","gone"]' ]
}

@test "a profiled cell without its time makes the notebook's sums partial" {
	{ a_run a 2; a_cell 1 completed ',"client_ms":20,"kernel_ms":5,"ws_bytes_received":1,"http_bytes_received":0'; a_cell 2 browser_died; an_end browser_died; } >in
	run cellmetrics in
	[ "$(of notebook_metrics '[.client_execution_time_metric, .marks]')" = '[0.02,["partial"]]' ]
}

@test "names, parameters and errors go through as they are" {
	{ printf '{"type":"run","name":"\\u001b[31m\\"x\\"","notebook":"é.ipynb","code_cells":1,"params":{"a":{"b":[1,{"c":null}]},"d":1e3,"e":-0}}\n'; a_cell 1 failed ',"error_name":"E","error_value":"a\nb\u0007"'; an_end failed; } >in
	run cellmetrics in
	[ "$(of cell_metrics '[.name, .params, .error_value]')" = "$(jq -nc '["\u001b[31m\"x\"", {a:{b:[1,{c:null}]},d:1000,e:-0}, "a\nb\u0007"]')" ]
	has '"d":1e3,"e":-0'
}

@test "numbers of any size are as exact as they came" {
	{ a_run a 1; a_cell 1 completed ',"client_ms":0.001,"kernel_ms":86400000.125,"ws_bytes_received":9007199254740991,"http_bytes_received":0,"residual_ms":-0.25'; an_end completed; } >in
	run cellmetrics in
	has '"client_execution_time_metric":0.000001,"kernel_execution_time_metric":86400.000125,'
	has '"ws_bytes_received":9007199254740991,'
	has '"residual_s":-0.00025,'
}

@test "files in turn read as one stream, and faults name their file" {
	a_run a 1 >one
	{ a_cell 1 completed; an_end completed; } >two
	run cellmetrics one two
	status_is 0
	[ "$(of notebook_metrics .execution_status)" = '"Completed"' ]
	run cellmetrics two
	status_is 3
	has 'cellmetrics: two:1:1: a cell or an end of no run'
	run cellmetrics nowhere
	status_is 4
	has "cellmetrics: cannot open 'nowhere': No such file or directory"
}

@test "a run that breaks its contract is refused" {
	run cellmetrics < <(echo '{"type":"run","name":"a","notebook":"a.ipynb"}')
	status_is 3
	has 'stdin:1:1: no "code_cells" from 0 to 1000000 in the run'
	run cellmetrics < <(echo '{"type":"run","name":7,"notebook":"a","code_cells":1}')
	status_is 3
	has 'no "name" or no "notebook" in the run'
	run cellmetrics < <(a_run a 2; a_cell 3 completed)
	status_is 3
	has 'stdin:2:1: no "cell_index" from 1 to the run'
	run cellmetrics < <(a_run a 2; a_cell 1 completed; a_cell 1 completed)
	status_is 3
	has 'stdin:3:1: a cell that came before in this run'
	run cellmetrics < <(a_run a 1; an_end completed; a_cell 1 completed)
	status_is 3
	has 'stdin:3:1: a cell or an end of no run'
}

@test "empty input gives no line and is no fault" {
	run cellmetrics </dev/null
	status_is 0
	[ -z "$output" ]
}

@test "lines that are not records are refused with line and column" {
	for bad in 'x' '[]' '7' '{"type":"run"' '{"a":1}' '{"type":1}' '{"type":"x"} {}' '{"type":"x","a":01}' '{"type":"x","a":tru}' \
		'{"type":"x","a":NaN}' '{"type":"x","a":1e999}' '{"type":"x","a":1,"a":2}' '{"type":"x","b":{"a":1,"a":2}}' \
		'{"type":"x","a":"\ud800"}' '{"type":"x","a":"\u0000"}' '{"type":"x","a":"\x"}' '{"type":"x",}' ''; do
		run cellmetrics < <(printf '{"type":"note"}\n%s\n' "$bad")
		status_is 3
		[[ "$output" =~ cellmetrics:\ stdin:2:[0-9]+:\  ]] || { echo "for $bad: $output"; return 1; }
	done
	run cellmetrics < <(printf '{"type":"x","a":"\xff"}\n')
	status_is 3
	run cellmetrics < <(printf '{"type":"x","a":"\xc0\xaf"}\n')
	status_is 3
	run cellmetrics < <(printf '{"type":"x","a":"\xed\xa0\x80"}\n')
	status_is 3
	run cellmetrics < <(printf '{"type":"x","a":"tab\there"}\n')
	status_is 3
	run cellmetrics < <(printf '{"type":"x"\0}\n')
	status_is 3
}

@test "an object as deep as the stack is refused, not a crash" {
	run cellmetrics < <(printf '{"type":"x","a":'; printf '[%.0s' {1..100000}; echo)
	status_is 3
}

@test "a last line without a newline counts" {
	run cellmetrics < <(a_run a 0; printf '{"type":"run_end","status":"completed"}')
	status_is 0
	[ "$(of notebook_metrics .execution_status)" = '"Completed"' ]
}

@test "a line of 100 MB is refused in little memory" {
	run bash -c "ulimit -v 200000; (printf '{\"type\":\"x\",\"a\":\"'; head -c 100000000 /dev/zero | tr '\\0' a; echo '\"}') | cellmetrics"
	status_is 3
	has 'cellmetrics: stdin:1:1: line longer than 16777216 bytes'
}

@test "a full disk is an error" {
	run bash -c 'cellmetrics "$1" >/dev/full' - "$runs"
	status_is 4
	has 'cellmetrics: cannot write to standard output: No space left on device'
}

@test "a reader who leaves ends it without a word" {
	run bash -c 'yes '"'"'{"type":"note"}'"'"' | cellmetrics | head -1; echo "${PIPESTATUS[1]}" >&2'
	[ "$output" = '{"type":"note"}
141' ]
}

@test "a cell's line comes when the cell does, not when the run ends" {
	mkfifo in
	cellmetrics <in >out &
	exec 7>in
	{ a_run a 2; a_cell 1 completed; } >&7
	for _ in {1..500}; do
		[ -s out ] && break
		read -r -t 0.01 <> <(:) || true
	done
	[ "$(jq -r .type out)" = cell_metrics ]
	exec 7>&-
	wait
}

@test "an interrupt does not lose what is on its way" {
	mkfifo in
	cellmetrics <in >out &
	pid=$!
	exec 7>in
	a_run a 0 >&7
	kill -INT $pid
	an_end completed >&7
	exec 7>&-
	wait $pid
	[ "$(jq -r .type out)" = notebook_metrics ]
}

@test "memory stays that of one run, however many there are" {
	{ for i in {1..400}; do a_run "n$i" 1; a_cell 1 completed ",\"source\":\"$(printf 'x%.0s' {1..2000})\""; an_end completed; done; } >some
	for _ in {1..20}; do cat some; done >many
	run bash -c 'ulimit -v 20000; cellmetrics <many | tail -1'
	status_is 0
	has '"type":"notebook_metrics"'
}
