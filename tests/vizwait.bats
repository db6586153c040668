# vizwait, on real pages in a real browser.
# bats file_tags=untimed
load helpers

setup_file() {
	# One browser for all tests: a page is all that they share.
	mkdir -p "$BATS_FILE_TMPDIR/pages"
}

# page NAME: the test's page from stdin.
page() {
	cat >"$BATS_TEST_TMPDIR/$1.html"
	echo "file://$BATS_TEST_TMPDIR/$1.html"
}

# bats test_tags=timed
@test "a late change of text is found, at its own instant" {
	url=$(page late <<'EOP'
<body><p id=a>early</p><script>setTimeout(() => { a.textContent = 'late'; document.title = performance.timeOrigin + performance.now() }, 700)</script>
EOP
	)
	run -0 wdsession sh -c 'vizwait --url "$1" --quiet 1000 && curl -s "$WD_SESSION/title"' sh "$url"
	python3 - "$output" <<'EOP'
import json, sys
viz, title = sys.argv[1].splitlines()
viz, truth = json.loads(viz), float(json.loads(title)["value"]) / 1000
assert viz["status"] == "completed" and viz["last_change"] == "dom", viz
assert abs(viz["settled_t"] - truth) < 0.017, (viz["settled_t"], truth)
EOP
}

@test "an endless CSS animation is no change" {
	url=$(page css <<'EOP'
<style>@keyframes k { to { opacity: 0 } } p { animation: k .2s infinite }</style><body><p>blinks</p>
EOP
	)
	run -0 wdsession vizwait --url "$url" --max-wait-time 5
	has '"status":"completed"'
}

# bats test_tags=timed
@test "a canvas that is drawn with another picture each frame never settles" {
	url=$(page busy <<'EOP'
<body><canvas id=c width=50 height=50></canvas><script>let n = 0; (function f() { const g = c.getContext('2d'); g.fillStyle = `rgb(${n++ * 7 % 256},0,0)`; g.fillRect(0, 0, 50, 50); requestAnimationFrame(f) })()</script>
EOP
	)
	run -1 wdsession vizwait --url "$url" --viz-selector canvas --max-wait-time 2
	has '"status":"not_settled"'
}

# bats test_tags=timed
@test "a canvas that is drawn with the same picture for ever settles, and is marked" {
	url=$(page loop <<'EOP'
<body><canvas id=c width=50 height=50></canvas><script>(function f() { const g = c.getContext('2d'); g.fillStyle = 'red'; g.fillRect(0, 0, 50, 50); requestAnimationFrame(f) })()</script>
EOP
	)
	run -0 wdsession vizwait --url "$url" --viz-selector canvas --quiet 700 --max-wait-time 10
	has '"status":"completed"'
	has 'endless_drawing'
}

@test "a WebGL redraw is seen as WebGL" {
	url=$(page gl <<'EOP'
<body><canvas id=c width=50 height=50></canvas><script>const g = c.getContext('webgl'); setTimeout(() => { g.clearColor(0, 1, 0, 1); g.clear(g.COLOR_BUFFER_BIT) }, 400)</script>
EOP
	)
	run -0 wdsession vizwait --url "$url" --viz-selector canvas --quiet 800
	has '"last_change":"webgl"'
	has '"blank":true'
}

@test "a drawing in a shadow root and one in a frame of the same origin are seen" {
	url=$(page shadow <<'EOP'
<body><div id=h></div><script>const s = h.attachShadow({mode: 'open'}); s.innerHTML = '<b>x</b>'; setTimeout(() => { s.firstChild.textContent = 'changed' }, 400)</script>
EOP
	)
	run -0 wdsession vizwait --url "$url" --viz-selector '#h' --quiet 800
	has '"last_change":"dom"'
	url=$(page frame <<'EOP'
<body><iframe id=f srcdoc="<p id=p>x</p><script>setTimeout(() => { p.textContent = 'changed' }, 500)</script>"></iframe>
EOP
	)
	run -0 wdsession vizwait --url "$url" --viz-selector '#f' --quiet 800
	has '"last_change":"dom"'
}

@test "an animation in a shadow root is waited for, also in a page that was open, and found by a selector" {
	url=$(page open <<'EOP'
<style>p { height: 9px }</style><body><div id=h></div><script>h.attachShadow({mode: 'open'}).innerHTML = '<style>@keyframes k { to { width: 9px } } b { display: block; animation: k 1.5s 1s }</style><b>x</b>'</script>
EOP
	)
	run -0 wdsession sh -c 'vizwait --url "$1" --viz-selector b --quiet 200 && curl -sf "$WD_SESSION/url" -d "{\"url\":\"$1\"}" >/dev/null && vizwait --quiet 200' sh "$url"
	jq -es 'length == 2 and all(.status == "completed" and .settled_t - .start_t > 2)' <<<"$output"
}

@test "a script that came as text of HTML, or is no script, is not waited for" {
	url=$(page inert <<'EOP'
<body><div id=d></div><script>setTimeout(() => { d.innerHTML = '<script src=never.js></' + 'script>x'; const s = document.createElement('script'); s.type = 'text/x-template'; s.src = 'never.html'; d.append(s) }, 200)</script>
EOP
	)
	run -0 wdsession vizwait --url "$url" --quiet 500 --max-wait-time 5
	has '"status":"completed"'
}

@test "a script that loads late, put in by the page or a frame of it, is waited for; one that is taken out again is not" {
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
    out = subprocess.run(['vizwait', '--url', f'http://127.0.0.1:{server.server_port}{path}', '--quiet', '250'], capture_output=True, text=True, check=True).stdout
    viz = json.loads(out)
    assert viz['status'] == 'completed' and least < viz['ended_t'] - viz['start_t'] < most, (path, viz)
EOP
}

@test "an image that loads late, in the page, a shadow root, a frame, a style or an SVG, is waited for beyond the quiet window" {
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
    out = subprocess.run(['vizwait', '--url', f'http://127.0.0.1:{server.server_port}{path}', '--quiet', '200'], capture_output=True, text=True, check=True).stdout
    viz = json.loads(out)
    assert viz['last_change'] == 'image' and viz['settled_t'] - viz['start_t'] > 0.9, (path, viz)
assert sorted(asked) == [f'/late{n}.svg' for n in ('', 2, 3, 4, 5, 6)], asked
EOP
}

@test "a selector that matches nothing ends with no_viewer and status 1" {
	url=$(page none <<<'<body>x')
	run -1 wdsession vizwait --url "$url" --viz-selector '#nothing' --max-wait-time 1
	has '"status":"no_viewer"'
}

@test "a selector that is no selector is named" {
	url=$(page none <<<'<body>x')
	run -2 wdsession vizwait --url "$url" --viz-selector '##'
	has "selector '##'"
}

@test "without a browser it says what to run" {
	run -2 vizwait
	has 'wdsession vizwait'
}
