# cellrun: what the kernel does after the reply belongs to the cell that scheduled it.
# bats file_tags=untimed
load helpers
load server
load faults

setup_file() {
	start_server
	use_server
	start_session
	use_session
	# The page reports on its console when the text of `w` changed: that is the truth.
	profile late --max-wait-time 30 --executed "$BATS_FILE_TMPDIR/late.executed.ipynb" <<'EON' || true
[("code", "import asyncio, concurrent.futures, threading, time\nimport ipywidgets\nfrom IPython.display import Javascript, display\n"
          "w = ipywidgets.HTML('start')\nw.add_class('late')\nloop = asyncio.get_running_loop()\npool = concurrent.futures.ThreadPoolExecutor()\n"
          "def change(to):\n    w.value = to\n"
          "def change_after(seconds, to):\n    time.sleep(seconds)\n    w.value = to\n"
          "async def change_soon(seconds, to):\n    await asyncio.sleep(seconds)\n    w.value = to\n"
          "display(w)"),
 ("code", "Javascript('new MutationObserver(() => console.error(\"painted \" + (performance.timeOrigin + performance.now()) / 1000))"
          ".observe(document.querySelector(\".late\"), {subtree: true, childList: true, characterData: true})')"),
 ("code", "loop.call_later(0.2, change, 'a')"),
 ("code", "loop.call_later(0.6, change, 'b')"),
 ("code", "loop.call_later(1.2, change, 'c')"),
 ("code", "task = asyncio.create_task(change_soon(2, 'd'))"),
 ("code", "threading.Timer(0.7, change, ['e']).start()"),
 ("code", "future = pool.submit(change_after, 1, 'f')"),
 ("code", "threading.Thread(target=change_after, args=(0.8, 'g')).start()"),
 ("code", "loop.call_soon_threadsafe(lambda: loop.call_later(0.5, change, 'h'))"),
 ("code", "loop.call_later(0.5, lambda: (change('i'), loop.call_later(0.5, change, 'j')))"),
 ("code", "from tornado.ioloop import IOLoop\nIOLoop.current().call_later(0.6, change, 'k')"),
 ("code", "1 + 1"),
 ("code", "def say():\n    time.sleep(0.5)\n    print('from a thread')\nthreading.Thread(target=say).start()"),
 ("code", "print(sorted(k for k in globals() if not k.startswith('_')))\nprint(len(In), sorted(Out), get_ipython().execution_count)"),
 ("code", "print([line for _, _, line in get_ipython().history_manager.get_range()][-2:])")]
EON
	profile clock --max-wait-time 30 <<'EON' || true
[("code", "import asyncio, threading, time\nimport ipywidgets\nfrom tornado.ioloop import PeriodicCallback\n"
          "a, b, w = (ipywidgets.HTML('start') for _ in range(3))\n"
          "def tick():\n    a.value = str(time.time())\n"
          "async def ticks():\n    while True:\n        await asyncio.sleep(0.1)\n        b.value = str(time.time())"),
 ("code", "w"),
 ("code", "clock = PeriodicCallback(tick, 1000)\nclock.start()\na"),
 ("code", "1 + 1"),
 ("code", "w.value = 'changed'"),
 ("code", "task = asyncio.create_task(ticks())\nb"),
 ("code", "await asyncio.sleep(1)"),
 ("code", "asyncio.get_running_loop().call_later(0.6, setattr, w, 'value', 'again')"),
 ("code", "clock.stop()\ntask.cancel()"),
 ("code", "def live():\n    time.sleep(8)\nthreading.Thread(target=live).start()"),
 ("code", "1 + 1")]
EON
}

setup() {
	use_server
}

teardown_file() {
	stop_session
	stop_server
}

# late_cells FILTER: of the cells that schedule a change of w: [index, delay in s, record, truth].
late_cells() {
	painted late '{"3": 0.2, "4": 0.6, "5": 1.2, "6": 2, "7": 0.7, "8": 1, "9": 0.8, "10": 0.5, "11": 1, "12": 0.6}' "$1"
}

@test "a change that a timer, a task or a thread makes up to 2 s later is its cell's, within 50 ms of the truth" {
	dated_truly late_cells
}

@test "so are its messages" {
	run -0 late_cells 'map(select(.[2].comm_messages_received < 1 or .[2].late_message_t == null) | .[0])'
	[ "$output" = '[]' ] || has nothing
}

@test "a cell that waits for such a change has no mark" {
	run -0 late_cells 'map(select(.[2].marks != []) | [.[0], .[2].marks])'
	[ "$output" = '[]' ] || has nothing
}

@test "a cell that scheduled nothing does not wait" {
	run -0 cells late '.[12] | [.waited, .late_message_t, .marks]'
	[ "$output" = '[false,null,[]]' ] || has nothing
}

@test "what a thread prints after the reply is still shown" {
	run -0 jq -c '.cells[13].outputs | map(.text)' "$BATS_FILE_TMPDIR/late.executed.ipynb"
	has 'from a thread'
}

@test "the questions leave nothing in the namespace, In, Out and the history" {
	run -0 jq -r '.cells[14].outputs[0].text' "$BATS_FILE_TMPDIR/late.executed.ipynb"
	has "['IOLoop', 'In', 'Javascript', 'Out', 'asyncio', 'change', 'change_after', 'change_soon', 'concurrent', 'display', 'exit', 'future', 'get_ipython', 'ipywidgets', 'loop', 'open', 'pool', 'quit', 'say', 'task', 'threading', 'time', 'w']"
	has '16 [2, 3, 4, 5, 10, 11, 12, 13] 16'
	run -0 jq -r '.cells[15].outputs[0].text' "$BATS_FILE_TMPDIR/late.executed.ipynb"
	has 'sorted(k for k in globals()'
}

@test "a clock that ticks for ever holds no cell up, and is marked" {
	run -0 cells clock 'map(.marks | index("periodic_updates") != null)'
	[ "$output" = '[false,false,true,false,false,true,false,false,false,false,false]' ] || has nothing
	for i in 3 6; do
		run -0 took clock $i
		python3 -c 'import sys; assert float(sys.argv[1]) < 3, sys.argv' "$output"
	done
}

@test "its ticks are no changes of later cells, whose own changes count" {
	run -0 cells clock '.[4, 7] | [.changed, .client_ms < 500 or (.client_ms >= 600 and .client_ms < 1100)]'
	[ "$output" = $'[true,true]\n[true,true]' ] || has nothing
	run -0 cells clock '.[6].client_ms < 1250'
	has true
}

@test "a thread that lives on holds its cell up for 5 s at most, and is marked" {
	run -0 cells clock '.[9, 10] | [.marks, .client_ms < 1000]'
	[ "$output" = $'[["late_updates_possible"],true]\n[[],true]' ] || has nothing
	run -0 took clock 10
	python3 -c 'import sys; assert 4.5 < float(sys.argv[1]) < 8, sys.argv' "$output"
	run -0 took clock 11
	python3 -c 'import sys; assert float(sys.argv[1]) < 2, sys.argv' "$output"
}

@test "the records keep their schema" {
	run -0 "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict "$BATS_FILE_TMPDIR/late.jsonl" "$BATS_FILE_TMPDIR/clock.jsonl"
}
