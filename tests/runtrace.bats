# bats file_tags=quick
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	# The kernel's clock, which the samples have, is 100 ms ahead of the page's.
	cat >run.jsonl <<-'R'
	{"type":"run","t":1000.1,"name":"demo","notebook":"demo.ipynb","label":"now","repetition":1,"attempt":1,"params":{"n":1},"code_cells":2,"nbscope_version":"0.1.0","machine":{"host":"bench"}}
	{"type":"watch","t":1000.1,"role":"kernel","pid":11,"reason":null}
	{"type":"watch","t":1000.1,"role":"browser","pid":22,"reason":null}
	{"type":"cell_start","t":1000.2,"cell_index":1,"cell_id":"a","tags":[]}
	{"type":"cell","t":1000.5,"cell_index":1,"cell_id":"a","tags":[],"profiled":true,"status":"completed","source":"\n  # why\nprint(\"one\")","pressed_t":1000.5,"sent_t":1000.504,"busy_t":1000.61,"idle_t":1000.7,"received_t":1000.605,"last_visual_change_t":1000.9,"client_ms":400,"clock_offset_ms":100.0,"clock_bound_ms":2.5,"kernel_comm_ms":0.0,"ws_messages_sent":2,"ws_messages_received":9,"ws_bytes_sent":500,"ws_bytes_received":4000,"usage":{"kernel":{"cpu_s":0.25}},"page":{"long_animation_frames":[{"t":1000.7,"duration_ms":60.5,"total_blocking_time_ms":10.5,"script":"draw.js paint"}],"heap_before_bytes":100,"heap_bytes":300,"nodes_before":5,"nodes":8,"widget_views_before":0,"widget_views":1},"marks":[]}
	{"type":"sample","t":1001.0,"role":"kernel","pid":11,"processes":1,"threads":4,"cpu_s":0.5,"run_queue_wait_s":0,"rss_bytes":1000,"pss_bytes":null,"read_bytes":0,"write_bytes":0,"syscall_read_bytes":0,"syscall_write_bytes":0,"minor_faults":0,"major_faults":0,"context_switches":null}
	{"type":"sample","t":1001.0,"role":"machine","cpu_busy_s":1.0,"load_1min":0.5,"cpu_pressure_s":null,"memory_available_bytes":7000,"energy_j":5.0,"energy_method":"estimate","gpus":[{"index":1,"name":"H","utilization_pct":40,"memory_bytes":77,"power_w":null}]}
	{"type":"sample","t":1001.5,"role":"kernel","pid":11,"processes":1,"threads":4,"cpu_s":0.75,"run_queue_wait_s":0.05,"rss_bytes":1000,"pss_bytes":null,"read_bytes":4096,"write_bytes":0,"syscall_read_bytes":0,"syscall_write_bytes":0,"minor_faults":10,"major_faults":0,"context_switches":null}
	{"type":"sample","t":1001.5,"role":"machine","cpu_busy_s":1.25,"load_1min":0.5,"cpu_pressure_s":null,"memory_available_bytes":6000,"energy_j":10.0,"energy_method":"estimate","gpus":null}
	{"type":"console","t":1000.8,"cell_index":1,"kind":"exception","message":"no \u001b[31mWebGL","source":"a.js:1:2"}
	{"type":"fault","t":1001.6,"what":"kernel_died","message":"it died"}
	{"type":"cell","t":1001.4,"cell_index":2,"cell_id":"b","tags":[],"profiled":true,"status":"kernel_died","source":"import os","pressed_t":1001.4,"sent_t":1001.404,"busy_t":1001.51,"idle_t":null,"received_t":null,"last_visual_change_t":null,"client_ms":200,"clock_offset_ms":null,"clock_bound_ms":null,"ws_messages_sent":null,"ws_messages_received":null,"ws_bytes_sent":null,"ws_bytes_received":null,"page":null,"marks":[]}
	{"type":"sampler","t":1001.7,"interval_ms":50,"samples":2,"late":0,"cpu_s":0.01,"wall_s":1}
	{"type":"run_end","t":1001.8,"status":"kernel_died","reason":"it died","cells_run":2,"wall_ms":10000,"open_ms":8200}
	R
}

# events FILTER: what jq says of each event of the trace of run.jsonl.
events() {
	runtrace run.jsonl >trace.json || return
	run jq -c ".traceEvents[] | $1" trace.json
	status_is 0
}

# is_trace FILE: it keeps the format's rules, and prints how many events it has.
is_trace() {
	python3 - "$1" <<-'P'
	import json, sys
	doc = json.load(open(sys.argv[1]))
	kinds = {"M", "X", "C", "i"}
	names, threads, slices, used, tids = {}, set(), {}, set(), set()
	for e in doc["traceEvents"]:
	    assert e["ph"] in kinds and type(e["pid"]) is int and e["name"], e
	    if e["ph"] == "M":
	        assert e["name"] in {"process_name", "process_sort_index", "thread_name", "thread_sort_index"}, e
	        if e["name"] == "process_name":
	            names[e["pid"]] = e["args"]["name"]
	        if e["name"] == "thread_name":
	            threads.add((e["pid"], e["tid"]))
	        continue
	    used.add(e["pid"])
	    assert type(e["ts"]) is int and e["ts"] >= 0, e
	    if e["ph"] == "C":
	        assert e["args"] and all(type(v) in (int, float) for v in e["args"].values()), e
	        continue
	    tids.add((e["pid"], e["tid"]))
	    if e["ph"] == "i":
	        assert e["s"] in {"g", "p", "t"}, e
	        continue
	    assert type(e["dur"]) is int and e["dur"] >= 0, e
	    slices.setdefault((e["pid"], e["tid"]), []).append((e["ts"], -e["dur"], e["name"]))
	assert used <= set(names) and tids <= threads, (names, tids - threads)
	for track in slices.values():
	    open_ends = []
	    for ts, minus, name in sorted(track):
	        while open_ends and open_ends[-1] <= ts:
	            open_ends.pop()
	        assert not open_ends or ts - minus <= open_ends[-1], f"{name} hangs over the one around it"
	        open_ends.append(ts - minus)
	assert set(doc) == {"traceEvents", "displayTimeUnit", "otherData"}
	print(len(doc["traceEvents"]))
	P
}

@test "cells that overlap, cells that no input led to, and interactions have slices of their own" {
	cat >run.jsonl <<-'R'
	{"type":"run","t":1000,"name":"by hand"}
	{"type":"cell","t":1000,"cell_index":1,"source":"a","pressed_t":1000,"sent_t":1000.1,"busy_t":1000.2,"idle_t":1003.9,"received_t":1004,"client_ms":4000}
	{"type":"cell","t":1001,"cell_index":2,"source":"b","pressed_t":1001,"sent_t":1001.1,"busy_t":1004,"idle_t":1005.9,"received_t":1006,"client_ms":5000}
	{"type":"cell","t":1001.5,"cell_index":3,"source":"c","pressed_t":null,"sent_t":1001.5,"busy_t":1006,"idle_t":1006.9,"received_t":1007,"client_ms":null}
	{"type":"cell","t":1007.8,"cell_index":4,"source":"d","pressed_t":1007.2,"sent_t":1007.2,"client_ms":null,"marks":["truncated"]}
	{"type":"interaction","t":1008,"input":"wheel","inputs":3,"gesture_ms":300,"last_visual_change_ms":700}
	{"type":"interaction","t":1009.5,"input":"click","inputs":1,"gesture_ms":0,"last_visual_change_ms":null}
	{"type":"run_end","t":1010,"status":"completed"}
	R
	runtrace run.jsonl >trace.json
	run jq -r '.traceEvents | (map(select(.name == "thread_name") | {key: "\(.pid) \(.tid)", value: .args.name}) | from_entries) as $tracks |
		.[] | select(.ph == "X") | [$tracks["\(.pid) \(.tid)"], .name, .ts / 1e6, .dur / 1e6] | join(" ")' trace.json
	for slice in 'cells [1] a 1000 4' 'cells 2 [2] b 1001 5' 'cells 3 [3] c 1001.5 5.5' 'cells [4] d 1007.2 0.6' 'phases 2 dispatch 1001 0.1' 'phases 3 transport 1001.5 5.5' 'phases 3 kernel 1006 0.9' \
		'busy [1] a 1000.2 3.7' 'busy [2] b 1004 1.9' 'busy [3] c 1006 0.9' 'interactions wheel 1008 1' 'interactions click 1009.5 0'; do
		grep -qx "$slice" <<<"$output" || has "$slice"
	done
	# Ten at once: no slice hangs over another of its track.
	{
		echo '{"type":"run","t":1000,"name":"many"}'
		for i in 1 2 3 4 5 6 7 8 9 10; do
			echo "{\"type\":\"cell\",\"t\":1000,\"cell_index\":$i,\"source\":\"\",\"pressed_t\":1000.$i,\"sent_t\":1000.$i,\"received_t\":$((1001 + i)),\"client_ms\":1000}"
		done
	} | runtrace >trace.json
	run jq -r '.traceEvents | map(select(.ph == "X" and (.name | startswith("["))) | [.pid, .tid, .ts, .ts + .dur]) | group_by(.[:2])[] | sort_by(.[2]) |
		[range(1; length) as $i | select(.[$i][2] < .[$i - 1][3])] | length' trace.json
	[ "$(sort -u <<<"$output")" = 0 ]
	[ "$(wc -l <<<"$output")" -ge 8 ]
}

@test "sums of queued cells never fall, and what was read at a turn is drawn at the turn" {
	page='"ws_bytes_sent":1,"ws_bytes_received":1,"ws_messages_sent":1,"page":{"heap_before_bytes":50,"heap_bytes":70}'
	runtrace >trace.json <<-R
	{"type":"run","t":1000,"name":"by hand"}
	{"type":"cell","t":1004,"cell_index":1,"pressed_t":1000,"sent_t":1000.1,"busy_t":1000.2,"received_t":1004,"client_ms":4000,"ws_messages_received":9,$page}
	{"type":"cell","t":1003,"cell_index":2,"pressed_t":1001,"sent_t":1001.1,"busy_t":1002,"received_t":1003,"client_ms":2000,"ws_messages_received":5,$page,"marks":["queued"]}
	{"type":"cell","t":1006,"cell_index":3,"pressed_t":1001,"sent_t":1001.1,"busy_t":1005,"received_t":1006,"client_ms":5000,"ws_messages_received":7,$page,"marks":["queued"]}
	R
	run jq -c '[.traceEvents[] | select(.ph == "C" and .name == "WebSocket, messages so far") | [.ts / 1e6, .args.number]] | sort == . and (sort_by(.[1]) == .), (last | .[1])' trace.json
	[ "$output" = $'true\n24' ]
	run jq -c '[.traceEvents[] | select(.ph == "C" and .name == "JavaScript heap").ts / 1e6]' trace.json
	[ "$output" = '[1000,1004,1002,1003,1005,1006]' ]
}

@test "the trace of a made run, of the tests' runs and of nothing obeys the format" {
	for f in run.jsonl "$ROOT/tests/data/runs.jsonl" /dev/null; do
		runtrace "$f" >t.json
		run is_trace t.json
		status_is 0
	done
	[ "$output" = 0 ]
}

@test "every run in this tree gives a trace that obeys the format" {
	shopt -s nullglob
	for f in "$ROOT"/usecases/*/runs/*/*.jsonl; do
		runtrace "$f" >t.json
		run is_trace t.json
		status_is 0
	done
}

@test "a cell is one slice from its press to its end, on the samples' clock, with its numbers" {
	events 'select(.ph == "X" and .tid == 2 and .pid == 1) | [.name, .ts, .dur, .args.cell_index, .args.usage.kernel.cpu_s, .args.status]'
	[ "${lines[0]}" = '["[1] print(\"one\")",1000600000,400000,1,0.25,"completed"]' ]
	[ "${lines[1]}" = '["[2] import os",1001500000,200000,2,null,"kernel_died"]' ]
}

@test "the page's phases lie in their cell; a phase that was not reached is left out" {
	events 'select(.ph == "X" and .pid == 2 and .tid == 1) | [.name, .ts, .dur]'
	[ "$output" = '["[1] print(\"one\")",1000600000,400000]
["dispatch",1000600000,4000]
["transport",1000604000,101000]
["kernel",1000610000,90000]
["render",1000705000,295000]
["[2] import os",1001500000,200000]
["dispatch",1001500000,4000]
["transport",1001504000,196000]
["kernel",1001510000,190000]' ]
}

@test "where queue and delivery are known, the phases follow one another, and a busy browser is part of render" {
	sed -i 's/"received_t":1000.605/"queue_ms":6,"arrived_t":1000.602,&/' run.jsonl
	events 'select(.ph == "X" and .pid == 2 and .tid == 1) | [.name, .ts, .dur]'
	[ "$(sed -n 2,6p <<<"$output")" = '["dispatch",1000600000,4000]
["queue",1000604000,6000]
["kernel",1000610000,90000]
["delivery",1000700000,2000]
["render",1000702000,298000]' ]
}

@test "a cell that the kernel never began stays in the queue until its end" {
	sed -i 's/"busy_t":1001.51/"busy_t":null/' run.jsonl
	events 'select(.ph == "X" and .pid == 2 and .tid == 1) | [.name, .ts, .dur]'
	[ "$(tail -1 <<<"$output")" = '["queue",1001504000,196000]' ]
}

@test "a reply that had arrived waits for the browser, within render" {
	cell='"type":"cell","t":1004,"cell_index":1,"pressed_t":1000,"sent_t":1000.5,"busy_t":1000.6,"idle_t":1000.9'
	traced() { { echo '{"type":"run","t":1000,"name":"by hand"}'; echo "{$cell,$1}"; } | runtrace | jq -c '.traceEvents[] | select(.ph == "X" and .pid == 2 and .tid == 1) | [.name, (.ts - 1e9) / 1e6, .dur / 1e6]' | tail -n +3; }
	[ "$(traced '"client_ms":3000,"arrived_t":1001,"received_t":1002.5,"last_visual_change_t":1003')" = '["transport",0.5,0.5]
["kernel",0.6,0.3]
["render",1,2]
["waits for the browser",1,1.5]' ]
	[ "$(traced '"client_ms":2500,"arrived_t":1001,"received_t":1002.5,"last_visual_change_t":null')" = '["transport",0.5,0.5]
["kernel",0.6,0.3]
["render",1,1.5]
["waits for the browser",1,1.5]' ]
	[ "$(traced '"client_ms":3000,"arrived_t":null,"received_t":1002.5,"last_visual_change_t":1003')" = '["transport",0.5,2]
["kernel",0.6,0.3]
["render",2.5,0.5]' ]
}

# kernel_slices: name, begin, duration of the kernel's slices.
kernel_slices() { events 'select(.ph == "X" and .pid == 3) | [.name, .ts, .dur]'; }

@test "the times of a kernel that is here stay as they are, and the page's move by the offset" {
	kernel_slices
	[ "$output" = '["[1] print(\"one\")",1000610000,90000]
["[2] import os",1001510000,190000]' ]
	# The last cell has no offset of its own.
	[ "$(jq -c '.otherData.runs[0] | [.page_shift_ms, .clock_offset_ms]' trace.json)" = '[100,100]' ]
}

@test "the times of a kernel that is elsewhere move by the offset, and the page's and the samples' stay" {
	sed -i 's/"role":"kernel","pid":11,"reason":null/"role":"kernel","pid":null,"reason":"far away"/; s/"pid":11,//' run.jsonl
	kernel_slices
	[ "$output" = '["[1] print(\"one\")",1000510000,90000]
["[2] import os",1001410000,190000]' ]
	events 'select(.ph == "X" and .pid == 2 and .name == "dispatch") | .ts'
	[ "$output" = $'1000500000\n1001400000' ]
	events 'select(.ph == "C" and .pid == 3 and .name == "CPU") | .ts'
	[ "$output" = $'1001000000\n1001500000' ]
	[ "$(jq .otherData.runs[0].page_shift_ms trace.json)" = 0 ]
}

@test "an offset within its bound moves nothing" {
	sed -i 's/"clock_bound_ms":2.5/"clock_bound_ms":100/' run.jsonl
	kernel_slices
	[ "${lines[0]}" = '["[1] print(\"one\")",1000610000,90000]' ]
	events 'select(.ph == "X" and .pid == 2 and .name == "dispatch") | .ts'
	[ "$output" = $'1000500000\n1001400000' ]
	[ "$(jq -c '.otherData.runs[0] | [.page_shift_ms, .clock_offset_ms]' trace.json)" = '[0,100]' ]
}

@test "a rate begins where its interval begins" {
	events 'select(.ph == "C" and .pid == 3) | [.name, .ts, .args]'
	has '["CPU",1001000000,{"% of one core":50}]'
	has '["run-queue wait",1001000000,{"% of the time":10}]'
	has '["read from storage",1001000000,{"B/s":8192}]'
	has '["memory (RSS)",1001000000,{"B":1000}]'
	[[ "$output" != *PSS* && "$output" != *switches* ]]
}

@test "the machine's energy is named an estimate where it is one, and a GPU by its number" {
	events 'select(.ph == "C" and .pid == 5) | [.name, .args]'
	has '["power, estimated",{"W":10}]'
	has '["GPU 1 utilization",{"%":40}]'
	[[ "$output" != *"GPU 1 power"* && "$output" != *"pressure"* ]]
}

@test "a counter that falls belongs to a new process: it gives no rate" {
	sed -i 's/"cpu_s":0.75/"cpu_s":0.1/' run.jsonl
	events 'select(.ph == "C" and .pid == 3 and .name == "CPU")'
	[ -z "$output" ]
}

@test "two kernels one after the other are two groups" {
	sed -i '9s/"pid":11/"pid":12/; 9s/^/{"type":"watch","t":1001.2,"role":"kernel","pid":12,"reason":null}\n/' run.jsonl
	events 'select(.name == "process_name") | .args.name'
	has '"kernel (pid 11)"'
	has '"kernel (pid 12)"'
}

@test "long frames, the WebSocket, heap, nodes and views are drawn below the page" {
	events 'select(.pid == 2) | select(.ph == "C" or (.ph == "X" and .tid > 1)) | [.name, .ts, .dur, .args]'
	has '["draw.js paint",1000800000,60500,{"t":1000.7,"duration_ms":60.5,"total_blocking_time_ms":10.5,"script":"draw.js paint"}]'
	has '["11 messages, 4.0 kB in, 0.5 kB out",1000604000,396000,'
	has '["WebSocket, received so far",1001000000,null,{"B":4000}]'
	has '["JavaScript heap",1000600000,null,{"B":100}]'
	has '["DOM nodes",1001000000,null,{"number":8}]'
	has '["widget views",1001000000,null,{"number":1}]'
}

@test "faults and lines of the console are instants, harmless and on the samples' clock" {
	events 'select(.ph == "i") | [.name, .ts, .args.source]'
	[ "${lines[0]}" = '["console: no ?[31mWebGL",1000900000,"a.js:1:2"]' ]
	[ "${lines[1]}" = '["fault: it died",1001600000,null]' ]
	has '["sampler",1001700000,null]'
}

@test "the clock's bound is in the metadata and in the run's slice" {
	events 'select(.ph == "X" and .pid == 1 and .tid == 1) | [.name, .ts, .dur, .args.clock_bound_ms]'
	[ "${lines[0]}" = '["demo",991900000,9900000,2.5]' ]
	[ "${lines[1]}" = '["opens JupyterLab and the notebook",991900000,8200000,null]' ]
	[ "$(jq -c '.otherData.runs[0] | [.clock_offset_ms, .clock_bound_ms, .clock_bound_worst_ms, .status]' trace.json)" = '[100,2.5,2.5,"kernel_died"]' ]
}

@test "a run is not longer because the page's clock is behind" {
	cat >ahead.jsonl <<-'END'
	{"type":"run","t":1000,"name":"ahead","notebook":"a.ipynb","code_cells":1}
	{"type":"watch","t":1000,"role":"kernel","pid":1}
	{"type":"sample","t":1000.1,"role":"kernel","pid":1,"cpu_s":1}
	{"type":"cell","t":901,"cell_index":1,"status":"completed","pressed_t":901,"received_t":902,"client_ms":1000,"clock_offset_ms":100000,"clock_bound_ms":2}
	{"type":"run_end","t":1002.5,"status":"completed"}
	END
	runtrace ahead.jsonl >ahead.json
	[ "$(jq -c '.traceEvents[] | select(.ph == "X" and .name == "ahead") | [.ts, .dur]' ahead.json)" = '[1000000000,2500000]' ]
}

@test "an incomplete run is traced as far as it goes, and marked incomplete" {
	head -7 run.jsonl >incomplete
	runtrace incomplete >t.json
	run is_trace t.json
	status_is 0
	[ "$(jq -r '.otherData.runs[0].status' t.json)" = incomplete ]
}

@test "a second run has groups of its own" {
	cat run.jsonl run.jsonl >two
	runtrace two >t.json
	run is_trace t.json
	status_is 0
	[ "$(jq '.otherData.runs | length' t.json)" = 2 ]
	run jq -r '.traceEvents[] | select(.name == "process_name") | .args.name' t.json
	has 'kernel (pid 11)'
	has 'kernel of demo (pid 11)'
}

@test "standard input does as well as a file" {
	runtrace run.jsonl >a
	runtrace <run.jsonl >b
	runtrace - <run.jsonl >c
	cmp a b
	cmp a c
}

@test "memory does not grow with the run" {
	awk 'BEGIN { for (k = 0; k < 300000; k++) printf "{\"type\":\"sample\",\"t\":%.3f,\"role\":\"kernel\",\"pid\":1,\"cpu_s\":%d,\"rss_bytes\":%d}\n", 1e6 + k, k * k % 1000 + 1000 * k, k }' >long
	run bash -c '$ULIMIT 40000; runtrace long >t.json'
	status_is 0
	[ "$(stat -c %s t.json)" -gt 40000000 ]
}

@test "bad input is refused with its line: not JSON, no time, a NaN, a line without end, bad UTF-8" {
	for bad in 'no' '{"type":"sample","role":"kernel"}' '{"type":"sample","t":NaN}' '{"type":"sample","t":-1,"role":"kernel"}' '{"type":"run"}' '{"type":"sample","t":1,"t":2}' $'{"type":"\xff"}'; do
		printf '{"type":"x"}\n%s\n' "$bad" >bad
		run --separate-stderr runtrace bad
		status_is 3
		[[ "$stderr" == "runtrace: bad:2:"* ]] || { echo "$bad: $stderr"; return 1; }
	done
	head -c 100000000 /dev/zero | tr '\0' x >bad
	run --separate-stderr runtrace bad
	status_is 3
	has_line=$stderr
	[[ "$has_line" == *'bad:1:1: line longer than 16777216 bytes' ]]
	run runtrace /no/such/file
	status_is 4
	run runtrace run.jsonl run.jsonl
	status_is 2
}

@test "odd records do no harm: times far away, texts for numbers, deep objects" {
	cat >odd <<-'R'
	{"type":"run","t":5e300}
	R
	run runtrace odd
	status_is 3
	cat >odd <<-'R'
	{"type":"run","t":1000}
	{"type":"cell","t":1,"cell_index":"x","source":7,"pressed_t":1e300,"client_ms":1e300}
	{"type":"cell","t":1,"pressed_t":5,"received_t":4,"last_visual_change_t":3,"busy_t":9,"idle_t":2,"sent_t":8,"page":{"long_animation_frames":[1,{"t":"x"},{"t":1,"duration_ms":-5}]}}
	{"type":"cell","t":1,"pressed_t":6,"received_t":7,"page":[],"clock_offset_ms":1e300}
	{"type":"sample","t":1001,"role":7,"pid":{}}
	{"type":"sample","t":1001,"role":"machine","gpus":[{"index":-1},{"index":1e9},7,{"index":"x","utilization_pct":1}]}
	{"type":"sample","t":1001,"role":"kernel","pid":"p\"q","cpu_s":1e308,"rss_bytes":-1e308}
	{"type":"watch","t":1,"role":[],"pid":1}
	{"type":"console","t":1,"message":""}
	{"type":"of another","t":"x"}
	R
	runtrace odd >t.json
	run is_trace t.json
	status_is 0
}

@test "a full disk and a reader that left are noticed" {
	run bash -c 'runtrace run.jsonl 2>&1 >/dev/full'
	status_is 4
	has 'cannot write to standard output: No space left on device'
	run bash -c 'for i in $(seq 2000); do cat run.jsonl; done | runtrace 2>&1 | head -c 10 >/dev/null; echo ${PIPESTATUS[1]}'
	[ "$output" -ne 0 ]
}

# ---- OTF2 ------------------------------------------------------------------------

otf2_here() {
	runtrace --otf2 probe /dev/null 2>/dev/null && return
	skip "this build has no OTF2"
}

@test "without the library --otf2 names what is missing in one line; with it there is an archive" {
	run --separate-stderr runtrace --otf2 archive run.jsonl
	if [ "$status" = 0 ]; then
		[ -f archive/traces.otf2 ]
		[ -z "$output$stderr" ]
	else
		status_is 2
		[ "$stderr" = "runtrace: built without OTF2: install libotf2-trace-dev (Debian's name), then run 'make programs' again" ]
	fi
}

@test "the OTF2 library is used where its header is installed" {
	echo '#include <otf2/otf2.h>' | cc -E - >/dev/null 2>&1 || skip "no OTF2 installed"
	run runtrace --otf2 archive run.jsonl
	status_is 0
}

@test "otf2-print finds no fault in the archive, and everything that the run holds" {
	otf2_here
	runtrace --otf2 archive run.jsonl
	run otf2-print -Werror -A archive/traces.otf2
	status_is 0
	has 'Ticks per Seconds: 1000000, Global Offset: 991900000'
	has '"[1] print("one")"'
	has '"transport"'
	has 'Name: "bench"'
	run otf2-print -Werror -G -I archive/traces.otf2
	status_is 0
	has 'Property name                  NBSCOPE::CLOCK_BOUND_MS
Property value                 2.5'
	run otf2-print --silent -Werror probe/traces.otf2
	status_is 0
}

@test "a NUL in a name, a parameter or a code is a mark in the archive, and costs nothing else" {
	otf2_here
	sed 's/"name":"demo/&\\u0000/; s/"params":{/&"sep":"\\u0000",/; s/"source":"/&\\u0000/' run.jsonl >nul.jsonl
	[ "$(grep -o 'u0000' nul.jsonl | wc -l)" -ge 4 ]
	runtrace --otf2 archive nul.jsonl
	[ "$(ls -d archive*)" = archive ]
	run otf2-print -Werror archive/traces.otf2
	status_is 0
	has '"source"'
	has '"demo'$'\ufffd''"'
}

@test "the otf2 package of Python reads places, slices, numbers and units as they are" {
	otf2_here
	[ -x "$ROOT/build/testvenv/bin/python" ] || { echo "no build/testvenv: make prepare-test makes it"; return 1; }
	runtrace --otf2 archive run.jsonl
	runtrace --otf2 more "$ROOT/tests/data/runs.jsonl"
	# Regions nest, times ascend, counters have units.
	for a in archive more; do
		run -0 "$ROOT/build/testvenv/bin/python" "$ROOT/tests/otf2_check" $a/traces.otf2
		run -0 jq -c '[.locations > 3, .entered.kernel > 1, (.counters | length > 2)]' <<<"$output"
		[ "$output" = '[true,true,true]' ]
	done
	run "$ROOT/build/testvenv/bin/python" - <<-'P'
	import otf2
	from otf2.enums import MetricMode
	from otf2.events import Enter, Metric
	with otf2.reader.open("archive/traces.otf2") as trace:
	    assert trace.timer_resolution == 1000000
	    d = trace.definitions
	    groups = [g.name for g in d.location_groups]
	    assert groups == ["notebook demo", "page", "kernel (pid 11)", "browser (pid 22)", "machine"], groups
	    modes = {m.name: (m.metric_mode, m.unit) for m in d.metric_members}
	    assert modes["CPU"] == (MetricMode.ACCUMULATED_START, "s"), modes["CPU"]
	    assert modes["memory (RSS)"] == (MetricMode.ABSOLUTE_NEXT, "B"), modes["memory (RSS)"]
	    numbers, cell = [], None
	    for where, e in trace.events:
	        if isinstance(e, Enter) and where.name == "cells" and cell is None:
	            cell = (e.time, {a.name: v for a, v in e.attributes.items()})
	        elif isinstance(e, Metric):
	            numbers.append((where.group.name, e.metric.members[0].name, e.time, e.values[0]))
	    assert cell[0] == 1000600000 and cell[1]["source"] == "\n  # why\nprint(\"one\")" and cell[1]["cell_index"] == 1, cell
	    assert ("kernel (pid 11)", "CPU", 1001500000, 0.75) in numbers, numbers
	P
	status_is 0
}

@test "the same run makes the same archive, byte for byte, and another run another" {
	otf2_here
	runtrace --otf2 a run.jsonl
	runtrace --otf2 b run.jsonl
	diff -r a b
	sed 's/"cpu_s":0.75/"cpu_s":0.76/' run.jsonl | runtrace --otf2 c
	run ! cmp -s a/traces.otf2 c/traces.otf2
}

@test "records in any order make an archive in order of time" {
	otf2_here
	{ head -1 run.jsonl; tac run.jsonl | sed '1d; $d'; tail -1 run.jsonl; } >mixed
	runtrace --otf2 archive/ mixed
	run otf2-print --silent -Werror archive/traces.otf2
	status_is 0
}

@test "a folder that exists is left alone, and a failed archive leaves nothing" {
	otf2_here
	mkdir there
	run runtrace --otf2 there run.jsonl
	status_is 4
	has "runtrace: 'there' exists already"
	run runtrace --otf2 no/such/folder run.jsonl
	status_is 4
	echo no >bad
	run runtrace --otf2 archive bad
	status_is 3
	run bash -c 'ulimit -f 1; trap "" XFSZ; runtrace --otf2 archive '"$ROOT/tests/data/runs.jsonl"
	[ "$status" -ne 0 ]
	[ "$(echo *)" = 'bad probe run.jsonl there' ]
}

@test "stacks of a profiled cell are slices within each other, one for frames that two stacks share" {
	sed -i '/"type":"sampler"/d; /"type":"fault"/d' run.jsonl
	sed '/"cell_index":2/,$d' run.jsonl >stacks.jsonl
	cat >>stacks.jsonl <<-'R'
	{"type":"profile","t":1000.55,"cell_index":1,"cell_id":"a","profiler":"stacks","version":"py-spy","wall_s":0.2,"error":null,"reason":null}
	{"type":"profile_stack","cell_index":1,"process":"kernel","thread":"MainThread","stack":["<module> (<cell 1>:3)","f (/v/lib/python3.11/site-packages/glue/core/data.py:7)"],"samples":2,"time_s":0.01,"spans":[[0.1,0.02],[0.05,0.02]]}
	{"type":"profile_stack","cell_index":1,"process":"kernel","thread":"MainThread","stack":["<module> (<cell 1>:3)","g (/u.py:1)"],"samples":2,"time_s":0.01,"spans":[[0.07,0.03]]}
	{"type":"profile_stack","cell_index":1,"process":"child 2","thread":"t","stack":["h (/u.py:2)"],"samples":2,"time_s":0.01,"spans":[[0.1,0.02],[0.5,0.1]]}
	{"type":"profile_task","cell_index":1,"t":1000.6,"duration_s":0.25,"action":"compute","function":"work","key":"work-1","worker":"worker 0, thread 7","status":"OK","bytes":null}
	{"type":"profile_stack","cell_index":1,"process":"browser","thread":"main","stack":["draw (/a.js:1)"],"samples":2,"time_s":0.01}
	R
	sed -n '/"type":"run_end"/p' run.jsonl >>stacks.jsonl
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" <(grep '"type":"profile' stacks.jsonl)
	status_is 0
	runtrace stacks.jsonl >trace.json
	is_trace trace.json
	jq -c '(.traceEvents | map(select(.name == "thread_name") | {key: "\(.pid) \(.tid)", value: .args.name}) | from_entries) as $names |
		.traceEvents[] | select(.ph == "X") | [$names["\(.pid) \(.tid)"], .name, .ts - 1000000000, .dur] | select(.[0] | test("^(stack|worker)"))' trace.json >slices
	diff slices - <<-'R'
	["worker 0, thread 7","work",600000,250000]
	["stack of MainThread","f (glue/core/data.py:7)",600000,20000]
	["stack of MainThread","g (/u.py:1)",620000,30000]
	["stack of MainThread","f (glue/core/data.py:7)",650000,20000]
	["stack of MainThread","<module> (<cell 1>:3)",600000,70000]
	["stack of child 2, t","h (/u.py:2)",650000,20000]
	["stack of child 2, t","h (/u.py:2)",1050000,100000]
	R
}

@test "each processor is a counter of the machine, in percent busy" {
	for i in 0 1 2; do
		echo "{\"type\":\"sample\",\"t\":100$i,\"role\":\"machine\",\"processor_ids\":[4,7],\"processor_busy_s\":[$i,0.25]}"
	done | { echo '{"type":"run","t":1000,"name":"a"}'; cat; } >run.jsonl
	events 'select(.ph == "C" and (.name | startswith("processor"))) | [.name, .ts, .args[]]'
	[ "$output" = $'["processor 4",1000000000,100]\n["processor 7",1000000000,0]\n["processor 4",1002000000,0]' ] || has nothing
}
