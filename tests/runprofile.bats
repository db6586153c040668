# bats file_tags=quick
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	cp "$ROOT/tests/data/profiles/spectrum.jsonl" run.jsonl
}

# function NAME: the record of a folded function.
function_of() { jq -c --arg f "$1" 'select(.type == "profile_function" and .function == $f)' "${2:-folded}"; }

@test "the first line names the innermost line that takes at least half of the cell" {
	run runprofile run.jsonl
	status_is 0
	[ "${lines[0]}" = '86 % of cell 5 is line 55 of spectrum.py in `run_powerspectrum_analysis`, `fit(a)`, 30 times' ]
	# Without one, it is the longest line.
	sed 's/"time_s":0.86/"time_s":0.4/; s/"time_s":0.98/"time_s":0.45/' run.jsonl >shorter
	run runprofile shorter
	[ "${lines[0]}" = '45 % is line 2 of cell 5, `spectra = run_all(alerts)`, once; 77 % is glue/core/data.py Data.get_mask, called 12 times' ]
	sed '/profile_function/d' shorter >lines
	run runprofile lines
	[ "${lines[0]}" = '45 % is line 2 of cell 5, `spectra = run_all(alerts)`, once' ]
	run runprofile run.jsonl run.jsonl
	[ "${lines[0]}" = '86 % of cell 5 is line 55 of spectrum.py in `run_powerspectrum_analysis`, `fit(a)`, 60 times in 2 runs' ]
}

@test "without lines the first line names the function, with the time of what it calls of built-ins and the standard library" {
	sed '/"lines"/,$d' run.jsonl >functions
	run runprofile functions
	status_is 0
	# 0.4 s of its own, 1.5 of numpy.array and 0.4 of the decoder, of 3.0 s.
	[ "${lines[0]}" = '77 % of cell 5 is glue/core/data.py Data.get_mask, called 12 times' ]
	sed 's/"own_s":0.1,/"own_s":9,/' functions >own
	run runprofile own
	[[ "${lines[0]}" == *'% of cell 5 is the code of cell 5' ]]
	# No function has half of the time itself: the innermost one that has it with what it calls.
	sed 's/\[\[2,900,900,1.5,1.5\],/[[5,900,900,1.4,1.4],/; s/"own_s":0.5,"cumulative_s":0.5/"own_s":0,"cumulative_s":1.4/' functions >inner
	run runprofile inner
	[ "${lines[0]}" = '80 % of cell 5 is glue/core/data.py Data.get_mask and what it calls, called 12 times' ]
}

@test "the time by package includes built-ins and the standard library" {
	run runprofile run.jsonl
	has 'time by package: glue 77 %, src/spec/spectrum.py 17 %, cell 5 7 %'
}

@test "what worker processes did is apart from the kernel, and has shares of their work" {
	# Four that worked 3.4 s in a cell of 1.2 s.
	cat run.jsonl "$ROOT/tests/data/profiles/workers.jsonl" >workers
	run runprofile workers
	status_is 0
	has 'cell 5 in 4 worker processes: 3.100 s of 3.400 s are line 12 of model.py in `fit`, `b = a`, 40,000 times'
	has '86 % of cell 5 is line 55 of spectrum.py in `run_powerspectrum_analysis`, `fit(a)`, 30 times'
	[ "$(grep -c '^cell 5 in 4 worker processes  spectra = run_all(alerts)$' <<<"$output")" = 1 ]
	# Never more than all of it.
	sed 's/"time_s":3.1/"time_s":4/' workers >more
	run runprofile more
	has 'cell 5 in 4 worker processes: 3.400 s of 3.400 s are line 12'
	# Two runs, read as they are and as they were folded.
	runprofile -f json workers workers >folded
	[ "$(jq -c 'select(.type == "profile" and .processes and .profiler == "lines") | [.processes, .work_s, .wall_s, .runs]' folded)" = '[4,6.8,null,2]' ]
	[ "$(jq -c 'select(.type == "profile_line" and .processes and .line == 12) | [.processes, .hits, .hot]' folded)" = '[4,80000,true]' ]
	[ "$(runprofile -f json folded)" = "$(cat folded)" ]
	"$ROOT/tests/validate" <folded
	run runprofile folded
	has 'cell 5 in 4 worker processes: 6.200 s of 6.800 s are line 12 of model.py in `fit`, `b = a`, 80,000 times in 2 runs'
	compared() { runprofile --base "$1" "$1" | sed -n '$s/.* unknown, of \([0-9]*\) functions and lines in both.*/\1/p'; }
	[ "$(compared workers)" = $(($(compared run.jsonl) + 3)) ]
}

@test "what the page did in a cell is apart from the kernel" {
	{
		cat run.jsonl
		echo '{"type":"profile","t":1,"cell_index":5,"cell_id":null,"profiler":"browser","version":"chrome","wall_s":2,"error":null,"reason":null}'
		for f in '"/static/lab/jlab_core.js","line":7,"function":"onmessage"' '"~","line":0,"function":"(idle)"'; do
			echo '{"type":"profile_function","cell_index":5,"id":1,"file":'"$f"',"calls":null,"primitive_calls":null,"own_s":0.5,"cumulative_s":1.5,"callers":[]}'
		done
		echo '{"type":"profile_stack","cell_index":5,"process":"browser","thread":"main","stack":["onmessage (/static/lab/jlab_core.js:7)"],"samples":5,"time_s":0.5}'
	} >page
	run runprofile page
	has 'cell 5 in the page  spectra = run_all(alerts)'
	has '75 % of cell 5 in the page is static/lab/jlab_core.js:7 onmessage and what it calls'
	has '              -      0.500         1.500  static/lab/jlab_core.js:7 onmessage'
	runprofile -f json page >folded
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict folded
	status_is 0
	runprofile -f json folded | diff folded -
	runprofile --files out page >/dev/null
	[ "$(wc -l <out/cell-005-page.collapsed.txt)" = 1 ]
	[ "$(wc -l <out/cell-005.collapsed.txt)" = 2 ]
}

@test "functions are sorted by own time, cumulative time or calls, and cut at --top" {
	order() { runprofile "$@" run.jsonl | sed -n '/own s/,/^$/p' | sed '1d; /^$/d' | awk '{print $1}' | paste -sd' '; }
	[ "$(order)" = '1,000 1 12/10 3 1' ]
	[ "$(order --sort cumulative)" = '1 12/10 1,000 1 3' ]
	[ "$(order --sort calls --top 2)" = '1,000 12/10 and' ]
	run runprofile -S calls -n 2 run.jsonl
	has 'and 3 more functions'
	has '12/10      0.400         2.400  glue/core/data.py:55 Data.get_mask'
	run -2 runprofile --sort size run.jsonl
	has "--sort must be own, cumulative or calls, not 'size'"
}

@test "lines are printed as line_profiler prints them, the cell first" {
	run runprofile run.jsonl
	has 'Hits are exact, times under line profiling are not.'
	has 'Line #      Hits         Time  Per Hit   % Time  Line Contents
==============================================================
    53                                           def run_powerspectrum_analysis(a):
    54      1000      50000.0     50.0      5.5      if a.bright:
    55        30     860000.0  28666.7     94.5          fit(a)'
	[[ "$output" == *'Function: <cell 5> at line 1'*'Function: run_powerspectrum_analysis at line 53'* ]]
}

@test "a third as many functions have their lines as have rows, and lines that were not hit are cut" {
	python3 - >long <<-'P'
	import json
	for f in range(1, 8):
	    for line in range(1, 31):
	        print(json.dumps({"type": "profile_line", "cell_index": 1, "file": "/a.py", "function": f"f{f}", "first_line": 1, "line": line, "hits": int(line in (1, 10, 20, 30)), "time_s": f * (line in (1, 10, 20, 30)), "source": f"code {line}"}))
	P
	run runprofile long
	[ "$(grep -c '^Function: ' <<<"$output")" = 5 ]
	[ "$(grep '^Function: ' <<<"$output" | head -1)" = 'Function: f7 at line 1' ]
	has 'and 2 more functions whose lines were timed'
	# Eight lines are shown, nine are not.
	[ "$(sed -n '/Function: f7/,/Function: f6/s/.*code //p' <<<"$output" | paste -sd' ')" = '1 2 3 4 5 6 7 8 9 10 11 12 18 19 20 21 22 28 29 30' ]
	[ "$(grep -c '^   \.\.\.$' <<<"$output")" = 10 ]
	run runprofile --top 21 long
	[ "$(grep -c '^Function: ' <<<"$output")" = 7 ]
}

@test "memory has the peak, what was allocated at it, and what stays" {
	run runprofile run.jsonl
	has 'peak of memory allocated in the cell: 1.2 GB'
	has '1.1 GB            30 allocations  src/spec/spectrum.py:55 run_powerspectrum_analysis'
	has 'still allocated after the cell: 30.0 kB'
}

@test "a profiled cell is named by its own line that takes most of its time" {
	line() { printf '{"type":"profile_line","cell_index":1,"file":"%s","function":"%s","first_line":1,"line":%s,"hits":1,"time_s":%s,"source":"%s"}\n' "$@"; }
	{
		echo '{"type":"run","name":"n","params":{}}'
		echo '{"type":"cell","cell_index":1,"source":"load(a)\n  show(b)"}'
		echo '{"type":"profile","cell_index":1,"profiler":"lines","wall_s":3,"error":null,"reason":null}'
	} >run
	runprofile run | grep -q '^cell 1  load(a)$'
	{ cat run; line '<cell 1>' '<cell 1>' 1 0.5 'load(a)'; line '<cell 1>' '<cell 1>' 2 2.5 '  show(b)'; line '<cell 2>' '<cell 2>' 1 3 'other()'; line /a.py f 1 4 'x'; } >timed
	runprofile timed | grep -q '^cell 1  show(b)$'
	[ "$(runprofile -f json timed | jq -r 'select(.type == "profile_cell").source_line')" = 'show(b)' ]
}

@test "a profile of a cell whose code has changed since says so" {
	{
		echo '{"type":"run","usecase":"u","name":"n","params":{}}'
		echo '{"type":"cell","cell_index":1,"source":"load(a)"}'
		echo '{"type":"profile","cell_index":1,"profiler":"lines","wall_s":3,"error":null,"reason":null}'
		echo '{"type":"profile_line","cell_index":1,"file":"<cell 1>","function":"<cell 1>","first_line":1,"line":1,"hits":1,"time_s":3,"source":"load(a)"}'
	} >run
	metrics() { echo '{"type":"cell_metrics","usecase":"u","name":"n","cell_index":1,"source":"'"$1"'","kernel_execution_time_metric":1}' >metrics; }
	metrics 'load(b)'
	runprofile --metrics metrics run | grep -q '^100 % is line 1 of cell 1, `load(a)`, once; this was before its code changed$'
	[ "$(runprofile -f json --metrics metrics run | jq -r 'select(.type == "profile_cell").sentence')" = '100 % is line 1 of cell 1, `load(a)`, once; this was before its code changed' ]
	metrics 'load(a)'
	run runprofile --metrics metrics run
	[ "${lines[0]}" = '100 % is line 1 of cell 1, `load(a)`, once' ]
}

@test "runs are folded: counts and times are summed, bytes are the largest" {
	sed 's/"bytes":1100000000/"bytes":1000/; s/"peak_bytes":1200000000/"peak_bytes":1300000000/' run.jsonl >other
	runprofile -f json run.jsonl other >folded
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict folded
	status_is 0
	[ "$(jq -c 'select(.line == 55 and .type == "profile_line") | [.hits, .time_s, .runs]' folded)" = '[60,1.72,2]' ]
	[ "$(function_of Data.get_mask | jq -c '[.calls, .primitive_calls, .own_s, .cumulative_s, .runs]')" = '[24,20,0.8,4.8,2]' ]
	[ "$(jq -c 'select(.type == "profile_allocation" and .line == 55).bytes' folded)" = 1100000000 ]
	[ "$(jq -c 'select(.profiler == "memory") | [.peak_bytes, .wall_s, .runs, .kernel_s]' folded)" = '[1300000000,2.2,2,3.5]' ]
	[ "$(jq -c 'select(.type == "profile_cell") | [.cell_index, .page, .sentence[:15]]' folded)" = '[5,false,"86 % of cell 5 "]' ]
	[ "$(jq -c 'select(.hot) | [.line, .place]' folded)" = '[55,"src/spec/spectrum.py:53 run_powerspectrum_analysis"]' ]
	[ "$(jq -c 'select(.type == "profile_stack").frames[0]' folded | sort -u)" = '["<module> (<cell 5>:2)","own"]' ]
	[ "$(jq -c 'select(.type == "profile_stack") | [.samples, .time_s]' folded | paste -sd' ')" = '[140,1.4] [40,0.4]' ]
	# Once more, it stays as it is.
	runprofile -f json folded | diff folded -
	# Of one stream, too.
	cat run.jsonl other | runprofile -f json | diff folded -
}

@test "callers are found by their number in their own run" {
	# In the second run the numbers are others, and the callee comes first.
	{
		cat run.jsonl
		echo '{"type":"run","t":1,"usecase":"demo"}'
		function_of Data.get_mask run.jsonl | sed 's/"id":2/"id":1/; s/\[\[1,/[[7,/'
		function_of '<module>' run.jsonl | sed 's/"id":1/"id":7/'
		function_of 'JSONDecoder.decode' run.jsonl | sed 's/\[\[2,/[[99,/'
	} >two
	runprofile -f json two >folded
	module=$(function_of '<module>' | jq .id)
	[ "$(function_of Data.get_mask | jq -c .callers)" = "[[$module,24,20,0.8,4.8]]" ]
	[ "$(function_of JSONDecoder.decode | jq -c '.callers | length')" = 1 ]
}

@test "cells of different use cases are different" {
	sed 's/"usecase":"demo"/"usecase":"other"/' run.jsonl >other
	run runprofile run.jsonl other
	has 'demo cell 5  spectra = run_all(alerts)'
	has 'other cell 5  spectra = run_all(alerts)'
	[ "$(runprofile -f json run.jsonl other | jq -r 'select(.profiler == "lines").usecase' | paste -sd' ')" = 'demo other' ]
}

@test "a cell that raised, and one without a profile, say so" {
	run runprofile <<-'R'
	{"type":"profile","t":1,"cell_index":2,"cell_id":null,"profiler":"lines","version":null,"wall_s":0.1,"error":"ValueError","reason":null}
	{"type":"profile","t":1,"cell_index":3,"cell_id":null,"profiler":"memory","version":null,"wall_s":null,"error":null,"reason":"another Tracker is active","left_out":1200}
	R
	status_is 0
	has 'lines: version unknown; 1 run; the cell raised ValueError'
	has 'memory: version unknown; 1 run; another Tracker is active; 1,200 rows left out'
	[[ "$output" != *'peak of memory'* ]]
}

@test "control characters of sources, names and errors do not reach the terminal" {
	run runprofile <<-'R'
	{"type":"cell","t":1,"cell_index":1,"status":"completed","source":"x = '\u001b[31m'"}
	{"type":"profile","t":1,"cell_index":1,"cell_id":null,"profiler":"lines","version":"\u001b[2J","wall_s":1,"error":"\u009b1m","reason":"\u202e"}
	{"type":"profile_line","cell_index":1,"file":"/\u001b","function":"f\u001b","first_line":1,"line":1,"hits":1,"time_s":1,"source":"\u001b[31m"}
	{"type":"profile_function","cell_index":1,"id":1,"file":"/\u001b","line":1,"function":"g\u001b","calls":1,"primitive_calls":1,"own_s":1,"cumulative_s":1,"callers":[]}
	{"type":"profile_allocation","cell_index":1,"when":"end","file":"/\u001b","line":1,"function":"\u001b","bytes":1,"allocations":1}
	R
	status_is 0
	[[ "$output" != *$'\e'* && "$output" != *$'\u202e'* && "$output" != *$'\u009b'* ]]
}

@test "input that is not a profile is named with its place" {
	for bad in '{"type":"profile","profiler":"lines"}' '{"type":"profile_line","cell_index":1,"file":"a","function":"b"}' \
		'{"type":"profile_function","cell_index":1,"file":1}' '{"type":"profile_stack","cell_index":1,"stack":"a"}' \
		'{"type":"profile_stack","cell_index":1,"stack":[1]}' '{"type":"profile_allocation","cell_index":1,"when":"now","file":"a"}' '{'; do
		{ echo '{"type":"run","t":1}'; echo "$bad"; } >bad
		run --separate-stderr runprofile bad
		status_is 3
		[[ "$stderr" == 'runprofile: bad:2:'* ]] || { echo "$bad: $stderr"; return 1; }
	done
	run runprofile </dev/null
	status_is 6
	has 'cannot tell: no profile in the input'
	run runprofile --format csv run.jsonl
	status_is 2
	run runprofile /no/such
	status_is 4
	run bash -c 'runprofile run.jsonl 2>&1 >/dev/full'
	status_is 4
}

@test "numbers that make no sense are no numbers" {
	run runprofile <<-'R'
	{"type":"profile","t":1,"cell_index":1,"cell_id":null,"profiler":"lines","version":null,"wall_s":0,"error":null,"reason":null}
	{"type":"profile_line","cell_index":1,"file":"<cell 1>","function":"<cell 1>","first_line":null,"line":1,"hits":-1,"time_s":-5,"source":null}
	{"type":"profile_line","cell_index":1,"file":"<cell 1>","function":"<cell 1>","first_line":null,"line":1,"hits":null,"time_s":null,"source":"x"}
	{"type":"profile_function","cell_index":1,"id":1e300,"file":"~","line":0,"function":"f","calls":1e300,"primitive_calls":null,"own_s":null,"cumulative_s":1e300,"callers":[1,[1],["a",null],[1e300,1,1,1,1]]}
	R
	status_is 0
	[[ "$output" != *nan* && "$output" != *inf* && "$output" != *'-5'* ]] || { echo "$output"; return 1; }
}

@test "--files writes each file under its name, and a second one of that name with a number" {
	runprofile --files out run.jsonl run.jsonl >/dev/null
	[ "$(ls out | paste -sd' ')" = 'cell-005.collapsed.txt cell-005.pstats cell-005.speedscope.json cell-005@2.pstats' ]
	[ "$(cat out/cell-005.pstats)" = pstats ]
	cmp out/cell-005.pstats out/cell-005@2.pstats
}

@test "--files writes nothing outside of its folder, and no file that is not what its record says" {
	file() { jq -nc --arg n "$1" --arg b "$2" --argjson size "$3" '{type:"profile_file",cell_index:1,profiler:"functions",name:$n,bytes:$size,base64:$b}'; }
	for name in ../x /x a/b .x '' 'a b' $'a\nb' "$(printf 'x%.0s' {1..101})"; do
		file "$name" eA== 1 >bad
		run --separate-stderr runprofile --files out bad
		status_is 3
		[[ "$stderr" == "runprofile: bad:1:1: '"*"' is not the name of a file" ]] || { echo "$name: $stderr"; return 1; }
	done
	file x eA== 2 >bad
	run runprofile --files out bad
	status_is 3
	has "'x' has not the size that its record says"
	file x 'e!==' 1 >bad
	run runprofile --files out bad
	status_is 3
	has "'x' is not base64"
	[ -z "$(ls -A out 2>/dev/null)" ]
	[ -z "$(ls -A .. | grep -x x)" ]
	# A link in the folder is replaced, not followed.
	mkdir -p out
	ln -s ../precious out/x
	echo precious >precious
	file x eA== 1 | cat - run.jsonl | runprofile --files out >/dev/null
	[ "$(cat precious out/x)" = $'precious\nx' ]
}

@test "stacks are written as collapsed stacks, and for speedscope" {
	runprofile --files out run.jsonl run.jsonl >/dev/null
	[ "$(cat out/cell-005.collapsed.txt)" = 'kernel;MainThread;<module> (<cell 5>:2);run_all (/home/u/src/spec/run.py:7);run_powerspectrum_analysis (/home/u/src/spec/spectrum.py:55) 140
kernel;MainThread;<module> (<cell 5>:2);run_all (/home/u/src/spec/run.py:9) 40' ]
	python3 - <<-'P'
	import json
	d = json.load(open("out/cell-005.speedscope.json"))
	assert d["$schema"] == "https://www.speedscope.app/file-format-schema.json"
	names = [f["name"] for f in d["shared"]["frames"]]
	assert len(set(names)) == len(names) == 4
	p, = d["profiles"]
	assert p["type"] == "sampled" and p["unit"] == "seconds" and p["startValue"] == 0
	assert abs(p["endValue"] - sum(p["weights"])) < 1e-9 and abs(sum(p["weights"]) - 1.8) < 1e-9
	assert [names[i] for i in p["samples"][1]] == ["<module> (<cell 5>:2)", "run_all (/home/u/src/spec/run.py:9)"]
	P
	echo '{"type":"profile_stack","cell_index":2,"process":"a;b","thread":"t\n","stack":["f;g\u001b"],"samples":3,"time_s":1}' |
		runprofile --files odd >/dev/null
	[ "$(cat odd/cell-002.collapsed.txt)" = 'a:b;t ;f:g  3' ]
}

@test "stacks and tasks of dask have a sentence and a table, by the innermost line of Python" {
	s() { echo '{"type":"profile_stack","cell_index":2,"process":"'"$1"'","thread":"'"$2"'","stack":'"$3"',"samples":'"$4"',"time_s":'"$5"'}'; }
	{ s kernel Main '["<module> (<cell 2>:1)","sleep (time.c:9)"]' 0 0
		s child Main '["f (/home/u/own.py:3)","work (/home/u/own.py:7)","hash (libcrypto.so)"]' 50 0.5
		s child Main '["work (/home/u/own.py:7)","update (libcrypto.so)"]' 30 0.3
		s kernel helper '["spin (<cell 1>:6)"]' 20 0.2; } >stacks
	run runprofile stacks
	[ "${lines[0]}" = '80 % of the sampled time of cell 2 is work (/home/u/own.py:7), in child Main' ]
	has '     0.800       80  work (/home/u/own.py:7), child Main
     0.200       20  spin (<cell 1>:6), kernel helper'
	t() { echo '{"type":"profile_task","cell_index":1,"t":1,"duration_s":'"$1"',"action":"'"$2"'","function":"work","key":"k","worker":"w","status":"OK"}'; }
	{ echo '{"type":"profile","cell_index":1,"profiler":"dask","wall_s":1,"error":null,"reason":null,"note":"other threads used 0.5 s of CPU time"}'
		t 0.5 compute; t 0.4 compute; t 0.1 transfer; } >tasks
	run runprofile tasks
	[ "${lines[0]}" = '90 % of the sampled time of cell 1 is work, in dask compute' ]
	has '; other threads used 0.5 s of CPU time'
	has '     0.900        2  work, dask compute
     0.100        1  work, dask transfer'
	[ "$(runprofile -f json tasks | jq -r 'select(.type == "profile").note')" = 'other threads used 0.5 s of CPU time' ]
}

@test "the kernel's time without a profiler is the median of the same cell in the same notebooks" {
	m() { echo '{"type":"cell_metrics","usecase":"demo","name":"'"$1"'","label":"x","cell_index":'"$2"',"execution_status":"Completed","kernel_execution_time_metric":'"$3"'}'; }
	{ m demo-n1 5 1.0; m demo-n1 5 1.6; m demo-n1 5 1.7; m demo-n9 5 100; m demo-n1 4 50; m demo-n1 5 null; } >metrics
	run runprofile --metrics metrics run.jsonl
	status_is 0
	has 'functions: cProfile, Python 3.11.7; 1 run; the kernel took 3.200 s with it, 1.600 s without (2.00 times)'
	[ "$(runprofile -f json --metrics metrics run.jsonl | jq -c 'select(.type == "profile") | .kernel_without_s' | sort -u)" = 1.6 ]
	runprofile -f json --metrics metrics run.jsonl >folded
	run runprofile folded
	has '3.200 s with it, 1.600 s without'
	run runprofile --metrics /no/such run.jsonl
	status_is 4
}

# sweep FACTOR RUNS: profile runs over a parameter; the function takes FACTOR times n.
sweep() {
	python3 - "$@" <<-'P'
	import json, random, sys
	factor, runs = float(sys.argv[1]), int(sys.argv[2])
	r = random.Random(factor)
	for n in (10, 20, 40, 80):
	    for k in range(runs):
	        noise = lambda: r.lognormvariate(0, 0.02)
	        for record in (
	            {"type": "run", "t": 1, "usecase": "u", "name": f"u-n{n}", "params": {"n": n, "mode": "a"}},
	            {"type": "profile_line", "file": "<cell 1>", "function": "<cell 1>", "first_line": 1, "line": 2, "hits": n, "time_s": 1e-3 * n * n * noise(), "source": "f(n)"},
	            {"type": "profile_line", "file": "<cell 1>", "function": "<cell 1>", "first_line": 1, "line": 3, "hits": 1, "time_s": 0.5 * noise(), "source": "g()"},
	            {"type": "profile_function", "id": 1, "file": "/a.py", "line": 1, "function": "f", "calls": 3, "primitive_calls": 3, "own_s": factor * n * noise(), "cumulative_s": 1, "callers": []},
	        ):
	            print(json.dumps({**record, **({"cell_index": 1} if record["type"] != "run" else {})}))
	P
}

@test "--base finds which functions and lines changed, and says when it cannot tell" {
	sweep 0.01 6 >before
	sweep 0.02 6 >after
	run runprofile --base before after
	status_is 0
	[ "$(grep -c '^worse .*: function /a.py:1 f  ' <<<"$output")" = 4 ]
	[ "$(grep -c '^worse\|^better' <<<"$output")" = 4 ]
	change='worse   u-n80 cell 1: function /a.py:1 f  [78][0-9.]* ms -> 1\.[56][0-9]* s, \+0\.[78][0-9]* to \+0\.[78][0-9]* s'
	[[ "$output" =~ $change ]]
	[[ "${lines[-1]}" == '4 worse, 0 better, '*' of 12 functions and lines in both'* ]]
	runprofile --base before -f json after >records
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict records
	status_is 0
	[ "$(wc -l <records)" = 12 ]
	[ "$(jq -c 'select(.name == "u-n80" and .of == "function") | [.file, .function, .result, .base_runs, .runs, (.median_s / .base_median_s * 10 | round), .shift_low_s > 0.7]' records)" = '["/a.py","f","worse",6,6,20,true]' ]
	run runprofile --base after before
	[ "$(grep -c '^better .*: function /a.py:1 f  ' <<<"$output")" = 4 ]
	# The same runs again: nothing is flagged, and lines that moved are found by their text.
	sed 's/"line": 3/"line": 4/' before >moved
	run runprofile --base before moved
	[[ "${lines[-1]}" == '0 worse, 0 better, '*' of 12 functions and lines in both'* ]]
	# One run of each is not enough.
	sweep 0.01 1 >one
	sweep 0.02 1 >other
	run runprofile --base one other
	[[ "${lines[0]}" == '0 worse, 0 better, 0 no worse, 12 unknown, of 12 functions and lines in both; '*' profile runs of each would decide all (REPEAT)' ]]
	run runprofile --base run.jsonl after
	status_is 6
	run -2 runprofile --base before --hot 0.8 after
}

@test "--base compares a line with that of the same function, and omits lines without a hundredth of its time" {
	code() { printf '{"type":"profile_line","cell_index":1,"file":"/a.py","function":"%s","first_line":1,"line":%s,"hits":1,"time_s":%s,"source":"%s"}\n' "$@"; }
	{
		echo '{"type":"run","t":1,"usecase":"u","name":"u"}'
		code f 2 1 'g()'
		code f 3 0.001 'h()'
		code k 12 1 'g()'
		code k 13 1 'never before'
	} >after
	sed '/never/d' after >before
	run -0 runprofile --base before -f json after
	[ "$(jq -c '[.function, .line]' <<<"$output" | paste -sd' ')" = '["f",2] ["k",12]' ]
}

@test "--base finds a file of another environment, another checkout, or a checkout of what was installed" {
	in_folders() { sed -e "s|/v/lib/python3.11/site-packages/|$1/|" -e "s|/home/u/src/|$2/|" run.jsonl; }
	same() { runprofile --base before -f json after | jq -r 'select(.of == "function" or .function == "run_powerspectrum_analysis") | .file' | sort -u | paste -sd' '; }
	in_folders /e/old/lib/python3.11/site-packages /e/a.tree >before
	in_folders /e/new/lib/python3.11/site-packages /e/b.tree >after
	rest='/usr/lib/python3.11/json/decoder.py <cell 5> ~'
	[ "$(same)" = "/e/b.tree/spec/spectrum.py /e/new/lib/python3.11/site-packages/glue/core/data.py $rest" ]
	in_folders /home/me/glue /e/b.tree >after
	[ "$(same)" = "/e/b.tree/spec/spectrum.py /home/me/glue/glue/core/data.py $rest" ]
	# Another package has a file of that name.
	sed 's|glue/core/data.py|other/parts/data.py|' before >after
	[ "$(same)" = "/e/a.tree/spec/spectrum.py $rest" ]
}

@test "a reader that leaves the output of explain, a comparison or a calibration gets no message about a signal" {
	run -0 --separate-stderr bash -c 'printf "a\nb\n" | "$ROOT"/mk/run/pass-arguments.sh yes | head -n 1'
	[ "$output" = 'a b' ]
	[ -z "$stderr" ]
	# Nobody else gives arguments to a program that writes into a pipe or to a terminal.
	run ! bash -c 'cd "$ROOT" && git grep -nE "xargs .*(runprofile|cat)\b" -- mk ":!mk/run/pass-arguments.sh" | grep -v "format json"'
	# A program that fails, or is killed, does so here, too.
	run -123 bash -c 'printf "a\n" | "$ROOT"/mk/run/pass-arguments.sh false'
	run -123 bash -c 'printf "\$\$\n" | "$ROOT"/mk/run/pass-arguments.sh sh -c "kill -KILL \$\$"'
	run -0 "$ROOT/mk/run/pass-arguments.sh" false </dev/null
}

@test "what a gesture runs is not a part of the cell before it" {
	function_of() {
		echo '{"type":"profile","t":1,"cell_index":1,"cell_id":null,"profiler":"functions","version":"x","wall_s":1,"error":null,"reason":null'"$1}"
		echo '{"type":"profile_function","cell_index":1,"id":'"$2"',"file":"<cell 1>","line":1,"function":"f'"$2"'","calls":1,"primitive_calls":1,"own_s":0.9,"cumulative_s":0.9,"callers":[]'"$1}"
	}
	{
		function_of '' 1
		function_of ',"interaction":3,"gesture":"pan"' 2
	} >run.jsonl
	run -0 runprofile run.jsonl
	has 'gesture 3 after cell 1  pan'
	[ "$(grep -c 'of gesture 3 after cell 1 is <cell 1> f2' <<<"$output")" = 1 ] || has 'f2'
	[ "$(grep -c 'of cell 1 is <cell 1> f1' <<<"$output")" = 1 ] || has 'f1'
}

# below LINE TIME INNER LEAF [OTHERS]: a sampled line of cell 1.
below() {
	jq -nc '{type: "profile_below", cell_index: 1, file: "<cell 1>", function: "<cell 1>", first_line: 1, line: $ARGS.positional[0], source: "line\($ARGS.positional[0])()", threads: false,
		time_s: $ARGS.positional[1], inner_s: $ARGS.positional[2], leaf_s: $ARGS.positional[3], uncounted: false, below: []} + $ARGS.positional[4]' --jsonargs "$@"
}
# pass PROFILER WALL MEMBERS [CPU]
pass() { echo '{"type":"profile","cell_index":1,"profiler":"'"$1"'","wall_s":'"$2"',"error":null,"reason":null,"cpu_s":'"${4:-0}"','"$3"'}'; }
counted() { printf '{"type":"profile_line","cell_index":1,"file":"<cell 1>","function":"<cell 1>","first_line":1,"line":%s,"hits":%s,"time_s":%s,"source":"line%s()"}\n' "$1" "$2" "$3" "$1"; }

@test "the sentence names the own line with its hits, and what of others is below it" {
	{
		pass samples 10 '"sampled_s":10,"threads_s":0'
		below 13 8.1 8.1 0 '{"below": [["/v/lib/python3.11/site-packages/matplotlib/figure.py", "Figure.draw", 8], ["/v/lib/python3.11/site-packages/matplotlib/axes/_base.py", "_AxesBase.draw", 6], ["/v/lib/python3.11/site-packages/matplotlib/text.py", "Text.draw", 3], ["/usr/lib/python3.11/copy.py", "copy", 5]]}'
		below 2 1.9 1.9 1.9
		pass lines 10 '"left_out":0'
		counted 13 12 8.1
		counted 2 1 1.9
	} >sampled
	run runprofile sampled
	[ "${lines[0]}" = '81 % is line 13 of cell 1, `line13()`, 12 times; below it matplotlib `_AxesBase.draw`' ]
	runprofile -f json sampled >folded
	"$ROOT/tests/validate" --strict <folded
	runprofile -f json folded | diff folded -
	[ "$(jq -c 'select(.type == "profile_line") | [(.share * 100 | round), .hot]' folded | paste -sd' ')" = '[19,false] [81,true]' ]
	# An import is that of the module that takes most.
	{ pass samples 10 '"sampled_s":10'; below 1 10 10 0 '{"below": [["<frozen importlib._bootstrap>", "_handle_fromlist", 10], ["/v/lib/python3.11/site-packages/matplotlib/__init__.py", "<module>", 9], ["/v/lib/python3.11/site-packages/matplotlib/pyplot.py", "<module>", 8]]}'; } >imports
	run runprofile imports
	[ "${lines[0]}" = '100 % is line 1 of cell 1, `line1()`; below it the import of matplotlib.pyplot' ]
	# Two runs have one share, and twice the hits.
	run runprofile sampled sampled
	[ "${lines[0]}" = '81 % is line 13 of cell 1, `line13()`, 24 times in 2 runs; below it matplotlib `_AxesBase.draw`' ]
	# Of what threads did there is a line and a share of its own.
	{ cat sampled; pass samples 10 '"sampled_s":0,"threads_s":5'; below 3 3 3 3 '{"threads": true, "function": "f"}'; below 4 2 2 2 '{"threads": true, "function": "f"}'; } >threaded
	run runprofile threaded
	[[ "${lines[0]}" == '81 % is line 13 of cell 1, `line13()`, 12 times; 60 % of 5 s in its threads is line 3 of cell 1 in `f`, `line3()`' ]] || has 'threads'
	run runprofile <<<"$(pass samples 10 '"sampled_s":10'; below 1 10 10 0 '{"source": "%%timeit"}')"
	has 'which runs its code many times (%%time shows its lines)'
}

@test "where counting takes long, shares are those of samples, which lines of one function divide as counted" {
	{
		pass samples 1 '"sampled_s":1,"threads_s":0'
		below 1 0.4 0.4 0.4
		below 3 0.6 0.6 0.6
		pass lines 9 '"left_out":0' 8
		counted 1 1 0.4
		counted 2 1000000 0.45
		counted 3 1000000 0.15
	} >sampled
	[ "$(runprofile -f json sampled | jq -c 'select(.type == "profile_line") | .share * 100 | round' | paste -sd' ')" = '40 45 15' ]
	# A line that mostly calls has its time from samples, however long it was counted.
	{ cat sampled; below 4 1 0 0; counted 4 5 8.5; } >calls
	[ "$(runprofile -f json calls | jq -c 'select(.type == "profile_line" and .line == 4) | .share')" = 1 ]
	# Counting that takes little is exact.
	sed 's/"cpu_s":8/"cpu_s":0.01/' sampled >exact
	[ "$(runprofile -f json exact | jq -c 'select(.type == "profile_line" and .line == 2) | .share')" = 0.05 ]
	# But not of a line that awaits, or whose function calls itself.
	sed 's/"uncounted":false/"uncounted":true/' exact >uncounted
	[ "$(runprofile -f json uncounted | jq -c 'select(.type == "profile_line" and .line == 3) | .share')" = 0.6 ]
}

@test "sampled functions have no calls, and give way to those that were counted" {
	f() { echo '{"type":"profile_function","cell_index":1,"page":false,"id":1,"file":"/a.py","line":1,"function":"f","calls":'"$1"',"primitive_calls":'"$1"',"own_s":1,"cumulative_s":1,"callers":[]}'; }
	{ pass samples 1 '"sampled_s":1'; f null; } >sampled
	runprofile -f json sampled sampled >folded
	[ "$(jq -c 'select(.type == "profile_function") | [.calls, .page, .own_s]' folded)" = '[null,false,2]' ]
	runprofile -f json folded | diff folded -
	f 7 >counted
	for order in 'sampled counted' 'counted sampled'; do
		# shellcheck disable=SC2086  # words
		[ "$(runprofile -f json $order | jq -c 'select(.type == "profile_function") | [.calls, .own_s]')" = '[7,1]' ]
	done
}

@test "the sentences take at most 30 lines" {
	for cell in $(seq 40); do
		{ pass samples 1 '"sampled_s":1'; below 1 1 1 1; } | sed "s/\"cell_index\":1/\"cell_index\":$cell/; s/cell 1/cell $cell/g"
	done >many
	run runprofile --format sentences many
	[ "${#lines[@]}" = 30 ]
	[ "${lines[0]}" = '100 % is line 1 of cell 1, `line1()`' ]
	[ "${lines[29]}" = 'and 11 more cells' ]
	run runprofile --format sentences <<<"$(pass samples null '"x":1' | sed 's/"reason":null/"reason":"the kernel is gone"/')"
	[ "$output" = 'cell 1: samples: the kernel is gone' ]
}
