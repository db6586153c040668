"""What a kernel ended by, and how much memory it may take: labserve's extension of its JupyterLab.

GET api/nbscope/kernels/ID   how this kernel ended last, which only its parent can know

A limit holds by looking: the resident memory of the kernel and of all that it started,
50 times a second. It needs no rights (a cgroup does), and unlike RLIMIT_AS it counts no
memory that is reserved and never touched, of which CUDA and BLAS take much.
"""
import json
import os
import signal
import tempfile
import threading
import time

from jupyter_client.manager import KernelManager
from jupyter_client.provisioning.local_provisioner import LocalProvisioner
from jupyter_server.base.handlers import APIHandler
from tornado import web

PERIOD_S, TREE_S, ENDING_S = 0.02, 0.5, 0.01
WORDS_BYTES, WORDS = 4096, 300
PAGE = os.sysconf("SC_PAGE_SIZE")
limit_bytes = 0
ends = {}  # kernel's id -> how it ended last
seen = {}  # pid -> [bytes, unix seconds] of the last look
too_large = {}  # pid -> bytes, of kernels killed for it


def resident(pid, private=False):
    """In bytes; 0 when there is no such process any more."""
    try:
        with open(f"/proc/{pid}/statm", "rb") as f:
            pages = f.read().split()
    except OSError:
        return 0
    return (int(pages[1]) - (int(pages[2]) if private else 0)) * PAGE


def children(pid):
    found = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as f:
                found += [int(child) for child in f.read().split()]
    except OSError:
        pass
    return found


def descendants(pid):
    found = []
    for child in children(pid):
        found += [child] + descendants(child)
    return found


def oom_kills():
    """How many processes the system has killed for want of memory, in our cgroup where there is one."""
    paths = []
    try:
        with open("/proc/self/cgroup", encoding="utf-8") as f:
            for line in f:
                _, kinds, path = line.rstrip("\n").split(":", 2)
                if kinds == "":
                    paths.append(f"/sys/fs/cgroup{path}/memory.events.local")
                elif "memory" in kinds.split(","):
                    paths.append(f"/sys/fs/cgroup/memory{path}/memory.oom_control")
    except (OSError, ValueError):
        pass
    for path in [*paths, "/proc/vmstat"]:
        try:
            with open(path, encoding="utf-8") as f:
                counts = dict(line.split() for line in f)
            return int(counts["oom_kill"])
        except (OSError, ValueError, KeyError):
            continue
    return None


def look(pid, others=0):
    own = resident(pid)
    if own:
        seen[pid] = [own + others, time.time()]
    return own + others if own else 0


class Limit(threading.Thread):
    """Kills one kernel that takes more than the limit."""

    def __init__(self, pid):
        super().__init__(daemon=True, name="nbscope-limit")
        self.pid = pid

    def run(self):
        others, next_tree = 0, 0
        while True:
            now = time.monotonic()
            if now >= next_tree:
                others = sum(resident(pid, private=True) for pid in descendants(self.pid))
                next_tree = now + TREE_S
            size = look(self.pid, others)
            if not size:
                return
            if size > limit_bytes:
                too_large[self.pid] = size
                # Its children first: the memory may be theirs.
                for pid in [*descendants(self.pid), self.pid]:
                    try:
                        os.kill(pid, signal.SIGKILL)
                    except OSError:
                        pass
                return
            time.sleep(PERIOD_S)


def last_words(said):
    """The last line on a kernel's standard error, None where there is none."""
    if said is None:
        return None
    size = os.fstat(said.fileno()).st_size
    text = os.pread(said.fileno(), WORDS_BYTES, max(0, size - WORDS_BYTES)).decode("utf-8", "replace").replace("\0", "")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:WORDS] if lines else None


def ended(provisioner, status):
    pid = provisioner.pid
    if getattr(provisioner, "nbscope_told", None) == pid:
        return
    provisioner.nbscope_told = pid
    size, when = seen.pop(pid, [None, None])
    killed_for = too_large.pop(pid, None)
    before, after = getattr(provisioner, "nbscope_oom_kills", None), oom_kills()
    name = None
    if status < 0:
        name = signal.Signals(-status).name if -status in [s.value for s in signal.Signals] else str(-status)
    ends[provisioner.kernel_id] = {
        "t": time.time(),
        "signal": name,
        "exit_status": status if status >= 0 else None,
        "limit_exceeded": killed_for is not None,
        "oom_killer": bool(name == "SIGKILL" and killed_for is None and before is not None and after is not None and after > before),
        "limit_bytes": limit_bytes or None,
        "memory_bytes": killed_for or size,
        "memory_t": when,
        "last_words": last_words(getattr(provisioner, "nbscope_said", None)),
    }


def hook(provisioner=LocalProvisioner):
    launch, poll = provisioner.launch_kernel, provisioner.poll

    async def launch_kernel(self, cmd, **kwargs):
        self.nbscope_oom_kills = oom_kills()
        self.nbscope_told = None
        self.nbscope_said = tempfile.TemporaryFile("a+b")
        kwargs.setdefault("stderr", self.nbscope_said)
        info = await launch(self, cmd, **kwargs)
        if limit_bytes and self.pid:
            Limit(self.pid).start()
        return info

    async def poll_kernel(self):
        status = await poll(self)
        if self.process is not None:
            if status is not None:
                ended(self, status)
            elif not limit_bytes:
                look(self.pid)
        return status

    provisioner.launch_kernel, provisioner.poll = launch_kernel, poll_kernel


def hook_wait(manager=KernelManager):
    """Whether a kernel that was told to end has ended: asked each 0.1 s, while somebody waits."""
    wait = manager._async_wait

    async def wait_for_end(self, pollinterval=ENDING_S):
        await wait(self, min(pollinterval, ENDING_S))

    manager._async_wait = wait_for_end


class EndHandler(APIHandler):
    auth_resource = "kernels"

    @web.authenticated
    def get(self, kernel_id):
        if kernel_id not in ends:
            raise web.HTTPError(404, "this kernel has not ended")
        self.finish(json.dumps(ends[kernel_id]))


def _jupyter_server_extension_points():
    return [{"module": __name__}]


def _load_jupyter_server_extension(app):
    hook()
    if hasattr(KernelManager, "_async_wait"):
        hook_wait()
    app.web_app.add_handlers(".*$", [(app.base_url + r"api/nbscope/kernels/([^/]+)", EndHandler)])
