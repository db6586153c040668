"""What calibrate's cells share: a drawing that notes when it last changed, and an image that comes late."""
import http.server
import struct
import threading
import time
import zlib

from IPython.display import HTML, display


def draw(cell, html, script):
    """Shows `html` and runs `script` in it: `root` is its element, changed() notes the instant of a change."""
    display(HTML(f"""<div id="calibrate-{cell}">{html}</div>
<script>{{
  const root = document.getElementById("calibrate-{cell}");
  const truth = window.calibrateTruth ??= {{}};
  const changed = () => {{ truth["{cell}"] = (performance.timeOrigin + performance.now()) / 1000; }};
  {script}
}}</script>"""))


WEBGL = """
  const gl = root.querySelector("canvas").getContext("webgl");
  const paint = (r, g, b) => { gl.clearColor(r, g, b, 1); gl.clear(gl.COLOR_BUFFER_BIT); changed(); };
"""


def noise_png(side):
    """A PNG of random grey levels, whose size no compression hides."""
    import numpy as np

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    grey = np.random.default_rng(3).integers(0, 256, (side, side + 1), dtype=np.uint8)
    grey[:, 0] = 0  # each row's filter: none
    head = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(grey.tobytes(), 0)) + chunk(b"IEND", b"")


def serve_late(data, after_s):
    """The URL of a loopback server that answers with `data`, so many seconds after it was asked."""

    class Late(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            time.sleep(after_s)
            self.send_response(200)
            self.send_header("Content-Type", "image/png")
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Timing-Allow-Origin", "*")  # lets the page see the size
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *words):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Late)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/late.png"
