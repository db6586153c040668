# bats file_tags=untimed,long
# share/profile: profilers in a kernel, without a browser. What they find is known: the cells say
# how often their lines run, how long they sleep and how much they allocate.
load helpers
load profiled
every_package

setup_file() {
	find_overlay
	cat >"$BATS_FILE_TMPDIR/counted.py" <<-'P'
		import functools
		import line_profiler

		def hidden(f):
		    def wrapper(*args):
		        return f(*args)
		    return wrapper

		def wrapped(f):
		    @functools.wraps(f)
		    def wrapper(*args):
		        return f(*args)
		    return wrapper

		class Counter:
		    @property
		    def third(self):
		        return 3

		    @classmethod
		    @wrapped
		    def count(cls, n):
		        total = 0
		        for i in range(n):
		            if i % 100 < 3:
		                total += 1
		        return total

		    @hidden
		    def hide(self, n):
		        return n + 1

		def numbers(n):
		    for i in range(n):
		        yield i

		async def later(n):
		    for i in range(n):
		        await nothing()
		    return n

		async def nothing():
		    pass

		@line_profiler.profile
		def marked():
		    return 1

		@profile
		def marked_as_by_kernprof():
		    return 2
	P
}

teardown() {
	[ -z "${started[*]}" ] || { kill "${started[@]}"; wait "${started[@]}" || true; } 2>/dev/null
}

needs_memray() {
	[ -d "$OVERLAY/memray" ] || skip "no memray for this Python"
}

BRANCH='total = 0
for i in range(1000):
    if i % 100 < 3:
        total += i
def double(n):
    return 2 * n
total = double(total)'

@test "hits of a cell's lines and of a function that it defines are exact" {
	profiled --profilers lines "$BRANCH"
	is "$(lines_of '<cell 1>')" "1:1 2:1001 3:1000 4:30 5:1 7:1"
	is "$(lines_of double)" "6:1"
	is '[.[] | select(.type == "profile_line" and .function == "<cell 1>") | .source] | join("\n")' "$BRANCH"
	unpack cell-001.lprof
	PYTHONPATH=$OVERLAY run -0 "$PYTHON" -m line_profiler cell-001.lprof
	has "     4        30 "
}

@test "lines that sleep have their share of the time within two percent" {
	profiled --profilers lines 'import time
for i in range(20):
    time.sleep(0.06)
    time.sleep(0.02)'
	value '[.[] | select(.type == "profile_line" and .function == "<cell 1>")] | (map(.time_s) | add) as $all | map(.time_s / $all) | [(.[2] - 0.75) * 100, (.[3] - 0.25) * 100] | map(fabs) | max < 2'
	[ "$output" = true ] || { jq -c 'select(.type == "profile_line")' out >&2; return 1; }
}

# The cells say how long their lines take, whatever else the machine does, or print it.
OWN_LINES=('import asyncio, time
from concurrent.futures import ThreadPoolExecutor
def down(n):
    time.sleep(0.02)
    if n:
        down(n - 1)
def each(n):
    for i in range(n):
        time.sleep(0.03)
        yield i
def loop(n):
    x = 0
    for i in range(n):
        x += i % 7
    return x
def naps(n):
    time.sleep(0.1 * n)
    time.sleep(0.3 * n)
def visit(n):
    return n if n < 2 else visit(n - 1) + visit(n - 2)
async def nap(s):
    await asyncio.sleep(s)' 'down(20)
time.sleep(0.42)' 'for x in each(20):
    time.sleep(0.01)' 'with ThreadPoolExecutor(2) as pool:
    r = list(pool.map(naps, [1] * 4))' 'began = time.perf_counter()
loop(2000000)
took = time.perf_counter() - began
time.sleep(0.3)
print(took / (time.perf_counter() - began))' 'await asyncio.gather(nap(0.2), nap(0.6))
time.sleep(0.2)' '%%time
time.sleep(0.2)
time.sleep(0.8)' 'began = time.perf_counter()
visit(24)
took = time.perf_counter() - began
time.sleep(0.2)
print(took / (time.perf_counter() - began))')

@test "own lines have their share of the time within five points: under recursion, in generators, threads and tasks, and where counting takes long" {
	local pass attempt
	truth() { jq -r --argjson cell "$1" 'select(.type == "output" and .cell == $cell and .text) | .text | tonumber' samples; }
	# A busy machine looks late.
	for attempt in 1 2 3; do
		for pass in samples lines; do
			profiled --profilers $pass --arm 2,3,4,5,6,7,8 "${OWN_LINES[@]}"
			mv out $pass
		done
		runprofile -f json samples lines >folded
		run -0 jq -nrc --argjson loop "$(truth 5)" --argjson visit "$(truth 8)" '[inputs | select(.type == "profile_below" or .type == "profile_line" and .share > 0)] as $lines |
		[[2, "<cell 2>", 1, 0.5], [2, "down", 4, 0.5], [2, "down", 6, 0.476], [3, "each", 9, 0.75], [3, "<cell 3>", 2, 0.25], [4, "naps", 17, 0.25], [4, "naps", 18, 0.75],
			[5, "<cell 5>", 2, $loop], [6, "nap", 22, 0.75], [6, "<cell 6>", 1, 0.75], [7, "<cell 7>", 3, 0.8], [8, "<cell 8>", 2, $visit], [8, "visit", 20, $visit]][] | . as [$cell, $function, $line, $share] |
		[$lines[] | select(.cell_index == $cell and .function == $function and .line == $line) | .share | select((. - $share) * 100 | fabs | . > 5)] as $wrong |
		select($wrong != [] or all($lines[]; .cell_index != $cell or .function != $function or .line != $line)) | [$cell, $function, $line, $share, $wrong]' folded
		[ "$output" ] || break
	done
	[ -z "$output" ] || has nothing
	# A loop takes several times as long when it is counted, and yet is not blamed.
	[ "$(jq -s 'map(select(.type == "profile" and .cell_index == 5) | .cpu_s) | max / min > 2' folded)" = true ]
	COLUMNS=200 run -0 runprofile --format sentences samples lines
	has 'line 4 of cell 1 in `down`, `time.sleep(0.02)`, 21 times'
	has 'in its threads is line 18 of cell 1 in `naps`, `time.sleep(0.3 * n)`, 4 times'
	jq -c 'select(.type | startswith("profile"))' samples | "$ROOT/tests/validate"
}

@test "what is below own lines is others', and own code are files next to the notebook, modules that are not installed, and what is named" {
	mkdir -p "$BATS_TEST_TMPDIR/site/lib/python3.11/site-packages/theirs" "$BATS_TEST_TMPDIR/editable"
	printf 'import time\ndef work(n):\n    nap(n)\ndef nap(n):\n    time.sleep(n)\n' | tee "$BATS_TEST_TMPDIR/beside.py" "$BATS_TEST_TMPDIR/editable/mine.py" >"$BATS_TEST_TMPDIR/site/lib/python3.11/site-packages/theirs/__init__.py"
	local cells=('import beside, mine, theirs' 'beside.work(0.2)' 'mine.work(0.2)' 'theirs.work(0.2)')
	EXTRA=$BATS_TEST_TMPDIR/editable:$BATS_TEST_TMPDIR/site/lib/python3.11/site-packages
	export EXTRA
	profiled --profilers samples --arm 2,3,4 "${cells[@]}"
	run -0 runprofile --format sentences out
	has 'of cell 2 is line 5 of beside.py in `nap`, `time.sleep(n)`'
	has 'of cell 3 is line 5 of mine.py in `nap`, `time.sleep(n)`'
	has 'is line 1 of cell 4, `theirs.work(0.2)`; below it theirs `nap`'
	profiled --profilers lines --arm 2,3,4 "${cells[@]}"
	is '[.[] | select(.type == "profile_line" and .function == "nap" and .hits > 0) | .file | split("/") | last] | join(" ")' 'beside.py mine.py'
	for pass in samples lines; do
		profiled --profilers $pass --arm 4 --function theirs:nap "${cells[@]}"
		mv out $pass
	done
	run -0 runprofile --format sentences samples lines
	has 'of cell 4 is line 5 of __init__.py in `nap`, `time.sleep(n)`, once'
}

@test "a comprehension is a part of its line, as it is for counting" {
	profiled --profilers samples $'import time\ndef squares():\n    return [time.sleep(0.02) for i in range(20)]\nsquares()\nsum(time.sleep(0.01) or 1 for i in range(10))'
	is '[.[] | select(.type == "profile_below" and .time_s > 0.05) | "\(.function):\(.line)"] | sort | join(" ")' '<cell 1>:4 <cell 1>:5 squares:3'
}

@test "%%timeit has a sentence that says what to use instead" {
	profiled --profilers samples $'%%timeit -n 3 -r 3\nsum(range(1000000))'
	run -0 runprofile --format sentences out
	has 'which runs its code many times (%%time shows its lines)'
}

@test "named functions are counted through decorators, methods, properties, generators and await" {
	profiled --profilers lines --arm 2 --function counted:Counter.third --function counted:Counter.count \
		--function 'counted:Counter.h*' --function "$BATS_FILE_TMPDIR/counted.py:numbers" --function counted:later \
		--function counted:nowhere 'import counted' \
		'c = counted.Counter()
n = counted.Counter.count(1000), c.third, c.hide(1), sum(counted.numbers(10))
counted.marked() + counted.marked_as_by_kernprof()
await counted.later(5)'
	is "$(lines_of Counter.count | sed 's/\.line)/.source | gsub("^ +"; ""))/')" \
		"total = 0:1 for i in range(n)::1001 if i % 100 < 3::1000 total += 1:30 return total:1"
	is "$(lines_of numbers | sed 's/\.line)/.source | gsub("^ +"; ""))/')" "for i in range(n)::11 yield i:10"
	is "$(lines_of later | sed 's/\.line)/.source | gsub("^ +"; ""))/')" "for i in range(n)::6 await nothing():5 return n:1"
	for function in Counter.third Counter.hide marked marked_as_by_kernprof; do
		is "[.[] | select(.type == \"profile_line\" and .function == \"$function\") | .hits] | add" 1
	done
	is '.[] | select(.type == "profile") | .missing[]' counted:nowhere
	is '[.[] | select(.type == "profile_line" and .function == "wrapper")] | length' 0
}

@test "a module and a pattern name all their functions" {
	profiled --profilers lines --arm 2 --function counted 'import counted' 'counted.Counter.count(10)'
	is '[.[] | select(.type == "profile_line" and .file != "<cell 2>") | .function] | unique | join(" ")' \
		"Counter.count Counter.hide Counter.third hidden hidden.<locals>.wrapper later marked marked_as_by_kernprof nothing numbers wrapped wrapped.<locals>.wrapper"
	profiled --profilers lines --arm 2 --function 'count*:num*' 'import counted' 'sum(counted.numbers(3))'
	is "$(lines_of numbers | sed 's/\.line)/.source | gsub("^ +"; ""))/')" "for i in range(n)::4 yield i:3"
}

@test "calls and callers are exact, and nothing that IPython does around the cell is in them" {
	profiled --profilers functions 'import time
def inner():
    time.sleep(0.01)
def outer(n):
    return inner() if n == 0 else outer(n - 1)
for i in range(5):
    outer(3)
x = 1' 'outer(0); exec("y = 1")
1 / 0'
	is '.[] | select(.type == "profile_function" and .cell_index == 1 and .function == "outer") | "\(.file) \(.line) \(.calls) \(.primitive_calls)"' "<cell 1> 4 20 5"
	is '[.[] | select(.type == "profile_function" and .cell_index == 1)] | (map({key: "\(.id)", value: .function}) | from_entries) as $f | .[] | select(.function == "inner") | "\(.calls) \($f["\(.callers[0][0])"]) \(.callers[0][1])"' "5 outer 5"
	is '[.[] | select(.type == "profile_function" and .cell_index == 1) | .function] | sort | join(" ")' "<built-in method time.sleep> <cell 1> inner outer"
	is '[.[] | select(.type == "profile_function" and .cell_index == 2) | .function] | map(select(. != "<module>")) | sort | join(" ")' "<built-in method builtins.exec> <built-in method time.sleep> <cell 2> inner outer"
	is '.[] | select(.type == "profile_function" and .cell_index == 2 and .function == "<built-in method builtins.exec>") | .calls' 1
	is '.[] | select(.type == "profile") | .error' $'null\nZeroDivisionError'
	unpack cell-001.pstats
	run -0 "$PYTHON" -c 'import pstats; pstats.Stats("cell-001.pstats").strip_dirs().sort_stats("cumulative").print_stats().print_callers()'
	has "<cell 1>:4(outer)"
}

@test "an allocation is found at its line, at the peak and at the end" {
	needs_memray
	profiled --profilers memory 'def make(n):
    kept = bytearray(n)
    freed = bytearray(3 * n)
    return kept
kept = make(5000000)
also = bytearray(2000000)' 'import asyncio
async def late():
    return bytearray(4000000)
x = await asyncio.gather(late(), late())'
	is '[.[] | select(.type == "profile_allocation" and .bytes > 1e6) | "\(.cell_index) \(.when) \(.file):\(.line) \(.function) \(.bytes / 1e6 | floor)"] | join(", ")' \
		"1 peak <cell 1>:3 make 15, 1 peak <cell 1>:2 make 5, 1 end <cell 1>:2 make 5, 1 end <cell 1>:6 <cell 1> 2, 2 peak <cell 2>:3 late 8, 2 end <cell 2>:3 late 8"
	is '[.[] | select(.type == "profile") | .peak_bytes / 1e6 | floor] | join(" ")' "20 8"
	is '[.[] | select(.type == "profile_allocation" and (.file | test("nbscope.profile")))] | length' 0
	unpack cell-001.bin
	PYTHONPATH=$OVERLAY run -0 "$PYTHON" -m memray flamegraph -o cell-001.html cell-001.bin
	run -0 grep -c "def make\|\"make\"" cell-001.html
}

# Cells of all kinds; what they show, and what the kernel is afterwards, must not differ.
same_as_unprofiled() {
	local cells=("

x = 1
x + 1" "%%time
y = x" "%%bash
echo from bash" "import asyncio
await asyncio.sleep(0.01)
'after await'" "def f():
    raise ValueError('known')
f()" "async def g():
    1 / 0
await g()" "x = (" "%%capture captured
print('captured')" "!echo from the shell
print(captured.stdout)
x;" "import inspect, warnings
from IPython.display import display
display('shown')
inspect.getsource(f)" "raise SystemExit(3)")
	# What a clock or a process number changes.
	local differs='del(.metadata) | walk(if type == "string" then gsub("0x[0-9a-f]+|(CPU times|Wall time):[^\n]*|ipykernel_[0-9]+"; "") else . end)'
	# Once for all profilers.
	if [ ! -e "$BATS_FILE_TMPDIR/without" ]; then
		profiled "${cells[@]}"
		jq -c "select(.type | test(\"^(output|reply|after)\")) | $differs" out >"$BATS_FILE_TMPDIR/without"
	fi
	profiled --profilers "$1" "${cells[@]}"
	jq -c "select(.type | test(\"^(output|reply|after)\")) | $differs" out >"$BATS_TEST_TMPDIR/with"
	[ "$(wc -l <"$BATS_FILE_TMPDIR/without")" -ge 24 ]
	diff "$BATS_FILE_TMPDIR/without" "$BATS_TEST_TMPDIR/with"
	is '[.[] | select(.type == "profile") | .cell_index] | unique | length' 11
	is '[.[] | select(.type == "profile" and .cell_index == 7) | .reason] | unique[]' "the cell did not compile"
}

@test "outputs, tracebacks, history and variables are those of a run without the profiler of functions" {
	same_as_unprofiled functions
}

# bats test_tags=thorough
@test "outputs, tracebacks, history and variables are those of a run without the profiler of lines" {
	same_as_unprofiled lines
}

# bats test_tags=thorough
@test "outputs, tracebacks, history and variables are those of a run without the profiler of memory" {
	needs_memray
	same_as_unprofiled memory
}

# Cells whose code runs elsewhere: in functions of another cell, below magics, in a file, in threads
# and tasks, in a module that the same statement imports. Each passes 0.08 s where its time is.
elsewhere() {
	cat >"$BATS_FILE_TMPDIR/fresh.py" <<-'P'
		import time
		def outer(n):
		    def inner():
		        time.sleep(0.02)
		        return n
		    return sum(inner() for _ in range(n))
	P
	cat >"$BATS_FILE_TMPDIR/script.py" <<-'P'
		import time
		def main():
		    for _ in range(4):
		        time.sleep(0.02)
		main()
	P
	CELLS=('import asyncio, threading, time, concurrent.futures
def load(n):
    for i in range(n):
        time.sleep(0.02)
def gen(n):
    for i in range(n):
        time.sleep(0.02)
        yield i
def make(k):
    def made():
        time.sleep(0.02)
        return k
    return made
made = [make(i) for i in range(2)]
async def nap():
    await asyncio.sleep(0.08)
    return 1
async def outer_nap():
    return await nap()
pool = concurrent.futures.ThreadPoolExecutor(1)
pool.submit(int).result()' 'load(4)' 'list(gen(4))' '[f() for f in made * 2]' 'await outer_nap()' '%%time

q = 0
for i in range(4):
    q += time.sleep(0.02) or i
q' '%%capture
for i in range(4):
    time.sleep(0.02)' "%run $BATS_FILE_TMPDIR/script.py" 'x = 1
%time time.sleep(0.05)
%time time.sleep(0.03)' 'import fresh; fresh.outer(4)' 't = threading.Thread(target=load, args=(2,))
t.start()
t.join()
list(pool.map(load, [1, 1]))' 'await asyncio.gather(nap(), nap())' "begun = time.perf_counter()
$(for i in {1..200}; do echo "v$i = $i"; done)
time.perf_counter() - begun" 'import subprocess, sys
subprocess.run([sys.executable, "-c", "import time\nwhile time.process_time() < 0.3: pass"])')
	profiled --profilers "$1" --arm 2,3,4,5,6,7,8,9,10,11,12,13,14 --function 'fresh:outer.<locals>.inner' \
		--function nowhere:missing "${CELLS[@]}"
	is '[.[] | select(.type == "reply") | .status] | unique[]' ok
}

# Lines that took a third of 0.08 s: "cell function:line:hits".
slow_lines='[.[] | select(.type == "profile_line" and .cell_index < 14 and .time_s > 0.028) | "\(.cell_index) \(.function):\(.line):\(.hits)"] | join(", ")'

@test "lines are found in functions of other cells, below magics, in files, threads, tasks and fresh imports, and counted once" {
	elsewhere lines
	local found='2 <cell 2>:1:1, 2 load:4:4, 3 <cell 3>:1:1, 3 gen:7:4, 4 <cell 4>:1:1, 4 make.<locals>.made:11:4'
	found+=', 5 <cell 5>:1:1, 5 outer_nap:19:1, 5 nap:16:1, 6 <cell 6>:5:4, 7 <cell 7>:3:4, 8 <cell 8>:1:1, 8 main:4:4, 8 <module>:5:1'
	found+=', 9 <cell 9>:2:1, 9 <cell 9>:3:1, 10 <cell 10>:1:2, 10 outer:6:1, 10 outer.<locals>.inner:4:4'
	found+=', 11 <cell 11>:3:1, 11 <cell 11>:4:1, 11 load:4:4, 12 <cell 12>:1:1, 12 nap:16:2'
	value "$slow_lines"
	diff <(tr , '\n' <<<"$output" | sed 's/^ //' | sort) <(tr , '\n' <<<"$found" | sed 's/^ //' | sort)
	# A wait is that of each line that awaits; what a magic runs is not its own line's, too.
	is '[.[] | select(.cell_index == 5 and .type == "profile_line" and .time_s > 0.016) | .time_s >= 0.08 and .time_s < 0.3] | unique[]' true
	is '[.[] | select(.type == "profile_line" and .file == "<cell 6>")] | (map(.time_s) | add) as $all | (.[4].time_s / $all) > 0.8 and .[0].hits == 1' true
	is '[.[] | select(.type == "profile_line" and .cell_index == 9 and .time_s > 0) | .time_s < 0.2] | unique[]' true
	# A name that is not found is not searched for at each statement.
	is '.[] | select(.type == "output" and .cell == 13) | .data["text/plain"] | tonumber < 2' true
	is '.[] | select(.type == "profile" and .cell_index == 13) | .missing | join(" ")' nowhere:missing
	is '.[] | select(.type == "profile" and .cell_index == 11) | .note' 'what it ran in 2 other threads is counted, too; PROFILERS=stacks shows them'
	is '.[] | select(.type == "profile" and .cell_index == 14) | .note | test("^other processes used 0.[0-9]+ s of CPU time, which is not counted; PROFILERS=stacks shows them")' true
}

@test "functions are found below magics, in files, threads and tasks; a coroutine is called once, and nothing of IPython is counted" {
	elsewhere functions
	# What has half of a cell's time, with its calls, but the cell itself and built-ins.
	is '[.[] | select(.type == "profile_function" and .cumulative_s > 0.04 and .cell_index != 14 and .line > 0 and (.function | startswith("<") | not) and (.file | test("/lib/python|asyncio") | not)) | "\(.cell_index) \(.function):\(.calls)"] | sort | join(", ")' \
		'10 outer.<locals>.<genexpr>:5, 10 outer.<locals>.inner:4, 10 outer:1, 11 load:3, 12 nap:2, 2 load:1, 3 gen:5, 4 make.<locals>.made:4, 5 nap:1, 5 outer_nap:1, 8 main:1'
	is '[.[] | select(.type == "profile_function" and .cell_index > 5 and .cell_index < 10 and (.file | test("IPython|ipykernel"))) | .function] | length' 0
	# The cell has its time once, and calls what its magic runs.
	is '[.[] | select(.type == "profile_function" and .cell_index == 6 and .cumulative_s > 0.04 and .line > 0) | "\(.function) \(.calls) \(.cumulative_s < 0.3)"] | join(", ")' '<cell 6> 1 true'
	is '[.[] | select(.type == "profile_function" and .cell_index == 8)] | (map({key: "\(.id)", value: .function}) | from_entries) as $f | .[] | select(.function == "main") | $f["\(.callers[0][0])"]' '<module>'
	is '[.[] | select(.type == "profile_function" and .cell_index == 5 and .function == "nap") | .cumulative_s >= 0.08] | unique[]' true
}

@test "the search for functions adds no time to lines, and finds none that a profile has made" {
	echo 'def late(): pass' >"$BATS_FILE_TMPDIR/late.py"
	profiled --profilers lines --function late:late 'many = [eval("lambda: 0") for _ in range(100000)]
def own():
    def made():
        pass
    return made
made = [own() for _ in range(3000)]' 'for f in made: f()' own\(\){,,,,,,,,,,,} 'import late; late.late()'
	is '[.[] | select(.type == "profile") | .left_out] | unique[]' 0
	is "$(lines_of 'own.<locals>.made')" "4:3000"
	is '[.[] | select(.type == "profile_line" and .cell_index == 15 and .hits > 0) | "\(.function):\(.line):\(.hits)"] | join(" ")' '<cell 15>:1:2 late:1:1'
	is '[.[] | select(.cell_index == 15 and (.time_s // .wall_s) > 0.04)] | length' 0
}

@test "waits in asynchronous generators, and threads that an earlier cell began, are found" {
	local cells=('import asyncio, time
async def numbers():
    for i in range(2):
        await asyncio.sleep(0.04)
        yield i
def nap():
    time.sleep(0.08)' '[i async for i in numbers()]' 'async for i in numbers():
    pass' 'await asyncio.to_thread(nap)' 'await asyncio.to_thread(nap)')
	profiled --profilers lines --arm 2,3,4,5 "${cells[@]}"
	is '[.[] | select(.type == "profile_line" and .time_s > 0.07) | "\(.cell_index) \(.function):\(.line):\(.hits)"] | sort | join(", ")' \
		'2 <cell 2>:1:1, 2 numbers:4:2, 3 <cell 3>:1:3, 3 numbers:4:2, 4 <cell 4>:1:1, 4 nap:7:1, 5 <cell 5>:1:1, 5 nap:7:1'
	is '[.[] | select(.type == "profile" and .cell_index > 3) | .note] | unique[]' 'what it ran in 1 other thread is counted, too; PROFILERS=stacks shows them'
	profiled --profilers functions --arm 2,3,4,5 "${cells[@]}"
	is '[.[] | select(.type == "profile_function" and .cumulative_s > 0.07 and (.function | test("^n"))) | "\(.cell_index) \(.function):\(.calls)"] | sort | join(", ")' \
		'2 numbers:3, 3 numbers:3, 4 nap:1, 5 nap:1'
}

@test "lines of a function that %autoreload has changed are those of the file as it is now" {
	EXTRA=$BATS_TEST_TMPDIR profiled --profilers lines --arm 4 --function reloaded '%load_ext autoreload
%autoreload 2
import os, pathlib
def write(text, t):
    pathlib.Path("reloaded.py").write_text(text)
    os.utime("reloaded.py", (t, t))
write("import time\n\ndef f():\n    time.sleep(0.01)\n", 1000000000)' 'import reloaded; reloaded.f()' \
		'write("import time\n\n# changed\ndef f():\n    x = 1\n\n    time.sleep(0.03)\n    time.sleep(0.01)\n", 1100000000)' 'reloaded.f(); reloaded.f()'
	is '[.[] | select(.type == "profile_line" and .function == "f" and .hits > 0) | "\(.line):\(.hits)\(.source)"] | join(" ")' \
		'5:2    x = 1 7:2    time.sleep(0.03) 8:2    time.sleep(0.01)'
}

@test "lines are the author's, below empty lines and below %%time" {
	profiled --profilers lines '

%%time
for i in range(3):
    pass' '
import asyncio
for i in range(2):
    await asyncio.sleep(0.05)'
	is "$(lines_of '<cell 1>')" "3:1 4:4 5:3"
	is "$(lines_of '<cell 2>')" "2:1 3:3 4:2"
	is '.[] | select(.type == "profile_line" and .function == "<cell 2>" and .line == 4) | .time_s >= 0.1' true
}

@test "a cell that is interrupted leaves the profile so far" {
	local profiler
	for profiler in functions ${ALL:+lines} memory; do
		[ $profiler != memory ] || [ -d "$OVERLAY/memray" ] || continue
		profiled --profilers $profiler --interrupt waiting 'import time
def wait():
    time.sleep(60)
x = bytearray(3000000)
print("waiting", flush=True)
wait()' 'x = 2'
		is '[.[] | select(.type == "profile") | .error] | join(" ")' "KeyboardInterrupt "
		is '[.[] | select(.type == "profile") | .reason] | unique == [null]' true
		is '[.[] | select(.cell_index == 1 and (.function == "wait" or .bytes > 2e6))] | length > 0' true
		is '[.[] | select(.type == "after") | .trace, .profile] | join(" ")' "None None"
	done
}

@test "a Tracker of memray that the cell starts itself works, and the record says so" {
	needs_memray
	profiled --profilers memory 'import memray
with memray.Tracker("own.bin"):
    x = bytearray(1000)' 't = memray.Tracker("other.bin").__enter__()' 'x = 1'
	is '[.[] | select(.type == "reply") | .status] | join(" ")' "ok ok ok"
	is '.[] | select(.type == "profile" and .cell_index == 3) | .reason' "memray: No more than one Tracker instance can be active at the same time"
}

@test "a cProfile that the cell uses itself works, and the record says so" {
	profiled --profilers functions 'import cProfile, pstats, io
p = cProfile.Profile()
p.enable()
sum(map(abs, range(10)))
p.disable()
len(pstats.Stats(p, stream=io.StringIO()).stats) > 1'
	is '.[] | select(.type == "output") | .data["text/plain"]' True
	# Since Python 3.12, both work at once.
	local reason="the cell started a profiler of its own, which is left out"
	"$PYTHON" -c 'import sys; sys.exit(sys.version_info >= (3, 12))' || reason=null
	is '.[] | select(.type == "profile") | .reason' "$reason"
}

@test "a profiler that is not there has a reason, and the others work" {
	profiled --overlay /nonexistent --profilers lines+functions+stacks 'x = 1'
	is '[.[] | select(.type == "profile") | "\(.profiler) \(.reason)"] | sort | join(", ")' \
		"functions null, lines ModuleNotFoundError: No module named 'line_profiler', stacks there is no such profiler in the kernel"
}

@test "two profilers at once see the same cell" {
	profiled --profilers functions+lines 'def f():
    return 1
for i in range(7):
    f()'
	is "$(lines_of f)" "2:7"
	is '[.[] | select(.type == "profile") | .reason] | unique == [null]' true
	is '.[] | select(.type == "profile_function" and .function == "f") | .calls' 7
}

@test "memory and functions, which need the same hook, are not measured in one pass" {
	needs_memray
	profiled --profilers functions+memory 'x = 1'
	is '[.[] | select(.type == "profile") | "\(.profiler) \(.reason)"] | join(", ")' \
		"functions null, memory not in one pass with functions: both need Python's profile hook"
	profiled --profilers lines+memory 'x = bytearray(2000000)'
	is '.[] | select(.type == "profile_allocation" and .when == "end" and .bytes > 1e6) | .line' 1
	is "$(lines_of '<cell 1>')" 1:1
}

@test "a cell that is not selected has no records, and its functions keep its name" {
	profiled --profilers functions --arm 2 'def f(): return 1' 'f()'
	is '[.[] | select(.cell_index == 1)] | length' 0
	is '.[] | select(.type == "profile_function" and .function == "f") | .file' "<cell 1>"
}

@test "dask's report is of a cluster of the cell's own, or of the notebook's Client" {
	local dask=$ROOT/build/profilers/dask-test
	[ -d "$dask" ] || (cd "$ROOT" && mk/setup/install-packages.sh "$PYTHON" --target "$dask" --only-binary :all: \
		"distributed==$("$PYTHON" -c 'import dask; print(dask.__version__)')" bokeh prometheus_client)
	COMPILED=yes EXTRA=$dask profiled --profilers functions+dask --arm 1,2,4 \
		--tag profile-dask:n_workers=2 --tag profile-dask:threads_per_worker=1 --tag 'profile-dask:report_name=two workers/x' \
		'import dask, os, time
def work(i):
    time.sleep(0.05)
    return os.getpid()
pids = dask.compute(*[dask.delayed(work)(i) for i in range(8)])
len(set(pids)), os.getpid() in pids' '1 / 0' \
		'from distributed import Client
client = Client(n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0")' \
		'client.submit(work, 1).result() in pids'
	is '[.[] | select(.type == "output" and .data) | .data["text/plain"]] | join(" ")' "(2, False) False"
	is '[.[] | select(.type == "profile" and .profiler == "dask") | "\(.cell_index) \(.error) \(.reason)"] | join(", ")' \
		"1 null null, 2 ZeroDivisionError null, 4 null null"
	is '[.[] | select(.type == "profile_task" and .cell_index == 1 and .action == "compute")] | [length, (map(.worker) | unique | length), (map(.duration_s >= 0.05) | all), (map(.function) | unique[])] | join(" ")' "8 2 true work"
	is '[.[] | select(.type == "profile" and .profiler == "dask") | .prometheus_targets | (.scheduler != null), (.workers | length)] | join(" ")' "true 2 true 2 true 1"
	is '[.[] | select(.type == "profile" and .profiler == "dask") | .dashboard | test("^http://127.0.0.1:[0-9]+/status$")] | all' true
	is '[.[] | select(.type == "profile_file" and .profiler == "dask") | .name] | join(" ")' \
		"cell-001-two_workers_x.html cell-002-two_workers_x.html cell-004-two_workers_x.html"
	is '.[] | select(.type == "profile_function" and .cell_index == 1 and .function == "work") | [.calls, .processes] | tostring' '[8,2]'
	unpack cell-001-two_workers_x.html
	run -1 grep -o '<\(script\|link\)[^>]*\(src\|href\)="http[^"]*' cell-001-two_workers_x.html
	run -0 grep -c "delayed(work)" cell-001-two_workers_x.html
}

# bats test_tags=thorough
@test "an option that dask's profiler does not have is named" {
	EXTRA=$ROOT/build/profilers/dask-test
	[ -d "$EXTRA" ] || skip "the test before this one installs dask"
	EXTRA=$EXTRA profiled --profilers dask --tag profile-dask:workers=2 'x = 1'
	is '.[] | select(.type == "profile") | .reason' "there is no option workers: the options are n_workers, threads_per_worker, report_name, enable, display"
	EXTRA=$EXTRA profiled --profilers dask --tag profile-dask:enable=false 'x = 1'
	is '.[] | select(.type == "profile") | .reason' "switched off by the option enable"
}

# clustered CODE: a notebook whose first cell starts a cluster, and whose second cell is CODE.
clustered() {
	DASK=$ROOT/build/profilers/dask-test
	[ -d "$DASK" ] || skip "a test before this one installs dask"
	cd "$BATS_TEST_TMPDIR" || return
	export DASK_TARGETS=$PWD/targets
	CODE=$1 python3 -c 'import json, os; print(json.dumps([["code", s] for s in (
		"from distributed import Client, LocalCluster\ncluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=\"127.0.0.1:0\")\n"
		"client = Client(cluster)\nimport os, signal, time", os.environ["CODE"])]))' |
		python3 "$ROOT/tests/nb.py" n.ipynb
}

@test "a run writes where a cluster of dask is, for Prometheus, and nothing of it remains, also if its kernel is killed" {
	clustered 'os.system("cat $DASK_TARGETS/*.json >$DASK_TARGETS/../seen"); os.kill(os.getpid(), signal.SIGKILL)'
	# Of a server that was killed, of one that runs, and of one on another machine.
	mkdir targets
	touch "targets/nbscope-999999999@$(uname -n)@k-s.json" "targets/nbscope-$$@$(uname -n)@k-s.json" targets/nbscope-999999999@elsewhere@k-s.json targets/others.json
	PYTHONPATH=$DASK run labserve kernelrun n.ipynb 3>&-
	status_is 1
	has '"kernel_died"'
	run -0 jq -c 'map([.labels.role, (.targets | map(test("^127.0.0.1:[0-9]+$")))])' seen
	[ "$output" = '[["scheduler",[true]],["worker",[true,true]]]' ]
	[ "$(ls targets)" = "$(printf '%s\n' "nbscope-$$@$(uname -n)@k-s.json" nbscope-999999999@elsewhere@k-s.json others.json | sort)" ]
}

# bats test_tags=thorough
@test "Prometheus reads the scheduler and the workers of a cluster of dask while a notebook runs, and no longer" {
	local port
	PATH=$PATH:$ROOT/build/testdebs/usr/bin
	command -v prometheus >/dev/null || skip "no prometheus (Debian: prometheus)"
	clustered 'until = time.time() + 60
while not os.path.exists(os.environ["DASK_TARGETS"] + "/../go") and time.time() < until: time.sleep(0.1)'
	DASK_TARGETS=$PWD/dask-targets
	mkdir dask-targets
	sed 's/: 1m/: 1s/; /rule_files/,/^$/d' "$ROOT/share/prometheus/prometheus.yml" >prometheus.yml
	port=$(python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])')
	prometheus --config.file=prometheus.yml --storage.tsdb.path=data --web.listen-address="127.0.0.1:$port" >server.log 2>&1 3>&- &
	started=($!)
	asks() { curl -fs "http://127.0.0.1:$port/api/v1/query" --data-urlencode "query=$1" | jq -e '.data.result | length > 0' >/dev/null; }
	scrapes() { [ "$(curl -fs "http://127.0.0.1:$port/api/v1/targets?state=active" | jq '[.data.activeTargets[] | select(.scrapePool == "dask")] | length')" = "$1" ]; }
	PYTHONPATH=$DASK labserve kernelrun n.ipynb >n.jsonl 2>log 3>&- &
	run=$!
	wait_for asks 'sum(dask_scheduler_workers{job="dask",role="scheduler"}) == 2' || { cat server.log log; return 1; }
	wait_for asks 'sum(up{job="dask",role="worker"}) == 2'
	wait_for scrapes 3
	touch go
	wait "$run"
	[ -z "$(ls dask-targets)" ]
	wait_for scrapes 0
}

# bats test_tags=thorough
@test "decorators write dask's report of a function, and return its statistics, stacked, too" {
	local dask=$ROOT/build/profilers/dask-test
	[ -d "$dask" ] || skip "a test before this one installs dask"
	cd "$BATS_TEST_TMPDIR"
	cat >decorated.py <<-'P'
	import logging, pstats, sys
	import dask
	from nbscope.tracing import dask_profiler, profile, single_thread_profiler

	logging.basicConfig(stream=sys.stderr, level=logging.INFO)

	@profile
	def work(i):
	    return i + 1

	def both(n):
	    return sum(dask.compute(*[dask.delayed(work)(i) for i in range(n)]))

	if __name__ == "__main__":
	    own = dask_profiler(n_workers=1, threads_per_worker=1, report_name="own.html", targets="targets.json")
	    assert own(both)(5) == 15
	    stacked = single_thread_profiler(report_name="stats.dump")(dask_profiler(report_name="stacked.html")(both))
	    found = stacked(7)
	    assert isinstance(found, pstats.Stats)
	    calls = [v[1] for k, v in found.stats.items() if k[2] == "work"]
	    assert calls == [7], calls
	    assert [v[1] for k, v in pstats.Stats("stats.dump").stats.items() if k[2] == "work"] == [7]
	    assert single_thread_profiler(enable=False)(both)(5) == 15
	    try:
	        single_thread_profiler()(dask_profiler(report_name="error.html")(lambda: 1 / 0))()
	    except ZeroDivisionError:
	        print("raised")
	P
	PYTHONPATH=$dask:$ROOT/share/ipython run -0 --separate-stderr "$PYTHON" decorated.py
	has 'function calls'
	[ "${lines[-1]}" = raised ]
	[[ $stderr == *'dashboard of dask: http://127.0.0.1:'* ]]
	[ "$(jq -c 'map([.labels.role, (.targets | length)])' targets.json)" = '[["scheduler",1],["worker",1]]' ]
	grep -q 'work' own.html
	grep -q 'work' stacked.html
}

# bats test_tags=thorough
@test "a pipeline's own decorators, named in the settings, write their files into the run" {
	local dask=$ROOT/build/profilers/dask-test
	[ -d "$dask" ] || skip "a test before this one installs dask"
	mkdir -p "$BATS_FILE_TMPDIR/pipeline"
	echo 'from .tracing import *' >"$BATS_FILE_TMPDIR/pipeline/__init__.py"
	printf 'def reporter(report_name, mem_limit=None):\n    return lambda f: f\ndef timer(report_name=None):\n    return lambda f: f\n' >"$BATS_FILE_TMPDIR/pipeline/tracing.py"
	EXTRA=$dask profiled --profilers functions+dask --arm 2,3 --decorators '{"pipeline.tracing:reporter": "dask", "pipeline.tracing:timer": "single_thread"}' \
		'from distributed import Client
client = Client(processes=False, n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0")
import pipeline
@pipeline.timer()
def twice():
    return [add(i) for i in range(3)]
def add(i):
    return i + 1
@pipeline.reporter(report_name="own report.html", mem_limit="1GB", display_report=False)
def thrice():
    return client.submit(add, 2).result()' 'thrice()' 'type(twice()).__name__'
	is '[.[] | select(.type == "output" and .data) | .data["text/plain"]] | join(" ")' "3 'Stats'"
	is '[.[] | select(.type == "profile_file") | .name] | sort | join(" ")' "cell-002-own_report.html cell-002.html cell-002.pstats cell-003-twice.pstats cell-003.html cell-003.pstats"
	unpack cell-003-twice.pstats
	[ "$("$PYTHON" -c 'import pstats; print([v[1] for k, v in pstats.Stats("cell-003-twice.pstats").stats.items() if k[2] == "add"])')" = '[3]' ]
	unpack cell-002-own_report.html
	grep -q 'add' cell-002-own_report.html
}

@test "without distributed, a function that is profiled runs dask in its own thread" {
	cd "$BATS_TEST_TMPDIR"
	PYTHONPATH=$ROOT/share/ipython run -0 "$PYTHON" -c 'if True:
		import dask
		from nbscope.tracing import single_thread_profiler

		def work(i):
		    return i + 1

		stats = single_thread_profiler()(lambda: dask.compute(*[dask.delayed(work)(i) for i in range(7)]))()
		print("calls", [v[1] for k, v in stats.stats.items() if k[2] == "work"])'
	has 'calls [7]'
}

@test "without distributed, the reason says so" {
	profiled --profilers dask 'x = 1'
	is '.[] | select(.type == "profile") | .reason' "ModuleNotFoundError: No module named '$("$PYTHON" -c '
try:
    import bokeh
    print("distributed")
except ImportError:
    print("bokeh")')'"
}

@test "after a cell, also one that does not compile, the profilers have left everything as it was" {
	needs_memray
	local left='import cProfile, builtins, memray, IPython.core.interactiveshell as shell, counted
print([n for n in ("enable", "disable") if n in vars(cProfile.Profile)], memray.Tracker.__module__,
      [n for n in ("exec", "eval") if n in vars(shell)], "_get_exc_info" in vars(get_ipython()),
      counted.Counter.hide.__closure__[0].cell_contents.__code__ is code)'
	local profilers
	for profilers in functions+lines lines+memory; do
		PYTHONPATH=$OVERLAY EXTRA=$OVERLAY profiled --profilers "$profilers" --arm 2,3,4 --function counted \
			'import counted; code = counted.Counter.hide.__closure__[0].cell_contents.__code__' 'x = (' 'counted.Counter().hide(1)' '1 / 0' "$left"
		is '.[] | select(.type == "output" and .name == "stdout") | .text' '[] memray._memray [] False True'
		is '[.[] | select(.type == "profile_line" and .function == "Counter.hide" and .hits > 0)] | length' 1
	done
}

@test "a module next to the notebook is found by its name, its path and its module" {
	cp "$BATS_FILE_TMPDIR/counted.py" "$BATS_TEST_TMPDIR/beside.py"
	EXTRA=$BATS_TEST_TMPDIR profiled --profilers lines --arm 2 --function beside.py:numbers --function "$BATS_TEST_TMPDIR/beside.py:later" \
		--function beside:nothing 'import beside' 'sum(beside.numbers(2))
await beside.later(1)'
	is '[.[] | select(.type == "profile_line" and .file == "beside.py" and .hits > 0) | .function] | unique | join(" ")' "later nothing numbers"
	is '.[] | select(.type == "profile") | .missing' null
}

@test "the profiler in CONTRIBUTING needs its file and its row, and counts what a cell collects" {
	cd "$BATS_TEST_TMPDIR" && mkdir copy && cp -R "$ROOT/Makefile" "$ROOT/mk" "$ROOT/share" copy/
	sed -n '/^   ```python$/,/^   ```$/p' "$ROOT/CONTRIBUTING.md" | sed '/^   ```/d; s/^   //' >copy/share/profile/garbage.py
	sed -n 's/^       \(garbage .*\)/\1/p' "$ROOT/CONTRIBUTING.md" >>copy/share/profile/profilers
	make -C copy COMPILE=1 NBSCOPE_BUILD= build/obj/profilers.py >make.out 2>&1 || { cat make.out; false; }
	NBSCOPE_BUILD=$PWD/copy/build profiled --profilers garbage+functions $'import gc\nfor i in range(3):\n    gc.collect()'
	is '.[] | select(.type == "profile_function" and .function == "garbage collection 2") | [.calls, .own_s > 0] | tostring' '[3,true]'
	is '[.[] | select(.type == "profile") | .reason] | tostring' '[null,null]'
}
