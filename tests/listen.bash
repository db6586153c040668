# For the tests of celllisten: a person who works in a browser, and a run that listens to it.

# person PORT: does what standard input says (tests/person.py).
person() {
	timeout 120 "$ROOT/build/venv/bin/python" "$ROOT/tests/person.py" "$1" /lab
}

# start_browser NOTEBOOK CELLS: a person's browser that shows the notebook, which has this number of
# code cells, and another tab; its port is in the file port, its process in browser.pid.
start_browser() {
	local args=(--headless=new --no-first-run --remote-debugging-port=0 --window-size=1400,1000 "--user-data-dir=$BATS_FILE_TMPDIR/profile") port
	[ "$(id -u)" != 0 ] || args+=(--no-sandbox)
	chromium "${args[@]}" "${JUPYTERLAB_URL}lab/tree/$1?token=$JUPYTERLAB_TOKEN" 3>&- 4>&- >"$BATS_FILE_TMPDIR/chromium.log" 2>&1 &
	echo $! >"$BATS_FILE_TMPDIR/browser.pid"
	port=$(port_of "$BATS_FILE_TMPDIR/profile")
	echo "$port" >"$BATS_FILE_TMPDIR/port"
	curl -s -X PUT "http://127.0.0.1:$port/json/new?about:blank" >/dev/null
	is_open "$2"
}

# is_open CELLS: waits until the person's notebook is open.
is_open() {
	person "$(cat "$BATS_FILE_TMPDIR/port")" <<-P
	wait (document.querySelector('.jp-Notebook-ExecutionIndicator') || {dataset: {}}).dataset.status === 'idle'
	wait document.querySelectorAll('.jp-CodeCell').length === $1
	P
}

stop_browser() {
	kill "$(cat "$BATS_FILE_TMPDIR/browser.pid")"
	while pgrep -f "$BATS_FILE_TMPDIR/[p]rofile" >/dev/null; do
		pause 0.1
	done
}

# port_of PROFILE: the debugging port of the browser with that profile.
port_of() {
	timeout 60 sh -c "until [ -s '$1/DevToolsActivePort' ]; do sleep 0.1; done"
	head -1 "$1/DevToolsActivePort"
}

# put NAME: uploads a notebook from standard input to work/.
put() {
	python3 "$ROOT/tests/nb.py" "$BATS_FILE_TMPDIR/put.ipynb"
	send work '{"type": "directory"}'
	send "work/$1" "$(jq -c '{type: "notebook", format: "json", content: .}' "$BATS_FILE_TMPDIR/put.ipynb")"
}

send() {
	curl -sf -X PUT -H "Authorization: token $JUPYTERLAB_TOKEN" "${JUPYTERLAB_URL}api/contents/$1" -d "$2" >/dev/null
}

# listening NAME OPTION...: starts celllisten nb.ipynb in its own browser; writes NAME.jsonl.
listening() {
	local name=$1
	shift
	wdsession --arg --remote-debugging-port=0 celllisten "$@" nb.ipynb >"$name.jsonl" 2>"$name.err" 3>&- &
	session=$!
	timeout 60 sh -c "until ls -d '$TMPDIR'/nbscope-browser*/profile >/dev/null 2>&1; do sleep 0.1; done"
	port=$(port_of "$TMPDIR"/nbscope-browser*/profile)
	timeout 90 sh -c "until grep -q '\"role\":\"server\"' $name.jsonl; do sleep 0.1; done"
}

# Ends a session that a failed test left.
teardown() {
	[ -z "${session:-}" ] || kill "$session" 2>/dev/null || true
}
