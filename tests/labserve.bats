# bats file_tags=untimed,long
# labserve: nbscope's own JupyterLab and the user's server, with real kernels and logins.
load helpers
load server
load hub

PYTHON=${NBSCOPE_VENV:-$ROOT/build/venv}/bin/python

# jupyter NAME ARGS...: a user's server whose folder is NAME.
jupyter() {
	users_server "$BATS_FILE_TMPDIR/$1" "${@:2}"
	echo $users_pid >>"$BATS_FILE_TMPDIR/pids"
}

setup_file() {
	local port
	read -ra port <<<"$(free_ports)"
	printf 'token_port=%s form_port=%s tls_port=%s closed_port=%s\n' "${port[@]}" >"$BATS_FILE_TMPDIR/ports"
	certificate "$BATS_FILE_TMPDIR/tls"
	local hash
	hash=$("$PYTHON" -c 'from jupyter_server.auth.security import passwd; print(passwd("pass & wörd+%", "sha256"))')
	jupyter token --port="${port[0]}" --IdentityProvider.token=s3cret-token
	jupyter form --port="${port[1]}" --ServerApp.base_url=/some/where/ --PasswordIdentityProvider.hashed_password="$hash"
	jupyter tls --port="${port[2]}" --IdentityProvider.token=s3cret-token \
		--certfile="$BATS_FILE_TMPDIR/tls/cert" --keyfile="$BATS_FILE_TMPDIR/tls/key"
	WEBDRIVER_URL=http://me:gr1d-secret@127.0.0.1:1 start_server
	wait_for curl -sf "http://127.0.0.1:${port[0]}/api"
	wait_for curl -sf "http://127.0.0.1:${port[1]}/some/where/api"
	wait_for curl -sfk "https://127.0.0.1:${port[2]}/api"
}

teardown_file() {
	stop_server
	local pid
	while read -r pid; do
		kill "$pid"
	done <"$BATS_FILE_TMPDIR/pids"
}

setup() {
	. "$BATS_FILE_TMPDIR/ports"
	cd "$BATS_TEST_TMPDIR" || return
	# The folder of setup_file's server.
	server_tmp=${TMPDIR:-/tmp}
	export TMPDIR=$BATS_TEST_TMPDIR/tmp
	mkdir "$TMPDIR"
	# Unique to this test and this run.
	export LONG=4$BATS_TEST_NUMBER$RANDOM
}

# A test that failed may not have ended what in_background started.
teardown() {
	local pid
	while read -r pid; do
		! kill "$pid" 2>/dev/null || wait "$pid" || true
	done < <(cat background 2>/dev/null)
}

# in_background COMMAND...: runs it; its pid in $pid.
in_background() {
	"$@" 3>&- &
	pid=$!
	echo "$pid" >>background
}

# left: processes that name this test's folder or sleep LONG, and the folder's content.
left() {
	pgrep -af "$TMPDIR/nbscope-lab|sleep $LONG\$" || true
	ls "$TMPDIR"
}

nothing_left() {
	[ -z "$(left)" ]
}

kernel() {
	"$PYTHON" "$ROOT/tests/kernel.py" "$@"
}
export PYTHON ROOT
export -f rest kernel

@test "nbscope's own JupyterLab answers only with the token" {
	use_server
	run -0 rest api/status
	has '"kernels"'
	run -0 curl -s -o /dev/null -w '%{http_code}' "${JUPYTERLAB_URL}api/status"
	[ "$output" = 403 ] || has 403
}

@test "the token is in no argument list, no log and no kernel's environment" {
	use_server
	local folder
	folder=$(dirname "$(grep -l -F -f <(printenv JUPYTERLAB_TOKEN) "$server_tmp"/nbscope-lab.*/settings.json)")
	run -0 kernel 'import os; print(os.environ)'
	has NBSCOPE_HOLD
	! [[ $output == *$JUPYTERLAB_TOKEN* ]] || has 'no token'
	! [[ $output == *gr1d-secret* ]] || has 'no password of a Grid'
	run -1 grep -a -F -f <(printenv JUPYTERLAB_TOKEN) <(cat /proc/[0-9]*/cmdline 2>/dev/null)
	run -1 grep -F -f <(printenv JUPYTERLAB_TOKEN) "$folder/server.log"
	run -0 stat -c %a "$folder" "$folder/settings.json"
	[ "$output" = $'700\n600' ] || has '700 and 600'
}

@test "a killed kernel is reported within a second, and a kernel may print 5 MB" {
	use_server
	run -0 kernel 'for i in range(50): print("x" * 99999)'
	[ "${#output}" -eq 4999999 ] || has 'all that was printed'
	run -0 kernel 'import os, time; print("last", flush=True); time.sleep(1); os.kill(os.getpid(), 9)'
	[ "${lines[1]}" -ge 900 ] && [ "${lines[1]}" -lt 2000 ] || has "between 900 and 2000"
}

@test "a setting that is saved is in each later answer of nbscope's own JupyterLab" {
	use_server
	local tracker=@jupyterlab/notebook-extension:tracker
	times() {
		rest lab/api/settings | jq ".settings[] | select(.id == \"$tracker\") | .settings.recordTiming"
	}
	[ "$(times)$(times)" = nullnull ]
	rest "lab/api/settings/$tracker" -X PUT -d '{"raw": "{\"recordTiming\": true}"}'
	[ "$(times)" = true ]
	rest "lab/api/settings/$tracker" -X PUT -d '{"raw": "{}"}'
	[ "$(times)" = null ]
}

@test "the command's exit status is labserve's" {
	use_server
	run -7 labserve sh -c 'exit 7'
	run -127 labserve no-such-command
	has "cannot run 'no-such-command'"
	run -2 labserve
	has 'no command given'
}

@test "the user's settings are not used, but the user's kernelspecs are available" {
	export HOME=$BATS_TEST_TMPDIR/home
	local spec=$HOME/.local/share/jupyter/kernels
	mkdir -p "$HOME/.jupyter/lab/user-settings/@jupyterlab/docmanager-extension" "$HOME/.jupyter/labconfig" \
		"$HOME/.ipython/profile_default/startup" "$spec/mine" "$spec/python3" "$HOME/.local/share/jupyter/labextensions/theirs"
	echo '{"ServerApp": {"base_url": "/elsewhere", "port": 1}, "KernelRestarter": {"time_to_dead": 60}}' >"$HOME/.jupyter/jupyter_server_config.json"
	echo 'raise SystemExit("read the config of the user")' | tee "$HOME/.jupyter/jupyter_lab_config.py" \
		"$HOME/.jupyter/jupyter_server_config.py" "$HOME/.jupyter/jupyter_config.py" >"$HOME/.ipython/profile_default/startup/0.py"
	echo '{"autosaveInterval": 7}' >"$HOME/.jupyter/lab/user-settings/@jupyterlab/docmanager-extension/plugin.jupyterlab-settings"
	echo '{"disabledExtensions": {"@jupyterlab/notebook-extension": true}}' >"$HOME/.jupyter/labconfig/page_config.json"
	echo '{"name": "theirs", "jupyterlab": {"extension": "x"}}' >"$HOME/.local/share/jupyter/labextensions/theirs/package.json"
	echo '{"argv": ["false"], "display_name": "Broken", "language": "python"}' >"$spec/python3/kernel.json"
	echo '{"argv": ["'"$PYTHON"'", "-m", "ipykernel_launcher", "-f", "{connection_file}"], "display_name": "Mine", "language": "python",
		"env": {"WHOSE": "mine"}}' >"$spec/mine/kernel.json"
	find "$HOME" | sort >before
	inside() {
		rest lab/api/settings/@jupyterlab/docmanager-extension:plugin | jq -c '[.settings, .schema.properties.autosave.default]'
		rest lab/api/settings/@jupyterlab/notebook-extension:tracker | jq -c '.schema.properties.windowingMode.default'
		rest lab | grep -o '"disabledExtensions": [^]]*]\|"federated_extensions": [^]]*theirs\|"news": [^}]*}'
		kernel 'print("python3 works")'
		kernel 'import os; print("WHOSE", os.environ["WHOSE"])' mine
	}
	export -f inside
	JUPYTERLAB_DIR=/nonexistent JUPYTER_CONFIG_PATH=$HOME/.jupyter run -0 labserve bash -c inside
	has '[{},false]'
	has '"none"'
	has '"news": {"disabled": true}'
	! [[ $output == *'"@jupyterlab/notebook-extension"'* || $output == *theirs* ]] || has 'nothing of theirs'
	has 'python3 works'
	has 'WHOSE mine'
	# Nothing is written there either.
	run -0 diff before <(find "$HOME" | sort)
}

# hold: two kernels, and processes that a notebook starts and never ends.
hold() {
	kernel 'print("idle")'
	kernel "import subprocess, os
subprocess.Popen(['sleep', '$LONG'], env={}, start_new_session=True)
subprocess.Popen('setsid sleep $LONG & nohup sleep $LONG &', shell=True)
subprocess.Popen(['sh', '-c', 'trap \"\" TERM INT HUP; sleep $LONG; sleep $LONG'])"
	pgrep -c -f "sleep $LONG\$" >count
	touch ready
	exec sleep 600
}
export -f hold

# end_by SIGNAL STATUS: labserve with kernels gets the signal; nothing is left within 5 s.
end_by() {
	local pid start status=0
	in_background env --default-signal=INT labserve bash -c hold
	wait_for test -e ready
	[ "$(cat count)" -ge 4 ]
	start=$(date +%s%3N)
	kill "-$1" "$pid"
	wait "$pid" || status=$?
	[ "$status" -eq "$2" ]
	wait_for nothing_left
	took=$(($(date +%s%3N) - start))
	echo "nothing left after $took ms"
	[ $took -lt 5000 ]
}

@test "a kernel's orphan in its own session and environment ends with the server" {
	leave() { kernel "import subprocess; subprocess.run(['sh', '-c', 'sleep $LONG &'], env={}, start_new_session=True)"; pgrep -f "sleep $LONG\$"; }
	export -f leave
	run -0 labserve bash -c leave
	run -1 pgrep -f "sleep $LONG\$"
}

# bats test_tags=thorough
@test "SIGINT ends the server, its kernels and everything that they started" {
	end_by INT 130
}

@test "SIGTERM ends the server, its kernels and everything that they started" {
	end_by TERM 143
}

@test "SIGKILL of labserve leaves no process and no folder" {
	end_by KILL 137
}

@test "SIGHUP during the start of the server leaves nothing" {
	local pid
	in_background labserve true
	wait_for pgrep -f "$TMPDIR/nbscope-lab"
	kill -HUP "$pid"
	wait_for nothing_left
}

@test "a server that answers is not restarted when it is reported" {
	run -0 labserve sh -c 'before=$(pgrep -f "serve.py own.*nbscope-lab" | sort); for k in 1 2 3; do kill -USR1 "$LABSERVE_PID"; sleep 0.4; done
		[ "$before" = "$(pgrep -f "serve.py own.*nbscope-lab" | sort)" ]; curl -sf -H "Authorization: token $JUPYTERLAB_TOKEN" "${JUPYTERLAB_URL}api/status"'
	has '"kernels": 0'
	! [[ $output == *'restarted'* ]] || has 'no restart'
}

@test "a server that dies is reported and restarted, and the command's status is kept" {
	inside() {
		pkill -9 -f "serve.py own $TMPDIR"
		wait_for there
	}
	there() {
		curl -sf -o status -H "Authorization: token $JUPYTERLAB_TOKEN" "${JUPYTERLAB_URL}api/status"
	}
	export -f inside there wait_for pause
	run -0 labserve bash -c inside
	has 'labserve: JupyterLab ended before the command; restarted'
	nothing_left
}

@test "an environment with JupyterLab runs that one, with its extensions and the parts of JupyterLab that they use" {
	"$PYTHON" "$ROOT/tests/linkenv.py" theirs jupyterlab
	local site
	site=$(echo theirs/lib/python3*/site-packages)
	echo 'def _jupyter_server_extension_points(): return [{"module": "their_ext"}]
def _load_jupyter_server_extension(app): open("'"$PWD"'/loaded", "w").write("yes")' >"$site/their_ext.py"
	echo '{"ServerApp": {"jpserver_extensions": {"their_ext": true}}}' >theirs/etc/jupyter/jupyter_server_config.d/their_ext.json
	mkdir -p theirs/share/jupyter/labextensions/their-front
	echo '{"name": "their-front", "version": "1.0.0", "dependencies": {"@jupyterlab/debugger": "^4.2.0"}, "jupyterlab": {"extension": true, "_build": {"load": "static/x.js", "extension": "./extension"}}}' \
		>theirs/share/jupyter/labextensions/their-front/package.json
	inside() {
		kernel 'import sys; print(sys.prefix)'
		rest lab | grep -o their-front | head -1
		cat loaded; echo
		rest lab | grep -oE '"@jupyterlab/(console|debugger|fileeditor|launcher)-extension"' | sort | tr '\n' ' '
	}
	export -f inside
	find theirs -not -path '*__pycache__*' | sort >before
	run -0 labserve --venv theirs bash -c inside
	has "$PWD/theirs"
	has their-front
	has yes
	# What it uses stays, and what that needs.
	[ "${lines[-1]}" = '"@jupyterlab/launcher-extension" ' ] || has 'only the launcher is off'
	echo none >theirs/share/jupyter/labextensions/their-front/package.json
	off() {
		rest lab | grep -c '"@jupyterlab/launcher-extension"'
	}
	export -f off
	run -1 labserve --venv theirs bash -c off
	[ "${lines[-1]}" = 0 ]
	run -0 diff before <(find theirs -not -path '*__pycache__*' | sort)
}

@test "an environment with only ipykernel gets its kernel in nbscope's JupyterLab" {
	"$PYTHON" "$ROOT/tests/linkenv.py" plain ipykernel
	run -1 plain/bin/python -c 'import jupyterlab'
	inside() {
		kernel 'import sys, os, shutil; print(sys.prefix, shutil.which("python"), os.environ["VIRTUAL_ENV"])'
	}
	export -f inside
	VENV=plain run -0 labserve bash -c inside
	has "$PWD/plain $PWD/plain/bin/python $PWD/plain"
	# A kernelspec as packages write it, with the "python3" of their environment.
	mkdir -p plain/share/jupyter/kernels/other
	jq -n '{argv: ["python3", "-m", "ipykernel_launcher", "-f", "{connection_file}"], display_name: "other", language: "python"}' >plain/share/jupyter/kernels/other/kernel.json
	other() {
		kernel 'import sys; print(sys.prefix)' other
	}
	export -f other
	VENV=plain run -0 labserve bash -c other
	has "$PWD/plain"
}

@test "an environment that cannot be profiled is refused with the reason" {
	python3 -m venv --without-pip bare
	run -4 labserve --venv bare touch ran
	has "labserve: 'bare' has neither jupyterlab nor ipykernel: '$PWD/bare/bin/python -m pip install ipykernel' is enough"
	mkdir -p bare/lib/python3.11/site-packages old/bin
	run -4 labserve --venv /nonexistent touch ran
	has "labserve: '/nonexistent' is not a Python environment: it has no bin/python"
	printf '#!/bin/sh\necho "{\\"jupyterlab\\": \\"3.6.8\\", \\"ipykernel\\": \\"6.0\\", \\"data\\": []}"' >old/bin/python
	chmod +x old/bin/python
	run -4 labserve --venv old touch ran
	has "JupyterLab 3.6.8 of 'old' is too old: at least 4.2 is required"
	NBSCOPE_VENV=bare/lib run -4 labserve touch ran
	has "no Python environment at 'bare/lib' (NBSCOPE_VENV): 'make setup' makes one"
	[ ! -e ran ]
	nothing_left
}

@test "a JupyterLab that does not start in time gives status 4 and the end of its log" {
	mkdir -p own/bin
	printf '#!/bin/sh\necho no such module >&2\nexit 1\n' >own/bin/python
	chmod +x own/bin/python
	NBSCOPE_VENV=own run -4 labserve touch ran
	has "JupyterLab of '$PWD/own' ended at once: no such module"
	printf '#!/bin/sh\nexec sleep 600\n' >own/bin/python
	NBSCOPE_VENV=own run -4 labserve --start-timeout 1 touch ran
	has 'did not start in time'
	[ ! -e ran ]
	nothing_left
}

@test "the user's server is used with its token, and nothing is started or ended on it" {
	export JUPYTERLAB_URL=http://127.0.0.1:$token_port/ JUPYTERLAB_TOKEN=s3cret-token
	kernel 'print("theirs")'
	rest api/kernels | jq -c 'map(.id)' >before
	JUPYTERLAB_URL=${JUPYTERLAB_URL%/} run -0 labserve sh -c 'echo "$JUPYTERLAB_URL $JUPYTERLAB_TOKEN"; ls "$TMPDIR"'
	[ "$output" = "http://127.0.0.1:$token_port/ s3cret-token" ] || has 'that and no more'
	run -0 diff before <(rest api/kernels | jq -c 'map(.id)')
}

@test "any address that the browser shows is accepted, with the token in it" {
	local page
	for page in '?token=s3cret-token' /lab?token=s3cret-token '/lab/tree/a%20b/c.ipynb?reset&token=s3cret-token#x' /tree/?token=s3cret-token; do
		JUPYTERLAB_URL=" http://127.0.0.1:$token_port$page" run -0 labserve sh -c 'echo "$JUPYTERLAB_URL $JUPYTERLAB_TOKEN"'
		[ "$output" = "http://127.0.0.1:$token_port/ s3cret-token" ] || has 'the address and the token'
	done
}

@test "address and token are read from .env, and a token may end in a newline" {
	printf '# mine\nexport JUPYTERLAB_URL="http://127.0.0.1:%s/"\nJUPYTERLAB_TOKEN=wrong\n' "$token_port" >.env
	JUPYTERLAB_TOKEN=$'s3cret-token\r\n' run -0 labserve true
	run -4 labserve true
	has "labserve: 'http://127.0.0.1:$token_port/' refuses the token (403)"
}

@test "a password is sent through the server's form, below any base address" {
	export JUPYTERLAB_URL=http://127.0.0.1:$form_port/some/where/lab JUPYTERLAB_PASSWORD='pass & wörd+%'
	run -0 labserve sh -c 'echo "$JUPYTERLAB_URL"'
	has "http://127.0.0.1:$form_port/some/where/"
	JUPYTERLAB_USERNAME=anybody run -0 labserve true
	JUPYTERLAB_PASSWORD=wrong run -4 labserve touch ran
	has "labserve: 'http://127.0.0.1:$form_port/some/where/' refuses the password"
	! [[ $output == *wrong* ]] || has 'no password'
	JUPYTERLAB_PASSWORD='' run -4 labserve touch ran
	has "requires a login (403): set JUPYTERLAB_TOKEN or JUPYTERLAB_PASSWORD"
	[ ! -e ran ]
}

@test "a wrong token, no server, no Jupyter: one line and status 4 before the command runs" {
	JUPYTERLAB_URL="http://127.0.0.1:$token_port/?token=wr0ng" run -4 labserve touch ran
	[ "$output" = "labserve: 'http://127.0.0.1:$token_port/' refuses the token (403)" ] || has 'that line'
	JUPYTERLAB_URL=http://127.0.0.1:$closed_port/ run -4 labserve touch ran
	has "labserve: cannot reach 'http://127.0.0.1:$closed_port/'"
	JUPYTERLAB_URL=http://no-such-host.invalid/ run -4 labserve touch ran
	has "labserve: cannot reach 'http://no-such-host.invalid/'"
	JUPYTERLAB_URL=http://127.0.0.1:$form_port/ JUPYTERLAB_PASSWORD=x run -4 labserve touch ran
	has "is not a Jupyter server (it answers 404)"
	JUPYTERLAB_URL=localhost:8888 run -4 labserve touch ran
	has "JUPYTERLAB_URL must begin with http:// or https://"
	for token in $'a\r\nX-Evil: 1' $'a\nb' $'a\tb'; do
		JUPYTERLAB_TOKEN=$token JUPYTERLAB_URL=http://127.0.0.1:$token_port/ run -4 labserve touch ran
		[ "$output" = "labserve: the token of the server contains a control character" ] || has 'that line'
	done
	JUPYTERLAB_URL=http://127.0.0.1:$token_port/?token=a%0d%0aX-Evil:1 run -4 labserve touch ran
	has "the token of the server contains a control character"
	JUPYTERLAB_URL=http://me:s3cret@127.0.0.1:$token_port/ run -4 labserve touch ran
	has "JUPYTERLAB_URL must not contain a password"
	! [[ $output == *s3cret* ]] || has 'no password'
	[ ! -e ran ]
}

@test "a server that is not Jupyter, or whose JupyterLab is too old, is refused" {
	cat >old.py <<'EOP'
import http.server, sys
pages = {"/api": b'{"version": "1.24.0"}', "/api/status": b"{}", "/lab": b'<script>{"appVersion": "3.6.8"}</script>', "/nolab/api": b'{"version": "2.0"}', "/nolab/api/status": b"{}"}
class Old(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = pages.get(self.path, b"<html>")
        self.send_response(404 if self.path == "/nolab/lab" else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
server = http.server.HTTPServer(("127.0.0.1", 0), Old)
print(server.server_port, file=open("port.new", "w"))
__import__("os").rename("port.new", "port")
server.serve_forever()
EOP
	local pid
	in_background python3 old.py 2>/dev/null
	wait_for test -e port
	export JUPYTERLAB_URL=http://127.0.0.1:$(cat port)
	run -4 labserve touch ran
	has "labserve: JupyterLab 3.6.8 of '$JUPYTERLAB_URL/' is too old: at least 4.2 is required"
	JUPYTERLAB_URL=$JUPYTERLAB_URL/else run -4 labserve touch ran
	has "labserve: '$JUPYTERLAB_URL/else/' is not a Jupyter server (it answers 200)"
	JUPYTERLAB_URL=$JUPYTERLAB_URL/nolab run -4 labserve touch ran
	has "labserve: '$JUPYTERLAB_URL/nolab/' has no JupyterLab"
	[ ! -e ran ]
}

@test "certificates are checked; with --insecure labserve warns, and no child inherits it" {
	export JUPYTERLAB_URL=https://127.0.0.1:$tls_port/ JUPYTERLAB_TOKEN=s3cret-token
	run -4 labserve touch ran
	has "cannot reach '$JUPYTERLAB_URL'"
	has certificate
	[ ! -e ran ]
	run -0 labserve --insecure sh -c 'env | grep ^NBSCOPE; labserve touch ran; echo "the inner one: $?"'
	has "labserve: the certificate of '$JUPYTERLAB_URL' is not checked (--insecure)"
	has 'the inner one: 4'
	! [[ $output == *NBSCOPE_INSECURE* ]] || has 'nothing of it in the environment'
	[ ! -e ran ]
}

@test "JupyterHub: login by form and by token, a server that must be started, one that runs" {
	hub_needed
	start_hub
	echo $hub_pid >>background
	export JUPYTERLAB_URL=$hub_url JUPYTERLAB_USERNAME='Ann.B@x y' JUPYTERLAB_PASSWORD='pass & wörd+%'
	run -0 labserve sh -c 'echo "$JUPYTERLAB_URL"'
	[ "$output" = "$hub_url/user/ann.b@x%20y/" ] || has 'the server of the user'
	JUPYTERLAB_URL=${output}lab/tree run -0 labserve true
	JUPYTERLAB_URL=$hub_url/user/ann.b@x%20y/second run -0 labserve true
	JUPYTERLAB_TOKEN=0123456789abcdef0123456789abcdef run -0 labserve sh -c 'echo "$JUPYTERLAB_URL"'
	[ "$output" = "$hub_url/user/zoe/" ] || has "the token's server"
	run -1 grep -F -e 0123456789abcdef0123456789abcdef -e wörd hub.log
	JUPYTERLAB_PASSWORD=wrong run -4 labserve true
	has "refuses the password or the user's name"
	JUPYTERLAB_PASSWORD='' run -4 labserve true
	has 'JupyterHub at'
	has 'requires a login'
	JUPYTERLAB_TOKEN=wrong run -4 labserve true
	has 'refuses the token (403)'
}
