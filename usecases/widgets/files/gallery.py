"""What the cells of the gallery share: a page that captures itself, a server, and the report."""

import asyncio
import functools
import http.server
import io
import json
import os
import threading
import time

import ipywidgets as widgets
from IPython.display import HTML, display

HERE = os.path.dirname(os.path.abspath(__file__))
shown = []  # what moves for ever, until the next rest()


def read(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def capture():
    """From now on the page captures itself; what the cells change is known from its pictures."""
    display(
        HTML(f"""<script>
window.cellCaptureWorker = {json.dumps(read("capture_worker.js"))};
{read("capture.js")}
cellCapture.begin().catch(err => console.error("the page cannot capture itself: " + err));
</script>""")
    )


async def rest(seconds=1.0):
    """Time for what is late: until the next measured cell, a change belongs to the one before."""
    while shown:
        shown.pop().update(HTML(""))
    await asyncio.sleep(seconds)


def endless(cell, html):
    """Shows what moves for ever. Its truth is when it appeared, which its own script notes."""
    shown.append(
        display(
            HTML(f"""<div>{html}</div><script>
queueMicrotask(() => {{
  const settled = (performance.timeOrigin + performance.now()) / 1000;
  window.endlessTruth = {{...window.endlessTruth, "{cell}": {{settled}}}};
}});
</script>"""),
            display_id=True,
        )
    )


def collect():
    """Returns a box whose value will be what the page knows, as JSON."""
    display(HTML("<script>cellCapture.end()</script>"))
    box = widgets.Textarea().add_class("gallery-report")
    display(
        box,
        HTML("""<script>(async () => {
  const {changes, capture} = await cellCapture.truths();
  const write = () => {
    const area = document.querySelector(".gallery-report textarea");
    if (!area)
      return requestAnimationFrame(write);
    area.value = JSON.stringify({...changes, ...window.endlessTruth, capture});
    area.dispatchEvent(new Event("input", {bubbles: true}));
  };
  write();
})()</script>"""),
    )
    return box


# ---- a server of another origin ---------------------------------------------------


class Slow(http.server.SimpleHTTPRequestHandler):
    """Answers with a file of files/, or with a map's tile: after as many ms as the address says,
    /300/name."""

    def do_GET(self):
        _, ms, name = self.path.split("/", 2)
        time.sleep(int(ms) / 1000)
        data, kind = (
            (tile(name), "image/png")
            if name.endswith(".png")
            else (read(name).encode(), "text/html")
        )
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *words):
        pass


@functools.lru_cache(maxsize=None)
def tile(name):
    """A picture of 256 x 256 pixels that differs from its neighbours."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (256, 256), f"hsl({hash(name) % 360}, 50%, 70%)")
    ImageDraw.Draw(image).text((20, 20), name, "black")
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def serve():
    """The address of a server on another site than the page's."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://localhost:{server.server_port}"


def files_url():
    """The address of this notebook's folder on the page's own server."""
    folder = os.path.dirname(os.environ.get("JPY_SESSION_NAME", ""))
    return f"/files/{folder}".rstrip("/")
