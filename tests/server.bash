# One JupyterLab for all tests of a file: setup_file calls start_server, setup calls use_server, and
# teardown_file calls stop_server.  start_session, use_session, stop_session: likewise, one browser.
# Its pages open in less time than those of a new one.

# start_holder NAME SCRIPT HOLDER: a holder that stays until stop_holder NAME. SCRIPT prints its environment.
start_holder() {
	"$3" sh -c '{ '"$2"'; } >"$1.new" && mv "$1.new" "$1" && exec tail -f /dev/null' \
		sh "$BATS_FILE_TMPDIR/$1.env" 3>&- 4>&- >/dev/null 2>"$BATS_FILE_TMPDIR/$1.err" &
	echo $! >"$BATS_FILE_TMPDIR/$1.pid"
	for _ in $(seq 600); do
		[ ! -e "$BATS_FILE_TMPDIR/$1.env" ] || return 0
		pause 0.1
	done
	cat "$BATS_FILE_TMPDIR/$1.err" >&2
	return 1
}

stop_holder() {
	kill "$(cat "$BATS_FILE_TMPDIR/$1.pid")"
	while kill -0 "$(cat "$BATS_FILE_TMPDIR/$1.pid")" 2>/dev/null; do
		pause 0.1
	done
}

start_server() {
	start_holder server 'printf "export JUPYTERLAB_URL=%s JUPYTERLAB_TOKEN=%s JUPYTERLAB_CERT=%s\n" "$JUPYTERLAB_URL" "$JUPYTERLAB_TOKEN" "${JUPYTERLAB_CERT-}"' labserve
}

use_server() {
	. "$BATS_FILE_TMPDIR/server.env"
}

stop_server() {
	stop_holder server
}

start_session() {
	start_holder session 'export -p | grep "^export WD_"' wdsession
}

use_session() {
	. "$BATS_FILE_TMPDIR/session.env"
}

stop_session() {
	stop_holder session
}

# free_port: prints a port that nobody listens on.
free_port() {
	python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])'
}

# users_server HOME ARGS...: a JupyterLab as a user runs it, without nbscope; its pid in $users_pid.
# Its token is $users_token, if set.
users_server() {
	local home=$1
	local -x JUPYTER_TOKEN=${users_token-}
	[ -n "$JUPYTER_TOKEN" ] || unset JUPYTER_TOKEN
	shift
	mkdir -p "$home/root"
	env -u JUPYTERLAB_URL -u JUPYTERLAB_TOKEN HOME="$home" JUPYTER_CONFIG_DIR="$home/config" \
		JUPYTER_RUNTIME_DIR="$home/run" JUPYTER_DATA_DIR="$home/data" \
		"${NBSCOPE_VENV:-$ROOT/build/venv}/bin/python" -c '
import sys
sys.modules["rfc3987_syntax"] = None
from jupyterlab.labapp import main
main()' --allow-root --no-browser --ServerApp.port_retries=0 --ServerApp.root_dir="$home/root" "$@" \
		3>&- >>"$home/log" 2>&1 &
	users_pid=$!
}

# certificate FOLDER: writes a self-signed certificate, cert, and its key.
certificate() {
	mkdir -p "$1"
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -keyout "$1/key" -out "$1/cert" 2>/dev/null
}

# rest PATH [CURL-OPTION...]: the server's answer.
rest() {
	curl -sf -H "Authorization: token $JUPYTERLAB_TOKEN" "$JUPYTERLAB_URL$1" "${@:2}"
}

# left_over: prints the workspaces, sessions, files and kernels on the server.
left_over() {
	rest lab/api/workspaces | jq -rj ".workspaces.ids[]"
	rest api/sessions
	rest api/contents | jq -c '.content | map(.name)'
	rest api/kernels
}
