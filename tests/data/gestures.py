[("code", "import ipywidgets as w, threading, time\nw.HTML()"),
 ("code", "time.sleep(0.2)"),
 ("code", "w.HTML('last')"),
 ("code", '''from IPython.display import HTML
HTML("""<button id=block>block</button> <button id=twice>twice</button> <button id=film>film</button> <input id=field>
<canvas id=canvas width=300 height=100></canvas> <canvas id=gl width=100 height=50></canvas> <img id=img width=40 height=40>
<p id=out>-</p><div id=host></div><iframe id=frame srcdoc='<button>in</button><p>-</p>' width=200 height=80></iframe>
<div id=table style='height:100px;overflow:auto'><div style='height:50000px'><p id=row style='position:sticky;top:0'>row</p></div></div>
<script>
window.truth = [];
const now = () => performance.now(), say = (...what) => truth.push(what);
const block = document.getElementById('block'), busy = ms => { for (const t = now(); now() < t + ms;); };
const change = (el, name) => { el.textContent = Math.random(); say(name, now()); say('origin', performance.timeOrigin); };
const inFrame = () => requestAnimationFrame(t => say('frame', t));
// When the frame that shows what a listener changes has been made.
const shown = then => requestAnimationFrame(() => {
  const c = new MessageChannel();
  c.port1.onmessage = () => then(now());
  c.port2.postMessage(0);
});
const press = (e, ms) => {
  const heard = now();
  shown(t => say('press', e.timeStamp, heard, t));
  busy(ms);
  change(out, 'changed');
};
const paint = (canvas, hue) => {
  const c = canvas.getContext('2d');
  c.fillStyle = `hsl(${hue}, 90%, 50%)`;
  c.fillRect(0, 0, 300, 100);
};
block.onpointerdown = e => press(e, 80);
field.onkeydown = e => { say('value', field.value); press(e, 60); };
twice.onclick = e => { say('release', e.timeStamp); change(out, 'first'); setTimeout(() => change(out, 'last'), 400); };
film.onclick = () => {
  let n = 0;
  const draw = t => { say('frame', t); paint(canvas, n * 13); if (++n < 20) requestAnimationFrame(draw); };
  requestAnimationFrame(draw);
};
canvas.onpointermove = e => { if (e.buttons) { paint(canvas, e.offsetX); say('move', e.timeStamp, now()); inFrame(); } };
table.onscroll = () => { busy(40); change(row, 'scrolled'); inFrame(); };
gl.onclick = () => {
  const g = gl.getContext('webgl');
  if (!g) return say('none');
  g.clearColor(Math.random(), 0, 0, 1);
  g.clear(g.COLOR_BUFFER_BIT);
  say('made', now());
  say('origin', performance.timeOrigin);
};
img.onclick = () => setTimeout(() => {
  img.onload = () => { say('made', now()); say('origin', performance.timeOrigin); };
  img.src = URL.createObjectURL(new Blob([`<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="${Math.random() * 40}"/></svg>`], {type: 'image/svg+xml'}));
}, 100);
const root = host.attachShadow({mode: 'open'});
root.innerHTML = '<button>shadow</button><p>-</p>';
root.querySelector('button').onclick = () => setTimeout(() => change(root.querySelector('p'), 'made'), 50);
frame.onload = () => {
  const d = frame.contentDocument;
  d.querySelector('button').onclick = () => frame.contentWindow.setTimeout(() => change(d.querySelector('p'), 'made'), 70);
};
</script>""")'''),
 ("code", '''slider, label, later = w.IntSlider(max=1000), w.HTML('-'), w.Button(description='later')
later.add_class('later'), label.add_class('of-slider')
calls = 0
def moved(c):
    global calls
    time.sleep(0.12)
    calls += 1
    label.value = f'<i>{c.new}</i>'
slider.observe(moved, 'value')
def changes(_):
    threading.Timer(0.8, lambda: setattr(label, 'value', 'later')).start()
    threading.Timer(20, print).start()
later.on_click(changes)
w.VBox([slider, label, later])'''),
 ("code", '''from IPython.display import Javascript
Javascript("""const label = document.querySelector('.of-slider .widget-html-content');
new MutationObserver(() => truth.push(['shown', performance.now()], ['origin', performance.timeOrigin])).observe(label, {subtree: true, childList: true, characterData: true});""")'''),
 ("code", '''print(f'{{"type": "items", "items": {calls}}}')'''),
 ("code", "time.sleep(0.2)"),
 ("code", "w.HTML('last')")]
