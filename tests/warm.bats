# Browsers that begin with JupyterLab in their caches: wdsession --save-caches, long sweeps.
# bats file_tags=untimed
load helpers
load server
load browser
load make

setup() {
	TMPDIR=$BATS_TEST_TMPDIR
	export TMPDIR
}

@test "a saved cache spares the next browser the requests for what it has, and brings no cookie and no storage" {
	cd "$BATS_TEST_TMPDIR"
	port=$(free_port)
	cat >server.py <<'END'
import http.server, sys
class H(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        print(self.path, self.headers["Cookie"] or "no cookie", flush=True)
        body = b"document.title = 1 + 1" if self.path == "/a.js" else b"<script src=/a.js></script>"
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript" if self.path == "/a.js" else "text/html")
        self.send_header("Cache-Control", "max-age=1000" if self.path == "/a.js" else "no-store")
        self.send_header("Set-Cookie", "seen=1; Max-Age=1000")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *args):
        pass
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), H).serve_forever()
END
	python3 server.py "$port" >requests 3>&- &
	site=$!
	wait_for curl -sf "http://127.0.0.1:$port/ready"
	cat >open <<END
curl -sf "\$WD_SESSION/url" -d '{"url": "http://127.0.0.1:$port/"}' >/dev/null
curl -sf "\$WD_SESSION/execute/sync" -d '{"script": "const was = [document.title, localStorage.length]; localStorage.x = 1; return was", "args": []}'
END
	run -0 wdsession --save-caches saved sh open
	has '["2",0]'
	run -0 wdsession --caches saved sh -c '. ./open; echo; echo "$WD_CACHED_BYTES"'
	has '["2",0]'
	[ "${lines[-1]}" -gt 0 ]
	kill "$site"
	[ "$(grep -c '^/a.js ' requests)" = 1 ]
	[ "$(grep -c '^/ no cookie$' requests)" = 2 ]
	gone
}

@test "nothing is saved of a command that fails, and caches that are not there are an error" {
	cd "$BATS_TEST_TMPDIR"
	run -1 wdsession --save-caches saved false
	[ ! -e saved ]
	[ ! -e saved.new ]
	run -4 wdsession --caches saved true
	has "cannot use the caches in 'saved': No such file or directory"
	mkdir saved
	run -2 wdsession --save-caches saved true
	has "'saved' exists"
	WEBDRIVER_URL=http://127.0.0.1:9 run -2 wdsession --caches saved true
	has '--caches and --save-caches exclude'
	run -2 wdsession --keep --caches saved true
	gone
}

@test "the caches of a sweep have JupyterLab's scripts as compiled by what ran before a notebook was ready" {
	cd "$BATS_TEST_TMPDIR"
	python3 "$ROOT/tests/nb.py" one.ipynb <<<'[("code", "1")]'
	run -0 labserve sh -euc '"$0/mk/run/save-caches.sh"; du -sb "$LABSERVE_CACHES/Default/Code Cache/js"
		"$0/mk/run/save-caches.sh"; wdsession --early cellrun one.ipynb >warm.jsonl' "$ROOT"
	[ "${lines[0]%%[!0-9]*}" -gt 5000000 ]
	run -0 jq -c 'select(.type == "run") | .cached_bytes > 5e6' warm.jsonl
	[ "$output" = true ]
	gone
}

@test "a sweep of twelve runs makes caches, but not one that is shorter, has other servers or no Chromium" {
	cd "$BATS_TEST_TMPDIR"
	mkdir bin
	printf '#!/bin/sh\necho "$@"\n' | tee bin/wdsession bin/runexec bin/cellrun >/dev/null
	chmod +x bin/*
	printf '{"type":"run_plan","due":%s}\n' true{,,,,,,,,,,} false true >long
	sed '$d' long >short
	export PATH=$PWD/bin:$PATH JUPYTERLAB_URL=here LABSERVE_URL=here LABSERVE_CACHES=$PWD/caches
	made() { run -0 env "${@:2}" "$ROOT/mk/run/execute-plan.sh" "$1" && [[ $output == *--save-caches* ]]; }
	# What it prints itself goes nowhere.
	printf '#!/bin/sh\necho "$@" >&2\n' >bin/wdsession
	made long ENGINE=serial BROWSER=/opt/chromium
	run ! made short
	run ! made long ENGINE=local
	run ! made long OTHER_LABEL=b
	run ! made long BROWSER=firefox
	run ! made long BROWSER=none
	run ! made long JUPYTERLAB_URL=there
	run ! made long WEBDRIVER_URL=there
	run ! made long PAGE=reuse
}
