"""Work whose amount is fixed: in the kernel, and in the page."""
from IPython.display import HTML, display


def compute(millions):
    """So many steps of arithmetic, on one core, in memory that stays in its cache."""
    x = 1
    for _ in range(millions * 1_000_000):
        x = (x * 1103515245 + 12345) & 0x7FFFFFFF
    return x


def paint(name, pictures, strokes):
    """So many pictures on a canvas, one after the other, as fast as the page can: no waiting for frames hides a delay."""
    display(HTML(f"""<canvas id="fixed-{name}" width=600 height=400></canvas>
<script>{{
  const c = document.getElementById("fixed-{name}").getContext("2d"), {{port1, port2}} = new MessageChannel();
  let left = {pictures};
  port1.onmessage = () => {{
    c.clearRect(0, 0, 600, 400);
    for (let i = 0; i < {strokes}; i++) {{
      c.beginPath();
      c.arc(300 + 200 * Math.cos(i + left), 200 + 150 * Math.sin(i), 20, 0, 6.3);
      c.strokeStyle = `hsl(${{(i + left) % 360}}, 80%, 50%)`;
      c.stroke();
    }}
    if (--left > 0)
      port2.postMessage(0);
  }};
  port2.postMessage(0);
}}</script>"""))
