# Security without a real server and browser; tests/security.bats has the rest.
# bats file_tags=untimed
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

@test "neither token nor password follows a redirect to another host" {
	cat >two.py <<'EOP'
import http.server, sys, threading
class Other(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        print(self.command, self.path, self.headers, self.rfile.read(int(self.headers.get("Content-Length", 0))), file=open("heard", "a"), flush=True)
        self.send_response(200)
        self.end_headers()
    do_POST = do_GET
other = http.server.HTTPServer(("127.0.0.1", 0), Other)
class Sends(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        there = "http://127.0.0.1:%d" % other.server_port
        hub = self.path.startswith("/hubbed/")
        form = self.path in ("/form/api", "/form/login")
        self.send_response(200 if form and self.command == "GET" else 307 if form else 302)
        self.send_header("Location", there + ("/hub/login" if hub else "/login"))
        self.end_headers()
        if form:
            self.wfile.write(b'{"version": "2.0"}')
    do_POST = do_GET
one = http.server.HTTPServer(("127.0.0.1", 0), Sends)
threading.Thread(target=other.serve_forever, daemon=True).start()
print(one.server_port, file=open("port.new", "w"))
__import__("os").rename("port.new", "port")
one.serve_forever()
EOP
	python3 two.py 3>&- 2>/dev/null &
	local pid=$!
	wait_for test -e port
	export JUPYTERLAB_USERNAME=me
	JUPYTERLAB_URL=http://127.0.0.1:$(cat port)/hubbed/ JUPYTERLAB_TOKEN=s3cr3t run -4 labserve true
	has 'which gets neither token nor password'
	JUPYTERLAB_URL=http://127.0.0.1:$(cat port)/hubbed/ JUPYTERLAB_PASSWORD=s3cr3t run -4 labserve true
	JUPYTERLAB_URL=http://127.0.0.1:$(cat port)/form/ JUPYTERLAB_PASSWORD=s3cr3t run -4 labserve true
	has 'which gets neither token nor password'
	kill $pid
	run -0 grep -c GET heard
	run -1 grep -e s3cr3t -e Authorization heard
}

nb() {
	make --no-print-directory -C "$ROOT" "$@"
}

@test "what is given to make is text: it is used as it is, or refused by name" {
	local value
	for value in '$(shell touch pwned)' 'x;touch pwned' 'x$${IFS}y' "it's" '`touch pwned`' 'a b' ../../x .. -x $'x\ntouch pwned'; do
		run -2 nb metrics "LABEL=$value"
		has 'LABEL must be one word of letters'
		LABEL=$value run -2 nb metrics
		has 'LABEL must be one word of letters'
	done
	for value in '$(shell touch pwned)' 'x;touch pwned' "it's" '`touch pwned`' 'a b' '$(UC)' 'a=b' 'x#y'; do
		run -2 nb generate "USECASE=$value"
		has 'USECASE must be a path without'
	done
	run -2 nb profile 'REPEAT=1;touch pwned'
	has 'REPEAT must be a whole number'
	run -2 nb new-usecase "NAME='; touch pwned; '"
	has 'NAME must be of letters'
	run -2 nb new-usecase 'NAME=$(shell touch pwned)'
	for value in $(sed -n 's/^\([A-Z_]*\) .*/\1/p' "$ROOT/share/settings"); do
		run nb -n help env "$value=\$(shell touch $PWD/pwned)"
		[ ! -e pwned ] || { echo "$value" >&2; false; }
	done
	run -2 nb profile JUPYTERLAB_TOKEN=s3cr3t
	has 'others can read a command line'
	run -2 nb profile 'JUPYTERLAB_URL=http://127.0.0.1:1/?token=s3cr3t'
	has 'others can read a command line'
	run -0 find "$ROOT" "$PWD" -name 'pwned*' -not -path "$ROOT/build/venv/*"
	[ -z "$output" ] || has 'nothing'
}

# no_controls: the last output drives no terminal.
no_controls() {
	! grep -qaP '[\x00-\x08\x0b-\x1f\x7f-\x9f\x{61c}\x{180b}-\x{180f}\x{200b}-\x{200f}\x{2028}-\x{202e}\x{2060}-\x{206f}\x{3164}\x{feff}\x{e0000}-\x{e007f}]' <<<"$output" ||
		{ cat -v <<<"$output" >&2; return 1; }
}

@test "names, sources, errors and reasons are shown as text on a terminal" {
	local bad=$'\x1b[31m\x07\xc2\x9b2J\xe2\x80\xae\x7f<script>\u061c\u180e\u3164\U000e0041' cells
	python3 - "$bad" >run.jsonl <<'EOP'
import json, sys
bad, t = sys.argv[1], 1e9
put = lambda **r: print(json.dumps(r, ensure_ascii=False).replace("\x7f", "\\u007f"))
put(type="run", t=t, usecase=bad, name=bad, notebook=bad + ".ipynb", label=bad, repetition=1, attempt=1, params={bad: bad}, code_cells=2,
    settings={}, nbscope_version=bad, browser=bad, kernel=bad)
for i, status in ((1, "completed"), (2, "failed")):
    put(type="cell_start", t=t, cell_index=i, cell_id=bad)
    put(type="cell", t=t + i, cell_index=i, cell_id=bad, status=status, source=bad + "\n" + bad, error_name=bad, error_value=bad, reason=bad,
        marks=[bad], pressed_t=t, sent_t=t, busy_t=t, idle_t=t + 0.5, received_t=t + 0.5, last_visual_change_t=t + 0.5, client_ms=500.0, kernel_ms=500.0,
        dispatch_ms=0.0, transport_ms=0.0, render_ms=0.0, profiled=True, empty=False, tags=[bad])
for k in range(40):
    put(type="sample", t=t + k / 10, role="kernel", pid=4711, processes=1, threads=1, cpu_s=k / 20, rss_bytes=10**6, read_bytes=0, write_bytes=0)
put(type="run_end", t=t + 5, status="failed", reason=bad, cells_run=2, wall_ms=3000.0)
EOP
	for cells in 'runbar --notebook 1 --notebooks 2' 'runhistory' 'cellgraph' 'runtruth --table' 'nbexpand' 'nbpatch run.jsonl' runexport runtrace nbplan metrics2csv; do
		run bash -c "$cells <run.jsonl 2>&1 >&3 | cat; exit 0" 3>&1
		[[ $cells == runbar* || $cells == run[et]* || $cells == metrics2csv ]] || no_controls || { echo "$cells"; false; }
		run bash -c "$cells <run.jsonl 2>&1 >/dev/null"
		no_controls || { echo "$cells, errors"; false; }
	done
	# Code is shown whole, and as it is only where no terminal is.
	run python3 -c 'import pty; pty.spawn(["runhistory", "-c", "all", "run.jsonl"])'
	has '# %% cell 2'
	output=${output//$'\r'/}
	no_controls
	run bash -c 'cellmetrics <run.jsonl | runsum'
	has 'verdict: 1 of 1 notebook failed'
	no_controls
	run -127 labserve "no$bad"
	no_controls
	for cells in runsum cellmetrics runhistory nbexpand "cellrun --skip x" "nbpatch" "wdsession --window"; do
		run $cells "no$bad"
		[ "$status" -ne 0 ] && no_controls || { echo "$cells"; false; }
	done
	run -0 cellgraph -o picture.svg run.jsonl
	run -0 cat picture.svg
	[[ $output == *'&lt;script&gt;'* && $output != *'<script>'* ]] || has '&lt;script&gt;'
}

@test "what lies in the way as a link is replaced, and what it leads to stays" {
	echo mine >victim
	ln -s "$PWD/victim" run.jsonl
	ln -s "$PWD/victim" verdict.json
	ln -s "$PWD/victim" g.svg
	printf '{"type":"run","name":"x"}\n{"type":"run_end","status":"completed"}\n' | runkeep run.jsonl
	[ ! -L run.jsonl ]
	cellmetrics run.jsonl | runsum --verdict verdict.json || [ $? -lt 7 ]
	[ ! -L verdict.json ]
	mkdir -p uc/notebooks uc/runs/current
	echo '[("code", "1")]' | python3 "$ROOT/tests/nb.py" uc/template.ipynb
	echo '{}' >uc/params.json
	ln -s "$PWD/victim" uc/notebooks/uc.ipynb
	ln -s "$PWD/victim" uc/notebooks/.settings
	run -0 nb generate USECASE="$PWD/uc"
	[ ! -L uc/notebooks/uc.ipynb ]
	[ "$(cat victim)" = mine ]
}

@test "no folder of ours is made where others could rename it; no .env is read that others can write" {
	mkdir open
	chmod 777 open
	TMPDIR=$PWD/open run -4 labserve true
	has 'cannot create a temporary folder in'
	echo "JUPYTERLAB_TOKEN=s3cr3t" >.env
	chmod 666 .env
	JUPYTERLAB_URL=http://127.0.0.1:1/ run -4 labserve true
	has "cannot use '.env': another user can write it"
	chmod 644 .env
	JUPYTERLAB_URL=http://127.0.0.1:1/ run -4 labserve true
	has "chmod 600 .env"
	chmod 600 .env
	JUPYTERLAB_URL=http://127.0.0.1:1/ run -4 labserve true
	! [[ $output == *chmod* || $output == *s3cr3t* ]] || has 'nothing of that'
}

@test "each program is a PIE with full RELRO, stack protector and FORTIFY, and runs nothing on its stack" {
	[ -z "${NBSCOPE_BUILD:-}" ] || skip "programs that look at themselves are built otherwise"
	local f bad='' headers names
	for f in "$BIN"/*; do
		headers=$(readelf -hldW "$f")
		names=$(readelf -sW --dyn-syms "$f")
		[[ $headers =~ Type:\ +DYN && $headers == *PIE* ]] || bad+="$f: no PIE"$'\n'
		[[ $headers == *GNU_RELRO* && $headers == *NOW* ]] || bad+="$f: no full RELRO"$'\n'
		[[ $headers =~ GNU_STACK\ .*RW\ + ]] && ! [[ $headers =~ GNU_STACK\ [^$'\n']*RWE ]] || bad+="$f: a stack that runs"$'\n'
		[[ $headers != *RPATH* && $headers != *RUNPATH* ]] || bad+="$f: looks for libraries in a path of its own"$'\n'
		[[ $names == *__stack_chk_fail* ]] || bad+="$f: no stack protector"$'\n'
		# A sanitizer takes the place of FORTIFY.
		[[ $names == *_chk@* || $names == *__asan_init* ]] || bad+="$f: no FORTIFY"$'\n'
	done
	[ -z "$bad" ] || { echo "$bad"; false; }
}

@test "a pipe or a device is written to, and none is replaced by a file" {
	local run=$ROOT/tests/data/sampled.jsonl
	mkfifo pipe
	timeout 20 cat pipe >read &
	cellgraph -f svg -o pipe "$run"
	wait $!
	cellgraph -f svg -o file "$run"
	cmp read file
	[ -p pipe ]
	mknod full c 1 7 2>/dev/null || skip 'no devices can be made here'
	run bash -c 'runkeep full <"$1" >/dev/null' - "$run"
	status_is 4
	has "cannot write 'full': No space left on device"
	[ -c full ]
}
