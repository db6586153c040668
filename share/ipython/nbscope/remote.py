"""What a kernel and its descendants use, read from /proc by Python alone, on the kernel's machine.

A driver of nbscope sends this file to a kernel that is not on its machine (REMOTE_SAMPLES=1):

start()   the machine, with the limits of its cgroup; starts the sampler
before()  the baseline of a cell
after()   what was used since, and what sampling cost
take()    the samples since the last call, JSON lines; "" after the last one

As a program, remote.py SECONDS PID is that sampler: a process of its own, which does not hold the
kernel's interpreter lock. It ends with the kernel.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
import time

MIME = "application/vnd.nbscope.profile+jsonl"
PART_CHARS = 1 << 20  # that one take() returns
GPU_S = 0.1  # between two readings of the GPUs, at least
PAGE = os.sysconf("SC_PAGE_SIZE")
TICK_S = 1 / os.sysconf("SC_CLK_TCK")
IO = {
    "read_bytes": "read_bytes",
    "write_bytes": "write_bytes",
    "rchar": "syscall_read_bytes",
    "wchar": "syscall_write_bytes",
    "syscr": "read_calls",
    "syscw": "write_calls",
}


def text_of(*path):
    """Of a file; None if there is none that can be read."""
    # Without a file object, whose making takes longer than the reading.
    try:
        fd = os.open("/".join(map(str, path)), os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    data = b""
    try:
        while True:
            part = os.read(fd, 1 << 16)
            data += part
            if not part or len(part) < 1 << 10:
                return data.decode("utf-8", "replace")
    except OSError:
        return None
    finally:
        os.close(fd)


def children(pid):
    """Of all threads of a process."""
    found = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            found += map(int, (text_of("/proc", pid, "task", thread, "children") or "").split())
    except OSError:
        pass
    return found


class Tree:
    """A process and its descendants, but for one, the sampler. Counters include what has ended:
    Linux adds the counters of a child that was waited for to those of its parent."""

    def __init__(self, root, without=None):
        self.root, self.without = root, without
        self.waits, self.wait_ns, self.last_cpu_s = {}, 0, 0

    def pids(self):
        found, new = [], [self.root]
        while new:
            pid = new.pop()
            found.append(pid)
            new += [child for child in children(pid) if child != self.without]
        return found

    def waited(self, pid):
        """Threads that have ended are missing from now on, but not what they waited before."""
        try:
            for thread in os.listdir(f"/proc/{pid}/task"):
                words = (text_of("/proc", pid, "task", thread, "schedstat") or "").split()
                if len(words) == 3:
                    now = int(words[1])
                    self.wait_ns += max(0, now - self.waits.get(thread, 0))
                    self.waits[thread] = now
        except OSError:
            pass

    def read(self):
        """The members of a sample."""
        sums = dict.fromkeys(
            (*IO.values(), "minor_faults", "major_faults", "threads", "rss_bytes", "anon_bytes"), 0
        )
        cpu_s, processes, no_io = 0, 0, None
        for pid in self.pids():
            stat = text_of("/proc", pid, "stat")
            if not stat:
                continue
            fields = stat[stat.rindex(")") + 2 :].split()
            reaped_s = (int(fields[13]) + int(fields[14])) * TICK_S
            if fields[0] in "ZX":
                # It ended and was not waited for: its own time is in the same fields.
                cpu_s += reaped_s + (int(fields[11]) + int(fields[12])) * TICK_S
                continue
            try:
                # Linux's number of the CPU clock of a process.
                own_s = time.clock_gettime((~pid << 3) | 2)
            except OSError:
                own_s = (int(fields[11]) + int(fields[12])) * TICK_S
            cpu_s += own_s + reaped_s
            processes += 1
            sums["minor_faults"] += int(fields[7]) + int(fields[8])
            sums["major_faults"] += int(fields[9]) + int(fields[10])
            sums["threads"] += int(fields[17])
            pages = (text_of("/proc", pid, "statm") or "0 0 0").split()
            sums["rss_bytes"] += int(pages[1]) * PAGE
            sums["anon_bytes"] += (int(pages[1]) - int(pages[2])) * PAGE
            io = text_of("/proc", pid, "io")
            no_io = no_io or (None if io else f"/proc/{pid}/io cannot be read")
            for line in (io or "").splitlines():
                name, _, value = line.partition(": ")
                if name in IO:
                    sums[IO[name]] += int(value)
            self.waited(pid)
        # A child between its end and its parent's wait() is in neither for a moment.
        self.last_cpu_s = max(self.last_cpu_s, cpu_s)
        if no_io:
            sums.update(dict.fromkeys(IO.values()))
        return {
            "pid": self.root,
            "processes": processes,
            "cpu_s": round(self.last_cpu_s, 9),
            "run_queue_wait_s": self.wait_ns / 1e9,
            **sums,
            "reason": no_io,
        }


# ---- GPUs ------------------------------------------------------------------------------------


class Gpus:
    """By NVIDIA's library, where it is."""

    def __init__(self):
        self.reason, self.handles, self.read_at, self.last = None, [], None, None
        try:
            import ctypes

            self.c = ctypes
            self.nvml = ctypes.CDLL(os.environ.get("NBSCOPE_NVML", "libnvidia-ml.so.1"))
            self.call("nvmlInit_v2")
            count = ctypes.c_uint()
            self.call("nvmlDeviceGetCount_v2", ctypes.byref(count))
            for index in range(count.value):
                handle = ctypes.c_void_p()
                self.call(
                    "nvmlDeviceGetHandleByIndex_v2", ctypes.c_uint(index), ctypes.byref(handle)
                )
                self.handles.append(handle)
        except (ImportError, OSError, AttributeError) as error:
            self.reason = f"NVML: {error}"
        if not self.reason and not self.handles:
            self.reason = "NVML reports no GPU"

    def call(self, name, *args):
        code = getattr(self.nvml, name)(*args)
        if code:
            self.nvml.nvmlErrorString.restype = self.c.c_char_p
            raise OSError(f"{name}: {self.nvml.nvmlErrorString(code).decode()}")

    def of(self, handle, name, kind, scale=1):
        """The numbers that a call writes; None if the device does not have them."""
        value = kind()
        try:
            self.call(name, handle, self.c.byref(value))
        except (OSError, AttributeError):
            return None
        return [v * scale for v in value] if hasattr(value, "__len__") else value.value * scale

    def memory(self, handle):
        """The total and the used bytes, which newer drivers give without what they reserve."""
        numbers = self.c.c_ulonglong * 5  # version, total, reserved, free, used
        value = numbers(self.c.sizeof(numbers) | 2 << 24)
        try:
            self.call("nvmlDeviceGetMemoryInfo_v2", handle, self.c.byref(value))
        except (OSError, AttributeError):
            old = self.of(handle, "nvmlDeviceGetMemoryInfo", self.c.c_ulonglong * 3) or [None] * 3
            return old[0], old[2]
        return value[1], value[4]

    def device(self, index, handle):
        c = self.c
        use = self.of(handle, "nvmlDeviceGetUtilizationRates", c.c_uint * 2) or [None] * 2
        total, used = self.memory(handle)
        name = c.create_string_buffer(96)
        try:
            self.call("nvmlDeviceGetName", handle, name, c.c_uint(len(name)))
        except (OSError, AttributeError):
            pass
        return {
            "index": index,
            "name": name.value.decode("utf-8", "replace") or None,
            "utilization_pct": use[0],
            "memory_utilization_pct": use[1],
            "memory_total_bytes": total,
            "memory_bytes": used,
            "power_w": self.of(handle, "nvmlDeviceGetPowerUsage", c.c_uint, 1e-3),
            "energy_j": self.of(handle, "nvmlDeviceGetTotalEnergyConsumption", c.c_ulonglong, 1e-3),
            "reason": None,
            "processes": None,
        }

    def read(self):
        """Members of a sample."""
        now = time.time()
        if self.reason:
            return {"gpus": None, "gpu_reason": self.reason}
        if self.read_at is None or now - self.read_at >= GPU_S:
            self.read_at = now
            self.last = [self.device(*each) for each in enumerate(self.handles)]
        return {"gpus": self.last, "gpu_reason": None, "gpu_t": self.read_at}


# ---- the sampler, a process of its own --------------------------------------------------------


def sample(interval_s, root):
    tree, gpus = Tree(root, os.getpid()), Gpus()
    begun, due = time.time(), time.monotonic()
    while os.getppid() == root:
        print(
            json.dumps(
                {
                    "type": "sample",
                    "t": round(time.time(), 6),
                    "role": "kernel",
                    **tree.read(),
                    "pss_bytes": None,
                    "context_switches": None,
                    **gpus.read(),
                    # What sampling has cost so far: taken out again by take().
                    "cost": [time.process_time(), time.time() - begun],
                }
            ),
            flush=True,
        )
        due = max(due + interval_s, time.monotonic())
        time.sleep(max(0, due - time.monotonic()))


# ---- the limits of the machine ----------------------------------------------------------------


def least(values):
    known = [v for v in values if v is not None]
    return min(known) if known else None


def number(text):
    """None for "max", for nothing, and for what stands for no limit."""
    text = (text or "").strip()
    return int(text) if text.isdigit() and int(text) < 1 << 60 else None


def quota(text):
    """Processors, of a "cpu.max"."""
    words = (text or "").split()
    return int(words[0]) / int(words[1]) if len(words) == 2 and words[0].isdigit() else None


def cgroup():
    """The tightest of the limits from our group up to the root, as far as they can be seen."""
    mounted = {}
    for line in (text_of("/proc/self/mountinfo") or "").splitlines():
        before, _, after = line.partition(" - ")
        kind, _, options = after.split(" ", 2)
        root, where = before.split()[3:5]
        if kind == "cgroup2":
            mounted[""] = where, root
        elif kind == "cgroup":
            mounted.update(dict.fromkeys(options.split()[-1].split(","), (where, root)))
    paths = {}
    for line in (text_of("/proc/self/cgroup") or "").splitlines():
        _, kinds, path = line.split(":", 2)
        paths.update(dict.fromkeys(kinds.split(","), path))

    def files(kind, name):
        """Of each group, ours first."""
        (where, root), path = mounted.get(kind, (None, "/")), paths.get(kind, "/")
        if root != "/" and path.startswith(root):
            path = path[len(root) :] or "/"  # a container sees its own part alone
        while where:
            yield text_of(where + path.rstrip("/"), name)
            if path in ("/", ""):
                return
            path = os.path.dirname(path)

    def v1_quota():
        for have, period in zip(
            files("cpu", "cpu.cfs_quota_us"), files("cpu", "cpu.cfs_period_us")
        ):
            yield quota(f"{have} {period}") if number(have) else None

    cpus = [*files("", "cpuset.cpus.effective"), *files("cpuset", "cpuset.effective_cpus")]
    return {
        "path": paths.get("memory") or paths.get(""),
        "memory_limit_bytes": least(
            map(number, [*files("", "memory.max"), *files("memory", "memory.limit_in_bytes")])
        ),
        "cpu_limit": least([*map(quota, files("", "cpu.max")), *v1_quota()]),
        "processes_limit": least(map(number, [*files("", "pids.max"), *files("pids", "pids.max")])),
        "cpus": next((c.strip() for c in cpus if c and c.strip()), None),
    }


def machine():
    memory = (text_of("/proc/meminfo") or "").split()
    return {
        "host": platform.node() or None,
        "os": f"{platform.system()} {platform.release()}",
        "cores": os.cpu_count(),
        "usable_cores": len(os.sched_getaffinity(0)),
        "memory_bytes": int(memory[1]) * 1024 if memory[:1] == ["MemTotal:"] else None,
        "pid": os.getpid(),
        "cgroup": cgroup(),
    }


# ---- in the kernel ------------------------------------------------------------------------------


class Answer:
    """What the driver gets of an expression's value."""

    def __init__(self, text):
        self.text = text

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {MIME: self.text, "text/plain": ""}


class State:
    sampler = samples = tree = baseline = None
    read_to = 0  # in the file of samples
    text = ""  # samples that take() has not returned yet
    switches = peak_reset = cost = cost_before = None


def answer(**members):
    return Answer(json.dumps({"now": time.time(), **members}))


def start(source, interval_s):
    if State.sampler is None:
        State.samples = tempfile.TemporaryFile()  # noqa: SIM115  kept open
        State.sampler = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", source, str(interval_s), str(os.getpid())],
            stdin=subprocess.DEVNULL,
            stdout=State.samples,
            stderr=subprocess.DEVNULL,
        )
        State.tree = Tree(os.getpid(), State.sampler.pid)
    return answer(machine=machine())


def switches():
    import resource

    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_nvcsw for u in both), sum(u.ru_nivcsw for u in both)


def reset_peak():
    """Linux's high-water mark of the kernel's process. None, or why it cannot be reset."""
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as f:
            f.write("5")
    except OSError as error:
        return f"clear_refs: {error.strerror}"
    return None


def high_water_mark():
    for line in (text_of("/proc/self/status") or "").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0


def new_samples():
    """Moves what the sampler has written to State.text, without what it cost."""
    size = os.fstat(State.samples.fileno()).st_size
    text = os.pread(State.samples.fileno(), size - State.read_to, State.read_to)
    whole = text[: text.rfind(b"\n") + 1]
    State.read_to += len(whole)
    found = []
    for line in whole.decode().splitlines():
        record = json.loads(line)
        State.cost = record.pop("cost")
        found.append(record)
    State.text += "".join(json.dumps(record) + "\n" for record in found)
    return found


def before():
    new_samples()
    State.text = ""  # between two cells
    State.cost_before = State.cost
    State.peak_reset = reset_peak()
    State.switches = switches()
    State.baseline = State.tree.read()
    return answer()


def peak(found, now):
    """Bytes and how they are known."""
    rss = max([now["rss_bytes"], *(s["rss_bytes"] for s in found)])
    alone = max(s["processes"] for s in [now, State.baseline, *found]) == 1
    if State.peak_reset is None:
        rss = max(rss, high_water_mark())
    return rss, "vmhwm" if alone and State.peak_reset is None else "sampled"


def after():
    now, base, (voluntary, involuntary) = State.tree.read(), State.baseline, switches()
    found = new_samples()
    used = {
        "pid": now["pid"],
        "processes": now["processes"],
        "threads": now["threads"],
        "rss_before_bytes": base["rss_bytes"],
        "rss_bytes": now["rss_bytes"],
        "voluntary_switches": voluntary - State.switches[0],
        "involuntary_switches": involuntary - State.switches[1],
        "reason": now["reason"] or State.peak_reset,
    }
    for name in (
        "cpu_s",
        "run_queue_wait_s",
        "minor_faults",
        "major_faults",
        "read_bytes",
        "write_bytes",
        "syscall_read_bytes",
        "syscall_write_bytes",
    ):
        known = now[name] is not None and base[name] is not None
        used[name] = max(0, now[name] - base[name]) if known else None
    used["peak_rss_bytes"], used["peak_method"] = peak(found, now)
    first, last = State.cost_before or [0, 0], State.cost or [0, 0]
    return answer(
        usage=used,
        samples=len(found),
        cpu_s=last[0] - first[0],
        wall_s=last[1] - first[1],
        running=State.sampler.poll() is None,
    )


def take():
    part = State.text[:PART_CHARS]
    part = part[: part.rfind("\n") + 1]
    State.text = State.text[len(part) :]
    return Answer(part)


if __name__ == "__main__":
    sample(float(sys.argv[1]), int(sys.argv[2]))
