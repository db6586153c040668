# A page that stays for the next notebook: wdsession --keep, cellrun --reuse.
# bats file_tags=untimed,long
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
	keeper=$!
	wait_for test -s "$BATS_TEST_TMPDIR/claimed"
	[ "$(ours)" -gt 3 ]
	kill -KILL "$keeper"
	gone
}

@test "a browser that wdsession did not start is not kept" {
	WEBDRIVER_URL=http://127.0.0.1:9 run -2 wdsession --keep true
	has '--keep requires a browser that wdsession starts'
}

# bats test_tags=thorough
@test "neither a dead kernel nor a page that has grown reaches the next notebook, nor do variables" {
	cd "$BATS_TEST_TMPDIR"
	nb() { python3 "$ROOT/tests/nb.py" "$1.ipynb"; }
	nb first <<<'[("code", "import ipywidgets as w\nw.IntSlider()"), ("code", "1/0", ["raises-exception"])]'
	nb dead <<<'[("code", "import os\nos._exit(3)"), ("code", "2")]'
	nb after <<<'[("code", "x = 1"), ("code", "print(x)")]'
	nb leak <<'EON'
[("code", "'x' in globals()"), ("code", "from IPython.display import Javascript\nJavascript('window.leak = Array.from({length: 4e6}, () => ({}))')")]
EON
	run -0 labserve wdsession --keep sh -c 'for n in first dead after; do cellrun --reuse $n.ipynb >$n.jsonl; done
		python3 -c "$CLAIM" k; cellrun --reuse --executed leak.out leak.ipynb >leak.jsonl; python3 -c "$CLAIM"
		curl -sf -H "Authorization: token $JUPYTERLAB_TOKEN" "${JUPYTERLAB_URL}api/sessions"'
	[ "${lines[0]}" != "${lines[1]}" ]
	[ "${lines[2]}" = '[]' ]
	run -0 jq -c 'select(.type == "run").page.notebooks_before, select(.type == "run_end").status' first.jsonl dead.jsonl after.jsonl leak.jsonl
	[ "$(tr '\n' ' ' <<<"$output")" = '0 "completed" 1 "kernel_died" 0 "completed" 1 "completed" ' ] || has 'other pages'
	run -0 jq -c '[.cells[].outputs[] | .data["text/plain"] // empty]' leak.out
	has False
	gone
}

@test "PAGE=reuse is a setting of the runs, is compared with no fresh ones, and excludes what cannot keep a page" {
	use_case
	cd "$BATS_TEST_TMPDIR"
	nb profile PAGE=reuse LABEL=kept
	[ "$(jq -c 'select(.type == "run") | [.page.notebooks_before, .made_from.settings.page]' "$UC"/runs/kept/*.jsonl | tr '\n' ' ')" = '[0,"reuse"] [1,"reuse"] ' ]
	run nb plan LABEL=kept PAGE=reuse
	has '2 up to date, 0 to run'
	run nb plan LABEL=kept
	has '0 up to date, 2 to run'
	not_compared_with_fresh kept
	run nb profile PAGE=reuse ENGINE=local
	has 'PAGE=reuse excludes ENGINE=local'
	run nb ab A=a B=b PAGE=reuse
	has 'PAGE=reuse excludes make ab'
	cd "$ROOT"
	JUPYTERLAB_URL=http://127.0.0.1:9/ PAGE=reuse run -2 mk/run/execute-plan.sh /dev/null
	has 'PAGE=reuse requires a JupyterLab that nbscope starts'
}
