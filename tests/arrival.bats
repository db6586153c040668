# cellrun: a message that has arrived and waits for a busy browser is not in transport.
# bats file_tags=untimed,long
load helpers
load server
load faults

# secure_server NAME [CONFIG]: a server that uses TLS, as the lines of CONFIG say.
secure_server() {
	local port dir=$BATS_FILE_TMPDIR/$1
	port=$(free_port)
	certificate "$dir"
	mkdir -p "$dir/config"
	printf '%s\n' "${2-}" >"$dir/config/jupyter_server_config.py"
	users_server "$dir" --port="$port" --IdentityProvider.token=s3cret --certfile="$dir/cert" --keyfile="$dir/key"
	echo $users_pid >"$dir.pid"
	echo "https://127.0.0.1:$port/" >"$dir.url"
	wait_for curl -sfk "https://127.0.0.1:$port/api"
}

# secure NAME COMMAND...: with that server.
secure() {
	insecure=1 JUPYTERLAB_URL=$(cat "$BATS_FILE_TMPDIR/$1.url") JUPYTERLAB_TOKEN=s3cret "${@:2}"
}

setup_file() {
	start_server
	use_server
	# The page reports for how long it was blocked: that is the truth.
	profile blocked --max-wait-time 30 <<'EON'
[("code", "from IPython.display import Javascript, display\nimport time"),
 ("code", "display(Javascript('const t = performance.now(); while (performance.now() < t + 1500); console.error(`blocked ${performance.now() - t}`)'))"),
 ("code", "display(Javascript('const t = performance.now(), gl = Object.assign(document.createElement(\"canvas\"), {width: 1024, height: 1024}).getContext(\"webgl\"), p = gl.createProgram();"
          "const add = (kind, text) => { const s = gl.createShader(kind); gl.shaderSource(s, text); gl.compileShader(s); gl.attachShader(p, s); };"
          "add(gl.VERTEX_SHADER, \"attribute vec2 a; void main() { gl_Position = vec4(a, 0., 1.); }\");"
          "add(gl.FRAGMENT_SHADER, \"precision highp float; void main() { float x = gl_FragCoord.x; for (int i = 0; i < 400; i++) x = sin(x + float(i)); gl_FragColor = vec4(x); }\");"
          "gl.linkProgram(p); gl.useProgram(p); gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());"
          "gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW); gl.enableVertexAttribArray(0); gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);"
          "do { gl.drawArrays(gl.TRIANGLES, 0, 3); gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); } while (performance.now() < t + 700);"
          "console.error(`blocked ${performance.now() - t}`)'))"),
 ("code", "time.sleep(0.5)")]
EON
	secure_server tls
	secure tls profile secure --max-wait-time 30 <<'EON'
[("code", "import time\nfrom IPython.display import HTML, Javascript, display"),
 ("code", "for i in range(20):\n    display(HTML('x' * 100000))\n    time.sleep(0.1)\ntime.sleep(1)"),
 ("code", "display(Javascript('const t = performance.now(); while (performance.now() < t + 1500);'))")]
EON
	HOLDER='netshape --latency 300' profile far --max-wait-time 30 <<'EON'
[("code", "1 + 1"), ("code", "2 + 2")]
EON
}

setup() {
	use_server
}

teardown_file() {
	kill $(cat "$BATS_FILE_TMPDIR"/tls*.pid) || true
	stop_server
}

# blocked INDEX: prints how long the page was blocked, in ms, as it said itself.
blocked() {
	jq -r "select(.type == \"console\" and .cell_index == $1 and (.message | startswith(\"blocked \"))) |
		.message | ltrimstr(\"blocked \")" "$BATS_FILE_TMPDIR/blocked.jsonl"
}

@test "a reply that waits for a script of the page is not in transport" {
	ms=$(blocked 2)
	cells blocked ".[] | select(.cell_index == 2) | [.handling_delay_ms, .render_ms, .transport_ms]" >&2
	run -0 cells blocked ".[] | select(.cell_index == 2) | .handling_delay_ms >= 0.95 * $ms and .render_ms >= 0.95 * $ms and .transport_ms < 0.2 * $ms"
	[ "$output" = true ]
}

@test "nor is one that waits for the page to draw with WebGL" {
	ms=$(blocked 3)
	cells blocked ".[] | select(.cell_index == 3) | [.handling_delay_ms, .render_ms, .transport_ms]" >&2
	run -0 cells blocked ".[] | select(.cell_index == 3) | .handling_delay_ms >= 0.9 * $ms and .transport_ms < 0.1 * $ms"
	[ "$output" = true ]
}

@test "the kernel's own time makes no delay, and a slow link is transport" {
	run -0 cells blocked '.[] | select(.cell_index == 4) | .kernel_ms > 500 and .handling_delay_ms < 50'
	[ "$output" = true ]
	cells far "map([.handling_delay_ms, .transport_ms, .render_ms])" >&2
	run -0 cells far 'all(.transport_ms > 290) and (map(.handling_delay_ms) | min) < 60'
	[ "$output" = true ]
}

@test "the bytes of TLS are not those of messages" {
	cells secure "map([.arrived_t, .handling_delay_ms, .transport_ms])" >&2
	run -0 cells secure '(.[1] | .handling_delay_ms < 100 and .kernel_ms > 3000 and .transport_ms > 0) and (.[2] | .handling_delay_ms > 1400 and .transport_ms < 100)'
	[ "$output" = true ]
}

# bats test_tags=thorough
@test "where a server's TLS has longer records, an arrival is right or unknown, never too early" {
	# Records of TLS 1.2 are longer than the page assumes.
	secure_server tls12 'import ssl
c.ServerApp.ssl_options = {"ssl_version": ssl.PROTOCOL_TLSv1_2}'
	HOLDER='netshape --latency 300' secure tls12 profile tls12 --max-wait-time 30 <<'EON'
[("code", "import time"),
 ("code", "for i in range(800):\n    print(i, flush=True)\n    time.sleep(0.01)")]
EON
	run curl -sk --tls-max 1.2 "$(cat "$BATS_FILE_TMPDIR/tls12.url")api"
	status_is 0
	run ! curl -sk --tlsv1.3 "$(cat "$BATS_FILE_TMPDIR/tls12.url")api"
	cells tls12 "map([.arrived_t, .handling_delay_ms, .transport_ms, .ws_messages_received])" >&2
	run -0 cells tls12 '.[1] | .ws_messages_received > 700 and (.handling_delay_ms == null or .handling_delay_ms < 40) and .transport_ms > 290'
	[ "$output" = true ]
}

@test "the diagnosis names the busy browser" {
	run -0 sh -c 'cellmetrics "$1" | jq -r "select(.type == \"cell_metrics\" and .cell_index == 2) | .diagnosis"' sh "$BATS_FILE_TMPDIR/blocked.jsonl"
	has "of the time the kernel's reply had arrived, but the browser was too busy to handle it"
	[[ "$output" =~ "too busy to handle it ("[0-9.]+" s of CPU time)" ]]
}
