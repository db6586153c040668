# A page that stays for the next notebook: wdsession --keep, cellrun --reuse.
# bats file_tags=untimed
load helpers
load server
load browser
load make

# claim [k]: claims the browser, prints its session and returns it, for the next program if k.
CLAIM='import json, os, socket, sys
s = socket.socket(socket.AF_UNIX)
s.connect(os.environ["WD_KEEPER"])
print(json.loads(s.makefile().readline())["WD_SESSION"], flush=True)
s.sendall(b"".join(a.encode() for a in sys.argv[1:]))
s.shutdown(socket.SHUT_WR)
s.recv(1)'

setup() {
	TMPDIR=$BATS_TEST_TMPDIR
	export TMPDIR CLAIM
}

@test "a browser is kept for the next program only if the one before says so" {
	run -0 wdsession --keep sh -c 'python3 -c "$CLAIM" k; python3 -c "$CLAIM"; python3 -c "$CLAIM" k; python3 -c "$CLAIM" k'
	[ "${lines[0]}" = "${lines[1]}" ]
	[ "${lines[1]}" != "${lines[2]}" ]
	[ "${lines[2]}" = "${lines[3]}" ]
	gone
}

@test "a wdsession that keeps a browser and is killed leaves no process and no folder" {
	wdsession --keep sh -c 'python3 -c "$CLAIM" k >"$1/claimed"; exec tail -f /dev/null' sh "$BATS_TEST_TMPDIR" 3>&- &
	wait_for test -s "$BATS_TEST_TMPDIR/claimed"
	[ "$(ours)" -gt 3 ]
	kill -KILL $!
	gone
}

@test "a browser of somebody else is not kept" {
	WEBDRIVER_URL=http://127.0.0.1:9 run -2 wdsession --keep true
	has '--keep requires a browser that wdsession starts'
}

# page NAME...: of each run, how many notebooks its page had shown before.
pages() {
	for name; do
		jq 'select(.type == "run").page.notebooks_before' "$BATS_TEST_TMPDIR/$name.jsonl"
	done | tr '\n' ' '
}

@test "an error, a dead kernel, a window and a page that has grown do not reach the next notebook" {
	cd "$BATS_TEST_TMPDIR"
	nb() { python3 "$ROOT/tests/nb.py" "$1.ipynb"; }
	nb first <<<'[("code", "x = 1"), ("code", "import ipywidgets as w\nw.IntSlider()"), ("code", "1/0", ["raises-exception"])]'
	nb second <<<'[("code", "x"), ("code", "2")]'
	nb third <<'EON'
[("code", "print(1)"), ("code", "from IPython.display import Javascript\nJavascript('window.leak = Array.from({length: 4e6}, () => ({}))')")]
EON
	nb dead <<<'[("code", "import os\nos._exit(3)"), ("code", "2")]'
	nb last <<<'[("code", "print(1)"), ("code", "2")]'
	labserve wdsession --keep sh -c 'for n; do cellrun --reuse --executed $n.out $n.ipynb >$n.jsonl; done; curl -sf -H "Authorization: token $JUPYTERLAB_TOKEN" "${JUPYTERLAB_URL}api/sessions" >left' sh \
		first second last third dead || true
	cat -- *.jsonl | jq -c 'select(.type == "run_end") | [.status, .reason, .wall_ms, .loading_ms]' >&2
	[ "$(pages first second last third dead)" = '0 1 0 1 0 ' ]
	jq -c 'select(.type == "cell") | [.status, .error_name]' second.jsonl >seen
	[ "$(head -n 1 seen)" = '["failed","NameError"]' ]
	[ "$(jq -rs 'map(select(.type == "run_end").status) | join(" ")' last.jsonl third.jsonl)" = 'completed completed' ]
	# Each has its own outputs and nothing of the page's earlier notebook.
	jq -e '.cells | length == 2 and .[1].outputs[0].data["text/plain"] == "2"' last.out
	[ "$(jq -s 'map(select(.type == "run_end").status)[0]' dead.jsonl)" = '"kernel_died"' ]
	[ "$(cat left)" = '[]' ]
	gone
}

@test "PAGE=reuse is a setting of the runs, is compared with no fresh ones, and excludes what cannot keep a page" {
	use_case
	nb profile PAGE=reuse LABEL=kept
	[ "$(jq -c 'select(.type == "run") | [.page.notebooks_before, .made_from.settings.page]' "$UC"/runs/kept/*.jsonl | tr '\n' ' ')" = '[0,"reuse"] [1,"reuse"] ' ]
	run nb plan LABEL=kept
	has 'setting page reuse -> unset'
	nb profile LABEL=fresh WHERE=n=10
	run nb compare LABEL=kept BASE=fresh PAGE=reuse
	echo "$output"
	has 'setting page'
	run nb profile PAGE=reuse ENGINE=local
	has 'PAGE=reuse excludes ENGINE=local'
	run nb ab A=a B=b PAGE=reuse
	has 'PAGE=reuse excludes make ab'
	JUPYTERLAB_URL=http://127.0.0.1:9/ run -2 mk/run-notebooks /dev/null
}
