#!/usr/bin/env bats
# netshape: rates, delays and faults of a link, and that nothing is left behind.
# bats file_tags=untimed,long
load helpers

setup_file() {
	start_server SERVER_PID PORT
	export SERVER_PID PORT
}

teardown_file() {
	kill "$SERVER_PID"
}

# start_server PIDVAR PORTVAR [HOST]: if it cannot start, the pipe ends.
start_server() {
	local fifo=$BATS_FILE_TMPDIR/port.$RANDOM pid port
	mkfifo "$fifo"
	python3 "$ROOT/tests/ws_server.py" "${@:3}" >"$fifo" 2>/dev/null 3>&- &
	pid=$!
	read -r port <"$fifo"
	printf -v "$1" %s "$pid"
	printf -v "$2" %s "$port"
}

# shaped OPTION... -- CURL ARGUMENT...: runs curl through a link.
shaped() {
	local options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	shift
	# shellcheck disable=SC2016
	netshape "${options[@]}" bash -c 'curl -sS -x "$NETSHAPE_PROXY" "$@"' - "$@"
}

# between LO HI: the output of the last `run` is a number in this range.
between() {
	python3 -c 'import sys; lo, x, hi = map(float, sys.argv[1:]); sys.exit(not lo <= x <= hi)' "$1" "$output" "$2" && return
	printf 'expected %s to %s, got: %s\n' "$1" "$2" "$output" >&2
	return 1
}

# takes LO HI COMMAND...: each number that it prints is in this range. A link is never too
# fast; too slow may be due to a busy machine, so that gets three attempts.
takes() {
	local lo=$1 hi=$2 number
	shift 2
	for _ in 1 2 3; do
		run "$@"
		status_is 0 || return 1
		[ -n "$output" ] || return 1
		for number in "${lines[@]}"; do
			output=$number between "$lo" 1e9 || return 1
		done
		for number in "${lines[@]}"; do
			output=$number between 0 "$hi" || continue 2
		done
		return 0
	done
	return 1
}

# gone PID...: ends within 5 s.
gone() {
	local pid
	for pid; do
		timeout 5 tail -s 0.02 --pid="$pid" -f /dev/null && continue
		echo "process $pid still runs" >&2
		return 1
	done
}

# A link around a command that prints "PID PROXY PID" and runs until its input ends.
hold() {
	mkfifo "$BATS_TEST_TMPDIR/in" "$BATS_TEST_TMPDIR/out"
	# shellcheck disable=SC2016
	netshape "$@" bash -c 'echo "$NETSHAPE_PID $NETSHAPE_PROXY $$"; exec cat' <"$BATS_TEST_TMPDIR/in" >"$BATS_TEST_TMPDIR/out" 3>&- &
	held=$!
	exec 8>"$BATS_TEST_TMPDIR/in"
	read -r pid proxy command <"$BATS_TEST_TMPDIR/out"
	port=${proxy##*:}
}

let_go() {
	exec 8>&-
	status=0
	wait "$held" || status=$?
}

@test "without limits netshape replaces itself with the command and starts no proxy" {
	export NETSHAPE_PROXY=http://127.0.0.1:1
	# shellcheck disable=SC2016
	run bash -c 'echo $$; exec netshape --down -1 --up -1 --latency 0 --jitter 0 sh -c "echo \$\$ \${NETSHAPE_PROXY-none}"'
	status_is 0
	[ "${lines[1]}" = "${lines[0]} none" ]
	run -127 netshape /nonexistent/program
	has "netshape: cannot run '/nonexistent/program': No such file or directory"
}

@test "the command's status, arguments, input and output are its own" {
	# shellcheck disable=SC2016
	run netshape --control sh -c 'cat; echo "$1"; exit 7' - 'a b' <<<in
	status_is 7
	[ "$output" = $'in\na b' ]
	run netshape --control sh -c 'kill -KILL $$'
	status_is 137
	run -127 netshape --control /nonexistent/program
	has "netshape: cannot run '/nonexistent/program': No such file or directory"
}

@test "NETSHAPE_PROXY has the form that the manual documents" {
	# shellcheck disable=SC2016
	run netshape --control sh -c 'echo "$NETSHAPE_PROXY"; [ "$NETSHAPE_PID" = "$PPID" ]'
	status_is 0
	[[ $output =~ ^http://127\.0\.0\.1:[0-9]+$ ]]
}

@test "a bad option is a usage error" {
	run netshape
	status_is 2
	has "netshape: no command given"
	run netshape --down 0 true
	status_is 2
	has "netshape: --down must be -1 or at least 0.001, not 0"
	run netshape --up -0.5 true
	status_is 2
	has "netshape: --up must be -1 or at least 0.001, not -0.5"
	run netshape --down nan true
	status_is 2
	has "--down must be a number"
	run netshape --latency -1 true
	status_is 2
	run netshape --seed x true
	status_is 2
	run netshape --nosuch true
	status_is 2
}

# Its 5 % are 400 ms: other tests do not disturb it.
@test "4 MB at 0.5 MB/s take 8 s within 5 %" {
	takes 7.92 8.4 shaped --down 0.5 -- -o /dev/null -w '%{time_total}' "http://127.0.0.1:$PORT/4000000"
}

# bats test_tags=timed
@test "20 MB at 20 MB/s take 1 s within 5 %, through a tunnel" {
	takes 0.99 1.05 shaped --down 20 -- -p -o /dev/null -w '%{time_total}' "http://127.0.0.1:$PORT/20000000"
}

# bats test_tags=timed
@test "2 MB up at 1 MB/s take 2 s within 5 %, with a length and in chunks" {
	head -c 2000000 /dev/zero >"$BATS_TEST_TMPDIR/2m"
	for way in Content-Type:x Transfer-Encoding:chunked; do
		takes 1.98 2.1 shaped --up 1 -- -H "$way" -H Expect: --data-binary "@$BATS_TEST_TMPDIR/2m" \
			-o "$BATS_TEST_TMPDIR/answer" -w '%{time_total}' "http://127.0.0.1:$PORT/"
		[ "$(cat "$BATS_TEST_TMPDIR/answer")" = "POST 2000000" ]
	done
}

# bats test_tags=timed
@test "the rate of one direction does not slow the other one down" {
	takes 0 1 shaped --up 0.1 -- -o /dev/null -w '%{time_total}' "http://127.0.0.1:$PORT/4000000"
}

# bats test_tags=timed
@test "two connections share the rate equally" {
	# shellcheck disable=SC2016
	takes 1.8 2.1 netshape --down 1 bash -c 'for i in 1 2; do
		curl -sS -x "$NETSHAPE_PROXY" -o /dev/null -w "%{time_total}\n" "$1" & done; wait' - "http://127.0.0.1:$PORT/1000000"
	[ ${#lines[@]} -eq 2 ]
}

# bats test_tags=timed
@test "a request on an open connection takes one round trip, the first one two" {
	url=http://127.0.0.1:$PORT/10
	for way in '' --proxytunnel; do
		# shellcheck disable=SC2016
		takes 0.1 0.215 netshape --latency 50 bash -c 'curl -sS $1 -x "$NETSHAPE_PROXY" -w "%{time_total}\n" -o /dev/null "$2" -o /dev/null "$2"' - "$way" "$url"
		output=${lines[0]} between 0.2 0.215
		output=${lines[1]} between 0.1 0.115
	done
}

# bats test_tags=timed
@test "jitter stays within its bound, varies, and is determined by the seed" {
	# Each answer is one piece, that is, one draw. The minimum over several rounds
	# removes what the machine adds to a round trip.
	cat >"$BATS_TEST_TMPDIR/ask.py" <<-'EOF'
		import http.client, os, sys, time
		host, port = os.environ["NETSHAPE_PROXY"][7:].split(":")
		c = http.client.HTTPConnection(host, int(port))
		for i in range(13):
		    t = time.monotonic()
		    c.request("GET", sys.argv[1])
		    c.getresponse().read()
		    if i: print((time.monotonic() - t) * 1000)
	EOF
	cat >"$BATS_TEST_TMPDIR/judge.py" <<-'EOF'
		import sys, statistics
		t = [float(x) for x in sys.stdin]
		assert len(t) % 36 == 0 and min(t) >= 10, t
		t = [min(t[i::36]) for i in range(36)]
		a, again, other = t[:12], t[12:24], t[24:]
		far = lambda x, y: statistics.median(abs(i - j) for i, j in zip(x, y))
		print(max(t) < 95 and statistics.stdev(a) > 5 and far(a, again) < 3 < far(a, other), t)
	EOF
	for _ in {1..10}; do
		run bash -c 'for seed in 7 7 8; do
			netshape --latency 5 --jitter 40 --seed $seed python3 "$1/ask.py" "$2" || exit
		done >>"$1/times"; python3 "$1/judge.py" <"$1/times"' - "$BATS_TEST_TMPDIR" "http://127.0.0.1:$PORT/0"
		status_is 0
		[[ $output == True* ]] && break
	done
	has True
}

@test "plain requests reuse the connection to a server, and can change servers" {
	other_pid='' other_port=''
	start_server other_pid other_port ::1
	a="http://127.0.0.1:$PORT" b="http://[::1]:$other_port"
	run shaped --control -- "$a/peer" -w '\n%{num_connects}\n' "$a/peer" "$b/peer" "$b/page" "$a/peer"
	kill "$other_pid"
	status_is 0
	[ "${lines[0]}" = "${lines[2]}" ]	# the server saw one client
	[ "${lines[6]}" = "<!doctype html><title>page</title>" ]
	[ "${lines[1]} ${lines[3]} ${lines[5]} ${lines[7]} ${lines[9]}" = "1 0 0 0 0" ]
}

@test "names are resolved, localhost without a resolver" {
	run shaped --control -- "http://localhost:$PORT/3" "http://x.localhost:$PORT/3"
	status_is 0
	[ "$output" = xxxxxx ]
	run shaped --control -- -w '%{http_code}' "http://nosuch.invalid/"
	has "netshape: cannot connect to 'nosuch.invalid:80': "
	has 502
}

@test "any method passes, including its body" {
	run shaped --control -- -X PROPFIND -d abc "http://127.0.0.1:$PORT/"
	[ "$output" = "PROPFIND 3" ]
	run shaped --control -- -X BREW "http://127.0.0.1:$PORT/" -X BREW "http://127.0.0.1:$PORT/"
	[ "${lines[1]}" = "BREW 0" ]
}

@test "a server that cannot be reached gives a 502" {
	run shaped --control -- -w '%{http_code}' http://127.0.0.1:1/
	[ "${lines[0]}" = "netshape: cannot connect to '127.0.0.1:1': Connection refused" ]
	[ "${lines[1]}" = 502 ]
	run shaped --control -- -p -w '%{http_connect}' http://127.0.0.1:1/
	status_is 56
	has 502
	# A large body that is never read does not hide the answer.
	head -c 5000000 /dev/zero >"$BATS_TEST_TMPDIR/5m"
	run shaped --control -- -H Expect: --data-binary "@$BATS_TEST_TMPDIR/5m" -w '%{http_code}' http://127.0.0.1:1/
	[ "${lines[1]}" = 502 ]
}

@test "a server that never accepts the connection gives a 504 after 10 s" {
	run netshape --control python3 - <<-'EOF'
		import os, socket, time
		full = socket.socket()
		full.bind(("127.0.0.1", 0))
		full.listen(0)
		keep = []
		for i in range(4):
		    s = socket.socket(); s.setblocking(False); s.connect_ex(full.getsockname()); keep.append(s)
		host, port = os.environ["NETSHAPE_PROXY"][7:].split(":")
		c = socket.create_connection((host, int(port)))
		t = time.monotonic()
		c.sendall(b"CONNECT 127.0.0.1:%d HTTP/1.1\r\n\r\n" % full.getsockname()[1])
		print(c.recv(99).split(b"\r\n")[0].decode(), 9.9 < time.monotonic() - t < 11)
	EOF
	[ "$output" = "HTTP/1.1 504 Gateway Timeout True" ]
}

# raw TEXT...: sends each text and prints the first line of each answer.
raw() {
	# shellcheck disable=SC2016
	run netshape --control python3 -c 'if True:
		import ast, os, socket, sys
		host, port = os.environ["NETSHAPE_PROXY"][7:].split(":")
		for text in sys.argv[1:]:
		    c = socket.create_connection((host, int(port)), 10)
		    c.sendall(eval("b\"" + text + "\"") if not text.startswith("=") else eval(text[1:]))
		    got = b""
		    while d := c.recv(9999): got += d
		    print(got.split(b"\r\n")[0].decode())' "$@"
}

@test "a malformed request gives a 400 and ends its connection" {
	ok="GET http://127.0.0.1:$PORT/1 HTTP/1.1\\r\\n"
	raw '\x16\x03\x01\r\n\r\n' '\xff\xfe\n\n' 'GET\r\n\r\n' 'GET / HTTP/1.1\r\nHost: x\r\n\r\n' \
		'GET http:///x HTTP/1.1\r\n\r\n' 'GET http://a:99999/ HTTP/1.1\r\n\r\n' 'GET http://a HTTP/2.0\r\n\r\n' \
		'GET http://u:p@a/ HTTP/1.1\r\n\r\n' 'GET http://[::1/ HTTP/1.1\r\n\r\n' 'GET  http://a/ HTTP/1.1\r\n\r\n' \
		'CONNECT 127.0.0.1 HTTP/1.1\r\n\r\n' 'CONNECT [::1]x:5 HTTP/1.1\r\n\r\n' 'CONNECT a:0 HTTP/1.1\r\n\r\n' \
		'GET https://a/ HTTP/1.1\r\n\r\n' "$ok:x\\r\\n\\r\\n" "${ok}a\\r\\n\\r\\n" "${ok}a: 1\\r\\n b\\r\\n\\r\\n" \
		"${ok}a : 1\\r\\n\\r\\n" "${ok}a: \\x00\\r\\n\\r\\n" "${ok}a: \\x01\\r\\n\\r\\n" \
		"${ok}Content-Length: 1\\r\\nContent-Length: 2\\r\\n\\r\\n" "${ok}Content-Length: -1\\r\\n\\r\\n" \
		"${ok}Content-Length: 1\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n" "${ok}Transfer-Encoding: gzip, chunked\\r\\n\\r\\n" \
		"${ok}Content-Length: 99999999999999999999\\r\\n\\r\\n" "=b'GET http://' + b'a' * 300 + b'/ HTTP/1.1\\r\\n\\r\\n'" \
		"POST http://127.0.0.1:$PORT/1 HTTP/1.1\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\nxyz\\r\\n"
	status_is 0
	[ ${#lines[@]} -eq 27 ]
	for line in "${lines[@]}"; do
		[ "$line" = "HTTP/1.1 400 Bad Request" ]
	done
}

@test "a head of more than 64 KiB gives a 431, a slightly smaller one passes" {
	raw "=b'GET http://127.0.0.1:$PORT/1 HTTP/1.1\\r\\na: ' + b'x' * 70000 + b'\\r\\n\\r\\n'" "=b'x' * 10_000_000" \
		"=b'GET http://127.0.0.1:$PORT/1 HTTP/1.1\\r\\nConnection: close\\r\\na: ' + b'x' * 65300 + b'\\r\\n\\r\\n'"
	[ "${lines[0]}" = "HTTP/1.1 431 Request Header Fields Too Large" ]
	[ "${lines[1]}" = "HTTP/1.1 431 Request Header Fields Too Large" ]
	[ "${lines[2]}" = "HTTP/1.1 200 OK" ]
}

@test "bare newlines, and a head that arrives byte by byte, are understood" {
	raw "GET http://127.0.0.1:$PORT/1 HTTP/1.1\\nConnection: close\\n\\n" \
		"\\r\\n\\r\\nGET http://127.0.0.1:$PORT?q HTTP/1.1\\r\\nHost: other\\r\\nConnection: close\\r\\n\\r\\n"
	[ "$output" = $'HTTP/1.1 200 OK\nHTTP/1.1 200 OK' ]
	run netshape --control python3 - "$PORT" <<-'EOF'
		import os, socket, sys
		host, port = os.environ["NETSHAPE_PROXY"][7:].split(":")
		c = socket.create_connection((host, int(port)), 10)
		c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
		for b in b"POST http://127.0.0.1:%s/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n" \
		         b"3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nt: v\r\n\r\n" % sys.argv[1].encode():
		    c.send(bytes([b]))
		got = b""
		while d := c.recv(9999): got += d
		print(got.split(b"\r\n\r\n")[1].decode())
	EOF
	[ "$output" = "POST 13" ]
}

@test "the two directions of a tunnel close separately" {
	run netshape --latency 5 python3 - <<-'EOF'
		import os, socket
		s = socket.create_server(("127.0.0.1", 0))
		host, port = os.environ["NETSHAPE_PROXY"][7:].split(":")
		c = socket.create_connection((host, int(port)), 10)
		c.sendall(b"CONNECT 127.0.0.1:%d HTTP/1.1\r\n\r\nearly" % s.getsockname()[1])
		a, _ = s.accept()
		assert c.recv(99).startswith(b"HTTP/1.1 200 ")
		c.sendall(b" and late")
		c.shutdown(socket.SHUT_WR)
		got = b""
		while d := a.recv(99): got += d
		a.sendall(got + b" back")
		a.close()
		got = b""
		while d := c.recv(99): got += d
		print(got.decode())
	EOF
	[ "$output" = "early and late back" ]
}

@test "a WebSocket passes without a tunnel too" {
	run netshape --control python3 - "$PORT" <<-'EOF'
		import os, socket, sys
		host, port = os.environ["NETSHAPE_PROXY"][7:].split(":")
		c = socket.create_connection((host, int(port)), 10)
		c.sendall(b"GET ws://127.0.0.1:%s/ws HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
		          b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n" % sys.argv[1].encode())
		f = c.makefile("rb")
		print(f.readline().decode().strip())
		while f.readline().strip(): pass
		c.sendall(b"\x82\x03abc" + b"\x81\x0570000")
		print(f.read(3), len(f.read(70010)))
	EOF
	[ "$output" = $'HTTP/1.1 101 Switching Protocols\n'"b'\\x81\\x013' 70010" ]
}

# tunnel SCRIPT OPTION...: runs a script with c and a, the two ends of a tunnel.
tunnel() {
	run netshape "${@:2}" python3 -c "if True:
		import os, signal, socket, sys, time
		s = socket.create_server(('127.0.0.1', 0))
		s.settimeout(10)
		host, port = os.environ['NETSHAPE_PROXY'][7:].split(':')
		def refused():
		    try: socket.create_connection((host, int(port)), 10).close()
		    except ConnectionRefusedError: return True
		    except ConnectionResetError: pass
		    return False
		def until(what):
		    end = time.monotonic() + 10
		    while time.monotonic() < end:
		        if what(): return True
		    return False
		def connect():
		    c = socket.create_connection((host, int(port)), 10)
		    c.sendall(b'CONNECT 127.0.0.1:%d HTTP/1.1\r\n\r\n' % s.getsockname()[1])
		    a, _ = s.accept()
		    a.settimeout(10)
		    assert c.recv(99).startswith(b'HTTP/1.1 200 ')
		    return c, a
		def kill(name): os.kill(int(os.environ['NETSHAPE_PID']), getattr(signal, name))
		def outcome(f, *args):
		    try: return f(*args)
		    except OSError as e: return type(e).__name__
		c, a = connect()
$1"
}

@test "SIGUSR1 stalls the link without loss, SIGCONT continues it" {
	tunnel '
		def silent():
		    a.sendall(b".")
		    return outcome(c.recv, 9) == "TimeoutError"
		kill("SIGUSR1")
		c.settimeout(0.3); a.settimeout(0.3)
		print(until(silent))
		a.sendall(b"down"); c.sendall(b"up")
		print(outcome(c.recv, 9), outcome(a.recv, 9))
		new = socket.create_connection((host, int(port)), 0.3)
		new.sendall(b"GET / HTTP/1.1\r\n\r\n")
		print(outcome(new.recv, 9))
		kill("SIGCONT")
		for x in a, c, new: x.settimeout(10)
		print(*[x.makefile("rb").read(n) for x, n in ((c, 5), (a, 2), (new, 12))])' --control
	status_is 0
	[ "${lines[*]}" = "True TimeoutError TimeoutError TimeoutError b'.down' b'up' b'HTTP/1.1 400'" ]
}

@test "SIGUSR2 cuts all connections with a reset, and new ones work" {
	tunnel '
		d, b = connect()
		kill("SIGUSR2")
		print(*[outcome(x.recv, 9) for x in (a, b, c, d)])
		c, a = connect()
		a.sendall(b"down")
		print(c.recv(9))' --latency 3
	status_is 0
	[ "$output" = $'ConnectionResetError ConnectionResetError ConnectionResetError ConnectionResetError\nb'"'down'" ]
}

@test "SIGRTMIN refuses new connections and leaves open ones alone, until SIGCONT" {
	tunnel '
		kill("SIGRTMIN")
		print(until(refused))
		a.sendall(b"down")
		print(c.recv(9))
		kill("SIGCONT")
		print(until(lambda: not refused()))
		c, a = connect()
		a.sendall(b"again")
		print(c.recv(9))' --control
	status_is 0
	[ "${lines[*]}" = "True b'down' True b'again'" ]
}

@test "commands are executed in the order of their signals: cut and refuse together" {
	tunnel '
		kill("SIGUSR2"); kill("SIGRTMIN")
		print(outcome(c.recv, 9))
		print(until(refused))' --down 1
	[ "${lines[*]}" = "ConnectionResetError True" ]
}

@test "a client that does not read makes the proxy wait, not use more memory" {
	tunnel '
		import threading
		proxies = [p for p in os.listdir("/proc") if p.isdigit() and
		    outcome(lambda: open(f"/proc/{p}/stat").read().split()[3]) == os.environ["NETSHAPE_PID"] and int(p) != os.getpid()]
		sent = 0
		a.settimeout(0.5)
		try:
		    while sent < 300_000_000: sent += a.send(bytes(1 << 20))
		except TimeoutError: pass
		peak = [l for l in open(f"/proc/{proxies[0]}/status") if l.startswith("VmHWM")][0].split()[1]
		print(len(proxies), sent < 100_000_000, int(peak) < 40_000)
		a.close()
		c.settimeout(10)
		got = 0
		while d := c.recv(1 << 20): got += len(d)
		print(got == sent)' --latency 20
	[ "$output" = $'1 True True\nTrue' ]
}

@test "connections that RLIMIT_NOFILE does not allow wait their turn" {
	cat >"$BATS_TEST_TMPDIR/ask.py" <<-'EOF'
		import os, sys, threading, urllib.request
		opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": os.environ["NETSHAPE_PROXY"]}))
		got = []
		def ask():
		    for i in range(10):
		        got.append(len(opener.open(f"http://127.0.0.1:{sys.argv[1]}/1000", timeout=60).read()))
		threads = [threading.Thread(target=ask) for i in range(20)]
		for t in threads: t.start()
		for t in threads: t.join()
		print(len(got), sum(got))
	EOF
	# 40 files allow 6 connections.
	# shellcheck disable=SC2016
	run bash -c 'ulimit -n 40; exec netshape --control python3 "$@"' - "$BATS_TEST_TMPDIR/ask.py" "$PORT"
	[ "$output" = "200 200000" ]
}

@test "SIGTERM ends the command, and the proxy with it" {
	hold --down 1
	proxies=$(pgrep -P "$pid" | grep -vx "$command")
	[ -n "$proxies" ]
	kill -TERM "$pid"
	# Ended by the signal, not by the end of its input.
	timeout 10 sh -c "while kill -0 $command 2>/dev/null; do sleep 0.02; done"
	let_go
	status_is 143
	gone "$pid" "$command" "$proxies"
}

@test "a command that ignores SIGTERM is killed after 5 s" {
	# shellcheck disable=SC2016
	run netshape --control bash -c 'trap "" TERM; kill -TERM "$NETSHAPE_PID"; exec tail -f /dev/null'
	status_is 137
}

@test "SIGKILL of netshape leaves no process" {
	hold --latency 10
	proxies=$(pgrep -P "$pid" | grep -vx "$command")
	kill -KILL "$pid"
	let_go
	[ "$status" -gt 128 ]
	gone "$command" "$proxies"
	run curl -sS "$proxy"
	status_is 7
}

@test "the proxy keeps none of its holder's files open" {
	hold --control
	proxies=$(pgrep -P "$pid" | grep -vx "$command")
	run readlink "/proc/$proxies/fd/1" "/proc/$proxies/fd/2"
	[ "$output" = $'/dev/null\n/dev/null' ]
	run ls "/proc/$proxies/fd"
	[ "$output" = $'0\n1\n2\n3' ]
	let_go
	# If the standard files are closed, no socket takes their place.
	run bash -c "netshape --control curl -sS -x '' -o /dev/null http://127.0.0.1:$PORT/5 0<&- 1>&- 2>&-"
	status_is 0
}

@test "a proxy that dies is reported" {
	# shellcheck disable=SC2016
	run netshape --control bash -c 'until pkill -KILL -P "$NETSHAPE_PID" -x netshape-proxy; do :; done; while pgrep -P "$NETSHAPE_PID" -x netshape-proxy -r S,R; do :; done'
	status_is 4
	has "netshape: the proxy ended before the command (signal 9)"
}

@test "LOG_LEVEL=INFO reports the bytes in each direction" {
	head -c 1000 /dev/zero >"$BATS_TEST_TMPDIR/1k"
	LOG_LEVEL=INFO run shaped --control -- -o /dev/null --data-binary "@$BATS_TEST_TMPDIR/1k" "http://127.0.0.1:$PORT/"
	[[ $output =~ ^"netshape: 1 connections, "([0-9]+)" bytes down, "([0-9]+)" bytes up"$ ]]
	[ "${BASH_REMATCH[2]}" -gt 1000 ]
	[ "${BASH_REMATCH[2]}" -lt 1400 ]
	run shaped --control -- -o /dev/null "http://127.0.0.1:$PORT/1"
	[ -z "$output" ]
}

@test "without limits 200 MB pass at a tenth of the speed of loopback or faster" {
	# shellcheck disable=SC2016
	run netshape --control bash -c 'for i in 1 2 3; do for way in "$NETSHAPE_PROXY" ""; do
		curl -sS -x "$way" -o /dev/null -w "%{speed_download}\n" "$1" || exit; done; done' - "http://127.0.0.1:$PORT/200000000"
	status_is 0
	run python3 -c 'import sys
v = list(map(float, sys.argv[1:]))
print(max(v[0::2]) / max(v[1::2]))' "${lines[@]}"
	echo "# ratio to loopback: $output" >&3
	between 0.1 2
}

@test "a browser's WebSocket receives 4 MB at 0.5 MB/s in 8 s within 5 %, and sends 1 MB at 1 MB/s in 1 s" {
	cat >"$BATS_TEST_TMPDIR/drive.py" <<-'EOF'
		import json, os, sys, urllib.request
		base = os.environ["WD_SESSION"]
		opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
		def call(path, body):
		    q = urllib.request.Request(f"{base}/{path}", json.dumps(body).encode(), {"Content-Type": "application/json"})
		    return json.load(opener.open(q, timeout=60))["value"]
		call("url", {"url": f"http://127.0.0.1:{sys.argv[1]}/page"})
		print(call("execute/async", {"args": [int(sys.argv[1])], "script": """
		    const [port, done] = arguments, ws = new WebSocket(`ws://127.0.0.1:${port}/ws`), seen = [];
		    ws.binaryType = "arraybuffer";
		    let t;
		    ws.onopen = () => { t = performance.now(); ws.send("4000000"); };
		    ws.onerror = () => done("error");
		    ws.onmessage = e => {
		        seen.push(e.data.byteLength || e.data, (performance.now() - t) / 1000);
		        t = performance.now();
		        if (seen.length == 2) ws.send(new ArrayBuffer(1000000)); else done(seen.join(" "));
		    };"""}))
	EOF
	for _ in 1 2 3; do
		run netshape --down 0.5 --up 1 wdsession python3 "$BATS_TEST_TMPDIR/drive.py" "$PORT"
		status_is 0
		read -r down_bytes down_s up_bytes up_s <<<"$output"
		echo "# 4 MB in $down_s s, 1 MB in $up_s s" >&3
		[ "$down_bytes $up_bytes" = "4000000 1000000" ]
		output="$down_s" between 7.92 8.4 && output="$up_s" between 0.98 1.05 && break
	done
	output="$down_s" between 7.92 8.4
	output="$up_s" between 0.98 1.05
}
