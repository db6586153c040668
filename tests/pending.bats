# pending.py: what a kernel has left to do, without a kernel.
# bats file_tags=quick
load helpers

# pending NAME: the kinds of what tests/pending.py leaves to do under that name.
pending() {
	cat "$ROOT/share/page/endless.py" "$ROOT/share/page/pending.py" >"$BATS_FILE_TMPDIR/_nbscope.py"
	PYTHONPATH=$BATS_FILE_TMPDIR PYTHONDONTWRITEBYTECODE=1 timeout 20 python3 "$ROOT/tests/pending.py" "$@"
}

# are KIND NAME...: each leaves just one item, of that kind.
are() {
	local kind=$1
	shift
	run pending "$@"
	status_is 0
	[ "$output" = "$(printf "%s ['$kind']\n" "$@")" ] || has "each is $kind"
}

# idle NAME...: they leave nothing to do.
idle() {
	run pending "$@"
	status_is 0
	[ "$output" = "$(printf '%s []\n' "$@")" ] || has 'nothing to do'
}

@test "the question does not count itself, in a kernel that it has to give its parent back later (ipykernel 6)" {
	idle nothing nothing_again
	are timer timer
}

@test "a callback that always schedules itself again is periodic: a function, a lambda, a method, a timer" {
	are periodic tick tick_lambda tick_if tick_partial tick_closure tick_method tick_timer tick_timer_method
}

@test "a loop without an end, or that only a flag ends, is periodic" {
	are periodic endless_task endless_caught flag_task event_task task_again endless_thread flag_thread wait_thread named_wait_thread set_thread dict_thread
}

@test "what has an end in its code is not periodic, nor is a flag that the loop changes" {
	are timer chain chain_argument changed_flag_task counting_task for_task
	are unknown counting_thread
}

@test "a worker that waits for work is idle, and pending while it works, for a later cell too" {
	idle idle_worker idle_task_worker
	are unknown worker event_worker simple_worker
	are timer task_worker
}

@test "a thread that has been woken or started, but has not run yet, is pending" {
	for name in woken_worker woken_event woken_pool started_thread; do
		run -0 pending "$name"
		has 'at once: unknown'
	done
	run -0 pending nothing_woken
	[ "$(head -n 1 <<<"$output")" = 'at once:' ] || has nothing
}

@test "the work of process pools is pending, and so is a thread that reads from a process" {
	are unknown process_pool pool subprocess_run
	idle idle_process_pool idle_pool idle_thread_pool
}

@test "a second job of the same pool's thread is not the first one" {
	run -0 pending two_jobs
	has "two_jobs ['unknown']"
}

@test "what wakes a task is pending" {
	are timer event_set queue_put future_set
}

@test "what is Jupyter's own is left out, but not a package whose name begins like it" {
	idle ipykernel_callback tornado_callback
	are timer jupyter_rfb_callback
}

@test "each rule that the page's scripts and kernelrun read is in rules.json, and each one there is read" {
	run -0 python3 - "$ROOT" <<'P'
import json, pathlib, re, sys
root = pathlib.Path(sys.argv[1])
rules = json.loads((root / "share/page/rules.json").read_text())
for group, script in ("pending", "pending.js"), ("outputs", "outputs.js"):
    text = (root / "share/page" / script).read_text()
    block = re.search(r"const \{([^}]*)\} = RULES\." + group, text)[1]
    page = set(re.findall(r"(\w+): [A-Z_]+,", block))
    assert page == set(rules[group]), (script, page ^ set(rules[group]))
kernelrun = "".join(p.read_text() for p in (root / "tools/run/kernelrun").glob("*.c"))
read = set(re.findall(r'rule_ms\("(\w+)"\)', kernelrun))
assert len(read) > 3 and read <= set(rules["pending"]), read
kinds = set(re.findall(r'"(timer|delay|unknown|periodic)"', (root / "share/page/pending.py").read_text()))
assert kinds - {"periodic"} == set(rules["pending"]["kinds"]), kinds
P
}

@test "a thread's frames are read while it cannot run: none is missing under load" {
	cat "$ROOT/share/page/endless.py" "$ROOT/share/page/pending.py" >"$BATS_TEST_TMPDIR/_nbscope.py"
	cat >"$BATS_TEST_TMPDIR/load.py" <<-'P'
		import sys, threading, time
		import _nbscope
		def deep(n):
		    return deep(n - 1) if n else [x for x in gen(3)]
		def gen(n):
		    for i in range(n):
		        yield i
		def spin():
		    while not stop:
		        deep(40)
		        sorted([3, 1, 2], key=lambda x: deep(2) and x)
		stop, torn = False, 0
		sys.setswitchinterval(1e-6)
		threads = [threading.Thread(target=spin, daemon=True) for _ in range(6)]
		for thread in threads:
		    thread.start()
		for _ in range(8000):
		    for stack in _nbscope.stacks_of(threads):
		        torn += bool(stack) and stack[-1].f_code.co_name != "_bootstrap"
		stop = True
		print(torn)
	P
	PYTHONPATH=$BATS_TEST_TMPDIR PYTHONDONTWRITEBYTECODE=1 run -0 timeout 60 python3 "$BATS_TEST_TMPDIR/load.py"
	[ "$output" = 0 ]
}
