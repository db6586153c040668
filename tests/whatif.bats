# bats file_tags=untimed
# make whatif: delays of chosen lines in a kernel, the runs that are made, and what their slopes say.
load helpers
load make
load profiled
export PYTHON=${NBSCOPE_VENV:-$ROOT/build/venv}/bin/python

# delayed DELAYS OPTION... CELL...: cells of a kernel in which lines are delayed.
delayed() {
	local more="{\"watch\": true, \"delays\": $1}"
	shift
	OVERLAY='' profiled --profilers whatif --more "$more" "$@"
}

equal() {
	[ "$output" = "$1" ] || { printf 'wanted: %s\ngot: %s\n' "$1" "$output" >&2; return 1; }
}

# Cells with all kinds of statements; what they show may not depend on delays.
every_statement() {
	CELLS=("

from __future__ import annotations
import asyncio, contextlib
from os.path import *
def count(n):
    'text'
    if n == 0:
        return 0
    return 1 + count(n - 1)
def numbers(n):
    for i in range(n):
        got = yield i
        if got:
            print(got)
    yield from range(2)
class C:
    x: int = 1
    __private = 2
    @property
    def p(self):
        return self.__private
def scope():
    n = 0
    def inner():
        nonlocal n
        n += 1
        return n
    inner()
    return inner()
def caught(x):
    try:
        return 1 / x
    except ZeroDivisionError as e:
        return str(e)
    finally:
        print('finally')
async def later(v):
    async with contextlib.AsyncExitStack():
        async for i in steps(2):
            v += i
    return v
async def steps(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i
g = numbers(3); next(g); print(g.send('x'), list(g), count(5), C().p, scope(), caught(0), count.__doc__)
total = 0
while total < 3:
    total += 1
    if total == 2: continue
else:
    print('else')
del g
print([x * y for x in range(2) for y in range(3)], (lambda: 4)())
print(await later(1))
await later(2)" "
%%capture seen

def f():
    return 2
f()
print(5)" 'seen.stdout, f()' "def broken(x):
    y = 1
    return y / x

for i in range(2):
    broken(1 - i)" '%time 1
a = 5
a')
}

# shown: what the cells of the last `profiled` showed and left, without times.
shown() {
	jq -c 'select(.type | IN("output", "reply", "after")) | del(.names)' "$BATS_TEST_TMPDIR/out" |
		sed 's/CPU times: [^"]*//; s/Wall time: [^"\\]*//g'
}

@test "outputs, tracebacks and history of cells of all statements are those of a run without delays" {
	every_statement
	OVERLAY='' profiled "${CELLS[@]}"
	shown >without
	for range in '"line": 1, "to_line": 99' '"line": .'; do
		delayed "$(jq -nc "[range(1; 6) as \$c | range(1; 60) | {file: \"<cell \\(\$c)>\", delay_s: 1e-5} + {$range}] | unique")" "${CELLS[@]}"
		shown | diff without -
		is '[.[] | select(.type == "profile") | .reason] | unique == [null]' true
	done
}

@test "a line is delayed at each hit, in recursion once, in other lines not at all" {
	delayed '[{"file": "<cell 1>", "line": 4, "delay_s": 0.02, "how": "sleep"}, {"file": "<cell 1>", "line": 6, "delay_s": 0.01, "how": "spin"},
		{"file": "<cell 2>", "line": 2, "to_line": 3, "delay_s": 0.03, "how": "native"}, {"file": "<cell 2>", "line": 1}]' 'import time
def down(n):
    if n:
        down(n - 1)
for i in range(4):
    time.sleep(0.001)' 'down(3)
for i in range(2):
    time.sleep(0.05)' '%%time

for i in range(4):
    pass'
	is '[.[] | select(.type == "profile_delay" and .hits > 0) | "\(.cell_index) \(.file):\(.line) \(.hits)"] | join(", ")' \
		'1 <cell 1>:6 4, 2 <cell 1>:4 1, 2 <cell 2>:2 1, 2 <cell 2>:1 1'
	# Never shorter than was asked for, and what a line takes is without its delay.
	is '[.[] | select(.type == "profile_delay" and .delay_s > 0) | .delay_s / {"6": 0.04, "4": 0.02, "2": 0.03}["\(.line)"]] | all(. >= 1)' true
	is '.[] | select(.type == "profile_delay" and .line == 2 and .hits > 0) | .time_s >= 0.1' true
}

@test "lines of a file next to the notebook are delayed, and its functions work where they are sent" {
	mkdir "$BATS_TEST_TMPDIR/beside" && cd "$BATS_TEST_TMPDIR/beside" || return
	printf 'def slow(n):\n    total = 0\n    for i in range(n):\n        total += i\n    return total\n' >beside.py
	EXTRA=$PWD delayed '[{"file": "beside/beside.py", "line": 3, "to_line": 4, "delay_s": 0.01, "how": "sleep"}, {"file": "<cell 1>", "line": 3, "to_line": 4}]' '
def here(n):
    for i in range(n):
        n += i
    return n
import beside
beside.slow(3), beside.slow(4), here(2)' 'import pickle, subprocess, sys
code = """import pickle, sys
line = pickle.loads(sys.stdin.buffer.read())
with line(0):
    print(line(1).ends(2), list(line(2).each([3])))"""
subprocess.run([sys.executable, "-c", code], input=pickle.dumps(_nbscope_line), capture_output=True).stdout'
	is '[.[] | select(.type == "output") | .data["text/plain"]] | join(" ")' "(3, 6, 3) b'2 [3]\\n'"
	is '.[] | select(.type == "profile_delay" and .cell_index == 1 and .line == 3 and .hits == 2) | .delay_s >= 0.02' true
}

@test "a line waits, computes with the lock of Python, or without it" {
	delayed '[{"file": "<cell 1>", "line": 3}, {"file": "<cell 1>", "line": 4}, {"file": "<cell 1>", "line": 6}]' 'import hashlib, time
data = bytes(1 << 22)
time.sleep(0.2)
sum(range(20_000_000))
for i in range(125):
    hashlib.sha256(data).digest()'
	cp "$BATS_TEST_TMPDIR/out" records
	run -0 jq -ncrf "$ROOT/share/whatif/sizes.jq" --argjson chosen "$(jq -nc '{name: "n", cells: [1], links: [],
		delays: [3, 4, 6 | {file: "<cell 1>", line: ., to_line: .}]}')" <(jq -c 'select(.type == "profile_delay")' records)
	run -0 jq -sr '.[0].spec.delays | map(.how) | join(" ")' <<<"$output"
	[ "$output" = 'sleep spin native' ] || { jq -c 'select(.type == "profile_delay") | del(.steps)' records; return 1; }
}

@test "lines that a cell runs both are delayed in different runs, and a size is a share of a hit" {
	run -0 jq -ncrf "$ROOT/share/whatif/sizes.jq" --argjson chosen '{"name":"n","cells":[1,2,3],"links":["latency"],
		"delays":[{"file":"a","line":1,"to_line":1},{"file":"a","line":2,"to_line":2},{"file":"a","line":3,"to_line":3},{"file":"a","line":4,"to_line":4}]}' <<-'R'
		{"type":"profile_delay","cell_index":1,"file":"a","line":1,"to_line":1,"hits":4,"time_s":2,"watched_s":2,"cpu_s":2,"queued_s":0,"unlocked":null}
		{"type":"profile_delay","cell_index":1,"file":"a","line":2,"to_line":2,"hits":1,"time_s":1,"watched_s":1,"cpu_s":0.05,"queued_s":0,"unlocked":0}
		{"type":"profile_delay","cell_index":2,"file":"a","line":3,"to_line":3,"hits":1,"time_s":12,"watched_s":4,"cpu_s":1,"queued_s":3,"unlocked":0.9}
		{"type":"profile_delay","cell_index":4,"file":"a","line":4,"to_line":4,"hits":1,"time_s":3,"watched_s":3,"cpu_s":3,"queued_s":0,"unlocked":0.9}
	R
	run -0 jq -r '"\(.pass) \(.spec.latency // 0) \(.spec.delays | map("\(.line):\(.delay_s)\(.how)") | join(" "))"' <<<"$output"
	equal 'whatif-0 0 1:0spin 2:0sleep 3:0native
whatif-1-50 0 1:0.25spin 2:0sleep 3:1.5native
whatif-1-100 0 1:0.5spin 2:0sleep 3:3native
whatif-2-50 0 1:0spin 2:0.5sleep 3:0native
whatif-2-100 0 1:0spin 2:1sleep 3:0native
whatif-latency-1 20 1:0spin 2:0sleep 3:0native
whatif-latency-2 40 1:0spin 2:0sleep 3:0native'
}

# runs CLIENT [MORE]: records of twelve runs of a cell whose line takes 1 s. CLIENT is the cell's time from the
# delay $d and a small noise $e; MORE are members of the line.
runs() {
	jq -nc "range(3) as \$size | range(4) | (\$size / 2) as \$d | ((. * 7 + \$size * 5) % 4 / 100) as \$e |
		{cell_index: 3, run: \"\(\$size)@\(.)\", pass: (if \$size == 0 then \"whatif-0\" else \"whatif-1-\(\$size * 50)\" end)} |
		(. + {type: \"cell_metrics\", t: 100, execution_status: \"Completed\", client_execution_time_metric: ($1), kernel_s: 1, kernel_cpu_s: 1, machine_cpu_s: 1}),
		(. + {type: \"profile\", beside_s: 0}),
		(. + {type: \"profile_delay\", file: \"<cell 3>\", line: 4, to_line: 4, source: \" fft(x)\", how: \"spin\", hits: 1,
			time_s: 1, delay_s: \$d, main_thread: true, steps: [[99, 0, 0, 0, 0], [101, 1, \$d, 1, \$d], [900, 5, 5, 5, 5]]} + {${2-}})"
}

# says: the sentences for the records on standard input.
says() {
	run -0 jq -L "$ROOT/share/jq" -nrf "$ROOT/share/whatif/whatif.jq" --argjson chosen '{"name":"n","cells":[3],"links":[]}'
	records=$output
	run -0 jq -r .text <<<"$records"
}

@test "a slope of 1 saves the line's time, a slope of 0 nothing, and what the cell did after its end does not count" {
	says < <(runs '3 + $d + $e')
	equal 'line 4 of cell 3, `fft(x)`: mending it saves up to 1 s (0.98 to 1.02 s) of 3.01 s'
	says < <(runs '3 + $e')
	equal 'line 4 of cell 3, `fft(x)`: mending it saves nothing that these runs show (at most 0.02 s of 3.01 s)'
}

@test "a cell that waits for something else first, other threads and a lock make a bound" {
	says < <(runs '3 + ([$d - 0.5, 0] | max) + $e')
	has 'saves nothing'
	says < <(runs '3 + $d + $e' | sed 's/"beside_s":0/"beside_s":0.8/')
	has 'saves at most 1 s (0.98 to 1.02 s) of 3.01 s: other threads and processes work for 0.8 s meanwhile'
	says < <(runs '3 + $d / 2 + $e')
	has ': a part of it runs during other work'
	says < <(runs '3 + $d / 2 + $e' 'main_thread: false')
	has "with Python's lock (the GIL)"
}

@test "runs that differ more than the delays, too few and failed ones show nothing" {
	says < <(runs '3 + $d + $e * 100')
	has 'these runs do not show what mending it saves'
	says < <(runs '3 + $d + $e' | grep -v '@[123]')
	equal 'line 4 of cell 3, `fft(x)`: these runs do not show what mending it saves: more of them may, with a larger REPEAT'
	says < <(runs '3 + $d + $e' | sed 's/"Completed"/"Failed"/')
	equal ''
}

@test "LINES that name no line are refused, and lines that call each other count once" {
	for lines in 3 x:y 3:0; do
		run -5 jq -ncf "$ROOT/share/whatif/lines.jq" --arg name n --argjson cells '[3]' --arg lines "$lines" </dev/null
	done
	local line='"type":"profile_line","cell_index":3,"hot":false,"hits":1'
	run -0 jq -ncf "$ROOT/share/whatif/lines.jq" --arg name n --argjson cells '[3]' --arg lines '' <<-R
		{"type":"profile","profiler":"lines","cell_index":3,"wall_s":10}
		{$line,"file":"<cell 3>","line":1,"time_s":8}
		{$line,"file":"a.py","line":7,"time_s":7.9,"hits":50,"hot":true}
		{$line,"file":"/usr/lib/python3/x.py","line":9,"time_s":7.8}
		{$line,"file":"<cell 3>","line":2,"time_s":1.5}
		{$line,"file":"<cell 3>","line":3,"time_s":1.2,"hits":1000000}
		{$line,"file":"<cell 3>","line":4,"time_s":0.5}
		{"type":"cell_metrics","name":"n","cell_index":3,"client_execution_time_metric":10,"transport_s":2,"client_total_data_received_metric":0}
	R
	run -0 jq -c '[[.delays[] | "\(.file):\(.line)"], .links]' <<<"$output"
	equal '[["<cell 3>:2","a.py:7"],["data","latency"]]'
}

# bats test_tags=thorough
@test "whole runs find that a cell waits for one line and not for another, and are made once" {
	UC=$BATS_TEST_TMPDIR/waits
	mkdir "$UC"
	python3 "$ROOT/tests/nb.py" "$UC/template.ipynb" <<-'EON'
		[("code", "n = {n_value}", ["parameters"]),
		 ("code", "import threading, time\ndef aside():\n    for i in range(n):\n        time.sleep(0.05)"),
		 ("code", "thread = threading.Thread(target=aside)\nthread.start()\ntime.sleep(0.2)\ntime.sleep(0.8)"),
		 ("code", "thread.join()")]
	EON
	echo '{"n": [8]}' >"$UC/params.json"
	nb profile BROWSER=none
	run -0 nb whatif BROWSER=none REPEAT=3 CELLS=3 LINES=2:4,3:3
	has 'line 3 of cell 3, `time.sleep(0.2)`: mending it saves'
	has 'line 4 of cell 2, `time.sleep(0.05)`, in cell 3: mending it saves nothing'
	run -0 jq -c 'select(.type == "whatif") | [.line, .hits, .how, (.low > 0.4 and .high < 2), .high < 0.3]' "$UC/profiles/current/whatif.jsonl"
	equal $'[3,1,"sleep",true,false]\n[4,8,"sleep",false,true]'
	run -0 "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" "$UC/profiles/current/whatif.jsonl" "$UC"/runs/current/*whatif*.jsonl
	run -0 nb whatif BROWSER=none REPEAT=3 CELLS=3 LINES=2:4,3:3
	has 'whatif: 0 of 15 runs with delays'
	run -2 nb whatif BROWSER=none CELLS=3 LINES=line:3:0
	has 'whatif: LINES are as in 3:4,5:2-6'
	# What explain names is delayed where nobody says what.
	run -0 nb whatif BROWSER=none REPEAT=3 CELLS=3
	has 'line 4 of cell 3, `time.sleep(0.8)`: mending it saves'
}
