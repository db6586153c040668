# bats file_tags=quick
load helpers

# A run of the cells that are given as members of their records.
a_run() {
	echo '{"type":"run","t":1,"name":"nb","label":"current","repetition":1,"attempt":1,"settings":{"settle_ms":300}}'
	printf '{"type":"cell","t":2,"cell_index":1,%s}\n' "$@"
	echo '{"type":"run_end","t":9,"status":"completed"}'
}

# of FILTER: jq over the array of truth records in the output.
of() { jq -s -c "[.[] | select(.type == \"truth\")] | $1" <<<"$output"; }

@test "a field and its truth give the error, of which 10 ms are allowed" {
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

@test "the truth of a tag without a number is what the kernel or the page reported" {
	run -0 runtruth < <(a_run '"cell_id":"a","tags":["truth:usage.kernel.cpu_s"],"usage":{"kernel":{"cpu_s":1.019}}' \
		'"cell_id":"r","tags":[],"error_name":"Truth","error_value":"{\"a\": {\"usage.kernel.cpu_s\": 1.0}}"')
	[ "$(of 'map([.cell_id,.metric,.truth,.measured,.error,.limit,.ok])')" = '[["a","usage.kernel.cpu_s",1,1.019,0.019,0.02,true]]' ]
	run -1 runtruth < <(a_run '"cell_id":"a","tags":["truth:usage.kernel.cpu_s"],"usage":{"kernel":{"cpu_s":1.021}}' \
		'"cell_id":"r","tags":[],"error_name":"Truth","error_value":"{\"a\": {\"usage.kernel.cpu_s\": 1.0}}"')
}

# gesture MEMBERS: a run with a gesture "go", and the truth that its page reports of it.
gesture() {
	a_run '"cell_id":"r","tags":[],"error_name":"Truth","error_value":"{\"go\": {\"frames_shown\": 12, \"client_ms\": 100}}"' |
		sed '1a {"type":"interaction","t":2,"cell_index":1,"cell_id":"a","name":"go",'"$1"'}'
}

@test "a gesture is compared with what is reported under its name: counts exactly, times within a frame" {
	run -0 runtruth < <(gesture '"status":"completed","frames_shown":12,"client_ms":117')
	[ "$(of 'map([.cell_id,.metric,.error,.limit,.ok])')" = \
		'[["go","interaction.frames_shown",0,0,true],["go","interaction.client_ms",17,17,true]]' ]
	run -1 runtruth < <(gesture '"status":"completed","frames_shown":11,"client_ms":118')
	[ "$(of 'map(.ok)')" = '[false,false]' ]
}

@test "a gesture that was not completed has no measured values, and is not right" {
	run -1 runtruth < <(gesture '"status":"failed","frames_shown":12,"client_ms":100')
	[ "$(of 'map([.measured,.ok])')" = '[[null,false],[null,false]]' ]
}

@test "a number in a field's name is an index, and a long frame may be off by a frame" {
	run -0 runtruth < <(a_run '"cell_id":"a","tags":["truth:page.long_animation_frames.1.total_blocking_time_ms=150"],"page":{"long_animation_frames":[{"total_blocking_time_ms":1},{"total_blocking_time_ms":167}]}')
	[ "$(of 'map([.measured,.limit,.ok])')" = '[[167,17,true]]' ]
}

@test "messages, views and lines on the console are counted exactly, frames within one" {
	run -1 runtruth < <(a_run '"cell_id":"a","tags":["truth:comm_messages_received=152","truth:page.frames_shown=11","truth:page.widget_views=50"],"comm_messages_received":153,"page":{"frames_shown":12,"widget_views":50}')
	[ "$(of 'map([.metric,.limit,.ok])')" = '[["comm_messages_received",0,false],["page.frames_shown",1,true],["page.widget_views",0,true]]' ]
}

@test "a line on the console counts for the cell that ran, by its kind" {
	tags='"tags":["truth:console.console_error=1","truth:console.exception=1"]'
	run -1 runtruth < <(echo '{"type":"run","t":1,"name":"nb"}'
		echo '{"type":"console","t":1,"cell_index":null,"kind":"exception","message":"before any cell","source":null}'
		echo '{"type":"console","t":2,"cell_index":1,"kind":"console_error","message":"x","source":null}'
		echo '{"type":"cell","t":2,"cell_index":1,"cell_id":"a",'"$tags}"
		echo '{"type":"console","t":3,"cell_index":2,"kind":"exception","message":"x","source":null}'
		echo '{"type":"cell","t":3,"cell_index":2,"cell_id":"b",'"$tags}")
	[ "$(of 'map([.cell_id,.metric,.measured])')" = \
		'[["a","console.console_error",1],["a","console.exception",0],["b","console.console_error",0],["b","console.exception",1]]' ]
}

@test "what only a page knows is left out of runs without a browser, and counted" {
	kernel_alone() {
		a_run '"cell_id":"a","tags":["truth:kernel_ms=250","truth:settled","truth:console.exception=1"],"kernel_ms":251' | sed '1s/}$/,"browser":null}/'
	}
	run -0 runtruth --table < <(kernel_alone)
	has 'verdict: all 1 metrics can be trusted here'
	[ "${lines[-1]}" = '2 values are left out: only a page knows them, and runs had no browser' ]
	run -0 runtruth < <(kernel_alone)
	[ "$(of 'map([.metric,.error])')" = '[["kernel_ms",1]]' ]
	run -1 runtruth < <(kernel_alone | sed 's/,"kernel_ms":251//')
	run -1 runtruth --table < <(kernel_alone | sed 's/kernel_ms=250/usage.kernel.rss_bytes/')
	has 'verdict: 0 of 1 metrics can be trusted here; not within their limits: usage.kernel.rss_bytes of a'
}

# timings WITH WITHOUT...: pairs of runs whose cells of one kind took that many ms.
timings() {
	t=1
	while [ $# -gt 0 ]; do
		for ms in "$1" "$2"; do
			echo '{"type":"run","t":'$((t++))',"name":"nb"}'
			[ "$ms" != "$1" ] || echo '{"type":"sample","t":1,"role":"kernel"}'
			for k in 1 2 3; do
				echo '{"type":"cell","t":2,"cell_id":"draw-'$k'","profiled":true,"received_t":3,"tags":["overhead:client_ms"],"client_ms":'$((ms + k - 2))'}'
			done
			echo '{"type":"cell","t":2,"cell_id":"draw-4","tags":["overhead:client_ms"],"client_ms":null}'
			echo '{"type":"run_end","t":9}'
		done
		shift 2
	done
}
overhead() { jq -s -c '[.[] | select(.type == "sampling_overhead")] | map([.kind,.metric,.pairs,.without,.with,.difference_pct,.low_pct,.high_pct,.noise_pct,.ok,.reason])' <<<"$output"; }

@test "sampling overhead is the median of the means of any two differences of the runs' medians" {
	# Differences 0.1 to 0.6 %: the sorted means' first and last bound them.
	run -0 runtruth < <(timings 1001 1000 1002 1000 1003 1000 1004 1000 1005 1000 1006 1000)
	[ "$(overhead)" = '[["draw","client_ms",6,1000,1003.5,0.35,0.1,0.6,0,true,null]]' ] || has nothing
	run -0 runtruth --table < <(timings 1001 1000 1002 1000 1003 1000 1004 1000 1005 1000 1006 1000)
	[ "$(tail -n 1 <<<"$output" | tr -s ' ')" = 'client_ms draw 6 1000.0 1003.5 +0.35 +0.10 +0.60 0.00 1.00 ok' ] || has nothing
}

@test "an overhead surely above 1 percent is not ok, and noise gives no answer" {
	run -1 runtruth < <(timings 1021 1000 1022 1000 1023 1000 1024 1000 1025 1000 1026 1000)
	[ "$(overhead | jq -c '.[0][5,9]' | paste -sd' ')" = '2.35 false' ]
	run -6 runtruth < <(timings 1021 1000 992 1000 1013 1000 984 1000 1025 1000 996 1000)
	[ "$(overhead | jq -c '.[0][9,10]' | paste -sd' ')" = 'null "the runs differ too much among themselves"' ]
}

@test "fewer than 6 pairs, or runs of one kind alone, give no answer" {
	run -6 runtruth < <(timings 1001 1000 1001 1000 1001 1000 1001 1000 1001 1000)
	[ "$(overhead | jq -c '.[0][2,6,10]' | paste -sd' ')" = '5 null "too few pairs of runs"' ]
	run -6 runtruth < <(timings 1001 1000 | sed '/sample/d')
	[ "$(overhead | jq -c '.[0][2,3,4,5,10]' | paste -sd' ')" = '0 1000.5 null null "too few pairs of runs"' ]
	run -6 runtruth --table < <(timings 1001 1000)
	has 'cannot tell: too few pairs of runs'
}

@test "settled is compared with the page's own instant, which a later cell reports as an error" {
	run -0 runtruth < <(a_run '"cell_id":"a","tags":["truth:settled"],"pressed_t":2,"last_visual_change_t":3.016' \
		'"cell_id":"r","tags":[],"error_name":"Truth","error_value":"{\"a\": {\"settled\": 3.0}}"')
	[ "$(of 'map([.cell_id,.metric,.truth,.measured,.error,.ok])')" = '[["a","last_visual_change_ms",1000,1016,16,true]]' ]
	run -1 runtruth < <(a_run '"cell_id":"a","tags":["truth:settled"],"pressed_t":2,"last_visual_change_t":3.018' \
		'"cell_id":"r","tags":[],"error_name":"Truth","error_value":"{\"a\": {\"settled\": 3.0}}"')
}

# captured MEASURED MARKS [CELL]: the last visual change of a cell that a capture dates between 3 and 3.02 s.
captured() {
	a_run '"cell_id":"'"${3-a}"'","tags":["truth:settled"],"profiled":true,"received_t":2.5,"client_ms":1,"unattributed_ms":0,"pressed_t":2,"last_visual_change_t":'"$1"',"marks":'"$2" \
		'"cell_id":"r","tags":[],"error_name":"Truth","error_value":"{\"'"${3-a}"'\": {\"settled\": [3, 3.02]}}"'
}

@test "where a capture says between which instants a change was, the error is the distance from them, and costs are not judged" {
	run -0 runtruth < <(captured 3.01 '[]')
	[ "$(of 'map([.metric,.truth,.measured,.error,.resolution])')" = '[["last_visual_change_ms",1010,1010,0,20]]' ]
	run -0 runtruth < <(captured 3.03 '[]')
	[ "$(of 'map([.truth,.error,.ok])')" = '[[1020,10,true]]' ]
	run -1 runtruth < <(captured 2.9 '[]')
	[ "$(of 'map([.truth,.error,.ok])')" = '[[1000,-100,false]]' ]
	run -0 runtruth --table < <(captured 3.01 '[]')
	has '1 truths are known within 20.0 ms (median), 20.0 ms (p95); 0 of them within one frame'
	run -0 runtruth --table < <(captured 3.01 '[]' | sed 's/3\.02/3.017/'; captured 3.01 '[]' b)
	has '2 truths are known within 18.5 ms (median), 19.9 ms (p95); 1 of them within one frame'
}

@test "a cell whose change is off and that is marked is not wrong, but counts among all cells" {
	run -0 runtruth --table < <(captured 2.5 '["offscreen_canvas"]')
	has 'marked: offscreen_canvas'
	[[ "${lines[-1]}" = *'each is within its limit, or marked: a' ]] || has 'or marked: a'
	run -1 runtruth --table < <(captured 2.5 '["offscreen_canvas"]'; captured 3.01 '[]' b)
	[[ "${lines[-1]}" = *'not within their limits: last_visual_change_ms; marked: a' ]] || has 'marked: a'
	run -0 runtruth --table < <(captured 2.5 '["offscreen_canvas"]'; for k in $(seq 19); do captured 3.01 '[]' "b$k"; done)
	has 'or marked: a'
	run -1 runtruth --table < <(captured 2.5 '[]'; for k in $(seq 19); do captured 3.01 '[]' "b$k"; done)
	[[ "${lines[-1]}" = *'not within their limits: last_visual_change_ms of a' ]] || has 'of a'
}

@test "a truth that the run does not hold is null, and not ok" {
	run -1 runtruth < <(a_run '"cell_id":"a","tags":["truth:settled"],"pressed_t":2,"last_visual_change_t":3')
	[ "$(of 'map([.truth,.ok,.reason])')" = '[[null,false,"the run does not hold the truth"]]' ]
}

@test "a value that was not measured is null, and not ok" {
	run -1 runtruth < <(a_run '"cell_id":"a","tags":["truth:kernel_ms=250"],"kernel_ms":null')
	[ "$(of 'map([.measured,.error,.ok,.reason])')" = '[[null,null,false,"not measured"]]' ]
}

@test "an error and a death count until the next record" {
	run -1 runtruth < <(a_run '"cell_id":"a","tags":["truth:raised"],"pressed_t":2,"error_value":"2.5"'
		echo '{"type":"run","t":1,"name":"x"}'
		echo '{"type":"cell","t":2,"cell_id":"b","tags":["truth:died=500"],"pressed_t":2,"busy_t":2.1}'
		echo '{"type":"cell","t":3.5,"cell_id":"c","tags":[],"status":"not_run"}')
	[ "$(of 'map([.cell_id,.metric,.truth,.measured,.error,.ok])')" = \
		'[["a","recorded_ms",500,7000,6500,false],["b","recorded_ms",600,1500,900,true]]' ]
}

@test "unattributed time may be 5 ms or 2 percent of the client time" {
	common='"tags":[],"profiled":true,"received_t":3,"last_visual_change_t":null,"script_ms":1'
	run -0 runtruth < <(a_run "\"cell_id\":\"a\",$common,\"client_ms\":1000,\"unattributed_ms\":-20" "\"cell_id\":\"b\",$common,\"client_ms\":10,\"unattributed_ms\":5")
	[ "$(of 'map(select(.metric == "unattributed_ms") | .limit)')" = '[20,5]' ]
	run -1 runtruth < <(a_run "\"cell_id\":\"a\",$common,\"client_ms\":1000,\"unattributed_ms\":21")
}

@test "what nbscope adds is counted from the cell's end to its record, separately where an output was waited for" {
	run -1 runtruth <<'EOR'
{"type":"run","t":1,"name":"x","settings":{"settle_ms":300}}
{"type":"cell_start","t":1.5,"cell_index":1}
{"type":"cell","t":2,"cell_id":"a","tags":[],"profiled":true,"pressed_t":2,"received_t":3,"client_ms":1000,"unattributed_ms":0,"script_ms":2,"waited":false}
{"type":"cell_start","t":3.01,"cell_index":2}
{"type":"cell","t":3.1,"cell_id":"b","tags":[],"profiled":true,"pressed_t":3.1,"received_t":3.2,"last_visual_change_t":4,"client_ms":900,"unattributed_ms":0,"script_ms":2,"waited":true}
{"type":"cell_start","t":4.4,"cell_index":3}
{"type":"cell","t":4.5,"cell_id":"c","tags":[],"profiled":true,"pressed_t":4.5,"received_t":null,"status":"failed"}
{"type":"run_end","t":9,"status":"failed"}
EOR
	[ "$(of 'map(select(.metric | startswith("added")) | [.cell_id,.metric,.measured,.limit,.ok])')" = \
		'[["a","added_ms",10,20,true],["b","added_output_ms",400,300,false]]' ]
	[ "$(of 'map(select(.metric == "moving_ms") | [.cell_id,.measured])')" = '[["a",90],["b",100]]' ]
}

@test "what passes while a gesture is performed is not what nbscope adds to the cell before it" {
	run -1 runtruth <<'EOR'
{"type":"run","t":1,"name":"x","settings":{"settle_ms":300}}
{"type":"cell_start","t":1.5,"cell_index":1}
{"type":"cell","t":2,"cell_id":"a","tags":["truth:client_ms=1"],"profiled":true,"pressed_t":2,"received_t":3,"client_ms":1000,"unattributed_ms":0,"script_ms":2,"waited":true}
{"type":"interaction","t":3.3,"cell_index":1,"cell_id":"a","name":"go"}
{"type":"cell_start","t":5,"cell_index":2}
{"type":"cell","t":5.1,"cell_id":"b","tags":[],"profiled":true,"pressed_t":5.1,"received_t":5.2,"client_ms":100,"unattributed_ms":0,"script_ms":2,"waited":true}
{"type":"cell_start","t":5.5,"cell_index":3}
{"type":"cell","t":5.6,"cell_id":"c","tags":[],"profiled":true,"pressed_t":5.6,"received_t":null,"status":"failed"}
{"type":"run_end","t":9,"status":"failed"}
EOR
	[ "$(of 'map(select(.metric | startswith("added")) | [.cell_id,.metric])')" = '[["b","added_output_ms"]]' ]
}

@test "the parts of what nbscope adds have rows of their own, but not where an output was waited for" {
	added='"added":{"page_ms":5,"question_ms":4.5,"answer_ms":3,"record_ms":2}'
	run -0 runtruth < <(
		echo '{"type":"run","t":1,"name":"x","driver_ms":2.5,"settings":{"settle_ms":300}}'
		echo '{"type":"cell","t":2,"cell_id":"a","tags":[],"profiled":true,"pressed_t":2,"received_t":3,"client_ms":1000,"unattributed_ms":0,"script_ms":2,"waited":false,'"$added}"
		echo '{"type":"cell_start","t":3.01,"cell_index":2}'
		echo '{"type":"cell","t":3.1,"cell_id":"b","tags":[],"profiled":true,"pressed_t":3.1,"received_t":3.2,"client_ms":100,"unattributed_ms":0,"script_ms":2,"waited":true,'"$added}"
		echo '{"type":"cell_start","t":3.21,"cell_index":3}'
		echo '{"type":"cell","t":4,"cell_id":"c","tags":[],"profiled":true,"pressed_t":4,"received_t":4.5,"client_ms":500,"unattributed_ms":0,"script_ms":2,"waited":false,"added":null}'
		echo '{"type":"run_end","t":4.51,"status":"completed"}')
	[ "$(of 'map(select(.metric | startswith("added.") or . == "driver_ms") | [.cell_id,.metric,.measured,.limit,.ok])')" = \
		'[["a","added.page_ms",5,null,true],["a","added.question_ms",4.5,null,true],["a","added.answer_ms",3,null,true],["a","added.record_ms",2,null,true],["a","driver_ms",2.5,null,true]]' ]
}

@test "JupyterLab's own work after a cell is not counted as nbscope's" {
	run -0 runtruth < <(
		echo '{"type":"run","t":1,"name":"x","settings":{"settle_ms":300}}'
		echo '{"type":"cell","t":2,"cell_id":"a","tags":[],"profiled":true,"pressed_t":2,"received_t":3,"done_t":3.025,"client_ms":1000,"unattributed_ms":0,"script_ms":2,"waited":false}'
		echo '{"type":"cell_start","t":3.04,"cell_index":2}'
		echo '{"type":"cell","t":3.1,"cell_id":"b","tags":[],"status":"not_run"}')
	[ "$(of 'map(select(.metric == "added_ms") | .measured)')" = '[15]' ]
}

@test "the table has a row for each metric and cell, its medians and the worst" {
	run -0 runtruth --table < <(for ms in 251 252 253 249 290; do a_run "\"cell_id\":\"a\",\"tags\":[\"truth:kernel_ms=250\"],\"kernel_ms\":$ms"; done)
	[ "$(sed '1d; $d' <<<"$output" | tr -s ' ')" = 'kernel_ms a 5 250.0 252.0 2.0 -0.6 32.6 40.0 10.0 80 % 50 % ok' ]
}

@test "a median over the limit is NOT ok, and the status is 1" {
	run -1 runtruth --table < <(for ms in 251 270 280; do a_run "\"cell_id\":\"a\",\"tags\":[\"truth:kernel_ms=250\"],\"kernel_ms\":$ms"; done)
	has NOT
}

@test "the table has the bias before, from earlier truth records, where there is one" {
	cd "$BATS_TEST_TMPDIR" || return
	common='"profiled":true,"received_t":3,"client_ms":10,"unattributed_ms"'
	of_run() { a_run "\"cell_id\":\"a\",\"tags\":[\"truth:kernel_ms=250\"],\"kernel_ms\":$1,$common:$2" "\"cell_id\":\"b\",\"tags\":[],$common:$3"; }
	{ of_run 260 1 2; of_run 251 2 3; of_run 253 null 3; } | runtruth >before || true
	run -0 runtruth --table --before before < <(of_run 252 0 0; echo '{"type":"run","t":10,"name":"x"}'
		echo '{"type":"cell","t":12,"cell_index":1,"cell_id":"c","tags":["truth:kernel_ms=7"],"kernel_ms":8}')
	[ "$(grep -E '^(kernel|unatt|metric)' <<<"$output" | tr -s ' ' | cut -d' ' -f1-7)" = 'metric cell n truth measured before bias
kernel_ms a 1 250.0 252.0 3.0 2.0
kernel_ms c 1 7.0 8.0 - 1.0
unattributed_ms all 2 0.0 0.0 2.0 0.0' ]
	# No calibration before.
	run -0 runtruth --table --before nothing < <(of_run 252 0 0)
	[[ "$(grep ^kernel <<<"$output" | tr -s ' ')" == 'kernel_ms a 1 250.0 252.0 - 2.0'* ]]
	run -2 runtruth --before before </dev/null
	has 'runtruth: --before requires --table'
	run -3 runtruth --table --before <(echo nonsense) </dev/null
}

@test "a record of another kind passes byte for byte" {
	run -6 --separate-stderr runtruth <<<'{"type":"weather",  "t":1e0}'
	[ "$output" = '{"type":"weather",  "t":1e0}' ]
}

@test "every truth and sampling_overhead record matches its schema" {
	a_run '"cell_id":"a","tags":["truth:kernel_ms=250","truth:settled"],"kernel_ms":null,"pressed_t":2' '"cell_id":"b","tags":[],"profiled":true,"client_ms":1,"received_t":3' |
		runtruth >"$BATS_TEST_TMPDIR/out" || true
	timings 1 2 | runtruth >>"$BATS_TEST_TMPDIR/out" || true
	[ "$(wc -l <"$BATS_TEST_TMPDIR/out")" -ge 4 ]
	run -0 "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict "$BATS_TEST_TMPDIR/out"
}

@test "empty input gives status 6" {
	run -6 runtruth </dev/null
	has "runtruth: no measured cell in the input"
}

@test "a tag without a number or a field is named with its line" {
	run -3 runtruth < <(a_run '"cell_id":"a","tags":["truth:kernel_ms=soon"]')
	has "runtruth: stdin:2:1: the tag 'truth:kernel_ms=soon' has no number"
	run -3 runtruth < <(a_run '"cell_id":"a","tags":["truth:"]')
	has "runtruth: stdin:2:1: the tag 'truth:' has no field"
	run -3 runtruth < <(a_run '"cell_id":"a","tags":["truth:=3"]')
	has "runtruth: stdin:2:1: the tag 'truth:=3' has no field"
	run -3 runtruth < <(a_run '"cell_id":"a","tags":["overhead:"]')
	has "runtruth: stdin:2:1: the tag 'overhead:' has no field"
}

@test "a reported truth that is not JSON is named with its line" {
	run -1 runtruth < <(a_run '"cell_id":"a","tags":["truth:settled"],"pressed_t":2,"last_visual_change_t":3' '"cell_id":"r","tags":[],"error_name":"Truth","error_value":"{"')
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
	has 'runtruth: stdin:1:1: no run record before this record'
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

@test "the table ends with a verdict that names what is not within its limit" {
	run -0 runtruth --table < <(a_run '"cell_id":"a","tags":["truth:kernel_ms=250"],"kernel_ms":251')
	[[ "${lines[-1]}" = 'verdict: all '*' metrics can be trusted here: each is within its limit' ]]
	run -1 runtruth --table < <(a_run '"cell_id":"a","tags":["truth:kernel_ms=250"],"kernel_ms":290')
	[[ "${lines[-1]}" = 'verdict: '*' metrics can be trusted here; not within their limits: kernel_ms of a'* ]]
}

@test "a profiled cell has hits and shares of its lines, allocations and reasons, and no costs of its own" {
	profiled() {
		echo '{"type":"run","t":1,"name":"nb","settings":{"settle_ms":300}}'
		echo '{"type":"cell","t":2,"cell_index":2,"cell_id":"a","profiled":true,"received_t":2,"unattributed_ms":900,"tags":["truth:lines.1.share_pct=75","truth:lines.2.hits=30","truth:lines.4.hits=7","truth:allocations.peak.2.bytes=1000","truth:profile_reasons=1"]}'
		echo '{"type":"profile","profiler":"lines","reason":null}'
		echo '{"type":"profile","profiler":"memory","reason":"no memray"}'
		line() { echo '{"type":"profile_line","file":"'"$1"'","function":"'"$2"'","line":'"$3"',"hits":'"$4"',"time_s":'"$5"'}'; }
		line '<cell 2>' '<cell 2>' 1 1 "${1:-0.76}"
		line '<cell 2>' '<cell 2>' 2 30 0.24
		line '<cell 2>' '<cell 2>' 4 0 0
		line '<cell 2>' f 4 7 0.7
		line /other.py f 1 9 0.7
		echo '{"type":"profile_allocation","when":"peak","file":"<cell 2>","line":2,"bytes":1009}'
		echo '{"type":"run_end","t":9}'
	}
	run -0 runtruth < <(profiled)
	[ "$(of 'map([.metric,.truth,.measured,.limit])')" = \
		'[["lines.1.share_pct",75,76,2],["lines.2.hits",30,30,0],["lines.4.hits",7,7,0],["allocations.peak.2.bytes",1000,1009,10],["profile_reasons",1,1,0]]' ]
	run -1 runtruth --table < <(profiled 0.9)
	[ "$(tail -n 1 <<<"$output")" = 'verdict: 4 of 5 metrics can be trusted here; not within their limits: lines.1.share_pct of a' ]
}
