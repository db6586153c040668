# vizwait, on real pages in a real browser.
# bats file_tags=untimed,long
load helpers

setup_file() {
	# The pages of the tests.
	mkdir -p "$BATS_FILE_TMPDIR/pages"
}

# page NAME: writes stdin as a page, prints its address.
page() {
	cat >"$BATS_TEST_TMPDIR/$1.html"
	echo "file://$BATS_TEST_TMPDIR/$1.html"
}

# bats test_tags=timed
@test "a late change of text is found, at the right time" {
	url=$(page late <<'EOP'
<body><p id=a>early</p><script>setTimeout(() => { a.textContent = 'late'; document.title = performance.timeOrigin + performance.now() }, 700)</script>
EOP
	)
	run -0 wdsession sh -c 'vizwait --url "$1" --settle-ms 1000 && curl -s "$WD_SESSION/title"' sh "$url"
	python3 - "$output" <<'EOP'
import json, sys
viz, title = sys.argv[1].splitlines()
viz, truth = json.loads(viz), float(json.loads(title)["value"]) / 1000
assert viz["status"] == "completed" and viz["last_visual_change_kind"] == "dom", viz
assert abs(viz["last_visual_change_t"] - truth) < 0.017, (viz["last_visual_change_t"], truth)
EOP
}

@test "an endless CSS animation does not count as a change" {
	url=$(page css <<'EOP'
<style>@keyframes k { to { opacity: 0 } } p { animation: k .2s infinite }</style><body><p>blinks</p>
EOP
	)
	run -0 wdsession vizwait --url "$url" --max-wait-time 5
	has '"status":"completed"'
	has endless_animation
}

# bats test_tags=timed
@test "a canvas whose picture changes in each frame never settles" {
	url=$(page busy <<'EOP'
<body><canvas id=c width=50 height=50></canvas><script>let n = 0; (function f() { const g = c.getContext('2d'); g.fillStyle = `rgb(${n++ * 7 % 256},0,0)`; g.fillRect(0, 0, 50, 50); requestAnimationFrame(f) })()</script>
EOP
	)
	run -1 wdsession vizwait --url "$url" --viz-selector canvas --max-wait-time 2
	has '"status":"not_settled"'
}

# bats test_tags=timed
@test "a canvas that is redrawn with the same picture forever settles, and is marked" {
	url=$(page loop <<'EOP'
<body><canvas id=c width=50 height=50></canvas><script>(function f() { const g = c.getContext('2d'); g.fillStyle = 'red'; g.fillRect(0, 0, 50, 50); requestAnimationFrame(f) })()</script>
EOP
	)
	run -0 wdsession vizwait --url "$url" --viz-selector canvas --settle-ms 700 --max-wait-time 10
	has '"status":"completed"'
	has 'endless_redraw'
}

@test "a WebGL redraw is reported as webgl" {
	url=$(page gl <<'EOP'
<body><canvas id=c width=50 height=50></canvas><script>const g = c.getContext('webgl'); setTimeout(() => { g.clearColor(0, 1, 0, 1); g.clear(g.COLOR_BUFFER_BIT) }, 400)</script>
EOP
	)
	run -0 wdsession vizwait --url "$url" --viz-selector canvas --settle-ms 800
	has '"last_visual_change_kind":"webgl"'
	has '"blank":true'
}

@test "changes in a shadow root and in a frame of the same origin are seen" {
	url=$(page shadow <<'EOP'
<body><div id=h></div><script>const s = h.attachShadow({mode: 'open'}); s.innerHTML = '<b>x</b>'; setTimeout(() => { s.firstChild.textContent = 'changed' }, 400)</script>
EOP
	)
	run -0 wdsession vizwait --url "$url" --viz-selector '#h' --settle-ms 800
	has '"last_visual_change_kind":"dom"'
	url=$(page frame <<'EOP'
<body><iframe id=f srcdoc="<p id=p>x</p><script>setTimeout(() => { p.textContent = 'changed' }, 500)</script>"></iframe>
EOP
	)
	run -0 wdsession vizwait --url "$url" --viz-selector '#f' --settle-ms 800
	has '"last_visual_change_kind":"dom"'
}

@test "an animation in a shadow root delays settling, also in an open page, and a selector finds it" {
	url=$(page open <<'EOP'
<style>p { height: 9px }</style><body><div id=h></div><script>h.attachShadow({mode: 'open'}).innerHTML = '<style>@keyframes k { to { width: 9px } } b { display: block; animation: k 1.5s 1s }</style><b>x</b>'</script>
EOP
	)
	run -0 wdsession sh -c 'vizwait --url "$1" --viz-selector b --settle-ms 200 && curl -sf "$WD_SESSION/url" -d "{\"url\":\"$1\"}" >/dev/null && vizwait --settle-ms 200' sh "$url"
	jq -es 'length == 2 and all(.status == "completed" and .last_visual_change_t - .start_t > 2)' <<<"$output"
}

@test "a script that was inserted as HTML text, or is not a script, does not delay settling" {
	url=$(page inert <<'EOP'
<body><div id=d></div><script>setTimeout(() => { d.innerHTML = '<script src=never.js></' + 'script>x'; const s = document.createElement('script'); s.type = 'text/x-template'; s.src = 'never.html'; d.append(s) }, 200)</script>
EOP
	)
	run -0 wdsession vizwait --url "$url" --settle-ms 500 --max-wait-time 5
	has '"status":"completed"'
}

@test "a script that loads late in the page or a frame delays settling, unless it is removed" {
	run -0 wdsession python3 - <<'EOP'
import http.server, json, subprocess, threading, time
PUT = 'setTimeout(() => { document.head.append(Object.assign(document.createElement("script"), {src: "/late.js"})) }, 100)'
class Slow(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        script = self.path in ('/late.js', '/none.js')
        if script:
            time.sleep(1.5)
        body = b'document.body.append("came")' if script else \
            {'/put': f'<body>x<script>{PUT}</script>', '/frame': f"<body><iframe srcdoc='<p>x<script>{PUT}</script>'></iframe>",
             '/fails': f'<body>x<script>{PUT.replace("late", "none")}</script>',
             '/gone': f'<body>x<script>{PUT.replace("late", "none")}; setTimeout(() => document.querySelector("[src]").remove(), 150)</script>'}[self.path].encode()
        self.send_response(404 if self.path == '/none.js' else 200)
        self.send_header('Content-Type', 'text/javascript' if script else 'text/html')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *a):
        pass
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Slow)
threading.Thread(target=server.serve_forever, daemon=True).start()
for path, least, most in ('/put', 1.3, 9), ('/frame', 1.3, 9), ('/fails', 1.3, 9), ('/gone', 0, 1):
    out = subprocess.run(['vizwait', '--url', f'http://127.0.0.1:{server.server_port}{path}', '--settle-ms', '250'], capture_output=True, text=True, check=True).stdout
    viz = json.loads(out)
    assert viz['status'] == 'completed' and least < viz['ended_t'] - viz['start_t'] < most, (path, viz)
EOP
}

@test "an image that loads late, in the page, a shadow root, a frame, a style or an SVG, delays settling" {
	run -0 wdsession python3 - <<'EOP'
import http.server, json, subprocess, threading, time
asked = []
class Slow(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        picture = self.path.startswith('/late')
        if picture:
            asked.append(self.path)
            time.sleep(1.2)
        body = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="5" height="9" fill="red"/></svg>' if picture \
            else {'/': b'<body><img src=/late.svg>',
                  '/shadow': b'<body><div id=h></div><script>h.attachShadow({mode: "open"}).innerHTML = "<img src=/late2.svg>"</script>',
                  '/frame': b'<body><iframe srcdoc="<script>setTimeout(() => document.body.append(Object.assign(new Image(), {src: \'/late3.svg\'})), 100)</script>"></iframe>',
                  '/style': b'<body><div style="height: 9px; background: url(late4.svg)">x</div>',
                  '/svg': b'<body><svg width="9" height="9"><image href="late5.svg"/></svg>',
                  '/frame2': b'<body><iframe srcdoc="<p>x"></iframe><script>setTimeout(() => { document.querySelector("iframe").contentDocument.querySelector("p").style.backgroundImage = "url(/late6.svg)" }, 100)</script>'}.get(self.path, b'')
        self.send_response(200)
        self.send_header('Content-Type', 'image/svg+xml' if picture else 'text/html')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *a):
        pass
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Slow)
threading.Thread(target=server.serve_forever, daemon=True).start()
for path in '/', '/shadow', '/frame', '/style', '/svg', '/frame2':
    out = subprocess.run(['vizwait', '--url', f'http://127.0.0.1:{server.server_port}{path}', '--settle-ms', '200'], capture_output=True, text=True, check=True).stdout
    viz = json.loads(out)
    assert viz['last_visual_change_kind'] == 'image' and viz['last_visual_change_t'] - viz['start_t'] > 0.9, (path, viz)
assert sorted(asked) == [f'/late{n}.svg' for n in ('', 2, 3, 4, 5, 6)], asked
EOP
}

@test "a selector that matches nothing ends with no_viewer and status 1" {
	url=$(page none <<<'<body>x')
	run -1 wdsession vizwait --url "$url" --viz-selector '#nothing' --max-wait-time 1
	has '"status":"no_viewer"'
}

@test "an invalid selector is reported" {
	url=$(page none <<<'<body>x')
	run -2 wdsession vizwait --url "$url" --viz-selector '##'
	has "selector '##'"
}

@test "without a browser it reports what to run" {
	run -2 vizwait
	has 'wdsession vizwait'
}
