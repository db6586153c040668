# cellrun: late changes and clocks of all kinds: what may end is followed, what does not end is not.
# bats file_tags=untimed,long
load helpers
load oneserver
load faults

setup_file() {
	start_server
	use_server
	start_session
	use_session
	# The page reports on its console when the text of `w` changed: that is the truth.
	profile kinds --max-wait-time 30 <<'EON' || true
[("code", "import asyncio, concurrent.futures, multiprocessing, queue, subprocess, threading, time, types\nimport ipywidgets\n"
          "from IPython.display import Javascript, display\nw = ipywidgets.HTML('start')\nw.add_class('late')\nloop = asyncio.get_running_loop()\n"
          "def change(to):\n    w.value = str(to)\n"
          "work, event, soon = queue.Queue(), asyncio.Event(), asyncio.Queue()\n"
          "def worker():\n    while True:\n        to = work.get()\n        time.sleep(0.5)\n        change(to)\n"
          "async def waiter():\n    await event.wait()\n    change('event')\n    change(await soon.get())\n"
          "threading.Thread(target=worker, daemon=True).start()\ntask = asyncio.create_task(waiter())\n"
          "context = multiprocessing.get_context('fork')\nprocesses = concurrent.futures.ProcessPoolExecutor(1, context)\nworkers = context.Pool(1)\n"
          "late = types.ModuleType('jupyter_late')\nexec('def change(w): w.value = \"module\"', late.__dict__)\ndisplay(w)"),
 ("code", "Javascript('new MutationObserver(() => console.error(\"painted \" + (performance.timeOrigin + performance.now()) / 1000))"
          ".observe(document.querySelector(\".late\"), {subtree: true, childList: true, characterData: true})')"),
 ("code", "processes.submit(time.sleep, 0.6).add_done_callback(lambda _: change('process'))"),
 ("code", "_ = workers.apply_async(time.sleep, (0.6,), callback=lambda _: change('pool'))"),
 ("code", "def run():\n    change(subprocess.run(['sh', '-c', 'sleep 0.6; echo x'], capture_output=True).stdout)\nthreading.Thread(target=run, daemon=True).start()"),
 ("code", "_ = loop.call_later(0.6, event.set)"),
 ("code", "_ = loop.call_later(0.6, soon.put_nowait, 'queue')"),
 ("code", "work.put('worker')"),
 ("code", "work.put('again')"),
 ("code", "_ = loop.call_later(0.6, late.change, w)"),
 ("code", "n = 0\ndef chain():\n    global n\n    n += 1\n    change(n)\n    if n < 5:\n        loop.call_later(0.6, chain)\n_ = loop.call_later(0.6, chain)"),
 ("code", "async def count():\n    for k in range(25):\n        await asyncio.sleep(0.1)\n        change(k)\ntask = asyncio.create_task(count())"),
 ("code", "async def poll():\n    end = time.time() + 3\n    while time.time() < end:\n        await asyncio.sleep(0.3)\n    change('polled')\ntask = asyncio.create_task(poll())"),
 ("code", "_ = loop.call_later(4.7, change, 'latest')"),
 ("code", "1 + 1")]
EON
	profile clocks --max-wait-time 30 <<'EON' || true
[("code", "import asyncio, threading, time\nimport ipywidgets\nw, a = ipywidgets.HTML('start'), ipywidgets.HTML('start')\n"
          "loop, running, stop = asyncio.get_running_loop(), True, threading.Event()\n"
          "def tick():\n    a.value = str(time.time())"),
 ("code", "w"),
 ("code", "def again():\n    tick()\n    global handle\n    handle = loop.call_later(1, again)\nagain()\na"),
 ("code", "handle.cancel()\ndef again():\n    tick()\n    global handle\n    handle = loop.call_later(1, lambda: again())\nagain()\na"),
 ("code", "handle.cancel()\ndef timed():\n    if not stop.is_set():\n        tick()\n        threading.Timer(0.7, timed).start()\ntimed()\na"),
 ("code", "async def run():\n    while running:\n        await asyncio.sleep(0.4)\n        tick()\nstop.set()\ntask = asyncio.create_task(run())\na"),
 ("code", "task.cancel()\ndone = threading.Event()\ndef live():\n    while not done.is_set():\n        tick()\n        done.wait(0.4)\nthreading.Thread(target=live).start()\na"),
 ("code", "done.set()\nwhile threading.active_count() > 20: pass\nforever = lambda: time.time() > 0\n"
          "async def run():\n    while forever():\n        await asyncio.sleep(0.4)\n        tick()\ntask = asyncio.create_task(run())\na"),
 ("code", "task.cancel()\nend = 1e12\ndef live():\n    while time.time() < end:\n        tick()\n        time.sleep(0.4)\nthreading.Thread(target=live).start()\na"),
 ("code", "end = 0\ndef again():\n    tick()\n    if forever():\n        global handle\n        handle = loop.call_later(0.4, again)\nagain()\n_ = loop.call_later(0.6, setattr, w, 'value', 'changed')\na"),
 ("code", "1 + 1"),
 ("code", "_ = loop.call_later(0.6, setattr, w, 'value', 'again')"),
 ("code", "handle.cancel()\nw.value = 'last'")]
EON
	# A cell's script calls painted() where it changes something.
	profile page --max-wait-time 30 <<'EON' || true
[("code", "from IPython.display import HTML\nfrom string import Template\n"
          "HTML('<script>window.painted = () => console.error(\"painted \" + (performance.timeOrigin + performance.now()) / 1000)</script>')"),
 ("code", "count = 0\ndef show(script):\n    global count\n    count += 1\n"
          "    return HTML(Template('<p id=p$n>start</p><script>{const p = document.getElementById(\"p$n\"); "
          "window.change = () => { p.textContent = \"changed\"; painted(); }; $script}</script>').substitute(n=count, script=script))\n"
          "def working(code):\n    return 'const w = new Worker(URL.createObjectURL(new Blob([\"' + code + '\"])));'"),
 ("code", "show('scheduler.postTask(change, {delay: 500})')"),
 ("code", "show('setTimeout(\"change()\", 500)')"),
 ("code", "show(working('onmessage = () => setTimeout(() => postMessage(1), 600)') + 'w.onmessage = change; w.postMessage(1)')"),
 ("code", "show(working('setTimeout(() => postMessage(1), 600)') + 'w.onmessage = () => setTimeout(change, 400)')"),
 ("code", "show('setTimeout(change, 4700)')"),
 ("code", "show('const c = new TaskController(); scheduler.postTask(change, {delay: 2000, signal: c.signal}).catch(() => 0); c.abort()')"),
 ("code", "show(working('onmessage = () => 0') + 'window.mute = w; w.postMessage(1)')"),
 ("code", "show('mute.postMessage(1); mute.postMessage(2)')")]
EON
	dumb 'ip = get_ipython()\nip.user_expressions = lambda expressions: {}'
}

# dumb CODE: a kernel that cannot be asked, which the first cell makes so.
dumb() {
	profile dumb --max-wait-time 30 <<-EON || true
	[("code", """$1"""), ("code", "1"), ("code", "2"), ("code", "import asyncio, ipywidgets\nw = ipywidgets.HTML('start')\nloop = asyncio.get_running_loop()"),
	 ("code", "w"), ("code", "_ = loop.call_later(0.4, setattr, w, 'value', 'changed')"), ("code", "3")]
	EON
}

# The kernel of ipykernel 6, in front of the environment's own.
previous_kernel() {
	HOLDER="env -u JUPYTERLAB_URL -u JUPYTERLAB_TOKEN PYTHONPATH=$ROOT/build/ipykernel6 labserve" \
		profile six --max-wait-time 30 --executed "$BATS_FILE_TMPDIR/six.executed.ipynb" <<'EON' || true
[("code", "import asyncio, ipykernel, threading, time\nimport ipywidgets\nfrom tornado.ioloop import PeriodicCallback\n"
          "w, a = ipywidgets.HTML('start'), ipywidgets.HTML('start')\nloop = asyncio.get_running_loop()\nprint(ipykernel.__version__)"),
 ("code", "w"),
 ("code", "_ = loop.call_later(0.6, setattr, w, 'value', 'a')"),
 ("code", "threading.Timer(0.5, setattr, [w, 'value', 'b']).start()"),
 ("code", "def say():\n    time.sleep(0.5)\n    print('from a thread')\nthreading.Thread(target=say).start()"),
 ("code", "clock = PeriodicCallback(lambda: setattr(a, 'value', str(time.time())), 700)\nclock.start()\na"),
 ("code", "await asyncio.sleep(1)"),
 ("code", "_ = loop.call_later(0.6, setattr, w, 'value', 'c')")]
EON
}

teardown_file() {
	stop_session
	stop_server
}

setup() {
	use_server
}

# late_cells FILTER: of the cells that change w late: [index, delay in s, record, truth].
late_cells() {
	painted kinds '{"3": 0.6, "4": 0.6, "5": 0.6, "6": 0.6, "7": 0.6, "8": 0.5, "9": 0.5, "10": 0.6, "11": 3, "12": 2.5, "13": 3, "14": 4.7}' "$1"
}

@test "a late change that a pool, a process, an event, a queue, a worker or a chain makes is its cell's, within 50 ms of the truth" {
	dated_truly late_cells
}

@test "a cell that follows such a change to its end has no mark" {
	run -0 late_cells 'map(select(.[2].marks != []) | [.[0], .[2].marks])'
	[ "$output" = '[]' ] || has nothing
	run -0 cells kinds '.[14] | [.waited, .marks]'
	[ "$output" = '[false,[]]' ] || has nothing
}

@test "callbacks that always schedule themselves again, and loops that only a flag ends, hold no cell up" {
	run -0 cells clocks '.[2:7] | map([.marks - ["overlapped"], .client_ms < 500])'
	[ "$output" = '[[["periodic_updates"],true],[["periodic_updates"],true],[["periodic_updates"],true],[["periodic_updates"],true],[["periodic_updates"],true]]' ] || has nothing
	for i in 3 4 5 6 7; do
		run -0 took clocks $i
		below "$output" 2
	done
}

@test "a loop that might end, but has not after 5 s, is marked, and its changes do not count" {
	run -0 cells clocks '.[7, 8] | [.marks - ["overlapped"], .client_ms < 500, .late_message_t]'
	[ "$output" = $'[["periodic_updates"],true,null]\n[["periodic_updates"],true,null]' ] || has nothing
	for i in 8 9; do
		run -0 took clocks $i
		below "$output" 8
	done
}

@test "a change that the cell made while such a loop runs counts" {
	run -0 cells clocks '.[9] | [.marks - ["overlapped"], .client_ms >= 600 and .client_ms < 800]'
	[ "$output" = '[["periodic_updates"],true]' ] || has nothing
}

@test "the rounds of such a loop are nothing that a later cell waits for" {
	run -0 cells clocks '.[10, 11, 12] | [.marks - ["overlapped"], .client_ms < 500 or (.client_ms >= 600 and .client_ms < 800)]'
	[ "$output" = $'[[],true]\n[[],true]\n[[],true]' ] || has nothing
	run -0 took clocks 11
	below "$output" 1
	run -0 took clocks 12
	below "$output" 2
}

# page_cells FILTER: of the cells whose script changes the page late: [index, delay in s, record, truth].
page_cells() {
	painted page '{"3": 0.5, "4": 0.5, "5": 0.6, "6": 1, "7": 4.7}' "$1"
}

@test "a late change by a task of the scheduler, a timer with a text or a worker's answer is its cell's, within 50 ms of the truth" {
	dated_truly page_cells
	run -0 page_cells 'map(select(.[2].marks - ["web_worker"] != []) | [.[0], .[2].marks])'
	[ "$output" = '[]' ] || has nothing
}

@test "a task that was aborted holds no cell up, and a worker that does not answer only one" {
	run -0 cells page '.[7, 8, 9] | [.marks - ["web_worker"], .client_ms < 500]'
	[ "$output" = $'[[],true]\n[["late_updates_possible"],true]\n[[],true]' ] || has nothing
	for pair in 8:1.5 9:7 10:1.5; do
		run -0 took page ${pair%:*}
		below "$output" ${pair#*:}
	done
}

longer_window() {
	run -0 cells dumb '.[5, 1] | [.waited, .changed, .client_ms >= 400 and .client_ms < 1000]'
	[ "$output" = $'[true,true,true]\n[false,false,false]' ] || has nothing
}

@test "where the kernel cannot be asked, a longer settle window decides as soon as there are widgets" {
	longer_window
}

# bats test_tags=thorough
@test "so it does with a kernel of another language" {
	dumb "from IPython.display import Javascript\nJavascript('window.__nbscopeKernel.language = \"R\"')"
	longer_window
}

# bats test_tags=thorough
@test "with ipykernel 6 too, late changes belong to their cells, and a clock's to none" {
	[ -e "$ROOT/build/ipykernel6/.done" ] || skip 'build/ipykernel6: make prepare-test ALL=1'
	previous_kernel
	run -0 jq -c '.cells[0, 4].outputs | map(.text)' "$BATS_FILE_TMPDIR/six.executed.ipynb"
	[[ ${lines[0]} =~ \"6\.[0-9] && ${lines[1]} = *'from a thread'* ]] || has 'version 6, and what the thread printed'
	run -0 cells six '.[2, 3, 7] | [.changed, .client_ms >= 500 and .client_ms < 800, .marks - ["overlapped"]]'
	[ "$output" = $'[true,true,[]]\n[true,true,[]]\n[true,true,[]]' ] || has nothing
	run -0 cells six '.[5, 6] | [.marks - ["overlapped"], .client_ms < 500 or (.client_ms >= 1000 and .client_ms < 1250)]'
	[ "$output" = $'[["periodic_updates"],true]\n[[],true]' ] || has nothing
	run -0 took six 6
	below "$output" 3
}

@test "the records keep their schema" {
	run -0 "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict "$BATS_FILE_TMPDIR"/*.jsonl
}
