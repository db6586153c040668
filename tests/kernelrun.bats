# kernelrun with real kernels of a real Jupyter server, and next to cellrun on the same notebooks.
# bats file_tags=untimed,long
load helpers
load oneserver
load make
load faults

# kernel NAME [kernelrun's options]: the cells on stdin, the records in NAME.jsonl.
kernel() {
	local name=$1 dir=$BATS_FILE_TMPDIR
	shift
	python3 "$ROOT/tests/nb.py" "$dir/$name.ipynb"
	kernelrun "$@" "$dir/$name.ipynb" >"$dir/$name.jsonl" 3>&-
}

# in_both NAME [options]: the cells on stdin, run by kernelrun and, as NAME-page, by cellrun.
in_both() {
	local name=$1 dir=$BATS_FILE_TMPDIR
	shift
	cat >"$dir/$name.cells"
	kernel "$name" --executed "$dir/$name.executed" "$@" <"$dir/$name.cells" || true
	profile "$name-page" --executed "$dir/$name-page.executed" "$@" <"$dir/$name.cells" || true
}

setup_file() {
	start_server
	use_server
	mkdir -p "$BATS_FILE_TMPDIR/files/data"
	echo 42 >"$BATS_FILE_TMPDIR/files/data/x.txt"
	# Known kernel times, as in the calibration, ten times each.
	sleeps=$(printf ' ("code", "time.sleep(0.01)"), ("code", "time.sleep(0.1)"),%.0s' $(seq 10))
	sed "s/SLEEPS/$sleeps/" <<'EON' | in_both all --noise --with-file "$BATS_FILE_TMPDIR/files"
[("markdown", "# Title\n```\n# a comment\n```\nand a text"),
 ("code", "import sys, time, threading\nimport ipywidgets as w\nfrom IPython.display import HTML, clear_output, display", ["skip_profiling"]),
 ("code", "print('a'); print('b', file=sys.stderr); print('c'); print('d', end='')"),
 ("code", "  \n"),
 ("code", "HTML('<p>x</p>')"),
 ("code", "for i in range(3):\n    clear_output(wait=True)\n    display(i)\nprint('kept')"),
 ("code", "print('gone')\nclear_output()\nprint('a\\rbc\\nabc\\bX')\nfor i in range(20):\n    print('\\r%3d %% \\u00e9' % i, end='')\nprint('\\r\\u00e9')"),
 ("code", "shown = display({'text/plain': 'first', 'application/json': {'n': [0.1, 2, 10**25], 'none': None}}, raw=True, display_id='one', metadata={'m': 1})"),
 ("code", "shown.update({'text/plain': 'second'}, raw=True)\nopen('data/x.txt').read()"),
 ("code", "print?"),
 ("code", "slider = w.IntSlider()"),
 ("code", "for i in range(10):\n    slider.value = i"),
 ("code", "print('{\"type\": \"items\", \"items\": 5, \"done\": 4}')"),
 ("code", "{}['expected']", ["raises-exception"]),
 ("code", "get_ipython().set_next_input('1 + 1')"),
 ("code", "print('x' * 1_100_000)"),
 ("code", "def say(*parts, to=sys.stdout):\n    for part in parts:\n        to.write(part)\n        to.flush()\n        time.sleep(0.01)"),
 ("code", "h = display('first', display_id='k')"),
 ("code", "display('second', display_id='k')"),
 ("code", "from IPython.display import update_display\nupdate_display('third', display_id='k')\nupdate_display('nowhere', display_id='none')"),
 ("code", "display('fourth', display_id='k')\ndisplay('fifth', display_id='k')\ndisplay('now', display_id='none')"),
 ("code", "g = display('a', display_id='g')\ng.update('b')\nclear_output(wait=True)\ng.update('c')"),
 ("code", "print('abc\\x08\\x08X')\nprint('12345\\r67\\x08')\nprint('a\\rb\\nc\\rd', end='')\nprint('\\x1b[2K\\rz')"),
 ("code", "say('ab', '\\x08', 'c\\r', '\\u00e9', '\\r', 'xyz\\n', '\\x08\\r', '12', '\\x08\\x08\\x08')\nsay('1\\r', to=sys.stderr)\nsay('2\\r')\nsay('3')"),
 ("code", "for i in range(3):\n    say('\\r%d/3' % i, '\\n\\r%d/3\\x1b[A' % i, to=sys.stderr)\nprint('\\x1b[1;31mred\\x1b[0m \\x1b[5D<-')"),
 ("code", "print('a')\ndisplay('b')\nprint('c', file=sys.stderr)\nclear_output(wait=True)\nclear_output()\nprint('d')\nprint('e', file=sys.stderr)\n'f'"),
 ("code", "from IPython.core import page\npage.page('one')\npage.page('two')"),
 ("code", "page.page('of a cell that fails')\n1 / 0", ["raises-exception"]),
 ("code", "out = w.Output()\nwith out:\n    print('taken')\n    clear_output()\n    display('taken')\n    inner = w.Output()\n    with inner:\n        print('deeper')\n    print('taken')\nprint('left')"),
 ("code", "print('left')\nout.clear_output()\nout.append_stdout('in its state')\nwith out:\n    1 / 0"),
 ("code", "%%writefile bad.py\nraise KeyError('k')"),
 ("code", "%run bad.py"),
 ("code", "%%capture captured\n1 / 0"),
 ("code", "get_ipython().run_cell('1 / 0');"),
 ("code", "try:\n    1 / 0\nexcept Exception:\n    get_ipython().showtraceback()"),
 ("code", "get_ipython().run_cell('1 / 0')\nclear_output()"),
 ("code", "class R:\n    def __repr__(self):\n        raise ValueError('no repr')\nR()", ["raises-exception"]),
 SLEEPS
 ("code", "raise ValueError('\\u00e9' * 20_000)"),
 ("code", "print('never')")]
EON
}

setup() {
	use_server
}

# same FILTER: of the cells' records of both drivers.
same() {
	diff <(cells all-page "$1" | jq -cS .) <(cells all "$1" | jq -cS .)
}

@test "cells end as in JupyterLab, with the same errors and reasons" {
	run -0 same 'map([.cell_index, .cell_id, .status, .error_name, .error_value, .reason, .empty, .profiled, .tags])'
	run -0 cells all 'map(.status) | group_by(.) | map([.[0], length])'
	has '[["completed",56],["failed",1],["not_run",1]]'
}

@test "a completed cell that shows a traceback has a mark and its error, in both drivers" {
	shows='map(select(.error_name and .status == "completed") | [(.source | split("\n")[-1]), .error_name, .error_value, (.marks - ["no_browser"])])'
	run -0 same "$shows"
	run -0 cells all "$shows | .[]"
	[ "$(grep -v '^\["R()"\|raises-exception' <<<"$output" | grep -c '\["error_shown"\]')" = 5 ] || { echo "$output"; false; }
	has '["%run bad.py","KeyError","'"'k'"'",["error_shown"]]'
	has '["1 / 0","ZeroDivisionError","division by zero",["error_shown"]]'
	has '["R()","ValueError","no repr",["expected_error"]]'
	run -1 grep -c clear_output <<<"$output"
}

@test "outputs, items and messages of widgets are counted as in JupyterLab" {
	# Only a page answers an Output widget.
	run -0 same 'map([.cell_index, .outputs, .items, .items_done, (if .source | test("with out:") then null else .comm_messages_received end)])'
	run -0 cells all '.[9:12] | map([.comm_messages_received, .items, .items_done])'
	has '[[3,null,null],[9,null,null],[0,5,4]]'
}

@test "the executed notebook is the one that JupyterLab saves" {
	plain='del(.cells[] | select(.source == ["1 + 1"]).id) | (.. | .model_id? // empty) = "" | del(.cells[].metadata.trusted)
		| (.. | strings) |= sub("/nbscope-[0-9a-f]{16}/"; "/")
		| .cells[].metadata.execution[]? |= sub("^20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\\.[0-9]{6}Z$"; "date")'
	run diff <(jq -S "$plain" "$BATS_FILE_TMPDIR/all-page.executed" | cut -c1-200) <(jq -S "$plain" "$BATS_FILE_TMPDIR/all.executed" | cut -c1-200)
	[ -z "$output" ] || has nothing
	"$ROOT/build/testvenv/bin/python" -c 'import nbformat, sys; nbformat.validate(nbformat.read(sys.argv[1], 4))' "$BATS_FILE_TMPDIR/all.executed"
}

@test "what only a page knows is null and marked; all else has the members that cellrun writes" {
	run -0 cells all 'map(select(.sent_t) | [.pressed_t, .client_ms, .dispatch_ms, .render_ms, .page, .last_visual_change_t, .waited, .added] | all(. == null)) | all'
	has true
	run -0 cells all 'map(select(.sent_t) | (.marks | index("no_browser")) != null and .usage.browser.reason == "no browser ran (kernelrun)" and .usage.kernel.cpu_s != null) | all'
	has true
	run -0 jq -c 'select(.type == "run") | [.browser, .window, .settings.wait, .settings.settle_ms, .driver_ms]' "$BATS_FILE_TMPDIR/all.jsonl"
	[ "$output" = '[null,null,null,null,null]' ]
	for type in run cell run_end watch machine_noise cell_start; do
		diff <(jq -r "select(.type == \"$type\") | keys[]" "$BATS_FILE_TMPDIR/all-page.jsonl" | sort -u) \
			<(jq -r "select(.type == \"$type\") | keys[]" "$BATS_FILE_TMPDIR/all.jsonl" | sort -u)
	done
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict "$BATS_FILE_TMPDIR/all.jsonl"
	status_is 0
}

@test "instants are in order, and the kernel's time is within that of the request" {
	run -0 cells all 'map(select(.received_t) | .sent_t < .received_t and .kernel_ms <= (.received_t - .sent_t) * 1000 + 0.01 and .clock_bound_ms < 20 and .transport_ms >= 0) | all'
	has true
}

@test "nothing is left on the server" {
	run -0 left_over
	[ "$output" = '[][]
[]' ] || has nothing
}

@test "kernel times of sleeps, as in the calibration, are those of cellrun within 5 ms" {
	# Of several of each, the shortest: other tests use the machine, too.
	for run in all all-page; do
		cells $run 'map(select(.source | startswith("time.sleep("))) | group_by(.source) | map([length, (map(.kernel_ms) | min)])'
	done >"$BATS_TEST_TMPDIR/least"
	run -0 jq -s -c 'transpose | map((.[0][1] - .[1][1] | fabs < 5), .[0][0])' "$BATS_TEST_TMPDIR/least"
	[ "$output" = '[true,10,true,10]' ] || has "$(cat "$BATS_TEST_TMPDIR/least")"
}

@test "an output that a task sends later belongs to its cell, and those after the last cell are waited for" {
	kernel late --executed "$BATS_FILE_TMPDIR/late.executed" <<'EON'
[("code", "import asyncio, threading, time\nasync def say():\n    await asyncio.sleep(0.1)\n    print('late')\ntask = asyncio.create_task(say())"), ("code", "await asyncio.sleep(0.3)\nprint('mine')"),
 ("code", "def count():\n    for i in range(3):\n        time.sleep(0.3)\n        print(i)\nthreading.Thread(target=count).start()")]
EON
	run -0 jq -c '[.cells[].outputs[].text]' "$BATS_FILE_TMPDIR/late.executed"
	[ "$output" = '[["late\n"],["mine\n"],["0\n","1\n","2\n"]]' ] || has nothing
}

@test "after the last cell, what is due too late for a page is not waited for" {
	kernel never --executed "$BATS_FILE_TMPDIR/never.executed" <<'EON'
[("code", "import asyncio, threading\nlater = threading.Timer(60, print)\nlater.daemon = True\nlater.start()"),
 ("code", "asyncio.get_running_loop().call_later(30, print)\nNone"),
 ("code", "asyncio.get_running_loop().call_later(0.5, print, 'soon')\nNone")]
EON
	run -0 jq -s -c '[(last(.[] | select(.type == "run_end")).t - (map(.received_t // empty) | last)) | . > 0.5, . < 4]' "$BATS_FILE_TMPDIR/never.jsonl"
	has '[true,true]'
	run -0 jq -c '.cells[2].outputs | map(.text)' "$BATS_FILE_TMPDIR/never.executed"
	has '[["soon\n"]]'
}

@test "a cell at its limit is interrupted, and its outputs so far are kept" {
	run -1 kernel slow --max-wait-time 1 --executed "$BATS_FILE_TMPDIR/slow.executed" <<<'[("code", "import time\nprint(1)\ntime.sleep(60)"), ("code", "2")]'
	run -0 cells slow 'map([.status, .reason])'
	has '[["timed_out","the kernel was still busy at the limit"],["not_run","cell 1 timed_out"]]'
	run -0 jq -c '.cells[0].outputs | map(.text // .ename)' "$BATS_FILE_TMPDIR/slow.executed"
	has '[["1\n"],"KeyboardInterrupt"]'
}

@test "input() and a debugger end at once, a cell that ignores the interrupt at the limit, with the reason" {
	for cell in 'input()' 'def f(): 1/0\nf()", ["raises-exception"]), ("code", "%debug'; do
		run -1 kernel input <<<'[("code", "'"$cell"'"), ("code", "2")]'
		run -0 cells input '.[-2] | [.status, .reason[:52], .client_ms < 3000]'
		has '["failed","input() or a debugger waits for an answer, which nob",true]'
	done
	run -1 kernel deaf --max-wait-time 0.7 <<<'[("code", "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass")]'
	run -0 cells deaf '.[0] | [.status, .reason]'
	has '["timed_out","the kernel was still busy at the limit, and the interrupt did not end it at once"]'
	wait_until 5 nothing_on_server
}

nothing_on_server() {
	[ -z "$(on_server)" ]
}

@test "a kernel that dies is named, with how it ended" {
	run -1 kernel dies <<<'[("code", "import ctypes\nctypes.string_at(0)"), ("code", "2")]'
	run -0 cells dies 'map([.status, .reason])'
	has '[["kernel_died","killed by SIGSEGV"],["not_run","cell 1 kernel_died"]]'
	# exit() ends it a moment later, in a cell that is not to blame; JupyterLab goes on.
	exits='[("code", "1"), ("code", "exit()"), ("code", "import time\ntime.sleep(0.5)"), ("code", "3")]'
	kernel exits <<<"$exits" || true
	[ -z "${ALL:-}" ] || profile exits-page <<<"$exits" || true
	for run in exits ${ALL:+exits-page}; do
		run -0 cells "$run" 'map([.status, .reason])'
		has '[["completed",null],["kernel_died","the cell ended the kernel by exit() or quit()"],["not_run","cell 2 kernel_died"],["not_run","cell 2 kernel_died"]]'
	done
	run -1 kernel keeps <<<'[("code", "quit(keep_kernel=True)\n1 / 0"), ("code", "2")]'
	run -0 cells keeps 'map([.status, .reason])'
	has '[["failed","the cell ended the session by exit() or quit(), and left the kernel running"],["not_run","cell 1 failed"]]'
	run -1 kernel shuts <<<'[("code", "1"), ("code", "get_ipython().kernel.do_shutdown(True)"), ("code", "import time\ntime.sleep(0.5)"), ("code", "3")]'
	run -0 cells shuts 'map(select(.status == "kernel_died").reason)'
	has '["cell 2 ended the kernel (do_shutdown): it ended by itself with status 0"]'
	run -0 jq -r 'select(.type == "run_end") | .reason' "$BATS_FILE_TMPDIR/shuts.jsonl"
	[ "$output" = "cell 2 ended the kernel (do_shutdown)" ]
	run -4 kernel none --kernel nosuch <<<'[("code", "1")]'
	has "no kernel 'nosuch' on the server"
	nothing_on_server
}

@test "a signal, also one that cannot be caught, leaves nothing on the server; the token is in no command line" {
	for signal in INT KILL; do
		rm -f "$BATS_TEST_TMPDIR/mark"
		python3 "$ROOT/tests/nb.py" "$BATS_TEST_TMPDIR/killed.ipynb" <<<"[('code', '''open('$BATS_TEST_TMPDIR/mark', 'w')
import time; time.sleep(60)''')]"
		env --default-signal=INT kernelrun "$BATS_TEST_TMPDIR/killed.ipynb" >/dev/null 3>&- &
		pid=$!
		wait_until 20 test -e "$BATS_TEST_TMPDIR/mark"
		run -1 grep -rlsF -- "$JUPYTERLAB_TOKEN" /proc/"$pid"/cmdline
		kill -"$signal" "$pid"
		wait "$pid" || true
		wait_until 20 nothing_on_server
	done
}

@test "a server with TLS, a password, a base address and without the binary framing works as well" {
	local home=$BATS_TEST_TMPDIR/user
	certificate "$home/tls"
	port=$(free_port)
	hash=$("${NBSCOPE_VENV:-$ROOT/build/venv}/bin/python" -c 'from jupyter_server.auth import passwd; print(passwd("s3cret", "sha1"))')
	users_server "$home" --ServerApp.port="$port" --ServerApp.base_url=/some/where/ --PasswordIdentityProvider.hashed_password="$hash" \
		--ServerApp.certfile="$home/tls/cert" --ServerApp.keyfile="$home/tls/key" --ServerApp.kernel_ws_protocol=
	unset JUPYTERLAB_TOKEN
	export JUPYTERLAB_URL=https://127.0.0.1:$port/some/where/ JUPYTERLAB_PASSWORD=s3cret
	wait_until 60 curl -skf "${JUPYTERLAB_URL}api"
	cells_of="[('code', 'print(1)'), ('code', 'from IPython.display import Image; Image(data=bytes(100_000), format=\"png\")')]"
	run -0 kernel theirs --insecure --executed "$BATS_FILE_TMPDIR/theirs.executed" <<<"$cells_of"
	run -4 kernel theirs-not <<<"$cells_of"
	kill "$users_pid"
	run -0 jq -c '.cells | [.[0].outputs[0].text, (.[1].outputs[0].data["image/png"] | length > 100000)]' "$BATS_FILE_TMPDIR/theirs.executed"
	has '[["1\n"],true]'
	run -0 find "$home/root" -mindepth 1
	[ -z "$output" ]
}

@test "a connection that breaks is made again, and no output is lost" {
	# A relay in front of the server, which cuts what passes through it once.
	relay=$(free_port)
	python3 - "$relay" "${JUPYTERLAB_URL##*:}" "$BATS_TEST_TMPDIR/cut" 3>&- <<'P' &
import os, socket, sys, threading
listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
pairs = []
def pump(a, b):
    try:
        while data := a.recv(65536):
            b.sendall(data)
    except OSError:
        pass
    for s in (a, b):
        try:
            s.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
def cut():
    while not os.path.exists(sys.argv[3]):
        threading.Event().wait(0.02)
    for s in [s for pair in pairs for s in pair]:
        try:
            s.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
threading.Thread(target=cut, daemon=True).start()
while True:
    a = listener.accept()[0]
    b = socket.create_connection(("127.0.0.1", int(sys.argv[2].strip("/"))))
    pairs.append((a, b))
    for s, t in ((a, b), (b, a)):
        threading.Thread(target=pump, args=(s, t), daemon=True).start()
P
	pid=$!
	JUPYTERLAB_URL=http://127.0.0.1:$relay/
	wait_until 10 rest api
	run -0 kernel cut --executed "$BATS_FILE_TMPDIR/cut.executed" <<<"[('code', '''import time
for i in range(20):
    print(i)
    time.sleep(0.1)
    if i == 5:
        open('$BATS_TEST_TMPDIR/cut', 'w')
        time.sleep(1)  # until the server knows'''), ('code', '2')]"
	kill "$pid"
	run -0 cells cut 'map([.status, .marks])'
	has '[["completed",["no_browser","reconnected"]],["completed",["no_browser"]]]'
	run -0 jq -c '.cells[0].outputs | map(.text | length)' "$BATS_FILE_TMPDIR/cut.executed"
	[ "$output" = '[20]' ] || has '[20]'
}

@test "tables show the kernel's time, and a comparison with a browser's label says that they differ" {
	metrics() {
		jq -c "if .type == \"run\" then .label = \"$2\" else . end" "$BATS_FILE_TMPDIR/$1.jsonl" | cellmetrics
	}
	run -1 runsum <(metrics all none)
	has ' kernel s dispatch% transport% kernel% '
	has 'kernel s   cell  notebook'
	! [[ $output == *no_browser* ]] || has 'no doubt'
	run -6 metriccmp --base page <(metrics all-page page; metrics all none)
	has 'browser'
	has 'none (kernelrun)'
}

@test "make profile and explain BROWSER=none start no browser, and a change of BROWSER makes runs stale" {
	use_case '{"n": [10], "word": ["good"]}'
	# What would start one says so.
	mkdir "$BATS_TEST_TMPDIR/bin"
	for name in chromium chromedriver wdsession netshape; do
		printf '#!/bin/sh\necho started >>"%s"\nexit 9\n' "$BATS_TEST_TMPDIR/started" >"$BATS_TEST_TMPDIR/bin/$name"
		chmod +x "$BATS_TEST_TMPDIR/bin/$name"
	done
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
	run -0 nb BROWSER=none profile
	has '1 notebook profiled, 3 cells, all completed'
	has ' kernel s dispatch% '
	run -0 jq -c 'select(.type == "cell") | [.client_ms, .marks]' "$UC"/runs/current/*n10*.jsonl
	[ "$output" = "$(printf '[null,["no_browser"]]\n%.0s' 1 2 3)" ] || has nothing
	[ -e "$UC"/executed/current/small-n10-wordgood.ipynb ]
	run -0 nb BROWSER=none explain PROFILERS='functions browser' CELLS=2 WHERE='n=10'
	grep -qF '<built-in method time.sleep>' "$UC/profiles/current/explain.txt"
	grep -qF 'no browser ran' "$UC/profiles/current/explain.txt"
	[ ! -e "$BATS_TEST_TMPDIR/started" ]
	run -0 nb BROWSER=none profile
	has '1 notebook profiled'
	[ ! -e "$BATS_TEST_TMPDIR/started" ]
	run -0 nb plan
	has '0 up to date, 1 to run'
	# What only a page has is no setting of these runs.
	run -0 nb BROWSER=none WINDOW=800x600 SETTLE_MS=700 WAIT=none VIZ_SELECTOR=.x HEADLESS=0 plan
	has '1 up to date, 0 to run'
	run -2 nb BROWSER=none SCREENSHOTS=1 profile
	has 'SCREENSHOTS=1 needs a browser'
}
