# What happens to a running notebook: each test does it to the real thing.
# FAULTS=all runs those too that take long.
load helpers
load server
load faults

setup_file() {
	KERNEL_MEMORY=700 start_server
}

setup() {
	use_server
	export TMPDIR=$BATS_TEST_TMPDIR/tmp
	mkdir "$TMPDIR"
	export MARK=$BATS_TEST_TMPDIR/mark
}

teardown_file() {
	stop_server
}

# ---- the cell itself ---------------------------------------------------------------

@test "errors of every kind have their names at once; only an untagged one ends the notebook" {
	run -1 profile raises <<'EON'
[("code", "{}['expected']", ["raises-exception"]), ("code", "raise KeyboardInterrupt('mine')", ["raises-exception"]),
 ("code", "raise SystemExit(3)", ["raises-exception"]), ("code", "1/0"), ("code", "print('never')")]
EON
	run -0 cells raises 'map([.status, .error_name, .error_value])'
	has '[["completed","KeyError","'"'expected'"'"],["completed","KeyboardInterrupt","mine"],["completed","SystemExit","3"],["failed","ZeroDivisionError","division by zero"],["not_run",null,null]]'
	for i in 1 2 3 4; do
		below "$(took raises $i)" 2
	done
	wait_until 5 nothing_left
	told 'cell raises, SystemExit, KeyboardInterrupt' 4 0 "$(left)"
}

@test "an untagged SystemExit and a KeyboardInterrupt fail the cell and end the notebook" {
	only_all
	for what in SystemExit KeyboardInterrupt; do
		run -1 profile "un$what" <<<"[('code', 'raise $what(\"why\")'), ('code', '2')]"
		run -0 cells "un$what" 'map([.status, .error_name, .error_value])'
		has '[["failed","'$what'","why"],["not_run",null,null]]'
	done
	told 'untagged SystemExit, KeyboardInterrupt' 2 0 "$(left)"
}

@test "a cell that ignores the interrupt is timed_out at its limit, its kernel ended, and the next notebook runs" {
	run -1 profile deaf --max-wait-time 1.5 <<'EON'
[("code", "import os, signal\nopen(os.environ.get('MARK', '/dev/null'), 'w')\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"), ("code", "2")]
EON
	run -0 cells deaf '[.[0].status, .[0].reason, .[1].status, (.[0].client_ms | . > 1490 and . < 1800)]'
	has '["timed_out","the kernel was still busy at the limit, and the interrupt did not end it at once","not_run",true]'
	below "$(took deaf 1)" 2.9
	wait_until 5 nothing_left
	run -0 profile after_deaf <<<'[("code", "2")]'
	told 'cell that never ends and ignores the interrupt' 1 0 "$(left)"
}

@test "an input() is named as the reason, at the limit" {
	run -1 profile input --max-wait-time 1 <<<'[("code", "input()"), ("code", "2")]'
	run -0 cells input 'map([.status, .reason])'
	has '[["timed_out","input() waits for an answer"],["not_run","cell 1 timed_out"]]'
	below "$(took input 1)" 2.4
	told 'input() waits' 1 0 "$(left)"
}

# ---- the kernel --------------------------------------------------------------------

# dies NAME CODE: a notebook whose third cell ends its kernel; $ended is when.
dies() {
	run -1 profile "$1" <<EON
[("code", "x = bytearray(50_000_000)"), ("code", "import time\ntime.sleep(0.15)"), ("code", '''import os, sys, time, ctypes
open('$MARK', 'w').write(repr(time.time()))
$2'''), ("code", "2")]
EON
	run -0 cells "$1" '[.[2].status, .[2].reason, .[3].status, (.[2].kernel_end.memory_bytes > 60e6)]'
	ended=$(awk -v i='"cell_index":3,' 'index($0, "{\"type\":\"cell\",") && index($0, i) {print $1}' "$BATS_FILE_TMPDIR/$1.when")
	below "$ended" "$(awk '{print $1 + '"${3:-1}"'}' "$MARK")"
}

@test "a segmentation fault is named, within a second, with the memory that was seen last" {
	dies segfault 'ctypes.string_at(0)'
	has '["kernel_died","killed by SIGSEGV","not_run",true]'
	wait_until 5 nothing_left
	told 'kernel dies of a segmentation fault' 1 0 "$(left)"
}

@test "a kernel that eats past --kernel-memory is ended, and that is the reason" {
	dies oom 'a = []
while True: a.append(bytearray(os.urandom(1) * 20_000_000))' 6
	has '["kernel_died","out of memory: it took '
	has ' MB, and --kernel-memory is 700 MB","not_run",true]'
	run -0 cells oom '.[2].kernel_end | [.limit_exceeded, .memory_bytes < 1.4e9]'
	has '[true,true]'
	wait_until 5 nothing_left
	told 'kernel eats past --kernel-memory' 1 0 "$(left)"
}

@test "a kernel that is killed from outside, or ends by itself, is told as such" {
	only_all
	dies killed 'os.kill(os.getpid(), 9)'
	has '["kernel_died","killed by SIGKILL","not_run",true]'
	dies exits 'os._exit(3)'
	has '["kernel_died","it ended by itself with status 3","not_run",true]'
	dies child 'import subprocess
subprocess.run([sys.executable, "-c", "a = []\nwhile True: a.append(bytearray(b\"x\" * 20_000_000))"])' 8
	has '["kernel_died","out of memory: it took '
	wait_until 5 nothing_left
	told 'kernel killed, exits by itself, its child eats past --kernel-memory' 3 0 "$(left)"
}
