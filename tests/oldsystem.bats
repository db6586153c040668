# bats file_tags=quick
# Systems older than the one that nbscope was made on: tests/enosys.c refuses their kernels' calls.
load helpers

setup_file() {
	export ENOSYS=$BATS_FILE_TMPDIR/enosys
	"${CC:-gcc}" -O2 -o "$ENOSYS" "$ROOT/tests/enosys.c"
}

setup() { cd "$BATS_TEST_TMPDIR" || return; }

@test "a call that is refused here is unknown to the programs" {
	run "$ENOSYS" newer memfd_create -- python3 -c '
import errno, os
for call in (lambda: os.pidfd_open(os.getpid()), lambda: os.memfd_create("x")):
    try:
        call()
        print("known")
    except OSError as error:
        print(errno.errorcode[error.errno])'
	status_is 0
	[ "$output" = ENOSYS$'\n'ENOSYS ]
}

@test "without pidfd_open, procsample notices at once that its command has ended, and how" {
	local began
	began=$(date +%s%N)
	run "$ENOSYS" pidfd_open -- procsample --no-machine -i 60000 -o out -- sh -c 'sleep 0.2; exit 7'
	status_is 7
	[ $(($(date +%s%N) - began)) -lt 20000000000 ]
	[ "$(jq -s 'map(select(.type == "sampler")) | length' out)" = 1 ]
	run "$ENOSYS" pidfd_open -- procsample --no-machine -o out -- sh -c 'kill -KILL $$'
	status_is 137
	run -127 "$ENOSYS" pidfd_open -- procsample --no-machine -o out -- /nonexistent
}

@test "without close_range, what nbscope leaves behind it holds no file of its caller" {
	exec 7>held
	# shellcheck disable=SC2016  # the command's own
	run "$ENOSYS" close_range -- netshape --latency 1 sh -c '
		for p in $(pgrep -P $PPID); do
			[ $p = $$ ] || { cat /proc/$p/comm; ls -l /proc/$p/fd; }
		done'
	exec 7>&-
	status_is 0
	has netshape-proxy
	[[ $output != *"$PWD/held"* ]]
}

@test "the calls that the oldest supported C library lacks are made in one place" {
	run grep -rnE --include='*.[ch]' \
		'\b(pidfd_open|close_range|closefrom|getrandom|getentropy|memfd_create|copy_file_range|sem_clockwait|explicit_bzero|sigabbrev_np|gettid|renameat2|reallocarray|strlcpy|arc4random)\(' \
		"$ROOT/tools"
	[ -z "$output" ]
}

@test "SSL_CERT_FILE names the certificates that are trusted" {
	openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out own.pem -days 2 -subj /CN=x \
		-addext subjectAltName=IP:127.0.0.1 2>/dev/null
	python3 -c '
import http.server, os, ssl
server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
tls.load_cert_chain("own.pem", "key.pem")
server.socket = tls.wrap_socket(server.socket, server_side=True)
open("port.new", "w").write(str(server.server_port))
os.rename("port.new", "port")
server.serve_forever()' 3>&- >/dev/null 2>&1 &
	server=$!
	wait_for test -e port
	export JUPYTERLAB_URL=https://127.0.0.1:$(cat port)/ JUPYTERLAB_TOKEN=x
	run -4 labserve true
	has certificate
	SSL_CERT_FILE=$PWD/own.pem run -4 labserve true
	has 'is not a Jupyter server'
	SSL_CERT_FILE=$PWD/none.pem run -4 labserve true
	has none.pem
}

teardown() { [ -z "${server-}" ] || kill "$server"; }
