"""How a kernel ended, how much memory it may use, and what it does with Spark: labserve's
extension of its JupyterLab.

GET api/nbscope/kernels/ID          how this kernel ended last, which only its parent can know
GET api/nbscope/kernels/ID/stages   what Spark did that this kernel started: spark_log.py

The limit is enforced by sampling: the resident memory of the kernel and of all its
descendants, 50 times a second. Unlike a cgroup this needs no privileges, and unlike
RLIMIT_AS it does not count memory that is reserved and never touched, as CUDA and BLAS
reserve much.

Spark logs its stages because SPARK_SUBMIT_OPTS asks for it. Settings of Spark that are given in any
other way come before these, also those of an own SPARK_SUBMIT_OPTS.
"""

import ast
import asyncio
import glob
import json
import os
import shutil
import signal
import tempfile
import threading
import time

import spark_log
from jupyter_client.manager import KernelManager
from jupyter_client.provisioning.local_provisioner import LocalProvisioner
from jupyter_server.base.handlers import APIHandler
from tornado import web

PERIOD_S, TREE_S, ENDING_S = 0.02, 0.5, 0.01
MAX_PROCESSES = 1000  # of a kernel under KERNEL_PREFIX: RLIMIT_NPROC does not bind root
STDERR_BYTES, MAX_WORDS = 4096, 300
LOGGED_S = 2.0  # how long Spark may take to log the end of a job
PAGE = os.sysconf("SC_PAGE_SIZE")
limit_bytes = 0
prefixed = False
ends = {}  # kernel id -> how it ended last
last_seen = {}  # pid -> [bytes, unix seconds] of the last sample
too_large = {}  # pid -> bytes, of kernels that were killed for it
too_many = {}  # pid -> processes, likewise


def resident(pid, private=False):
    """In bytes; 0 if there is no such process any more."""
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
    """How many processes the kernel's out-of-memory killer has killed, in our cgroup if there
    is one."""
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


def sample(pid, descendants_bytes=0):
    own = resident(pid)
    if own:
        last_seen[pid] = [own + descendants_bytes, time.time()]
    return own + descendants_bytes if own else 0


def kill_tree(pid):
    """Its descendants first: the memory may be theirs."""
    for one in [*descendants(pid), pid]:
        try:
            os.kill(one, signal.SIGKILL)
        except OSError:
            pass


class Limit(threading.Thread):
    """Kills one kernel if it uses more than the limits."""

    def __init__(self, pid):
        super().__init__(daemon=True, name="nbscope-limit")
        self.pid = pid

    def run(self):
        others, next_tree = 0, 0
        while True:
            now = time.monotonic()
            if now >= next_tree:
                tree = descendants(self.pid)
                others = sum(resident(pid, private=True) for pid in tree)
                next_tree = now + TREE_S
                if prefixed and len(tree) > MAX_PROCESSES:
                    too_many[self.pid] = len(tree)
                    kill_tree(self.pid)
                    return
            size = sample(self.pid, others)
            if not size:
                return
            if limit_bytes and size > limit_bytes:
                too_large[self.pid] = size
                kill_tree(self.pid)
                return
            time.sleep(PERIOD_S)


def last_words(stderr):
    """The last line on a kernel's standard error, None if there is none."""
    if stderr is None:
        return None
    size = os.fstat(stderr.fileno()).st_size
    end = os.pread(stderr.fileno(), STDERR_BYTES, max(0, size - STDERR_BYTES))
    text = end.decode("utf-8", "replace").replace("\0", "")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:MAX_WORDS] if lines else None


def signal_name(status):
    """The name of the signal that ended a process with this status, None if none did."""
    try:
        return signal.Signals(-status).name if status < 0 else None
    except ValueError:
        return str(-status)


# ---- dask's clusters -----------------------------------------------------------------------------


def dask_files(kernel_id=""):
    """How the names of the files of targets begin that a kernel writes: nbscope_dask.py."""
    name = f"nbscope-{os.getpid()}@{os.uname().nodename}@{kernel_id}"
    return os.path.join(os.environ["DASK_TARGETS"], name)


def dask_environment(env, kernel_id):
    os.makedirs(os.environ["DASK_TARGETS"], exist_ok=True)
    preload = os.path.join(os.path.dirname(os.path.abspath(__file__)), "nbscope_dask.py")
    env["NBSCOPE_DASK_FILES"] = dask_files(kernel_id) + "-"
    # It prints nothing: of Clients it would, since LocalCluster alone is silent.
    name = "DASK_DISTRIBUTED__SCHEDULER__PRELOAD"
    try:
        users = ast.literal_eval(env.get(name) or "[]")
    except (SyntaxError, ValueError):
        users = env[name]
    env[name] = repr([*([users] if isinstance(users, str) else users), preload])


def remove_dask_files(begin):
    for path in glob.glob(glob.escape(begin) + "*"):
        try:
            os.unlink(path)
        except OSError:
            pass


def remove_lost_dask_files():
    """Those of servers of this machine that were killed."""
    host = glob.escape(os.uname().nodename)
    for path in glob.glob(f"{glob.escape(os.environ['DASK_TARGETS'])}/nbscope-*@{host}@*"):
        pid = os.path.basename(path)[len("nbscope-") :].partition("@")[0]
        if not os.path.exists(f"/proc/{pid}"):
            remove_dask_files(path)


# ---- the end of a kernel -------------------------------------------------------------------------


def on_end(provisioner, status):
    if os.environ.get("DASK_TARGETS"):
        remove_dask_files(dask_files(provisioner.kernel_id))
    pid = provisioner.pid
    if getattr(provisioner, "nbscope_ended", None) == pid:
        return
    provisioner.nbscope_ended = pid
    size, when = last_seen.pop(pid, [None, None])
    killed_for = too_large.pop(pid, None)
    before, after = getattr(provisioner, "nbscope_oom_kills", None), oom_kills()
    oom_killed = before is not None and after is not None and after > before
    name, many = signal_name(status), too_many.pop(pid, None)
    words = last_words(getattr(provisioner, "nbscope_stderr", None))
    ends[provisioner.kernel_id] = {
        "t": time.time(),
        "signal": name,
        "exit_status": status if status >= 0 else None,
        "limit_exceeded": killed_for is not None,
        "oom_killer": name == "SIGKILL" and not killed_for and not many and oom_killed,
        "limit_bytes": limit_bytes or None,
        "memory_bytes": killed_for or size,
        "memory_t": when,
        "last_words": f"it was killed because it had {many} processes" if many else words,
    }


def hook(provisioner=LocalProvisioner):
    launch, poll = provisioner.launch_kernel, provisioner.poll

    async def launch_kernel(self, cmd, **kwargs):
        self.nbscope_oom_kills = oom_kills()
        self.nbscope_ended = None
        self.nbscope_stderr = tempfile.TemporaryFile("a+b")  # noqa: SIM115  kept open
        kwargs.setdefault("stderr", self.nbscope_stderr)
        if os.environ.get("DASK_TARGETS"):
            dask_environment(kwargs["env"], self.kernel_id)
        kwargs["env"] = with_spark_log(kwargs["env"], self.kernel_id)
        info = await launch(self, cmd, **kwargs)
        if (limit_bytes or prefixed) and self.pid:
            Limit(self.pid).start()
        return info

    async def poll_kernel(self):
        status = await poll(self)
        if self.process is not None:
            if status is not None:
                on_end(self, status)
            elif not limit_bytes and not prefixed:
                sample(self.pid)
        return status

    provisioner.launch_kernel, provisioner.poll = launch_kernel, poll_kernel


def hook_wait(manager=KernelManager):
    """Shortens the period of 0.1 s at which the end of a kernel is polled during a shutdown."""
    wait = manager._async_wait

    async def wait_for_end(self, pollinterval=ENDING_S):
        await wait(self, min(pollinterval, ENDING_S))

    manager._async_wait = wait_for_end


# ---- Spark -----------------------------------------------------------------------------------


def log_folder(kernel_id):
    return os.path.join(tempfile.gettempdir(), "spark", kernel_id)


def with_spark_log(env, kernel_id):
    """The environment of a kernel whose Spark logs into a folder of its own. It remains until
    another kernel starts: the driver reads it, and Spark may end after the kernel."""
    folder = log_folder(kernel_id)
    for ended in {*ends} - {kernel_id}:
        shutil.rmtree(log_folder(ended), ignore_errors=True)
    os.makedirs(folder, exist_ok=True)
    options = {"enabled": "true", "dir": f'"{folder}"', "compress": "false"}
    options["rolling.enabled"] = "false"
    words = [f"-Dspark.eventLog.{name}={value}" for name, value in options.items()]
    given = env.get("SPARK_SUBMIT_OPTS")
    return {**env, "SPARK_SUBMIT_OPTS": " ".join([*words, *([given] if given else [])])}


class StagesHandler(APIHandler):
    auth_resource = "kernels"

    @web.authenticated
    async def get(self, kernel_id):
        folder, loop = log_folder(kernel_id), asyncio.get_running_loop()
        if not os.path.isdir(folder):
            raise web.HTTPError(404, "no such kernel")
        found = await loop.run_in_executor(None, spark_log.records, folder, LOGGED_S)
        self.finish(json.dumps(found))


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
    if os.environ.get("DASK_TARGETS"):
        remove_lost_dask_files()
    if hasattr(KernelManager, "_async_wait"):
        hook_wait()
    route = app.base_url + r"api/nbscope/kernels/([\w-]+)"
    app.web_app.add_handlers(".*$", [(route, EndHandler), (route + "/stages", StagesHandler)])
