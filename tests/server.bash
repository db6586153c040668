# One JupyterLab for all tests of a file: setup_file calls start_server, setup calls use_server, and
# teardown_file calls stop_server.

start_server() {
	server_env=$BATS_FILE_TMPDIR/server.env
	labserve sh -c 'printf "export JUPYTERLAB_URL=%s JUPYTERLAB_TOKEN=%s\n" \
		"$JUPYTERLAB_URL" "$JUPYTERLAB_TOKEN" >"$1.new" && mv "$1.new" "$1" &&
		exec tail -f /dev/null' \
		sh "$server_env" 3>&- 4>&- >/dev/null 2>"$BATS_FILE_TMPDIR/server.err" &
	echo $! >"$BATS_FILE_TMPDIR/server.pid"
	for _ in $(seq 600); do
		[ ! -e "$server_env" ] || return 0
		read -r -t 0.1 <> <(:) || true
	done
	cat "$BATS_FILE_TMPDIR/server.err" >&2
	return 1
}

use_server() {
	. "$BATS_FILE_TMPDIR/server.env"
}

stop_server() {
	kill "$(cat "$BATS_FILE_TMPDIR/server.pid")"
	while kill -0 "$(cat "$BATS_FILE_TMPDIR/server.pid")" 2>/dev/null; do
		read -r -t 0.1 <> <(:) || true
	done
}

# rest PATH: the server's answer.
rest() {
	curl -sf -H "Authorization: token $JUPYTERLAB_TOKEN" "$JUPYTERLAB_URL$1"
}

# left_over: prints the workspaces, sessions, files and kernels on the server.
left_over() {
	rest lab/api/workspaces | jq -rj ".workspaces.ids[]"
	rest api/sessions
	rest api/contents | jq -c '.content | map(.name)'
	rest api/kernels
}
