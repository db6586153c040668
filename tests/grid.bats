# bats file_tags=untimed
# Browsers that are elsewhere: on a node of a Selenium Grid, in another network namespace.
load helpers
load server
load faults
load grid
load make

setup_file() {
	near=127.0.0.1 far=
	! make_far 2>"$BATS_FILE_TMPDIR/far.log" || printf 'far=%s far_name=%s\n' "$far" "$far_name" >"$BATS_FILE_TMPDIR/far.env"
	[ -e "$BATS_FILE_TMPDIR/far.env" ] || near=127.0.0.1
	LAB_HOST=$near start_server
	echo "near=$near" >>"$BATS_FILE_TMPDIR/far.env"
}

teardown_file() {
	. "$BATS_FILE_TMPDIR/far.env"
	stop_server
	[ -z "${far_name-}" ] || remove_far
}

setup() {
	far=
	. "$BATS_FILE_TMPDIR/far.env"
	use_server
	export TMPDIR=$BATS_TEST_TMPDIR/tmp MARK=$BATS_TEST_TMPDIR/mark
	mkdir "$TMPDIR"
	pids=()
}

teardown() {
	local pid
	for pid in "${grid-}" "${nodes[@]}" "${pids[@]}"; do
		[ -z "$pid" ] || end_group "$pid"
	done
	wait
}

far_needed() {
	[ -n "$far" ] || skip 'no network namespace can be made here'
	FAR="ip netns exec $far_name"
}

# far_driver: a chromedriver there, as WEBDRIVER_URL.
far_driver() {
	local port
	port=$(free_port)
	# shellcheck disable=SC2086  # a command line
	in_background "$BATS_TEST_TMPDIR/driver.log" $FAR chromedriver --port="$port" --allowed-ips="$near" --allowed-origins='*'
	pids+=("$started")
	export WEBDRIVER_URL=http://$far:$port
	wait_for curl -sf "$WEBDRIVER_URL/status"
}

sandbox() {
	[ "$(id -u)" != 0 ] || echo --arg=--no-sandbox
}

# ---- the server ------------------------------------------------------------------------------

@test "with --host JupyterLab listens there alone, with a certificate of its own, and its token protects it" {
	[[ $JUPYTERLAB_URL == "https://$near:"* ]]
	run -0 curl -sf --cacert "$JUPYTERLAB_CERT" "${JUPYTERLAB_URL}api"
	run -60 curl -sf "${JUPYTERLAB_URL}api"
	[ "$(curl -s -o "$TMPDIR/answer" -w '%{http_code}' --cacert "$JUPYTERLAB_CERT" "${JUPYTERLAB_URL}api/status")" = 403 ]
	[ "$(stat -c %a "$(dirname "$JUPYTERLAB_CERT")" "$(dirname "$JUPYTERLAB_CERT")/key.pem" | tr '\n' ' ')" = '700 600 ' ]
	port=${JUPYTERLAB_URL##*:} port=${port%/}
	[ "$near" = 127.0.0.1 ] || run -7 curl -sk "https://127.0.0.1:$port/api"
	[ "$near" = 127.0.0.1 ] || grep -q "labserve: JupyterLab is open to other machines at '$JUPYTERLAB_URL' (--host)" "$BATS_FILE_TMPDIR/server.err"
	for host in 192.0.2.7 no-such-host.invalid; do
		JUPYTERLAB_URL='' run -4 labserve --host "$host" true
		has "'$host' (LAB_HOST) is no address or name of this machine: "
		[ "${#lines[@]}" = 1 ]
	done
	for host in 0.0.0.0 :: 'a,DNS:b' ''; do
		run -2 labserve --host "$host" true
		has '--host must be an address or a name of this machine'
	done
}

@test "kernelrun trusts the certificate of JUPYTERLAB_CERT, and no other" {
	python3 "$ROOT/tests/nb.py" "$TMPDIR/nb.ipynb" <<<'[("code", "1")]'
	run -0 kernelrun "$TMPDIR/nb.ipynb"
	run -0 jq -s -c 'map(select(.type == "cell").status)' <<<"$output"
	has '["completed"]'
	certificate "$TMPDIR/other"
	JUPYTERLAB_CERT=$TMPDIR/other/cert run -4 kernelrun "$TMPDIR/nb.ipynb"
	has 'certificate'
}

# ---- another machine -------------------------------------------------------------------------

@test "a browser elsewhere runs a notebook over TLS: its times are measured, its usage is null with a reason" {
	far_needed
	far_driver
	python3 "$ROOT/tests/nb.py" "$TMPDIR/nb.ipynb" <<<'[("code", "import time; time.sleep(0.5)"), ("code", "from IPython.display import HTML\nHTML(\"<h1>x</h1>\")")]'
	wdsession $(sandbox) cellrun "$TMPDIR/nb.ipynb" >"$TMPDIR/run.jsonl"
	run -0 jq -s -c '[.[0].browser_node, (map(select(.type == "cell")) | (map(.status), (.[0].kernel_ms | . >= 500 and . < 600),
		(.[1].last_visual_change_t != null), map(.arrived_t), map(.usage.browser.cpu_s)))]' "$TMPDIR/run.jsonl"
	has "[\"${WEBDRIVER_URL#http://}\",[\"completed\",\"completed\"],true,true,[null,null],[null,null]]"
	run -0 jq -c 'select(.type == "watch" and .role == "browser") | [.pid, .reason]' "$TMPDIR/run.jsonl"
	has '[null,"the browser runs on another machine, or its driver does not report its process"]'
}

@test "a browser elsewhere opens no page whose certificate it does not know" {
	far_needed
	far_driver
	python3 "$ROOT/tests/nb.py" "$TMPDIR/nb.ipynb" <<<'[("code", "1")]'
	certificate "$TMPDIR/other"
	JUPYTERLAB_CERT=$TMPDIR/other/cert run wdsession $(sandbox) env JUPYTERLAB_CERT="$JUPYTERLAB_CERT" cellrun "$TMPDIR/nb.ipynb"
	status_is 4
	has ERR_CERT_AUTHORITY_INVALID
	NETSHAPE_PROXY=http://127.0.0.1:9 run -2 wdsession true
	has 'wdsession: a browser on another machine (WEBDRIVER_URL) cannot use the proxy of netshape'
}

# ---- a Selenium Grid -------------------------------------------------------------------------

# The Grid is on the other machine if there is one.
grid_host() {
	grid_needed
	[ -z "$far" ] || FAR="ip netns exec $far_name"
	at=${far:-127.0.0.1}
}

queued() {
	[ "$(curl -sf "$WEBDRIVER_URL/se/grid/newsessionqueue/queue" | jq '.value | length')" = "$1" ]
}

no_sessions() {
	[ -z "$(sessions)" ]
}

@test "a browser is waited for in the Grid's queue, and one that is requested there by a killed wdsession goes back" {
	grid_host
	start_grid "$at" 1
	wdsession $(sandbox) sh -c 'touch "$MARK"; until [ -e "$MARK.over" ]; do sleep 0.1; done' 3>&- 4>&- &
	wait_for test -e "$MARK"
	wdsession $(sandbox) touch "$MARK.never" 3>&- 4>&- &
	local killed=$!
	wait_for queued 1
	kill -KILL "$killed"
	wdsession $(sandbox) sh -c 'echo "$WD_BROWSER_NODE" >"$MARK.second"' 3>&- 4>&- &
	wait_for queued 2
	touch "$MARK.over"
	wait_for test -e "$MARK.second"
	[ "$(cat "$MARK.second")" = "${WEBDRIVER_URL#http://}" ]
	wait_for no_sessions
	[ ! -e "$MARK.never" ]
}

@test "a Grid whose browsers are all in use is waited for, also after its queue has dropped the request, and its length is shown" {
	grid_host
	start_grid "$at" 1 --session-request-timeout 3
	wdsession $(sandbox) sh -c 'touch "$MARK"; until [ -e "$MARK.over" ]; do sleep 0.1; done' 3>&- 4>&- &
	wait_for test -e "$MARK"
	wdsession $(sandbox) touch "$MARK.second" 2>"$MARK.err" 3>&- 4>&- &
	said() { [ "$(grep -c '^wdsession: waiting for a browser of the Grid: 1 of 1 are in use, 0 requests are in its queue already$' "$MARK.err")" -ge 2 ]; }
	wait_for said
	touch "$MARK.over"
	wait_for test -e "$MARK.second"
	# A limit that was set is kept.
	wdsession $(sandbox) sh -c 'touch "$MARK.third"; until [ -e "$MARK.end" ]; do sleep 0.1; done' 3>&- 4>&- &
	wait_for test -e "$MARK.third"
	run -4 wdsession --start-timeout 6 true
	touch "$MARK.end"
	wait_for no_sessions
}

@test "a cell that takes longer than the Grid keeps an idle session is measured to its end" {
	grid_host
	start_grid "$at" 1 --session-timeout 20
	python3 "$ROOT/tests/nb.py" "$TMPDIR/nb.ipynb" <<<'[("code", "import time; time.sleep(45)"), ("code", "1")]'
	wdsession $(sandbox) cellrun "$TMPDIR/nb.ipynb" >"$TMPDIR/run.jsonl" || true
	run -0 jq -s -c 'map(select(.type == "cell") | [.status, .reason])' "$TMPDIR/run.jsonl"
	has '[["completed",null],["completed",null]]'
	wait_for no_sessions
}

@test "a run whose node is killed is made again on another node, and its record names that one" {
	grid_host
	start_hub_and_nodes "$at" 2
	kill_node() {
		sessions >"$MARK.sessions"
		local port i
		port=$(sed 's/.*://; q' "$MARK.sessions")
		for i in "${nodes[@]}"; do
			! tr '\0' '\n' <"/proc/$i/cmdline" | grep -qx "$port" || end_group "$i" -KILL
		done
	}
	once_marked kill_node
	run -0 run_of lost_node < <(slow_once 15)
	has 'the run ended as browser_died'
	tried_twice lost_node
	run -0 jq -r 'select(.type == "run").browser_node' "$BATS_FILE_TMPDIR/lost_node.jsonl"
	[[ $output == "$at:"* ]]
	! grep -q "$output\$" "$MARK.sessions"
}

@test "a Firefox of a Grid runs a notebook: what it does not report is null" {
	grid_host
	PATH=$PATH:$ROOT/build/geckodriver/bin
	command -v firefox >/dev/null && command -v geckodriver >/dev/null || skip 'no Firefox or geckodriver: make setup BROWSER=firefox installs them'
	GRID_BROWSER=firefox start_grid "$at" 1
	python3 "$ROOT/tests/nb.py" "$TMPDIR/nb.ipynb" <<<'[("code", "import time; time.sleep(0.5)"), ("code", "from IPython.display import HTML\nHTML(\"<h1>x</h1>\")")]'
	# Firefox has no option for a certificate that no authority has signed.
	wdsession --browser firefox --insecure cellrun "$TMPDIR/nb.ipynb" >"$TMPDIR/run.jsonl"
	run -0 jq -s -c '[.[0].browser_node, (.[0].browser | split(" ")[0]), (map(select(.type == "cell")) | (map(.status), (.[0].kernel_ms | . >= 500 and . < 600),
		(.[1].last_visual_change_t != null), map(.usage.browser.cpu_s), map(.page.reasons.heap_bytes)))]' "$TMPDIR/run.jsonl"
	has "[\"${WEBDRIVER_URL#http://}\",\"firefox\",[\"completed\",\"completed\"],true,true,[null,null],[\"this browser does not report its heap\",\"this browser does not report its heap\"]]"
	wait_for no_sessions
}

# nowhere TEXT...: fails if a file of the use case has it.
nowhere() {
	local text
	for text; do
		run ! grep -rlF -- "$text" "$UC" "$TMPDIR" "$BATS_TEST_TMPDIR/out"
	done
}

@test "a Grid's password is in no record, no file, no argument list and not in the kernel's environment" {
	grid_host
	local secret=p@ss-$RANDOM-word
	local encoded=${secret/@/%40}
	printf '[router]\nusername = "somebody"\npassword = "%s"\n' "$secret" >"$BATS_TEST_TMPDIR/router.toml"
	echo "$secret" >"$BATS_TEST_TMPDIR/secret"
	GRID_USER=somebody:$encoded start_grid "$at" 1 --config "$BATS_TEST_TMPDIR/router.toml"
	use_case '{"n": [1]}'
	python3 "$ROOT/tests/nb.py" "$UC/template.ipynb" <<-EON
	[("code", "n = {n_value}", ["parameters"]), ("code", """import glob, os
	secret = open('$BATS_TEST_TMPDIR/secret').read().strip()
	def has(text): return secret in text or secret.replace('@', '%40') in text
	for path in glob.glob('/proc/[0-9]*/cmdline'):
	    try: assert not has(open(path, errors='replace').read()), path
	    except OSError: pass
	assert not has(str(os.environ))""")]
	EON
	unset JUPYTERLAB_URL JUPYTERLAB_TOKEN JUPYTERLAB_CERT
	LAB_HOST=$near nb profile >"$BATS_TEST_TMPDIR/out" 2>&1 || { cat "$BATS_TEST_TMPDIR/out"; false; }
	run -0 cat "$BATS_TEST_TMPDIR/out"
	has 'all completed'
	nowhere "$secret" "$encoded"
	run -0 jq -r 'select(.type == "run") | .browser_node, .made_from.settings.webdriver' "$UC"/runs/current/*.jsonl
	[ "$output" = "${WEBDRIVER_URL#*@}"$'\n'"${WEBDRIVER_URL#*@}" ]
	WEBDRIVER_URL=${WEBDRIVER_URL/$encoded/wr0ng} run -4 wdsession true
	has "requires another user's name and password"
	[[ $output != *wr0ng* ]]
	wait_for no_sessions
}
