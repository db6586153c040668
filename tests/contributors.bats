# bats file_tags=quick
# What the person waited for: the critical path of a cell, from records of its kernel, page and
# messages.
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# cell SENT BUSY IDLE RECEIVED END: the record of a cell that was pressed at 100, and heads of profiles.
cell() {
	printf '{"type":"run","t":90,"usecase":"u","name":"n","params":{}}\n'
	printf '{"type":"cell","t":100,"cell_index":1,"cell_id":"c","profiled":true,"status":"completed","source":"f()","pressed_t":100,"sent_t":%s,"busy_t":%s,"idle_t":%s,"received_t":%s,"last_visual_change_t":%s,"client_ms":null,"kernel_ms":null,"marks":["profiler"]}\n' "$@"
	printf '{"type":"profile","t":100,"cell_index":1,"cell_id":"c","profiler":"%s","version":"1","wall_s":1,"error":null,"reason":null}\n' browser samples
}

# stack PROCESS THREAD FRAMES BEGIN DURATION: one span of a stack, in seconds after the press.
stack() {
	jq -nc '{type: "profile_stack", cell_index: 1, process: $ARGS.positional[0],
		thread: $ARGS.positional[1], stack: ($ARGS.positional[2] / ";"), samples: 1,
		time_s: ($ARGS.positional[4] | tonumber),
		spans: [[$ARGS.positional[3], $ARGS.positional[4] | tonumber]]}' --args "$@"
}
kernel() { stack kernel MainThread "$@"; }
page() { stack browser main "$@"; }

# message TYPE SENT PAGE_T KERNEL_T PARENT STATE BYTES: null where there is none.
message() {
	jq -nc '$ARGS.positional | map(. as $text | try fromjson catch $text) as [$message, $sent, $page_t, $kernel_t, $parent, $state, $bytes]
		| {type: "profile_message", cell_index: 1, id: (if $sent then "r" else null end),
		parent: $parent, message: $message, bytes: $bytes, sent: $sent, page_t: $page_t,
		kernel_t: $kernel_t, state: $state}' --args "$@"
}

# ended: the messages of a cell that was sent at 100.01 and whose kernel was idle at $1, of which the
# page heard at $2.
ended() {
	message execute_request true 100.01 null null null 500
	message status false 100.03 100.02 r busy 500
	message execute_reply false "$2" "$1" r null 800
	message status false "$2" "$1" r idle 500
}

# contributors FILE...: kind, ms and overlapped ms of each, in order.
contributors() {
	runprofile -f json "$@" >folded || return
	"$ROOT/tests/validate" folded >faults 2>&1 || { cat faults; return 1; }
	jq -rc 'select(.type == "contributor" and (.client_ms > 0 or .overlapped_ms > 0)) |
		"\(.kind) \(.client_ms | round) \(.overlapped_ms | round)"' folded
}
words() { jq -r 'select(.type == "contributor") | .text' folded; }

@test "what ends later counts, and what ran meanwhile is overlapped" {
	{
		cell 100.01 100.02 100.62 100.63 null
		kernel '<module> (<cell 1>:2)' 0.02 0.6
		page 'draw (/static/a.js:7)' 0.1 0.2
		message display_data false 100.1 100.09 r null 900
		ended 100.62 100.63
	} >later
	run -0 contributors later
		[ "$(sort <<<"$output")" = 'javascript 0 200
python 600 0
transport 10 0
transport 10 0
wait 10 0' ]
	run -0 words
	[ "${lines[0]}" = 'line 2 of cell 1' ]
	# The page is busy until long after the kernel's end: with the message of 100.09.
	{
		cell 100.01 100.02 100.62 100.9 100.9
		kernel '<module> (<cell 1>:2)' 0.02 0.6
		page 'draw (/static/a.js:7)' 0.1 0.8
		message display_data false 100.1 100.09 r null 900
		ended 100.62 100.9
	} >page
	run -0 contributors page
	[ "$(sort <<<"$output")" = 'javascript 800 0
python 70 530
transport 10 0
transport 10 0
wait 10 0' ] || { echo "$output"; false; }
}

@test "the milliseconds of all contributors are the client time" {
	{
		cell 100.01 100.02 100.5 100.6 100.95
		kernel '<module> (<cell 1>:2)' 0.05 0.3
		page 'draw (/static/a.js:7)' 0.6 0.2
		page 'draw (/static/a.js:7);(layout)' 0.8 0.1
		message comm_msg false 100.6 100.35 r null 4200000
		ended 100.5 100.7
	} >all
	run -0 contributors all
	[ "$(jq -s 'map(select(.type == "contributor").client_ms) | add | round' folded)" = 950 ]
	run -0 words
	has 'line 2 of cell 1 sends 4.2 MB (comm_msg)'
	has 'layout forced by static/a.js:7 draw'
	run -0 runprofile all
		[ "${lines[0]} ${lines[1]}" = 'cell 1 takes with the profilers 950.0 ms: line 2 of cell 1 (300 ms), line 2 of cell 1 sends 4.2 MB (comm_msg) (250 ms), then static/a.js:7 draw (200 ms)' ]
}

@test "a message that finds the page busy is no reason for what the page did before" {
	# The page collects garbage from 0.3 on, by itself, when the kernel has ended.
	{
		cell 100.01 100.02 100.3 100.6 null
		kernel '<module> (<cell 1>:2)' 0.02 0.28
		page '(gc)' 0.29 0.31
		ended 100.3 100.6
	} >busy
	run -0 contributors busy
	[ "$(head -n 2 <<<"$output")" = 'gc 290 20
python 280 0' ] || { false; }
}

@test "a message behind a larger one waited for it" {
	{
		cell 100.01 100.02 100.1 100.51 null
		kernel '<module> (<cell 1>:4)' 0.02 0.08
		message comm_open false 100.5 100.09 r null 20000000
		ended 100.1 100.51
	} >large
	run -0 contributors large
	[ "$(head -n 1 <<<"$output")" = 'transport 410 0' ] || { false; }
	run -0 words
	[ "${lines[0]}" = 'line 4 of cell 1 sends 20.0 MB (comm_open)' ]
}

@test "waits, garbage collections and imports are contributors of their own, imports as a tree" {
	finds='_find_and_load (<frozen importlib._bootstrap>:1176)'
	site=/v/lib/python3.11/site-packages
	{
		cell 100.01 100.02 101 101.01 null
		kernel '<module> (<cell 1>:1);(wait: a sleep)' 0.02 0.28
		kernel '<module> (<cell 1>:2)' 0.3 0.3
		stack kernel 'garbage collector' '(gc)' 0.5 0.1
		kernel "<module> (<cell 1>:3);$finds;<module> ($site/pandas/__init__.py:5)" 0.6 0.1
		kernel "<module> (<cell 1>:3);$finds;<module> ($site/pandas/__init__.py:6);$finds;<module> ($site/pandas/io/api.py:9)" 0.7 0.3
		ended 101 101.01
	} >kinds
	run -0 contributors kinds
	[ "$(head -n 4 <<<"$output")" = 'import 400 0
wait 280 0
python 200 100
gc 100 0' ] || { false; }
	[ "$(jq -c 'select(.kind == "import").imports' folded)" = '[{"module":"pandas","ms":400,"own_ms":100,"imports":[{"module":"pandas.io.api","ms":300,"own_ms":300,"imports":[]}]}]' ]
	run -0 words
	has 'import of pandas, line 3 of cell 1; 300 ms of it is pandas.io.api, which pandas imports'
	has 'waiting for a sleep, line 1 of cell 1'
	has 'garbage collection in Python'
}

@test "a kernel without a page has contributors to its own time" {
	{
		printf '{"type":"run","t":90,"usecase":"u","name":"n","params":{}}\n'
		printf '{"type":"cell","t":100,"cell_index":1,"cell_id":"c","profiled":true,"status":"completed","source":"f()","pressed_t":null,"sent_t":100,"busy_t":100.01,"idle_t":100.51,"received_t":100.52,"client_ms":null,"kernel_ms":500,"marks":["profiler"]}\n'
		printf '{"type":"profile","t":100,"cell_index":1,"cell_id":"c","profiler":"samples","version":"1","wall_s":1,"error":null,"reason":null}\n'
		kernel '<module> (<cell 1>:2)' 0.02 0.4
	} >bare
	run -0 contributors bare
	[ "$output" = 'python 400 0
python 100 0' ] || { false; }
}

@test "the contributors of several runs are their mean, and folded ones are read again" {
	{
		cell 100.01 100.02 100.6 100.61 null
		kernel '<module> (<cell 1>:2)' 0.02 0.58
		ended 100.6 100.61
	} >a
	{
		cell 100.01 100.02 100.4 100.41 null
		kernel '<module> (<cell 1>:2)' 0.02 0.38
		ended 100.4 100.41
	} >b
	run -0 contributors a b
	[ "${lines[0]}" = 'python 480 0' ]
	[ "$(jq -s 'map(select(.type == "contributor").runs) | unique == [2]' folded)" = true ]
	jq -c 'select(.type == "contributor")' folded >once
	runprofile -f json folded | jq -c 'select(.type == "contributor")' | diff once -
}

@test "a recorded run of a notebook whose tags state the truth has it" {
	run -0 contributors "$ROOT/tests/data/contributors.jsonl"
	"$ROOT/tests/contributors" "$ROOT/tests/data/contributors.jsonl" folded
}

@test "spans of the page are those of its script, cut by the browser's own work" {
	{
		echo '{"profile": {"startTime": 1000000, "endTime": 1500000, "samples": [2, 3, 4, 2], "timeDeltas": [0, 100000, 200000, 100000],
			"nodes": [{"id": 1, "callFrame": {"functionName": "(root)"}}, {"id": 2, "callFrame": {"functionName": "(idle)"}},
			{"id": 3, "callFrame": {"functionName": "draw"}}, {"id": 4, "callFrame": {"functionName": "(program)"}}]}, "shift_s": -1}' | jq -c .
		jq -nc '[{pid: 7, tid: 1, ph: "M", name: "thread_name", ts: 0, args: {name: "CrRendererMain"}},
			{pid: 8, tid: 1, ph: "M", name: "thread_name", ts: 0, args: {name: "CrGpuMain"}},
			{pid: 7, tid: 1, ph: "X", name: "RunTask", ts: 1100000, dur: 300000},
			{pid: 7, tid: 1, ph: "B", name: "Layout", ts: 1150000}, {pid: 7, tid: 1, ph: "E", name: "Layout", ts: 1200000},
			{pid: 8, tid: 1, ph: "X", name: "GPUTask", ts: 1350000, dur: 50000}]'
	} >trace
	run -0 python3 "$ROOT/share/profile/outside/spans.py" <trace
	[ "$(jq -c '.[] | [.thread, .node, .work, .spans]' <<<"$output")" = '["main",3,null,[[0.1,0.05],[0.2,0.1]]]
["main",3,"layout",[[0.15,0.05]]]
["main",null,"other",[[0.3,0.1]]]
["GPU",null,"gpu",[[0.35,0.05]]]' ]
}

@test "a line of another cell has its share also where its hits were not counted" {
	{
		cell 100.01 100.02 100.52 100.53 null
		echo '{"type":"profile_below","cell_index":1,"file":"<cell 2>","function":"spin","first_line":11,"line":13,"source":"    while True: pass","threads":false,"time_s":0.5,"inner_s":0.5,"leaf_s":0.5,"uncounted":false,"below":[]}'
	} | sed 's/"wall_s":1,/&"sampled_s":0.5,"threads_s":0,/' >elsewhere
	run -0 runprofile --format sentences elsewhere
	has '100 % of cell 1 is line 13 of cell 2 in `spin`'
}
