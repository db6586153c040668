# cellrun: what the page does after the reply belongs to the cell whose output scheduled it. How soon a
# cell that waits for nothing ends is measured, so that nothing runs at the same time.
load helpers
load server
load faults

setup_file() {
	start_server
	use_server
	start_slow
	# A cell's script calls painted() where it changes something: that is the truth.
	sed "s/PORT/$(cat "$BATS_FILE_TMPDIR/slow.port")/" <<'EON' | profile page --max-wait-time 30 || true
[("code", "from IPython.display import HTML\nfrom string import Template\n"
          "HTML('<script>window.painted = () => console.error(\"painted \" + (performance.timeOrigin + performance.now()) / 1000); "
          "window.slow = \"http://127.0.0.1:PORT/600/\"</script>')"),
 ("code", "count = 0\ndef show(script, html=''):\n    global count\n    count += 1\n"
          "    return HTML(Template('<p id=p$n>start</p>$html<script>{const p = document.getElementById(\"p$n\"); "
          "const change = () => { p.textContent = \"changed\"; painted(); }; $script}</script>').substitute(n=count, script=script, html=html))"),
 ("code", "show('setTimeout(change, 400)')"),
 ("code", "show('setTimeout(change, 1200)')"),
 ("code", "show('const t = performance.now(), f = () => performance.now() - t > 700 ? change() : requestAnimationFrame(f); f()')"),
 ("code", "show('fetch(slow + \"a.json\").then(r => r.json()).then(change)')"),
 ("code", "show('const x = new XMLHttpRequest(); x.onload = change; x.open(\"GET\", slow + \"b.json\"); x.send()')"),
 ("code", "show('', '<img onload=\"painted()\" width=50 height=50 src=\"http://127.0.0.1:PORT/600/c.svg\">')"),
 ("code", "show('', '''<iframe srcdoc=\"<p id=n>start</p><script>setTimeout(() => { n.textContent = 1; parent.painted() }, 400)</script>\"></iframe>''')"),
 ("code", "show('let n = 0; const i = setInterval(() => { change(); if (++n === 5) clearInterval(i) }, 200)')"),
 ("code", "show('(async () => { for (let n = 0; n < 3; n++) await new Promise(done => setTimeout(done, 300)); change() })()')"),
 ("code", "show('const i = new Image(); i.onload = () => { document.getElementById(\"c\").getContext(\"2d\").drawImage(i, 0, 0); painted() }; "
          "i.src = slow + \"d.svg\"', '<canvas id=c width=50 height=50></canvas>')"),
 ("code", "show('const s = document.createElement(\"script\"); window.loaded = change; s.src = slow + \"e.js\"; document.head.append(s)')"),
 ("code", "show('const d = document.createElement(\"p\"); new MutationObserver(() => setTimeout(change, 350)).observe(d, {attributes: true}); "
          "setTimeout(() => { d.id = \"x\" }, 350)')"),
 ("code", "show('window.loaded = null; const u = URL.createObjectURL(new Blob([\"import \\\\\"\" + slow + \"f.js\\\\\"; export default change => change()\"], {type: \"text/javascript\"})); "
          "import(u).then(m => { URL.revokeObjectURL(u); m.default(change) })')"),
 ("code", "show('import(\"http://127.0.0.1:PORT/600/g.js\").then(change)')"),
 ("code", "import ipywidgets\nclass_name = 'late-view'\nw = ipywidgets.HTML('<p>start</p>')\nw.add_class(class_name)\nw"),
 ("code", "w.value = '<img src=x onerror=\"setTimeout(() => { this.parentNode.append(1); painted() }, 500)\">'"),
 ("code", "1 + 1"),
 ("code", "show('const i = setInterval(() => { p.textContent++ }, 1000); window.stop = () => clearInterval(i)')"),
 ("code", "1 + 1"),
 ("code", "show('setTimeout(change, 1300)')"),
 ("code", "show('stop(); const f = () => { p.textContent = performance.now(); requestAnimationFrame(f) }; f()')"),
 ("code", "show('const f = () => requestAnimationFrame(f); f()')"),
 ("code", "show('')"),
 ("code", "show('let n = 0; const f = () => { change(); if (++n < 5) setTimeout(f, 600) }; setTimeout(f, 600)')"),
 ("code", "show('const f = () => { p.textContent = performance.now(); window.tick = setTimeout(f, 1000) }; f()')"),
 ("code", "show('clearTimeout(tick); const f = () => fetch(slow + \"h.json\").then(() => window.stopped || f()); f()')"),
 ("code", "show('window.stopped = true; setInterval(() => 0, 30000)')"),
 ("code", "HTML('<style>@keyframes turn { to { transform: rotate(1turn) } }</style><p style=\"animation: turn 1s infinite\">turns</p>')"),
 ("code", "show('setTimeout(change, 8000)')")]
EON
}

setup() {
	use_server
}

teardown_file() {
	kill "$(cat "$BATS_FILE_TMPDIR/slow.pid")"
	stop_server
}

# Starts a server whose answers take as many ms as the first part of the path says.
start_slow() {
	python3 - "$BATS_FILE_TMPDIR/slow.port" >"$BATS_FILE_TMPDIR/slow.out" 2>&1 3>&- 4>&- <<'EOP' &
import http.server, os, sys, time
ANSWERS = {"json": ("application/json", "{}"), "js": ("text/javascript", "window.loaded && loaded()"),
           "svg": ("image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"><rect width="50" height="50"/></svg>')}
class Slow(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        kind, text = ANSWERS[self.path.rsplit(".", 1)[1]]
        time.sleep(int(self.path.split("/")[1]) / 1000)
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()
        self.wfile.write(text.encode())
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow)
with open(sys.argv[1] + ".new", "w") as f:
    f.write(str(server.server_port))
os.rename(sys.argv[1] + ".new", sys.argv[1])
server.serve_forever()
EOP
	echo $! >"$BATS_FILE_TMPDIR/slow.pid"
	wait_for test -e "$BATS_FILE_TMPDIR/slow.port"
}

# page_cells FILTER: of the cells whose script changes the page late: [index, delay in s, record, truth].
page_cells() {
	painted page '{"3": 0.4, "4": 1.2, "5": 0.7, "6": 0.6, "7": 0.6, "8": 0.6, "9": 0.4, "10": 1, "11": 0.9, "12": 0.6, "13": 0.6, "14": 0.7, "15": 0.6, "16": 0.6, "18": 0.5, "22": 1.3, "26": 3}' "$1"
}

@test "a change that the output's own scripts make later is its cell's, within 50 ms of the truth" {
	dated_truly page_cells
}

@test "a cell that waits for such a change is completed without a mark" {
	run -0 page_cells 'map(select(.[2].status != "completed" or .[2].marks != []) | [.[0], .[2].status, .[2].marks])'
	[ "$output" = '[]' ] || has nothing
}

@test "a cell whose output scheduled nothing does not wait for the page" {
	run -0 cells page '.[18, 20] | [.waited, .marks]'
	[ "$output" = $'[false,[]]\n[false,[]]' ] || has nothing
	run -0 cells page '.[29] | [.changed, .marks]'
	[ "$output" = '[true,["endless_animation"]]' ] || has nothing
	for i in 19 25 30; do
		run -0 took page $i
		below "$output" 1
	done
}

@test "a clock in the page and a loop without an end are marked and hold no cell up" {
	run -0 cells page '.[19, 22, 23, 26, 27, 28] | [.status, .changed, .marks, .client_ms < 500]'
	[ "$output" = "$(printf '["completed",true,["periodic_updates"],true]\n%.0s' {1..6})" ] || has nothing
	for pair in 20:3.5 23:7 24:3.5 27:7 28:4.5 29:1; do
		run -0 took page ${pair%:*}
		below "$output" ${pair#*:}
	done
}

@test "a timer that is due later than 5 s after the reply holds its cell not up, and is marked" {
	run -0 cells page '.[30] | [.marks, .client_ms < 500]'
	[ "$output" = '[["late_updates_possible"],true]' ] || has nothing
	run -0 took page 31
	below "$output" 1
}

@test "the records keep their schema" {
	run -0 "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict "$BATS_FILE_TMPDIR/page.jsonl"
}
