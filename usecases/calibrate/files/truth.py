"""What the cells of calibrate share: work whose cost is known, and drawings that record when they
last changed."""

import contextlib
import ctypes
import http.server
import json
import mmap
import os
import resource
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib

from IPython import get_ipython
from IPython.display import HTML, display

truths = {}  # cell id -> field of its record -> true value


def set_truth(cell, **fields):
    """Stores true values, or functions of what the page stored; "__" stands for a dot in the
    field's name."""
    truths.setdefault(cell, {}).update(
        (name.replace("__", "."), value) for name, value in fields.items()
    )


def report(page):
    """All true values, of the kernel and (PAGE, as JSON) of the page."""
    both = {cell: dict(fields) for cell, fields in truths.items()}
    for cell, fields in json.loads(page or "{}").items():
        both.setdefault(cell, {}).update(fields)
    return json.dumps({cell: dict(computed(fields)) for cell, fields in both.items()})


def computed(fields):
    """The fields, computed if they are functions, without those that need what no page reported."""
    for name, value in fields.items():
        try:
            yield name, value(fields) if callable(value) else value
        except KeyError:
            pass


# ---- in the page ---------------------------------------------------------------


def draw(cell, html, script):
    """Shows `html` and runs `script` in it: `root` is its element, setTruth() stores a true value,
    changed() the time of a change."""
    display(
        HTML(f"""<div id="calibrate-{cell}">{html}</div>
<script>{{
  const root = document.getElementById("calibrate-{cell}");
  const truth = (window.calibrateTruth ??= {{}})["{cell}"] = {{}};
  const setTruth = (field, value) => {{ truth[field] = value; }};
  const changed = () => setTruth("settled", (performance.timeOrigin + performance.now()) / 1000);
  {script}
}}</script>""")
    )


WEBGL = """
  const gl = root.querySelector("canvas").getContext("webgl");
  const paint = (r, g, b) => {
    gl.clearColor(r, g, b, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    changed();
  };
"""


# compute() makes the process that draws with WebGL work, and waits for it.
GPU = """
  const canvas = Object.assign(document.createElement("canvas"), {width: 512, height: 512});
  const gl = canvas.getContext("webgl");
  const program = gl.createProgram();
  const add = (kind, text) => {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  };
  add(gl.VERTEX_SHADER, "attribute vec2 a; void main() { gl_Position = vec4(a, 0., 1.); }");
  add(gl.FRAGMENT_SHADER, `precision highp float; void main() {
    float x = gl_FragCoord.x;
    for (int i = 0; i < 200; i++)
      x = sin(x + float(i));
    gl_FragColor = vec4(x);
  }`);
  gl.linkProgram(program);
  gl.useProgram(program);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 3, -1, -1, 3]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  const compute = () => {
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  };
"""


def noise_png(side):
    """A PNG of random grey levels, which cannot be compressed."""
    import numpy as np

    def chunk(kind, data):
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    grey = np.random.default_rng(3).integers(0, 256, (side, side + 1), dtype=np.uint8)
    grey[:, 0] = 0  # filter of each row: none
    head = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(grey.tobytes(), 0))
        + chunk(b"IEND", b"")
    )


def serve_late(data, after_s):
    """The URL of a loopback server that answers each request with `data` after a delay."""

    class Late(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            time.sleep(after_s)
            self.send_response(200)
            self.send_header("Content-Type", "image/png")
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Timing-Allow-Origin", "*")  # the page may read the size
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *words):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Late)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/late.png"


# ---- what the kernel's process uses ----------------------------------------------


def burn(seconds):
    """Keeps one processor busy, by the CPU clock of this process."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        sum(range(1000))


@contextlib.contextmanager
def truth_of_cpu(cell):
    """Sets the CPU time of the work in its body, from this process's own clock and the usage of
    its children."""

    def used():
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.process_time() + children.ru_utime + children.ru_stime

    before = used()
    yield
    set_truth(cell, usage__kernel__cpu_s=used() - before)


def children(n, seconds):
    """Runs `n` processes at once, each of which uses that number of CPU seconds, including its
    start."""
    work = f"import time\nwhile time.process_time() < {seconds}: sum(range(1000))"
    started = [subprocess.Popen([sys.executable, "-I", "-S", "-c", work]) for _ in range(n)]
    for child in started:
        child.wait()


def resident():
    """Resident bytes of this process."""
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * mmap.PAGESIZE


HUGE = 2 << 20  # bytes of a huge page, if the system has any


class Memory:
    """`size` bytes of resident memory: huge pages, filled by two threads, as fast as possible."""

    def __init__(self, size):
        self.map = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        with contextlib.suppress(OSError):
            self.map.madvise(mmap.MADV_HUGEPAGE)
        view = ctypes.c_char.from_buffer(self.map)
        start, half = ctypes.addressof(view), size // 2 // HUGE * HUGE
        fill = ctypes.CDLL(None).memset  # releases Python's lock meanwhile
        fill.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]
        other = threading.Thread(target=fill, args=(start + half, 1, size - half))
        other.start()
        fill(start, 1, half)
        other.join()
        del view

    def free(self):
        self.map.close()


def spike(size, ms, tries=10):
    """Allocates and frees `size` bytes until that takes at most `ms`; returns the bytes before,
    and the ms that it took."""
    for left in reversed(range(tries)):
        before, began = resident(), time.perf_counter()
        Memory(size).free()
        took = 1000 * (time.perf_counter() - began)
        if took <= ms or not left:
            return before, took
        with open("/proc/self/clear_refs", "w") as marks:
            marks.write("5")


def write_and_read(size):
    """Writes `size` bytes to storage and reads them, bypassing the page cache. /tmp is often in
    memory, /var/tmp is not."""
    piece = os.urandom(1_000_000)
    with tempfile.TemporaryFile(dir="/var/tmp", buffering=0) as file:
        for _ in range(size // len(piece)):
            file.write(piece)
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        file.seek(0)
        while file.read(len(piece)):
            pass


@contextlib.contextmanager
def truth_of_comms(cell):
    """Sets the number of widget messages that the kernel sends during its body, counted where it
    sends any message."""
    session, sent = get_ipython().kernel.session, 0
    send = session.send

    def counted(stream, message, *args, **kwargs):
        nonlocal sent
        sent += str(message["msg_type"] if isinstance(message, dict) else message).startswith(
            "comm_"
        )
        return send(stream, message, *args, **kwargs)

    session.send = counted
    yield
    session.send = send
    set_truth(cell, comm_messages_received=sent)
