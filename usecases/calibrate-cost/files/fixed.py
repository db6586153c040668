"""A fixed amount of work: in the kernel, and in the page."""

from IPython.display import HTML, display


def compute(millions):
    """Computes that many million steps of arithmetic, on one processor, within its cache."""
    x = 1
    for _ in range(millions * 1_000_000):
        x = (x * 1103515245 + 12345) & 0x7FFFFFFF
    return x


def paint(name, pictures, strokes):
    """Paints pictures on a canvas, as fast as the page can: a delay cannot hide in waits for
    frames."""
    display(
        HTML(f"""<canvas id="fixed-{name}" width=600 height=400></canvas>
<script>{{
  const c = document.getElementById("fixed-{name}").getContext("2d");
  const {{port1, port2}} = new MessageChannel();
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
}}</script>""")
    )
