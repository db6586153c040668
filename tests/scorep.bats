# Cells under Score-P, by a substitute that writes real OTF2 archives: no package index has Score-P. Where
# scorep-config is on PATH, the real one is used.
# bats file_tags=untimed,long
load helpers
load kernelshell

setup_file() {
	cd "$BATS_FILE_TMPDIR"
	mkdir bin
	cp "$ROOT/tests/scorep/scorep-config" bin
	cc -O1 -o bin/otf2_calls "$ROOT/tests/scorep/otf2_calls.c" -lopen-trace-format2 2>/dev/null || true
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	[ -e "$ROOT/share/ipython/nbscope/__init__.py" ] || skip 'the extension is not there'
	dir=$BATS_FILE_TMPDIR
	export PYTHONDONTWRITEBYTECODE=1
	if ! command -v scorep-config >/dev/null; then
		export PATH=$PATH:$dir/bin PYTHONPATH=$ROOT/tests/scorep
		[ ! -x "$dir/bin/otf2_calls" ] || export OTF2_CALLS=$dir/bin/otf2_calls
	fi
}

@test "a cell under Score-P has the variables that it uses, and its results are back in the notebook" {
	cells >out <<'EOC'
import math
data, other = [3, 1, 2], "not used"
factor = 10
class Point:
    def __init__(self, x):
        self.x = x * factor
def helper(value):
    return math.floor(value) + factor
alias = data
##
%%execute_with_scorep
import os
data.append(helper(0.5))
point = Point(4)
inside = sorted(name for name in globals() if not name.startswith("__"))
process = os.getpid()
point.x
##
print(data, point.x, alias is data, process != __import__("os").getpid(), "other" in inside, factor)
EOC
	run -0 cat out
	has '[3, 1, 2, 10] 40 True True False 10'
	has $'40\nScore-P: in: 5 variables'
	# os, data, point, inside and process
	has 'out: 5 variables'
	run ! grep -q '^!' out
}

# What the archive has, by a reader that is not ours.
archive_is() {
	run -0 "$ROOT/build/testvenv/bin/python" "$ROOT/tests/otf2_check" "$1"
	run -0 jq -c "$2" <<<"$output"
}

@test "only the cell is instrumented: its archive has its functions, nested and in order of time, and not those that carry variables" {
	[ -n "${OTF2_CALLS-}" ] || [ "$(scorep-config)" != substitute ] || skip 'no OTF2'
	cells >out <<'EOC'
%%scorep_env
SCOREP_ENABLE_TRACING=1
SCOREP_EXPERIMENT_DIRECTORY=traced
SCOREP_METRIC_RUSAGE=ru_utime,ru_maxrss
##
%%scorep_python_binding_arguments
--thread=pthread --nocompiler
##
%%execute_with_scorep
def inner():
    return 1
class Named:
    def method(self):
        return inner()
[Named().method() for i in range(3)]
EOC
	archive_is traced/traces.otf2 '[.entered["__main__:inner", "__main__.Named:method"]], (.entered | keys | map(select(test("pickle|carry"))))'
	[ "$output" = $'[3,3]\n[]' ] || { cat out; has '[3,3]'; }
	run -0 cat out
	has "results: $PWD/traced"
	if [ -n "${OTF2_CALLS-}" ]; then
		run -0 jq -c '.arguments, .env.SCOREP_ENABLE_TRACING, (.processes > 0)' traced/started.json
		has $'["--noinstrumenter","--thread=pthread","--nocompiler"]\n"1"\ntrue'
	else
		archive_is traced/traces.otf2 '.counters | map_values([.[0], .[1] > 5])'
		[ "$output" = '{"ru_utime":["s",true],"ru_maxrss":["Bytes",true]}' ] || has units
	fi
}

@test "a cell has a process of its own in a kernel that runs under Score-P, too, and its results a folder of their own" {
	# What Score-P's module leaves in the kernel's environment.
	SCOREP_PYTHON_BINDINGS_INITIALISED=true SCOREP_LD_PRELOAD_BACKUP='' SCOREP_EXPERIMENT_DIRECTORY=$PWD/kernel cells >out <<'EOC'
x = [1]
##
%%execute_with_scorep
x.append(2)
##
print("x", x)
EOC
	run -0 cat out
	has $'\nx [1, 2]'
	has "results: $PWD/scorep-"
	[ ! -e kernel ]
}

@test "threads of a cell run functions at once, which Score-P without --thread=pthread would not survive" {
	cells >out <<'EOC'
x = [1]
##
%%execute_with_scorep
import threading, time
def late():
    time.sleep(0.1); x.append(2)
ts = [threading.Thread(target=late) for _ in range(3)]
for t in ts: t.start()
for t in ts: t.join()
del ts, t
##
print("x", x)
##
%%scorep_python_binding_arguments
--thread=none
##
%%execute_with_scorep
ts = [threading.Thread(target=late) for _ in range(3)]
for t in ts: t.start()
for t in ts: t.join()
del ts, t
EOC
	run -0 cat out
	has $'\nx [1, 2, 2, 2]'
	has 'Exit event for other than current region occurred'
	has '! CellFailed its process ended with status -6'
}

@test "a script of the cells runs under Score-P, which is off in those that are not for it" {
	[ -n "${OTF2_CALLS-}" ] && command -v otf2-print || skip 'no OTF2, or a real Score-P'
	python3 "$ROOT/tests/nb.py" n.ipynb <<<'[("code", "def aside():\n    return 1\nprint(aside())"),
		("code", "%%execute_with_scorep\ndef traced():\n    return 2\nprint(traced())", ["profile-scorep:SCOREP_EXPERIMENT_DIRECTORY=traced", "profile-scorep:SCOREP_ENABLE_TRACING=1", "profile-scorep:--nocompiler"])]'
	PYTHONPATH=$ROOT/share/ipython "$ROOT/build/venv/bin/python" -m nbscope.script n.ipynb
	run -0 ./jupyter_to_script_run.sh
	[ "$output" = $'1\n2' ]
	run -0 otf2-print traced/traces.otf2
	has '__main__:traced'
	[[ $output != *__main__:aside* ]] || has 'those for it alone'
}

@test "what cannot be carried is named with the reason, and the rest is there" {
	cells >out <<'EOC'
import sys
numbers = (n for n in range(3))
frame = sys._getframe()
kept = 5
##
%%execute_with_scorep
got = kept + 1
made = (n for n in "ab")
try:
    numbers
except NameError as error:
    said = str(error)
frame if False else None
##
print(got, said, "made" in globals())
EOC
	run -0 cat out
	has "'numbers' was not carried into the process: TypeError: cannot pickle 'generator' object"
	has "'frame' was not carried into the process"
	has "'made' was not carried out of the process"
	has "6 name 'numbers' is not defined False"
}

@test "objects that variables share are shared in the process and afterwards, and changes to classes and functions come back" {
	cells >out <<'EOC'
import numpy
class P:
    n = 1
    made = []
    def __init__(self):
        P.n += 1
p = P(); lst = [p]; pair = {"p": p, "l": lst}
unused, P0, p0 = {"deep": [p]}, P, p
a = numpy.arange(10.0); v = a[::2]; f = numpy.asfortranarray(numpy.ones((2, 3))); g = f[:, 1]
def count(x, acc=[]):
    acc.append(x); count.calls = getattr(count, "calls", 0) + 1
    return acc
def make():
    k = 0
    def inc():
        nonlocal k; k += 1; return k
    return inc
inc = make()
import enum
class Color(enum.Enum):  # dill cannot carry it
    RED = 1
red, calls = Color.RED, 0
def counted(f):
    def wrapper(n):
        global calls
        calls += 1
        return f(n)
    return wrapper
@counted
def square(n): return n * n
##
%%execute_with_scorep
print("in", p is lst[0], pair["l"] is lst, numpy.shares_memory(a, v), numpy.shares_memory(f, g))
p.x = 5; v[0] = 42; g[0] = 7
P.n = 77; P.made.append(1); P.new = "n"; del P.__init__
q = P(); count(1); inc()
##
print("class", P is P0, P.n, P.made, P.new, "__init__" in vars(P), isinstance(q, P), isinstance(p0, P))
print("out", p.x, lst[0] is p, pair["p"] is p, unused["deep"][0] is p, a[0], f[0, 1], numpy.shares_memory(a, v))
print("function", count.calls, count(2), inc())
##
%%marshalling_settings
MARSHALLER=cloudpickle
##
%%execute_with_scorep
print("in", p is lst[0], pair["l"] is lst, numpy.shares_memory(a, v), numpy.shares_memory(f, g))
P.n = 78; p.x = 6; count(3); inc()
##
print("cloudpickle", P is P0, P.n, p.x, lst[0] is p, isinstance(q, P), count.calls, inc())
##
%%marshalling_settings
MARSHALLER=dill
##
%%execute_with_scorep
print("in", red is Color.RED, square(3))
other = Color
##
print("enum", red is Color.RED, other is Color, calls)
EOC
	run -0 grep -E '^(in|class|out|function|cloudpickle|enum|!)' out
	[ "$output" = "in True True True True
class True 77 [1] n False True True
out 5 True True True 42.0 7.0 True
function 1 [1, 2] 2
in True True True True
cloudpickle True 78 6 True True 3 4
in True 9
enum True True 1" ]
}

@test "a handle that a cell uses is never carried: files keep what they have, by whatever marshaller" {
	cells >out <<'EOC'
import mmap, socket, sqlite3, subprocess, tempfile, threading, concurrent.futures
w = open("w.log", "w"); w.write("kept\n"); w.flush()
r = open("r.csv", "w+"); r.write("a\n1\n"); r.seek(0); r.readline()
shut = open("c.log", "w"); shut.write("kept\n"); shut.close()
zipped = __import__("gzip").open("z.gz", "wb")
sock, base, temporary, folder = socket.socket(), sqlite3.connect(":memory:"), tempfile.NamedTemporaryFile(), tempfile.TemporaryDirectory()
mapped, child = mmap.mmap(-1, 10), subprocess.Popen(["true"])
thread, pool = threading.Thread(), concurrent.futures.ThreadPoolExecutor(1)
numbers = __import__("dbm.dumb").dumb.open("numbers", "c"); numbers["a"] = "1"
holder = {"log": [w]}
def use():
    return w.closed
names = "w r shut zipped sock base temporary folder mapped child thread pool numbers holder"
##
%%execute_with_scorep
print(sorted(n for n in names.split() if n in globals()))
(w, r, shut, zipped, sock, base, temporary, folder, mapped, child, thread, pool, numbers, holder) if False else None
##
%%execute_with_scorep
use()
##
%%marshalling_settings
MARSHALLER=cloudpickle
##
%%execute_with_scorep
holder
##
%%marshalling_settings
MARSHALLER=pickle
##
%%execute_with_scorep
shut
##
w.write("more\n"); w.flush()
print("left", [open(n).read() for n in ("w.log", "c.log")], r.readline(), numbers["a"], holder["log"][0] is w)
EOC
	run -0 cat out
	# Not one of them is there.
	[ "$(sed -n '/^\[/p' out)" = '[]' ]
	[ "$(grep -c "was not carried into .* handles are never carried\$" out)" = 17 ] || { cat out; false; }
	has "'w' was not carried into the process: it is or holds a file ('w.log', mode 'w')"
	has "'numbers' was not carried into the process: it is or holds a database"
	[ "$(grep -c "^! NameError name '\(w\|holder\|shut\)' is not defined" out)" = 3 ]
	has "left ['kept\nmore\n', 'kept\n'] 1"
	has "b'1' True"
}

@test "an error in the cell is that of the notebook, with the line, and variables are back" {
	cells >out <<'EOC'
%%execute_with_scorep
before = 1
{}["missing"]
##
before
EOC
	run -0 cat out
	has 'line 2, in <module>'
	has "! KeyError 'missing'"
	has 'Out[2]: 1'
}

@test "without Score-P the cell fails with the reason and nothing runs" {
	! PATH=/usr/bin:/bin command -v scorep-config || skip 'Score-P is installed'
	PATH=$BIN:/usr/bin:/bin cells >out <<'EOC'
%%execute_with_scorep
ran = True
##
"ran" in globals()
EOC
	run -0 cat out
	has '! ScorePMissing not run: there is no scorep-config on PATH'
	has 'Out[2]: False'
}

@test "a Score-P that starts itself without an end is killed with all its processes" {
	cells >out <<'EOC'
%%scorep_python_binding_arguments
--compiler
##
%%execute_with_scorep
1
EOC
	run -0 cat out
	has '! TooManyProcesses killed with '
	run ! pgrep -f "scorep_cell.py $ROOT/share/ipython"
}

@test "magics and shell commands of a cell are left out with their lines, and the rest runs where it was" {
	cells >out <<'EOC'
x, y = 5, "before"
##
%%execute_with_scorep
!ls \
   -l
text = """
!echo {x}
%who
"""
if x: y = !pwd
else: y = 2
for i in range(2):
    # a comment
    %who
while False:
    made = %who_ls

timed = %time x + 1
%time print("measured", i)
x?
?
%env NBSCOPE_A=b c
import os
print([timed, y, text.split(), os.environ["NBSCOPE_A"], x % 3 != 1])
{}["missing"]
##
%%execute_with_scorep

%who
!ls
##
%%execute_with_scorep
%%bash
echo never
##
%%execute_with_scorep
%%time
print("body")
##
%%execute_with_scorep
ip = get_ipython()
##
%%enable_multicellmode
##
%%time
a = 1
!ls
##
%%bash
echo never
##
print("marked", a)
##
%%finalize_multicellmode
EOC
	run -0 cat out
	has $'own: lines 1 to 2 (!ls \\); line 7 (if x: y = !pwd); line 11 (%who); line 13 (made = %who_ls); line 15 (%time); line 16 (%time); line 17 (x?); line 18 (?)\n'
	has "[6, 'before', ['!echo', '{x}', '%who'], 'b c', True]"
	has 'measured 1'
	has 'line 22, in <module>'
	has "! KeyError 'missing'"
	has $'own: line 2 (%who); line 3 (!ls)\nnbscope: there is nothing to run under Score-P\n'
	has $'own: lines 1 to 2 (%%bash)\nnbscope: there is nothing'
	has $'\nbody\n'
	has '! SyntaxError line 1: a process of its own has no get_ipython()'
	has $'own: marked cell 1, line 1 (%%time); marked cell 1, line 3 (!ls); marked cell 2, lines 1 to 2 (%%bash)\nmarked 1\n'
	# The first cell, the one with a body and the marked ones: nothing else had a process.
	[ "$(grep -c '^Score-P: in' out)" = 3 ]
}

# bats test_tags=thorough
@test "each marshaller carries in each mode, and the settings are printed without arguments" {
	for way in dill/disk cloudpickle/memory pickle/disk parallel_marshall/memory; do
		printf '%s\n' "%%marshalling_settings" "MARSHALLER=${way%/*}" "MODE=${way#*/}" '##' '%%serializer_settings' '##' \
			'data = {"a": [1, 2]}' '##' '%%execute_with_scorep' 'data["b"] = len(data["a"])' '##' 'print(data)'
		printf '##\n'
	done | SCOREP_KERNEL_PERSISTENCE_DIR=$PWD cells >out
	run -0 grep -c "^{'a': \[1, 2\], 'b': 2}" out
	[ "$output" = 4 ]
	# The last is on no package index.
	run -0 grep -c "no marshaller 'parallel_marshall'" out
	run -0 grep -c '^Variables are carried by dill, in disk.' out
	[ "$output" = 2 ]
	# Nothing remains where they passed.
	[ -z "$(ls -d nbscope-cell-* 2>/dev/null)" ]
}

@test "marked cells run together in the order of marking, each as often as it was marked; after an abort none does" {
	cells >out <<'EOC'
order = []
##
%%enable_multicellmode
##
order.append(1)
##
%%execute_with_scorep
order.append(2)
##
order.append(1)
##
%%finalize_multicellmode
##
print("order", order)
##
%%enable_multicellmode
##
order.append(3)
##
%%abort_multicellmode
##
print("order", order)
##
%%finalize_multicellmode
EOC
	run -0 grep '^order' out
	[ "$output" = $'order [1, 2, 1]\norder [1, 2, 1]' ]
	run -0 grep -c 'is marked for' out
	[ "$output" = 4 ]
	has 4
	grep -q 'enable_multicellmode comes first' out
}

@test "a kernel under Score-P is instrumented for its tagged cells alone, and a kernel without it says why not" {
	[ -n "${OTF2_CALLS-}" ] && command -v otf2-print || skip 'no OTF2, or a real Score-P'
	python3 "$ROOT/tests/nb.py" n.ipynb <<'EON'
[("code", "def aside():\n    return 1\naside()"),
 ("code", "def traced():\n    return 2\ntraced()", ["profile-scorep:SCOREP_TOTAL_MEMORY=64M", "profile-scorep:--io=posix"]),
 ("code", "import asyncio\nasync def waited():\n    await asyncio.sleep(0.01)\n    return traced()\nawait waited()", ["profile"]),
 ("code", "%%time\nx = traced()\n{}[x]", ["profile", "raises-exception"]), ("code", "traced(); traced()", ["profile"])]
EON
	echo '{"profilers": ["scorep"], "cells": null, "functions": [], "overlay": null}' >p.json
	# The command in the manual.
	local prefix
	prefix=$(sed -n '/^KERNEL_PREFIX ?=/,/^PROFILERS/{/^PROFILERS/d; s/^KERNEL_PREFIX ?= //; s/\\e$//; p}' "$ROOT/man/nbscope-scorep.7" | tr -s '\n\t' ' ')
	SCOREP_TOTAL_MEMORY=1M labserve --kernel-prefix "$prefix" \
		cellprofile p.json kernelrun n.ipynb >n.jsonl 3>&-
	run -0 jq -sc '(map(select(.type == "cell").status)), (map(select(.type == "profile") | [.cell_index, .profiler, .reason]))' n.jsonl
	[ "$output" = $'["completed","completed","completed","completed","completed"]\n[[2,"scorep",null],[3,"scorep",null],[4,"scorep",null],[5,"scorep",null]]' ]
	run -0 otf2-print n.scorep/traces.otf2
	has '__main__:traced'
	has '__main__:waited'
	[[ $output != *__main__:aside* ]] || has 'the tagged cells alone'
	# Nothing of what shows a value, and no function that ended without having begun.
	[[ $output != *displayhook:__call__* && $output != *error_region* ]] || has 'the cells alone'
	# The options in its tags are those of the kernel.
	run -0 jq -c '.arguments, .env.SCOREP_TOTAL_MEMORY' n.scorep/started.json
	[ "$output" = $'["--noinstrumenter","--nocompiler","--thread=pthread","--io=posix"]\n"64M"' ]
	# Cells in a process of their own leave their results in the same place.
	python3 "$ROOT/tests/nb.py" own.ipynb <<<'[("code", "%%execute_with_scorep\ndef apart():\n    return 3\napart()")]'
	SCOREP_ENABLE_TRACING=1 labserve --kernel-prefix env kernelrun own.ipynb >own.jsonl 3>&-
	run -0 otf2-print own.scorep-1/traces.otf2
	has '__main__:apart'
	labserve cellprofile p.json kernelrun n.ipynb >n.jsonl 3>&-
	run -0 jq -r 'select(.type == "profile") | .reason' n.jsonl
	has 'the kernel does not run under Score-P'
}

# driven [DRIVER]: a notebook with cells for Score-P, of which the second has options in its tags; its records.
driven() {
	python3 "$ROOT/tests/nb.py" n.ipynb <<'EON'
[("code", "data, never = [1, 2], (n for n in 'ab')", ["profile-scorep:SCOREP_A=other"]),
 ("code", "%%execute_with_scorep\nmade = 1"),
 ("code", "%%execute_with_scorep\ndata.append(len(data))\nnever if False else 5", ["profile-scorep:SCOREP_A=b", "profile-scorep:--thread=pthread"]),
 ("code", "data")]
EON
	run labserve "$@" n.ipynb 3>&- 2>log
	printf '%s\n' "${lines[@]}" >n.jsonl
}

carried() {
	run -0 jq -sc '.[] | select(.type == "scorep_cell") | [.cell_index, .status, .arguments, .env.SCOREP_A,
		(.carried_in | map([.name, .marshaller != null, .bytes > 0, .reason != null]) | sort), (.carried_out | map(.name)), .run_s <= .process_s]' n.jsonl
	has '[3,"completed",["--thread=pthread"],"b",[["data",true,true,false],["never",false,false,true]],["data"],true]'
	# Not those of the first cell, which was not for it.
	has '[2,"completed",[],null,[],["made"],true]'
	run -0 "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict n.jsonl
}

not_run() {
	run -0 jq -sc '(map(select(.type == "cell") | [.status, .reason, .kernel_ms != null, .usage != null])),
		(map(select(.type == "scorep_cell") | [.cell_index, .status, .carried_in])), (.[-1] | [.status, .cells_run, .reason])' n.jsonl
	has '["not_run","there is no scorep-config on PATH",false,false],["not_run","there is no scorep-config on PATH",false,false],["completed",null,true,true]]'
	has $'\n[[2,"not_run",null],[3,"not_run",null]]\n["failed",2,"cell 2 was not run: there is no scorep-config on PATH"]'
	run -0 "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict n.jsonl
}

@test "a run has a record of what was carried into and out of each process, by the options in the tags of its cell" {
	driven kernelrun
	status_is 0
	carried
}

@test "without Score-P a cell of a run is not run, with the reason and without numbers, and the notebook goes on" {
	! PATH=/usr/bin:/bin command -v scorep-config || skip 'Score-P is installed'
	PATH=${PATH//$dir\/bin} driven kernelrun
	status_is 1
	not_run
}

@test "marked cells run with the options in the tags of all of them" {
	python3 "$ROOT/tests/nb.py" n.ipynb <<'EON'
[("code", "%%enable_multicellmode"),
 ("code", "first = 1", ["profile-scorep:SCOREP_A=b"]),
 ("code", "second = first + 1", ["profile-scorep:--thread=pthread"]),
 ("code", "%%finalize_multicellmode"), ("code", "assert second == 2")]
EON
	labserve kernelrun n.ipynb >n.jsonl 2>log 3>&- || cat log
	run -0 jq -c 'select(.type == "scorep_cell") | [.cell_index, .arguments, .env.SCOREP_A]' n.jsonl
	[ "$output" = '[4,["--thread=pthread"],"b"]' ]
}

# bats test_tags=thorough
@test "the records of a run in JupyterLab are the same, with Score-P and without it" {
	driven wdsession cellrun
	status_is 0
	carried
	! PATH=/usr/bin:/bin command -v scorep-config || skip 'Score-P is installed'
	PATH=${PATH//$dir\/bin} driven wdsession cellrun
	status_is 1
	not_run
}
