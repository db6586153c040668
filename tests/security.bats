# Who may do what: tokens, names and values that mean harm, ports, certificates.
load helpers

PYTHON=${NBSCOPE_VENV:-$ROOT/build/venv}/bin/python
# As it is, and as an address has it.
TOKEN='s3cr+t/T0k=n%20&x'
TOKEN_ENCODED='s3cr%2Bt%2FT0k%3Dn%2520%26x'

# wait_for COMMAND...: bounded.
wait_for() {
	for _ in $(seq 600); do
		! "$@" >/dev/null 2>&1 || return 0
		read -r -t 0.1 <> <(:) || true
	done
	echo "never came true: $*" >&2
	return 1
}

free_port() {
	python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])'
}

# users_server: a JupyterLab of the user's, with TLS and a log of all it does.
users_server() {
	local home=$BATS_FILE_TMPDIR/home port
	port=$(free_port)
	mkdir -p "$home/root"
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -keyout "$home/key" -out "$home/cert" 2>/dev/null
	HOME=$home JUPYTER_TOKEN=$TOKEN JUPYTER_CONFIG_DIR=$home/config JUPYTER_RUNTIME_DIR=$home/run JUPYTER_DATA_DIR=$home/data \
		"$PYTHON" -c '
import sys
sys.modules["rfc3987_syntax"] = None
from jupyterlab.labapp import main
main()' --allow-root --no-browser --debug --ServerApp.port_retries=0 --ServerApp.root_dir="$home/root" --port="$port" \
		--certfile="$home/cert" --keyfile="$home/key" 3>&- >"$home/log" 2>&1 &
	echo $! >"$BATS_FILE_TMPDIR/pid"
	echo "https://127.0.0.1:$port/" >"$BATS_FILE_TMPDIR/url"
	wait_for curl -sfk "https://127.0.0.1:$port/api"
}

# A use case that fails, and whose every name and value means harm.
hostile_use_case() {
	UC=$BATS_FILE_TMPDIR/hostile
	mkdir -p "$UC/files"
	python3 "$ROOT/tests/nb.py" "$UC/template.ipynb" <<'EON'
[("code", "word = {word_value}", ["parameters"]),
 ("code", "from IPython.display import HTML\nHTML('<div style=\"height:80px;background:red\">x</div>')"),
 ("code", "class E(Exception):\n    pass\nE.__name__ = '\\x1b[31m$(touch pwned)<script>alert(1)</script>'\n"
  "raise E('\\x1b]0;pwned\\x07 `touch pwned` \\u202e\\u009b31m ../../x ' + word)")]
EON
	python3 -c '
import json, sys
json.dump({"word": ["$(touch pwned)`touch pwned`\u0027; touch pwned; \"$(shell touch pwned)\"\n\x1b[31m</script><script>alert(1)</script>../../x"]}, sys.stdout)' >"$UC/params.json"
	(cd "$UC/files" && touch -- '$(shell touch pwned)' 'a; touch pwned #' 'it'\''s "quoted" `touch pwned`' $'two\nlines: pwned' '%.ipynb' -rf)
}

# Whatever may be seen of all processes while the command runs.
with_eyes() {
	local status=0
	printf '%s\n' "$TOKEN" "$TOKEN_ENCODED" >"$BATS_FILE_TMPDIR/tokens"
	while read -r -t 0.05 <> <(:) || true; do
		cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' '\n' | grep -aF -f "$BATS_FILE_TMPDIR/tokens" >>"$BATS_FILE_TMPDIR/seen" || true
	done 3>&- &
	local eyes=$!
	"$@" || status=$?
	kill $eyes
	return $status
}

setup_file() {
	users_server
	hostile_use_case
	mkdir "$BATS_FILE_TMPDIR/tmp" "$BATS_FILE_TMPDIR/myhome"
	export TMPDIR=$BATS_FILE_TMPDIR/tmp
	url=$(cat "$BATS_FILE_TMPDIR/url")
	cd "$ROOT" || return
	JUPYTERLAB_URL="${url}lab?token=$TOKEN_ENCODED" LOG_FILE=$BATS_FILE_TMPDIR/log LOG_LEVEL=DEBUG HOME=$BATS_FILE_TMPDIR/myhome \
		with_eyes make profile USECASE="$UC" INSECURE=1 SCREENSHOTS=1 RETRY=0 >"$BATS_FILE_TMPDIR/said" 2>&1 || true
}

teardown_file() {
	kill "$(cat "$BATS_FILE_TMPDIR/pid")"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	UC=$BATS_FILE_TMPDIR/hostile
}

@test "a failing run on a server of the user's, at LOG_LEVEL DEBUG, is a result" {
	run -0 cat "$BATS_FILE_TMPDIR/said"
	has 'verdict: 1 of 1 notebook failed'
	has 'cell 3'
	[ -s "$BATS_FILE_TMPDIR/log" ]
	[ -n "$(find "$UC/executed" -name '*.ipynb')" ] && [ -n "$(find "$UC/screenshots" -name '*.png')" ]
}

@test "its token is in no file, name, log, output or argument list, in either spelling" {
	# The server's own note of itself is no doing of ours.
	rm -f "$BATS_FILE_TMPDIR"/home/run/jpserver-*
	run -1 grep -raF -f "$BATS_FILE_TMPDIR/tokens" "$UC" "$BATS_FILE_TMPDIR/home" "$BATS_FILE_TMPDIR/log" "$BATS_FILE_TMPDIR/said" "$TMPDIR" \
		"$BATS_FILE_TMPDIR/tmp" "$ROOT/build/obj" "$ROOT/mk"
	run -0 cat "$BATS_FILE_TMPDIR/seen"
	[ -z "$output" ] || has 'nothing'
	run -1 grep -F -e "$TOKEN" -e "$TOKEN_ENCODED" <(find "$BATS_FILE_TMPDIR")
	# A browser's profile is gone, and so is a log of its driver.
	run -0 find "$BATS_FILE_TMPDIR/tmp" "$BATS_FILE_TMPDIR/myhome" -mindepth 1
	[ -z "$output" ] || has 'nothing'
}

@test "no name and no value of a notebook, a parameter or a file ran as code" {
	run -0 find "$ROOT" "$BATS_FILE_TMPDIR" -name 'pwned*' -not -path "$ROOT/build/venv/*"
	[ -z "$output" ] || has 'nothing'
	run -0 find "$UC/notebooks" -name '*.ipynb' -printf '%f\n'
	[[ "$output" =~ ^[A-Za-z0-9._-]+$ ]] || has 'one name, a plain one'
	# The value arrived as it is.
	run -0 jq -rs '[.[] | select(.type == "cell")][2].error_value' "$UC"/runs/current/*.jsonl
	has '$(touch pwned)`touch pwned`'"'"'; touch pwned; "$(shell touch pwned)"'
}

@test "the warning about certificates is said by each that does not check them" {
	run -0 cat "$BATS_FILE_TMPDIR/said"
	has 'labserve: the certificate of'
	has 'wdsession: the browser checks no certificate'
	has 'cellrun: the certificate of'
}

@test "INSECURE counts on the command line alone" {
	run ! env JUPYTERLAB_URL="$(cat "$BATS_FILE_TMPDIR/url")" JUPYTERLAB_TOKEN="$TOKEN" INSECURE=1 NBSCOPE_INSECURE=1 \
		make -C "$ROOT" --no-print-directory profile USECASE="$UC" RERUN=all RETRY=0
	has 'self-signed certificate'
	! [[ $output == *'not checked'* ]] || has 'no warning'
}

@test "a browser that was not told so opens no page behind a certificate that nobody signed" {
	echo '[("code", "1")]' | python3 "$ROOT/tests/nb.py" one.ipynb
	JUPYTERLAB_URL=$(cat "$BATS_FILE_TMPDIR/url") JUPYTERLAB_TOKEN=$TOKEN run -4 labserve --insecure wdsession cellrun --insecure one.ipynb
	has 'the browser opens no page of'
	has ERR_CERT_AUTHORITY_INVALID
	has 'wdsession --insecure'
}

# inside: looks at the server's folder after a run that fails.
inside() {
	local dir
	printf '%s\n' "$JUPYTERLAB_TOKEN" >token
	dir=$(dirname "$(grep -lF -f token "$TMPDIR"/nbscope-lab.*/settings.json)")
	wdsession cellrun --executed out/bad.ipynb bad.ipynb >bad.jsonl 2>said || echo "status $?"
	grep -raF -f token out bad.jsonl said "$dir/server.log" && echo leaked
	find "$dir" -maxdepth 0 -printf 'folder %m\n'
	grep -rlF -f token "$dir" | xargs stat -c '%a %n'
	find "$dir/runtime" -type f -perm /077
	find "$dir" -name '*open.html'
	tr '\0' '\n' </proc/"$(pgrep -f "serve.py own $dir" | head -1)"/cmdline | grep -F -f token
	ss -ltnp | grep -F "pid=$(pgrep -f "serve.py own $dir" | head -1)," | awk '{print $4}' | grep -v '^127\.0\.0\.1:'
	true
}
export -f inside

@test "the embedded server's token and keys are for its user alone, also after a run that fails" {
	echo '[("code", "import os; print(dict(os.environ))"), ("code", "1/0")]' | python3 "$ROOT/tests/nb.py" bad.ipynb
	LOG_LEVEL=DEBUG TMPDIR=$BATS_TEST_TMPDIR run -0 labserve bash -c inside
	has 'status 1'
	has 'folder 700'
	! [[ $output == *leaked* ]] || has 'no leak'
	# What holds the token is for nobody else, even if the folder were open.
	[ "$(grep -c ' /' <<<"$output")" = "$(grep -c '^600 /' <<<"$output")" ] || has 'mode 600 alone'
	[ "$(grep -c '^600 /' <<<"$output")" = 3 ] || has 'settings, what is made of them, and the note of the server'
	! grep '^/\|^[0-9.*[]*:[0-9]' <<<"$output" || has 'no more'
}

@test "a driver's port and netshape's take no other user; a browser has no port at all" {
	[ "$(id -u)" = 0 ] || skip 'only root can become another user'
	command -v setpriv >/dev/null || skip 'no setpriv'
	look() {
		local url=${WD_SESSION%/session/*}
		curl -sf -m 5 "$url/status" >/dev/null && echo 'the driver takes us'
		setpriv --reuid=65534 --regid=65534 --clear-groups curl -s -m 5 "$url/status" || echo "the driver does not take others"
		setpriv --reuid=65534 --regid=65534 --clear-groups curl -s -m 5 "http://[::1]:${url##*:}/status" || echo "nor by IPv6"
		curl -sf -m 5 -o /dev/null -x "$NETSHAPE_PROXY" --noproxy '' "$url/status" && echo 'netshape takes us'
		setpriv --reuid=65534 --regid=65534 --clear-groups curl -s -m 5 -x "$NETSHAPE_PROXY" --noproxy '' "$url/status" || echo "netshape does not take others"
		curl -s "$url/sessions" | grep -c debuggerAddress
		tr '\0' '\n' <"/proc/$WD_BROWSER_PID/environ" | grep -c '^LD_PRELOAD=\|^JUPYTERLAB_'
	}
	export -f look
	export JUPYTERLAB_TOKEN=x JUPYTERLAB_URL=http://127.0.0.1:1/?token=x
	run netshape --control wdsession bash -c look
	[ "$output" = $'the driver takes us\nthe driver does not take others\nnor by IPv6\nnetshape takes us\nnetshape does not take others\n0\n0' ] || has 'that'
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
	VENV="/no'; touch pwned; '\$(shell touch pwned)" run ! nb profile USECASE="$UC" RERUN=all
	run -2 nb profile JUPYTERLAB_TOKEN=s3cr3t
	has 'others can read a command line'
	run -2 nb profile 'JUPYTERLAB_URL=http://127.0.0.1:1/?token=s3cr3t'
	has 'others can read a command line'
	run -0 find "$ROOT" "$PWD" "$UC" -name 'pwned*' -not -path "$ROOT/build/venv/*"
	[ -z "$output" ] || has 'nothing'
}

@test "a notebook's name may be anything: nothing of it runs, and all lands beside it" {
	local dir=$PWD/$'d $(touch pwned)\n`touch pwned`' name=$'it\'s "a" $(shell touch pwned)\ntouch pwned \x1b[31m #1 %41'
	mkdir "$dir"
	echo '[("code", "1")]' | python3 "$ROOT/tests/nb.py" "$dir/$name.ipynb"
	# As far as a server that cannot be started.
	VENV=/nonexistent run -2 nb profile-notebook "NOTEBOOK=$dir/$name.ipynb"
	has "'/nonexistent' is not a Python environment"
	run -2 nb profile-notebook "NOTEBOOK=$dir/none $name.ipynb"
	has 'no such notebook'
	! [[ $output == *$'\x1b'* ]] || has 'no escape'
	# And from there on, without one: beyond this machine's memory.
	(cd "$ROOT" && UC=$dir/nbscope LABEL=current REPEAT=1 MAX_WAIT_TIME=9 WAIT=auto QUIET=300 VIZ_SELECTOR='' CORES='' SCREENSHOTS=0 \
		SAMPLE_INTERVAL=50 RETRY=0 MEMORY_BYTES=1000000000000000 mk/run-notebook "$dir/$name.ipynb" "$dir/nbscope/runs/current/$name.jsonl" 1)
	run -0 find . -newer "$dir/$name.ipynb" -name '*pwned*jsonl'
	has runs/current
	run -0 find "$ROOT" . -name 'pwned*' -not -path "$ROOT/build/venv/*"
	[ -z "$output" ] || has 'nothing'
}

# no_controls: the last output drives no terminal.
no_controls() {
	! grep -qaP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xe2\x81[\xa0-\xaf]|\xef\xbb\xbf' <<<"$output" ||
		{ cat -v <<<"$output" >&2; return 1; }
}

@test "names, sources, errors and reasons are shown as text on a terminal" {
	local bad=$'\x1b[31m\x07\xc2\x9b2J\xe2\x80\xae\x7f<script>' cells
	python3 - "$bad" >run.jsonl <<'EOP'
import json, sys
bad, t = sys.argv[1], 1e9
put = lambda **r: print(json.dumps(r, ensure_ascii=False).replace("\x7f", "\\u007f"))
put(type="run", t=t, usecase=bad, name=bad, notebook=bad + ".ipynb", label=bad, repetition=1, attempt=1, params={bad: bad}, code_cells=2,
    settings={}, nbscope_version=bad, browser=bad, kernel=bad)
for i, status in ((1, "completed"), (2, "failed")):
    put(type="cell_start", t=t, cell_index=i, cell_id=bad)
    put(type="cell", t=t + i, cell_index=i, cell_id=bad, status=status, source=bad + "\n" + bad, error_name=bad, error_value=bad, reason=bad,
        marks=[bad], pressed_t=t, sent_t=t, busy_t=t, idle_t=t + 0.5, received_t=t + 0.5, settled_t=t + 0.5, client_ms=500.0, kernel_ms=500.0,
        dispatch_ms=0.0, queue_delivery_ms=0.0, render_ms=0.0, profiled=True, empty=False, tags=[bad])
for k in range(40):
    put(type="sample", t=t + k / 10, role="kernel", pid=4711, processes=1, threads=1, cpu_s=k / 20, rss_bytes=10**6, read_bytes=0, write_bytes=0)
put(type="run_end", t=t + 5, status="failed", reason=bad, cells_run=2, wall_ms=3000.0)
EOP
	for cells in 'runbar -k 1 -n 2' 'runhistory' 'cellgraph' 'runtruth --table' 'nbexpand' 'nbpatch run.jsonl' runexport runtrace nbplan metrics2csv; do
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
	has 'is no place for temporary folders'
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
	local f bad='' headers names
	for f in "$ROOT"/build/bin/*; do
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
