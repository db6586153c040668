# For the tests of celllisten: a person who works in a browser, and a run that listens to it.

# person PORT: does what standard input says (tests/person.py).
person() {
	timeout 120 "$ROOT/build/venv/bin/python" "$ROOT/tests/person.py" "$1" /lab
}

# port_of PROFILE: the debugging port of the browser with that profile.
port_of() {
	timeout 60 sh -c "until [ -s '$1/DevToolsActivePort' ]; do sleep 0.02; done"
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
	timeout 60 sh -c "until ls -d '$TMPDIR'/nbscope-browser*/profile >/dev/null 2>&1; do sleep 0.02; done"
	port=$(port_of "$TMPDIR"/nbscope-browser*/profile)
	timeout 90 sh -c "until grep -q '\"role\":\"server\"' $name.jsonl; do sleep 0.02; done"
}

# Ends a session that a failed test left.
teardown() {
	[ -z "${session:-}" ] || kill "$session" 2>/dev/null || true
}
