# What moves in an output without an event of the page: videos, canvases of workers, images.
# bats file_tags=untimed
load helpers
load oneserver
load faults

setup_file() {
	start_server
	use_server
	cp "$ROOT/usecases/widgets/files/clip.webm" "$BATS_FILE_TMPDIR"
	# painted() is called where the page knows that something changes: that is the truth.
	profile moving --max-wait-time 30 --with-file "$BATS_FILE_TMPDIR/clip.webm" <<'EON' || true
[("code", "import time\nimport ipywidgets\nfrom IPython.display import HTML, SVG, Image, clear_output, display\nimport base64\n"
          "HTML('<script>window.painted = () => console.error(\"painted \" + (performance.timeOrigin + performance.now()) / 1000)</script>')"),
 ("code", "def video(attributes):\n    data = base64.b64encode(open('clip.webm', 'rb').read()).decode()\n"
          "    return HTML(f'<video class=clip autoplay muted {attributes} src=\"data:video/webm;base64,{data}\"></video><script>{{const v = [...document.querySelectorAll(\".clip\")].pop(), '\n"
          "                'seen = (t, {mediaTime}) => { if (mediaTime > 0.9) painted(); v.requestVideoFrameCallback(seen) }; v.requestVideoFrameCallback(seen) }</script>')\n"
          "def worker(script):\n"
          "    return HTML('<canvas class=drawn width=300 height=60></canvas><script>{const c = [...document.querySelectorAll(\".drawn\")].pop(), '\n"
          "                'w = new Worker(URL.createObjectURL(new Blob([`onmessage = ({data: c}) => { const pen = c.getContext(\"2d\"); let n = 0; const draw = () => { pen.fillRect(30 * (n % 10), 0, 30, 30 + n % 7); '\n"
          "                'pen.clearRect(30 * ((n + 5) % 10), 0, 30, 60); if (++n <= 8) postMessage(0) }; ' + script + '}`]))), '\n"
          "                'o = c.transferControlToOffscreen(); w.onmessage = painted; w.postMessage(o, [o]) }</script>')"),
 ("code", "video('')"),
 ("code", "video('loop')"),
 ("code", "HTML('<script>document.querySelectorAll(`.clip`).forEach(v => v.pause())</script>')"),
 ("code", "worker('const timer = setInterval(() => { draw(); if (n === 8) clearInterval(timer) }, 100)')"),
 ("code", "worker('setInterval(draw, 50)')"),
 ("code", "ipywidgets.HTML('<p>this one is not moved</p>')"),
 ("code", "moving = '<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"90\" height=\"20\"><rect width=\"9\" height=\"9\">%s</rect></svg>'\n"
          "SVG(moving % '<animate attributeName=\"width\" from=\"9\" to=\"90\" dur=\"0.6s\"/>')"),
 ("code", "SVG(moving % '')"),
 ("code", "out = ipywidgets.Output()\nout.add_class('held')\nout"),
 ("code", "HTML('<script>new MutationObserver(records => { if (records.some(r => r.addedNodes.length)) painted() }).observe(document.querySelector(\".held\"), {subtree: true, childList: true})</script>')"),
 ("code", "for i in range(4):\n    with out:\n        clear_output(wait=True)\n        display(HTML(f'<p>round {i}</p>'))\n    time.sleep(0.1)"),
 ("code", "def grow(width):\n    return HTML(f'<style>@keyframes grow {{ from {{ width: 30px }} to {{ width: 300px }} }}</style>'\n"
          "                f'<div style=\"width: {width}px; height: 50px; background: teal; animation: grow 1s\" onanimationend=\"painted()\"></div>')"),
 ("code", "grow(300)"),
 ("code", "grow(100)"),
 ("code", "HTML('<style>@keyframes turn { to { transform: rotate(1turn) } }</style><p style=\"animation: turn 1s infinite\">turns</p>')"),
 ("code", "HTML('<svg width=90 height=20><rect width=9 height=9><animate attributeName=x values=0;70;0 dur=1s repeatCount=indefinite></animate></rect></svg>')")]
EON
}

setup() {
	use_server
}

# late INDEX: how many ms later than the truth the last change of a cell was recorded.
late() {
	jq -s --argjson i "$1" '([.[] | select(.type == "console" and .cell_index == $i and (.message | startswith("painted"))).message | ltrimstr("painted ") | tonumber] | max) as $truth |
		.[] | select(.type == "cell" and .cell_index == $i) | (.last_visual_change_t - $truth) * 1000 | round' "$BATS_FILE_TMPDIR/moving.jsonl"
}

@test "a video that plays once has changed last when it shows its last picture, which is waited for" {
	run -0 late 3
	[ "${output#-}" -le 50 ] || has '50 ms at most'
	run -0 cells moving '.[2] | [.status, .client_ms >= 900, .marks]'
	[ "$output" = '["completed",true,[]]' ] || has nothing
}

@test "a video in a loop holds no cell up, and is marked" {
	run -0 cells moving '.[3] | [.status, .client_ms < 1500, .marks]'
	[ "$output" = '["completed",true,["video_playing"]]' ] || has nothing
	run -0 took moving 4
	below "$output" 3
}

@test "what a worker draws on a canvas is seen within 50 ms" {
	run -0 late 6
	[ "${output#-}" -le 50 ] || has '50 ms at most'
	run -0 cells moving '.[5] | [.status, .client_ms >= 700, (.marks | sort)]'
	[ "$output" = '["completed",true,["offscreen_canvas","web_worker"]]' ] || has nothing
}

@test "a worker that draws for ever holds no cell up, and no change of later cells" {
	run -0 cells moving '.[6] | [.status, .client_ms < 1500, (.marks | sort)]'
	[ "$output" = '["completed",true,["offscreen_canvas","web_worker"]]' ] || has nothing
	run -0 took moving 7
	below "$output" 6
	run -0 cells moving '.[7] | [.changed, .client_ms < 500, .marks]'
	[ "$output" = '[true,true,[]]' ] || has nothing
}

@test "an image that moves by itself is marked, one that does not is not" {
	run -0 cells moving '.[8, 9].marks'
	[ "$output" = $'["animated_image"]\n[]' ] || has nothing
}

@test "that JupyterLab holds the height of an output while it is replaced is no change" {
	run -0 late 13
	[ "${output#-}" -le 20 ] || has '20 ms at most'
}

@test "an animation that ends slowly has changed last when nothing more of it is seen, unless it jumps back" {
	run -0 late 15
	[[ "$output" -le -20 && "$output" -ge -150 ]] || has '20 to 150 ms before its event'
	run -0 late 16
	[ "${output#-}" -le 20 ] || has '20 ms at most'
}

@test "an animation without an end, of CSS or SVG, is marked and holds no cell up" {
	run -0 cells moving '.[16, 17] | [.status, .client_ms < 1000, .marks]'
	[ "$output" = $'["completed",true,["endless_animation"]]\n["completed",true,["endless_animation"]]' ] || has nothing
}
