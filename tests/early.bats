# bats file_tags=untimed
# wdsession --early: a browser handed over while its command runs, and returned.
load helpers
load browser

setup() {
	cd "$BATS_TEST_TMPDIR"
	export TMPDIR=$BATS_TEST_TMPDIR
}

# A command that receives the session as in man/wdsession.1, prints it, and returns it
# when a file exists.
client() {
	cat >client.py <<-'P'
	import json, os, socket, sys, time, urllib.request
	assert "WD_SESSION" not in os.environ
	s = socket.socket(fileno=int(os.environ["WD_HANDOVER"]))
	line = b""
	while not line.endswith(b"\n"):
	    line += s.recv(1) or sys.exit("no browser")
	v = json.loads(line)
	print(sorted(v), json.load(urllib.request.urlopen(v["WD_SESSION"] + "/url")), v["WD_WINDOW"], flush=True)
	open("ready", "w").close()
	while not os.path.exists("go"):
	    time.sleep(0.01)
	s.shutdown(socket.SHUT_WR)
	assert s.recv(1) == b""
	print("gone", os.path.exists(f"/proc/{v['WD_BROWSER_PID']}/exe"), [n for n in os.listdir() if n.startswith("nbscope-browser")])
	P
}

@test "a command receives the session by the socket, and the browser ends when it is returned" {
	client
	touch go
	run -0 wdsession --early --window 900x700 python3 client.py
	has "['WD_BROWSER', 'WD_BROWSER_PID', 'WD_DEVTOOLS', 'WD_SESSION', 'WD_WINDOW'] {'value': 'about:blank'} 900x700"
	has "gone False"
	gone
}

@test "a command may end before its browser has started, or never receive it" {
	run -0 wdsession --early true
	[ -z "$output" ]
	run -7 wdsession --early sh -c 'sleep 1; exit 7'
	[ -z "$output" ]
	gone
}

@test "signals end everything at any moment" {
	client
	for signal in TERM KILL; do
		for when in 0.05 0.3 ready; do
			rm -f ready
			wdsession --early python3 client.py >/dev/null 2>&1 3>&- &
			pid=$!
			if [ $when = ready ]; then
				timeout 60 sh -c "until [ -e ready ]; do sleep 0.02; done"
				[ "$(ours)" -gt 3 ]
			else
				sleep $when
			fi
			kill -$signal $pid
			wait $pid || true
			gone
		done
	done
}

@test "a remote browser is never early" {
	start_driver
	run wdsession --early $args sh -c 'echo "${WD_SESSION:+session} [$WD_HANDOVER]"'
	kill $driver
	status_is 0
	has 'session []'
}

@test "cellrun: the server is prepared in the meantime, and nothing stays on it" {
	python3 "$ROOT/tests/nb.py" small.ipynb <<<'[("code", "n = 1"), ("code", "print(n)")]'
	cat >there <<-'E'
	wdsession --early cellrun small.ipynb >run.jsonl || exit
	for what in api/sessions api/kernels api/contents lab/api/workspaces; do
		curl -sf -H "Authorization: token $JUPYTERLAB_TOKEN" "$JUPYTERLAB_URL$what" | jq -c 'if type == "array" then . else .content // .workspaces.ids end | length'
	done
	E
	run -0 labserve sh there
	[ "$output" = $'0\n0\n0\n0' ]
	jq -se 'map(select(.type == "run"))[0] | .browser and .window' run.jsonl
	[ "$(jq -r 'select(.type == "run_end").status' run.jsonl)" = completed ]
	gone
}

@test "cellrun: a browser that does not start gives one message, no record, and nothing stays" {
	python3 "$ROOT/tests/nb.py" small.ipynb <<<'[("code", "n = 1")]'
	cat >there <<-'E'
	wdsession --early --browser /nowhere/chromium cellrun small.ipynb >run.jsonl
	echo "status $?"
	for what in api/sessions api/kernels api/contents; do
		curl -sf -H "Authorization: token $JUPYTERLAB_TOKEN" "$JUPYTERLAB_URL$what" | jq -c '.content? // . | length'
	done
	E
	run -0 labserve sh there
	[ "${#lines[@]}" = 5 ]
	[[ "${lines[0]}" == "wdsession: cannot open a session of chromium: "* ]]
	[ "${lines[*]:1}" = "status 4 0 0 0" ]
	[ ! -s run.jsonl ]
}

@test "a profile is in memory if there is room, and removed afterwards" {
	[ "$(df --output=avail -B1 /dev/shm | tail -1)" -ge $((1 << 30)) ] || skip "no 1 GiB free in /dev/shm"
	run -0 env -u TMPDIR wdsession --early true
	run -0 env -u TMPDIR wdsession sh -c 'tr "\0" "\n" <"/proc/$WD_BROWSER_PID/cmdline" | sed -n "s/--user-data-dir=//p"'
	[[ "$output" == /dev/shm/nbscope-profile.??????/profile ]]
	[ ! -e "$output" ]
	[ ! -e "${output%/profile}" ]
	run -0 wdsession sh -c 'tr "\0" "\n" <"/proc/$WD_BROWSER_PID/cmdline" | sed -n "s/--user-data-dir=//p"'
	[[ "$output" == "$BATS_TEST_TMPDIR"/nbscope-browser.??????/profile ]]
}
