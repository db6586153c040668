# What happens to a running notebook: each test does it to the real thing.
# ALL=1 runs those too that take long.
# bats file_tags=untimed,long
load helpers
load oneserver
load faults
load grid

setup_file() {
	KERNEL_MEMORY=700 start_server
	# For what happens to cells and kernels; what happens to a browser is done to another one.
	use_server
	start_session
}

teardown_file() {
	stop_session
	stop_server
}

setup() {
	use_server
	export TMPDIR=$BATS_TEST_TMPDIR/tmp
	mkdir "$TMPDIR"
	export MARK=$BATS_TEST_TMPDIR/mark
}

# ---- the cell itself ---------------------------------------------------------------

@test "errors of every kind have their names at once; only an untagged one ends the notebook" {
	use_session
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

# bats test_tags=thorough
@test "no text of a cell, an error or a console costs the answer that holds it" {
	run -1 profile texts <<'EON'
[("code", "raise ValueError('a\\x00b')", ["raises-exception"]),
 ("code", "raise ValueError('x' * 1_000_000)", ["raises-exception"]),
 ("code", "from IPython.display import Javascript, display\ndisplay(Javascript(r\"console.error('half \\ud83d', 'nul \\0', new (class Odd { get message() { return 'm' } })(), {a: 1}, null)\"))\ndisplay({'a\\x00b': 'c'}, raw=True)"),
 ("code", "import time; time.sleep(.3)\nraise type('E' * 300, (Exception,), {})")]
EON
	run -0 cells texts 'map([.status, .error_name[:12], (.error_value | if . then [length, .[:3], .[-24:]] else . end)])'
	has '[["completed","ValueError",[3,"a\u0000b","a\u0000b"]],["completed","ValueError",[10024,"xxx","... (1000000 characters)"]],["completed",null,null],["failed","EEEEEEEEEEEE",[0,"",""]]]'
	run -0 jq -c 'select(.kind == "console_error") | .message' "$BATS_FILE_TMPDIR/texts.jsonl"
	has '"half � nul \u0000 Odd m {\"a\":1} null"'
}

# bats test_tags=thorough
@test "a cell that leads the page elsewhere is recognised" {
	run -1 profile elsewhere <<'EON'
[("code", "from IPython.display import Javascript, display\ndisplay(Javascript('location = \"about:blank\"'))"), ("code", "2")]
EON
	run -0 cells elsewhere 'map([.status, .reason])'
	has '[["failed","the page is gone: another one was loaded in its place"],["not_run","cell 1 failed"]]'
	wait_until 5 nothing_left
}

# bats test_tags=thorough
@test "an untagged SystemExit and a KeyboardInterrupt fail the cell and end the notebook" {
	for what in SystemExit KeyboardInterrupt; do
		run -1 profile "un$what" <<<"[('code', 'raise $what(\"why\")'), ('code', '2')]"
		run -0 cells "un$what" 'map([.status, .error_name, .error_value])'
		has '[["failed","'$what'","why"],["not_run",null,null]]'
	done
	told 'untagged SystemExit, KeyboardInterrupt' 2 0 "$(left)"
}

# bats test_tags=timed
@test "a cell that ignores the interrupt is timed_out at its limit, its kernel ended, and the next notebook runs" {
	use_session
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

# bats test_tags=thorough
@test "an input() is named as the reason, at once" {
	run -1 profile input <<<'[("code", "input()"), ("code", "2")]'
	run -0 cells input 'map([.status, .reason[:37]])'
	has '[["failed","input() or a debugger waits for an an"],["not_run","cell 1 failed"]]'
	below "$(took input 1)" 2.4
	told 'input() waits' 1 0 "$(left)"
}

# ---- the kernel --------------------------------------------------------------------

# dies NAME CODE: a notebook whose third cell ends its kernel; $ended is when.
dies() {
	: >"$MARK"
	run -1 profile "$1" <<EON
[("code", "x = bytearray(50_000_000)"), ("code", "import time\ntime.sleep(0.15)"), ("code", '''import os, sys, time, ctypes
open('$MARK', 'w').write(repr(time.time()))
$2'''), ("code", "2")]
EON
	run -0 cells "$1" '[.[2].status, .[2].reason, .[3].status, (.[2].kernel_end.memory_bytes > 60e6)]'
	ended=$(awk -v i='"cell_index":3,' 'index($0, "{\"type\":\"cell\",") && index($0, i) {print $1}' "$BATS_FILE_TMPDIR/$1.when")
	below "$ended" "$(awk '{printf "%.6f", $1 + '"${3:-1}"'}' "$MARK")"
}

@test "a segmentation fault is named, within a second, with the memory that was seen last" {
	use_session
	dies segfault 'ctypes.string_at(0)'
	has '["kernel_died","killed by SIGSEGV","not_run",true]'
	wait_until 5 nothing_left
	told 'kernel dies of a segmentation fault' 1 0 "$(left)"
}

# bats test_tags=thorough
@test "a kernel that ends whenever it starts is recognised, and not tried again" {
	mkdir -p "$BATS_TEST_TMPDIR/kernels/stillborn"
	jq -n --arg script 'echo first >&2; printf "no module \033[31mnosuch\n\n" >&2; exit 7' \
		'{argv: ["sh", "-c", $script, "{connection_file}"], display_name: "x", language: "python"}' >"$BATS_TEST_TMPDIR/kernels/stillborn/kernel.json"
	unset JUPYTERLAB_URL JUPYTERLAB_TOKEN
	HOLDER=labserve JUPYTER_PATH=$BATS_TEST_TMPDIR run -4 profile stillborn --kernel stillborn <<<'[("code", "1")]'
	run -0 jq -r 'select(.type == "run_end") | .status, .reason' "$BATS_FILE_TMPDIR/stillborn.jsonl"
	has $'kernel_died\nthe kernel \'stillborn\' ended each time it was started: it ended by itself with status 7; its last output: no module \e[31mnosuch'
}

@test "a kernel that eats past --kernel-memory is ended, and that is the reason" {
	use_session
	dies oom 'a = []
while True: a.append(bytearray(os.urandom(1) * 1_000_000))' 6
	has '["kernel_died","out of memory: it used '
	has ' MB, and --kernel-memory is 700 MB","not_run",true]'
	run -0 cells oom '.[2].kernel_end | [.limit_exceeded, .memory_bytes < 1.4e9]'
	has '[true,true]'
	wait_until 5 nothing_left
	told 'kernel eats past --kernel-memory' 1 0 "$(left)"
}

# bats test_tags=thorough
@test "a kernel that is killed from outside, or ends by itself, is recognised" {
	dies killed 'os.kill(os.getpid(), 9)'
	has '["kernel_died","killed by SIGKILL","not_run",true]'
	dies exits 'os._exit(3)'
	has '["kernel_died","it ended by itself with status 3","not_run",true]'
	dies child 'import subprocess
subprocess.run([sys.executable, "-c", "a = []\\nwhile True: a.append(b\\"x\\" * 1_000_000)"])' 8
	has '["kernel_died","out of memory: it used '
	wait_until 5 nothing_left
	told 'kernel killed, exits by itself, its child eats past --kernel-memory' 3 0 "$(left)"
}

# memory_group BYTES: a control group with that limit, where one can be made: its folder.
memory_group() {
	local above limit
	if [ -d /sys/fs/cgroup/memory ]; then
		above=/sys/fs/cgroup/memory limit=memory.limit_in_bytes
	else
		above=/sys/fs/cgroup limit=memory.max
	fi
	mkdir "$above/nbscope-test.$$" 2>/dev/null && echo "$1" >"$above/nbscope-test.$$/$limit" && echo "$above/nbscope-test.$$"
}

# bats test_tags=thorough
@test "a kernel that the system's out-of-memory killer ends is recognised" {
	unset JUPYTERLAB_URL JUPYTERLAB_TOKEN
	group=$(memory_group 600000000) || skip 'no control group with a limit can be made here'
	# The server and its kernels are in it, the browser is not.
	cat >"$BATS_TEST_TMPDIR/outside" <<-'EOS'
		#!/bin/sh
		echo 0 >"${GROUP%/*}/cgroup.procs" && exec "$@"
	EOS
	cat >"$BATS_TEST_TMPDIR/inside" <<-'EOS'
		#!/bin/sh
		echo 0 >"$GROUP/cgroup.procs" && exec labserve "$OUTSIDE" "$@"
	EOS
	chmod +x "$BATS_TEST_TMPDIR"/*side
	export GROUP=$group OUTSIDE=$BATS_TEST_TMPDIR/outside
	HOLDER=$BATS_TEST_TMPDIR/inside run -1 profile system_oom <<'EON'
[("code", "import os\nx = bytearray(50_000_000)"), ("code", '''a = []
while True: a.append(bytearray(os.urandom(1) * 1_000_000))'''), ("code", "2")]
EON
	wait_until 10 rmdir "$group"
	run -0 cells system_oom 'map([.status, .reason, .kernel_end.oom_killer])[1:]'
	has "[[\"kernel_died\",\"out of memory: killed by SIGKILL while the system's out-of-memory killer was active\",true],[\"not_run\",\"cell 2 kernel_died\",null]]"
	told "kernel ended by the system's out-of-memory killer" 1 0 "$(ls "$TMPDIR" | wc -l)"
}

# ---- the browser -------------------------------------------------------------------

@test "a browser that is killed is another try, and the run that is kept says so" {
	once_marked kill_browser
	run -0 run_of browser < <(slow_once)
	has 'the run ended as browser_died'
	tried_twice browser
	wait_until 5 nothing_left
	told 'browser killed' 1 0 "$(left)"
}

# bats test_tags=thorough
@test "a crashed renderer, a killed and a hung chromedriver are another try each" {
	for what in kill_renderers kill_driver 'kill_driver -STOP'; do
		rm -f "$MARK"
		once_marked $what
		run -0 run_of driver MAX_WAIT_TIME=15 < <(slow_once)
		has 'the run ended as browser_died'
		tried_twice driver
		wait_until 5 nothing_left
		told "browser: $what" 1 0 "$(left)"
	done
}

# bats test_tags=thorough
@test "a browser that dies each time is recorded as that, with the cells before it" {
	once_marked kill_browser
	run -0 run_of always RETRY=0 < <(slow_once)
	run -0 jq -s -c '[.[0].attempt, (map(select(.type == "cell") | [.status, (.reason | type)])), .[-1].status]' "$BATS_FILE_TMPDIR/always.jsonl"
	has '[1,[["browser_died","string"],["not_run","string"]],"browser_died"]'
	told 'browser killed, RETRY=0' 1 0 "$(left)"
}

# bats test_tags=thorough
@test "a session that is lost at a Selenium Grid is another try there" {
	grid_needed
	start_grid 127.0.0.1 2
	lose_session() {
		curl -sf -X DELETE "$WEBDRIVER_URL/session/$(sessions | cut -d' ' -f1)"
	}
	once_marked lose_session
	# The driver ends a session only when its call is over: the next cell finds none.
	run run_of grid < <(slow_once 10)
	end_group "$grid"
	wait "$grid" || true
	status_is 0
	has 'the run ended as browser_died'
	tried_twice grid
	[ -z "$(on_server)" ]
	told 'session lost at a Selenium Grid 4.47' 1 0 "$(on_server | wc -l)"
}

# ---- the server --------------------------------------------------------------------

# The same of a browser that is killed always, and that labserve starts it again in labserve.bats.
# bats test_tags=thorough
@test "a JupyterLab of labserve's that is killed is started again, and the notebook runs in it" {
	unset JUPYTERLAB_URL JUPYTERLAB_TOKEN
	once_marked kill_server
	HOLDER=labserve run -0 run_of server < <(slow_once)
	has 'labserve: JupyterLab ended before the command; restarted'
	has 'the run ended as server_lost'
	tried_twice server
	[ -z "$(ls "$TMPDIR")" ]
	told 'JupyterLab killed (embedded)' 1 0 "$(ls "$TMPDIR" | wc -l)"
}

# bats test_tags=thorough
@test "a JupyterLab of labserve's that hangs is distinguished from a slow cell, and started again" {
	unset JUPYTERLAB_URL JUPYTERLAB_TOKEN
	once_marked kill_server -STOP
	HOLDER=labserve run -0 run_of hung MAX_WAIT_TIME=5 < <(slow_once)
	has 'labserve: JupyterLab does not answer; restarted'
	has 'the run ended as server_lost'
	tried_twice hung
	[ -z "$(ls "$TMPDIR")" ]
	told 'JupyterLab stopped (embedded)' 1 0 "$(ls "$TMPDIR" | wc -l)"
}

# opens_then COMMAND...: in the background, soon after the browser is there.
opens_then() {
	{ wait_until 60 eval '[ -n "$(browser_pid)" ]' && read -r -t 3 <> <(:) || "$@"; } 3>&- 4>&- &
}

# bats test_tags=thorough
@test "a JupyterLab that is killed while its page opens is noticed within seconds, and started again" {
	unset JUPYTERLAB_URL JUPYTERLAB_TOKEN
	opens_then kill_server
	begin=$SECONDS
	HOLDER=labserve run -0 run_of opening <<<"[('code', '1'), ('code', '2')]"
	has "the run ended as server_lost: the server does not have the notebook's kernel any more"
	below $((SECONDS - begin)) 60
	tried_twice opening
	[ -z "$(ls "$TMPDIR")" ]
	told 'JupyterLab killed while its page opens' 1 0 "$(ls "$TMPDIR" | wc -l)"
}

# theirs NAME PORT: a user's server; its pid in $theirs.
theirs() {
	users_server "$BATS_TEST_TMPDIR/$1" --ServerApp.port="$2" --IdentityProvider.token=s3cret
	theirs=$users_pid
	export JUPYTERLAB_URL=http://127.0.0.1:$2/ JUPYTERLAB_TOKEN=s3cret
	wait_until 60 rest api/status
}

# bats test_tags=thorough
@test "the user's server that restarts is waited for; one that stays away ends all with status 4" {
	port=$(free_port)
	theirs first "$port"
	restart() {
		kill -9 "$theirs"
		read -r -t 3 <> <(:) || true
		theirs first "$port"
		echo "$theirs" >"$BATS_TEST_TMPDIR/second"
	}
	once_marked restart
	HOLDER=labserve run -0 run_of restarted < <(slow_once)
	has 'the run ended as server_lost'
	tried_twice restarted
	rm -f "$MARK"
	theirs=$(cat "$BATS_TEST_TMPDIR/second")
	once_marked kill -9 "$theirs"
	HOLDER='labserve --start-timeout 5' run -4 run_of away < <(slow_once)
	has 'the server did not come back within 5 s'
	[ ! -e "$BATS_FILE_TMPDIR/away.jsonl" ]
	pkill -f "$BATS_TEST_TMPDIR/first/run" || true
	[ -z "$(ls "$TMPDIR")" ]
	told "the user's JupyterLab restarted; stays away" 2 0 "$(ls "$TMPDIR" | wc -l)"
}

# behind_proxy: JUPYTERLAB_URL goes through tests/faultproxy.py; mode WORD sets what it does.
behind_proxy() {
	mode pass
	mkfifo "$BATS_TEST_TMPDIR/port"
	python3 "$ROOT/tests/faultproxy.py" "$(sed 's,.*:\([0-9]*\)/.*,\1,' <<<"$JUPYTERLAB_URL")" "$BATS_TEST_TMPDIR/mode" \
		>"$BATS_TEST_TMPDIR/port" 3>&- &
	proxy=$!
	direct=$JUPYTERLAB_URL
	read -r port <"$BATS_TEST_TMPDIR/port"
	export JUPYTERLAB_URL=http://127.0.0.1:$port/
}

mode() {
	echo "$1" >"$BATS_TEST_TMPDIR/mode"
}

# bats test_tags=thorough
@test "answers of 500 and an expired login are named, with status 4, and never a hang" {
	behind_proxy
	for what in 500 nocookie; do
		mode $what
		run profile "$what" --ready-timeout 20 <<<'[("code", "1")]'
		echo "$what: $status $output" >&2
		[ "$status" -eq 4 ]
	done
	# One that stumbles for a moment is asked again.
	mode 500
	{ read -r -t 0.3 <> <(:) || true; mode pass; } &
	run -0 labserve true
	some500() {
		mode 500
		read -r -t 7 <> <(:) || true
		mode pass
	}
	once_marked some500
	run profile later500 --max-wait-time 4 < <(slow_once 8)
	run -0 cells later500 'map([.status, .reason])'
	kill "$proxy"
	JUPYTERLAB_URL=$direct
	has '["server_lost","the server does not answer: GET '
	has 'the server answers 500"]'
	wait_until 5 nothing_left
	told 'JupyterLab answers 500, login expired' 3 0 "$(left)"
}

cut() {
	pkill -o -"$1" -f "^netshape --control wdsession.*$BATS_FILE_TMPDIR"
}

# bats test_tags=thorough
@test "a dropped WebSocket comes back, and the cell completes" {
	once_marked cut USR2
	HOLDER='netshape --control' run -0 profile cut < <(slow_once 3)
	run -0 cells cut 'map([.status, .marks])'
	has '[["completed",["reconnected"]],["completed",[]]]'
	wait_until 5 nothing_left
	told 'WebSocket dropped' 1 0 "$(left)"
}

# bats test_tags=thorough
@test "a connection that stalls is distinguished from a slow cell" {
	once_marked cut USR1
	HOLDER='netshape --control' run -1 profile stalled --max-wait-time 4 < <(slow_once 2)
	run -0 cells stalled '.[0] | [.status, .reason]'
	has '["server_lost","the server reports that the kernel is idle, but its reply did not arrive: the connection is stalled"]'
	wait_until 5 nothing_left
	told 'connection stalled' 1 0 "$(left)"
}

# bats test_tags=thorough
@test "300 ms of latency make cells slower by that, and nothing else" {
	HOLDER='netshape --latency 150' run -0 profile latency <<<'[("code", "1"), ("code", "2")]'
	run -0 cells latency 'map([.status, .client_ms > 290, .kernel_ms < 200])'
	has '[["completed",true,true],["completed",true,true]]'
	told '300 ms of latency' 1 0 "$(left)"
}

# bats test_tags=thorough
@test "a link that is throttled to nothing ends the opening at its limit, as what it is" {
	HOLDER='netshape --down 0.001' run -4 profile nothing --ready-timeout 4 <<<'[("code", "1")]'
	has 'page did not load within 4 s: its server or the link to it is slow'
	HOLDER='netshape --down 0.1' run -4 profile little --ready-timeout 8 <<<'[("code", "1")]'
	[[ $output =~ 'JupyterLab did not open the notebook in time; 0.'[3-9]' MB of its page were loaded' ]]
	wait_until 5 nothing_left
	told 'link throttled to nothing' 2 0 "$(left)"
}

# ---- much output -------------------------------------------------------------------

# floods NAME VARIABLE=VALUE...: the cells on stdin, with the memory of all programs measured.
floods() {
	most_memory "$BATS_TEST_TMPDIR/memory" cellrun procsample runbar runkeep
	run run_of "$@" 
	cat "$BATS_TEST_TMPDIR/memory"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/memory")" -ge 4 ]
	awk '$2 > 64000 {bad = 1; print "too much:", $0} END {exit bad}' "$BATS_TEST_TMPDIR/memory"
	most=$(sort -k2,2n "$BATS_TEST_TMPDIR/memory" | tail -1)
}

# bats test_tags=thorough
@test "bytes that are no UTF-8, 2,000 lines and a line of 5 MB finish, in less than 64 MB of ours" {
	floods bytes MAX_WAIT_TIME=120 <<'EON'
[("code", "import os\n_ = os.write(1, bytes(range(256)))\nprint('\\ud800')", ["raises-exception"]), ("code", "for i in range(2_000): print(i, flush=True)"), ("code", "print('x' * 5_000_000)")]
EON
	run -0 cells bytes 'map([.status, .outputs.bytes])'
	echo "$output"
	[ "$(cells bytes 'map(.status) | unique')" = '["completed"]' ]
	run -0 cells bytes '[.[1].outputs.bytes, .[2].outputs.bytes]'
	has '[8890,5000001]'
	told "2,000 lines, a line of 5 MB, no UTF-8; most memory of ours: $most kB" 1 0 "$(left)"
}

# bats test_tags=thorough
@test "a line of 50 MB, 1,000 widgets and 500 cells finish, in less than 64 MB of ours" {
	floods line MAX_WAIT_TIME=200 <<'EON'
[("code", "print('x' * 50_000_000)"), ("code", "2")]
EON
	run -0 cells line 'map([.status, .outputs.bytes])'
	has '[["completed",50000001],["completed",1]]'
	told "a line of 50 MB; most memory of ours: $most kB" 1 0 "$(left)"
	rm "$BATS_TEST_TMPDIR/memory"
	floods widgets MAX_WAIT_TIME=200 <<'EON'
[("code", "import ipywidgets as w"), ("code", "w.VBox([w.IntSlider() for _ in range(1000)])")]
EON
	run -0 cells widgets 'map(.status)'
	has '["completed","completed"]'
	told "1,000 widgets; most memory of ours: $most kB" 1 0 "$(left)"
	rm "$BATS_TEST_TMPDIR/memory"
	floods cells500 < <(python3 -c 'print([("code", str(i)) for i in range(500)])')
	run -0 cells cells500 '[length, (map(.status) | unique)]'
	has '[500,["completed"]]'
	told "500 cells; most memory of ours: $most kB" 1 0 "$(left)"
}

# More than JupyterLab's own page takes in: it draws a cell's whole text again for each line.
# bats test_tags=thorough
@test "100,000 lines and 200 MB end at the limit, as what they are, in less than 64 MB of ours" {
	floods lines MAX_WAIT_TIME=40 <<'EON'
[("code", "for i in range(100_000): print(i, flush=True)"), ("code", "2")]
EON
	run -0 cells lines 'map([.status, .reason])'
	has '[["timed_out","the '
	has '["not_run","cell 1 timed_out"]]'
	told "100,000 lines; most memory of ours: $most kB" 1 'what comes after the limit' "$(left)"
	rm "$BATS_TEST_TMPDIR/memory"
	floods huge MAX_WAIT_TIME=40 <<'EON'
[("code", "for i in range(200): print('%06d' % i + 'x' * 1_000_000)"), ("code", "2")]
EON
	run -0 cells huge 'map([.status, .reason])'
	has '[["timed_out","the '
	told "200 MB of output; most memory of ours: $most kB" 1 'what comes after the limit' "$(left)"
}

# bats test_tags=thorough
@test "a page that computes for ever is timed_out, and the next notebook runs" {
	run -1 profile stuck --max-wait-time 5 <<'EON'
[("code", "from IPython.display import Javascript\nJavascript('while (1);')"), ("code", "import time; time.sleep(1)"), ("code", "2")]
EON
	run -0 cells stuck 'map([.status, .reason])'
	has '["timed_out","the page was busy the whole time and did not answer"]'
	below "$(took stuck 1)" 13
	run -0 profile after <<<'[("code", "2")]'
	told 'a page in an endless loop' 1 0 "$(left)"
}

# bats test_tags=thorough
@test "messages that a server with rate limits drops are marked" {
	theirs limits "$(free_port)"
	run -0 profile limits <<<'[("code", "for i in range(5_000): print(i, flush=True)"), ("code", "print(\"x\" * 30_000_000)"), ("code", "2")]'
	kill "$theirs"
	run -0 cells limits 'map([.status, (.marks | index("messages_lost") != null)])'
	has '[["completed",true],["completed",true],["completed",false]]'
	told "a server's rate limits" 2 0 "$(ls "$TMPDIR" | wc -l)"
}

# ---- what JupyterLab asks ------------------------------------------------------------

@test "dialogs of JupyterLab are closed, the cells marked, and the notebook goes on" {
	use_session
	run -0 profile dialogs <<'EON'
[("code", "from IPython.display import HTML"),
 ("code", "HTML('<script>setTimeout(() => window.jupyterapp.commands.execute(\"notebook:change-kernel\"), 1)</script>')"), ("code", "1"),
 ("code", "HTML('<script>setTimeout(() => window.jupyterapp.commands.execute(\"kernelmenu:restart\"), 1)</script>')"), ("code", "2"),
 ("code", "HTML('<script>setTimeout(() => window.jupyterapp.commands.execute(\"notebook:trust\"), 1)</script>')"), ("code", "3")]
EON
	run -0 cells dialogs 'map([.status, .marks])'
	has '[["completed",[]],["completed",[]],["completed",["dialog"]],["completed",[]],["completed",["dialog"]],["completed",[]],["completed",["dialog"]]]'
	told 'dialogs for a kernel, of a restart, of trust' 3 0 "$(left)"
}

# bats test_tags=thorough
@test "the question for news that a server with settings of its own asks changes nothing" {
	theirs news "$(free_port)"
	run -0 profile news <<'EON'
[("code", "1"), ("code", "import time; time.sleep(1)\nfrom IPython.display import HTML\n"
  "HTML('<script>console.error(document.body.innerText.includes(\"official Jupyter news\") ? \"it asks\" : document.body.innerText)</script>')"), ("code", "2")]
EON
	kill "$theirs"
	run -0 cells news 'map([.status, .marks])'
	has '[["completed",[]],["completed",[]],["completed",[]]]'
	run -0 jq -r 'select(.type == "console") | .message' "$BATS_FILE_TMPDIR/news.jsonl"
	has 'it asks'
	told "the question for news" 1 0 "$(ls "$TMPDIR" | wc -l)"
}

# bats test_tags=thorough
@test "a notebook that is changed on disk meanwhile is reported, with all cells recorded" {
	run -0 profile changed --executed "$BATS_TEST_TMPDIR/out.ipynb" <<'EON'
[("code", "import glob, json, time\nname = glob.glob('*.ipynb')[0]\nnb = json.load(open(name))\nnb['cells'].append(dict(nb['cells'][0], id='new'))\ntime.sleep(1.2)\njson.dump(nb, open(name, 'w'))"), ("code", "2")]
EON
	has 'cannot save the executed notebook: JupyterLab asks: '
	[ ! -e "$BATS_TEST_TMPDIR/out.ipynb" ]
	run -0 cells changed 'map(.status)'
	has '["completed","completed"]'
	told 'notebook changed on disk' 1 0 "$(left)"
}

# ---- memory of ours ----------------------------------------------------------------------

# bats test_tags=thorough
@test "memory that runs out in what holds or drives real things is said, with nothing left" {
	[ -z "${NBSCOPE_BUILD:-}" ] || skip "the sanitizer has an allocator of its own"
	run "$ROOT/tests/faults-holders" --first 7 --stride labserve=401,wdsession=151,vizwait=151,cellrun=331 labserve wdsession vizwait cellrun
	echo "$output"
	status_is 0
	times=$(awk 'NR > 1 {n += $2 + $3} END {print n}' <<<"$output")
	[ "$times" -gt 80 ]
	told 'an allocation or a write that fails in labserve, wdsession, cellrun, vizwait' "$times" 0 "$(left)"
}

# ---- clocks ----------------------------------------------------------------------------

# bats test_tags=thorough
@test "a clock that steps by an hour, there and back, gives no absurd time" {
	"${CC:-cc}" -shared -fPIC -O1 -o "$BATS_TEST_TMPDIR/stepclock.so" "$ROOT/tests/stepclock.c"
	# A kernel whose clock is set by a file, on a server that knows it.
	mkdir -p "$BATS_TEST_TMPDIR/share/kernels/stepping"
	echo '+0' >"$BATS_TEST_TMPDIR/offset"
	jq -n --arg python "$ROOT/build/venv/bin/python" --arg preload "$BATS_TEST_TMPDIR/stepclock.so" --arg file "$BATS_TEST_TMPDIR/offset" '{
		argv: [$python, "-m", "ipykernel_launcher", "-f", "{connection_file}"], display_name: "stepping", language: "python",
		env: {LD_PRELOAD: $preload, STEPCLOCK: $file}}' \
		>"$BATS_TEST_TMPDIR/share/kernels/stepping/kernel.json"
	unset JUPYTERLAB_URL JUPYTERLAB_TOKEN
	JUPYTER_PATH=$BATS_TEST_TMPDIR/share HOLDER=labserve run -0 profile stepping --kernel stepping <<EON
[("code", "import time\nset = lambda s: open('$BATS_TEST_TMPDIR/offset', 'w').write(s)"),
 ("code", "time.sleep(0.3); set('+3600'); time.sleep(0.3)"), ("code", "time.sleep(0.3)"),
 ("code", "time.sleep(0.3); set('+0'); time.sleep(0.3)"), ("code", "time.sleep(0.3)")]
EON
	run -0 cells stepping '[map(.client_ms < 5000 and .client_ms >= 0), map(.kernel_ms == null or (.kernel_ms >= 0 and .kernel_ms < 5000)),
		map(.marks | index("clock_stepped") != null)]'
	has '[[true,true,true,true,true],[true,true,true,true,true],[false,true,'
	run -0 cells stepping 'map([.kernel_ms == null, (.marks | index("clock_stepped") != null)]) | [.[0], .[1], .[3]]'
	has '[[false,false],[true,true],[true,true]]'
	run -0 cells stepping '[.[] | to_entries[] | select((.key | endswith("_ms")) and (.value | type) == "number" and (.value > 5000 or .value < -5) and .key != "clock_offset_ms")]'
	[ "$output" = '[]' ] || has nothing
	told "the kernel's clock steps by an hour, and back" 2 0 "$(ls "$TMPDIR" | wc -l)"
}

# bats test_tags=thorough
@test "a machine whose clock steps by an hour, there and back, gives no absurd time without a browser either" {
	"${CC:-cc}" -shared -fPIC -O1 -o "$BATS_TEST_TMPDIR/stepclock.so" "$ROOT/tests/stepclock.c"
	echo '+0' >"$BATS_TEST_TMPDIR/offset"
	python3 "$ROOT/tests/nb.py" "$BATS_TEST_TMPDIR/n.ipynb" <<EON
[("code", "import time\nset = lambda s: open('$BATS_TEST_TMPDIR/offset', 'w').write(s)"),
 ("code", "time.sleep(0.3); set('+3600'); time.sleep(0.3)"), ("code", "time.sleep(0.3)"),
 ("code", "time.sleep(0.3); set('+0'); time.sleep(0.3)"), ("code", "time.sleep(0.3)")]
EON
	unset JUPYTERLAB_URL JUPYTERLAB_TOKEN
	# One clock for all, as on a machine whose clock is set.
	STEPCLOCK=$BATS_TEST_TMPDIR/offset LD_PRELOAD=$BATS_TEST_TMPDIR/stepclock.so \
		labserve kernelrun "$BATS_TEST_TMPDIR/n.ipynb" 3>&- >"$BATS_FILE_TMPDIR/machine.jsonl"
	run -0 cells machine 'map([.status, .kernel_ms == null, (.marks | index("clock_stepped") != null)])'
	has '[["completed",false,false],["completed",true,true],["completed",false,false],["completed",true,true],["completed",false,false]]'
	# All dates are those of one clock, and durations what they were.
	run -0 jq -s 'map(.t | numbers) | max - min < 60' "$BATS_FILE_TMPDIR/machine.jsonl"
	[ "$output" = true ]
	run -0 cells machine '[.[2], .[4] | .kernel_ms > 290 and .kernel_ms < 2000] | all'
	[ "$output" = true ]
	told "the machine's clock steps by an hour, and back, without a browser" 2 0 0
}

# bats test_tags=thorough
@test "a suspended machine is a mark, and the cell goes on" {
	unset JUPYTERLAB_URL JUPYTERLAB_TOKEN
	suspend() {
		local all
		all=$(grep -lz "^MARK=$MARK\$" /proc/[0-9]*/environ 2>/dev/null | sed 's,[^0-9],,g')
		for pid in $all; do
			case $(cat /proc/"$pid"/comm 2>/dev/null) in
			bats*|bash|'') ;;
			*) echo "$pid" ;;
			esac
		done >"$BATS_TEST_TMPDIR/all"
		xargs kill -STOP <"$BATS_TEST_TMPDIR/all"
		read -r -t 4 <> <(:) || true
		xargs kill -CONT <"$BATS_TEST_TMPDIR/all"
	}
	once_marked suspend
	HOLDER=labserve run -0 profile suspended < <(slow_once 2)
	[ "$(wc -l <"$BATS_TEST_TMPDIR/all")" -gt 8 ]
	run -0 cells suspended 'map([.status, (.marks | index("suspended") != null)])'
	has '[["completed",true],["completed",false]]'
	run -0 cells suspended '[.[] | to_entries[] | select((.key | endswith("_ms")) and (.value | type) == "number" and (.value > 60000 or .value < -5)) | select(.key != "clock_offset_ms")]'
	[ "$output" = '[]' ] || has nothing
	told 'all stopped for 4 s and continued' 1 0 "$(ls "$TMPDIR" | wc -l)"
}
