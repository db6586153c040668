# workers.py: functions and lines of worker processes: of multiprocessing (fork, spawn, forkserver),
# concurrent.futures, joblib, dask and Spark. A worker is profiled from its start, in memory that it
# has from the kernel (fork) or by a sitecustomize in PYTHONPATH. What it found so far it hands over
# in a file: when the kernel asks, before it ends, and now and then, should it be killed.
import _posixsubprocess
import dis
import functools
import gc
import importlib.util
import inspect
import marshal
import subprocess
import tempfile
import types
import zlib

NOP = bytes([dis.opmap["NOP"], 0])
CODE = sys._getframe().f_code  # of this module, with all its files
ASKED_S = 0.02  # how often a worker looks whether it is asked
SAVE_S = 0.5  # how often it hands over unasked
SAVE_SHARE = 0.02  # of its time, at most
ANSWER_S, END_S = 5.0, 3.0  # how long others wait for it
WORKED_S, IDLE_S = 0.001, 0.01  # a process that has used less CPU time has not worked; nor since
SERVERS = "multiprocessing.forkserver", "pyspark.daemon", "pyspark/daemon"  # only fork workers
PROGRAMS = *SERVERS, "multiprocessing.spawn", "popen_loky", "pyspark.worker", "spark-submit"
REPLACED = "pty", "ptyprocess", "pexpect", "subprocess"  # their children become other programs
HOOK = """def begin():
    import importlib.machinery, importlib.util, os, sys
    folder = os.path.dirname(__file__)
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:] = [p for p in sys.path if p != folder]
    os.environ["PYTHONPATH"] = os.pathsep.join(p for p in paths if p != folder)
    if paths == [folder]:
        del os.environ["PYTHONPATH"]
    try:
        begin_profile(folder)
    except Exception:
        pass
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", sys.path)
    if spec and spec.loader:
        sys.modules["sitecustomize"] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)

def begin_profile(folder):
    import importlib.util, marshal, os, sys, types
    with open("/proc/self/cmdline") as file:
        command = file.read()
    if not any(p in command for p in %r):
        return
    with open(os.path.join(folder, "module"), "rb") as file:
        code = file.read()
    magic = importlib.util.MAGIC_NUMBER
    if code[:len(magic)] == magic:
        sys.modules["_nbscope_profile"] = module = types.ModuleType("_nbscope_profile")
        exec(marshal.loads(code[len(magic):]), module.__dict__)
        module.begin_program(folder, command)

begin()
"""


def ours():
    """This module, or the one that has come in its place."""
    return sys.modules["_nbscope_profile"]


def begin_time(pid):
    """When a process began, in the system's ticks; None: it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    return None if fields[0] in (b"Z", b"X") else int(fields[19])


def less(now, before):
    """What was added since."""
    if isinstance(now, dict):
        changed = {k: v for k, v in now.items() if v != before.get(k)}
        return {k: less(v, before[k]) if k in before else v for k, v in changed.items()}
    return [less(n, b) for n, b in zip(now, before)] if isinstance(now, list) else now - before


class Sent:
    """cloudpickle 3.1.3 sends functions without their files, which the kernel finds again."""

    file = "<dynamic-code>"
    files = {}

    @classmethod
    def name(cls, code):
        """The file, or what is the same in all processes."""
        if code.co_filename != cls.file:
            return code.co_filename
        return f"{cls.file} {cls.digest(code)}"

    @staticmethod
    def digest(code):
        body = code.co_code  # line_profiler has made it longer
        while body[-2:] == NOP:
            body = body[:-2]
        return zlib.crc32(repr((code.co_name, code.co_firstlineno, body, code.co_names)).encode())

    @classmethod
    def found(cls, tables, codes):
        """The tables with the names of the files, by which their keys begin. codes: of the cell."""
        places = [place[0] for table in tables.values() for place in table]
        if any(file.startswith(cls.file) and file not in cls.files for file in places):
            functions = [f.__code__ for f in gc.get_objects() if type(f) is types.FunctionType]
            for code in functions + codes:
                cls.note(code)
        return {name: cls.renamed(table) for name, table in tables.items()}

    @classmethod
    def renamed(cls, table):
        return {
            (cls.files.get(k[0], k[0]), *k[1:]) if isinstance(k, tuple) else k: [
                cls.renamed(v) if isinstance(v, dict) else v for v in value
            ]
            if isinstance(value, list)
            else value
            for k, value in table.items()
        }

    @classmethod
    def note(cls, code):
        if code.co_filename != cls.file and not INSTALLED.search(code.co_filename):
            cls.files[f"{cls.file} {cls.digest(code)}"] = code.co_filename
            for const in code.co_consts:
                if inspect.iscode(const):
                    cls.note(const)


def write_file(name, content):
    path = os.path.join(Workers.folder, name)
    with open(f"{path}.{os.getpid()}", "wb") as file:
        file.write(content)
    os.replace(file.name, path)


class Workers:
    """What the processes of a run have in common."""

    folder = None
    alive = None  # a pipe that these processes hold: the folder is removed when all have ended
    asked = 0  # when this process asked last, in ns
    before = {}  # name of a process: what it had handed over when the cell began

    @classmethod
    def open(cls):
        if cls.folder is None:
            cls.folder = tempfile.mkdtemp(prefix="nbscope-profile.")
            write_file("sitecustomize.py", (HOOK % (PROGRAMS,)).encode())
            write_file("module", importlib.util.MAGIC_NUMBER + marshal.dumps(CODE))
            cls.remove_later()
        # Who ends workers first lets them hand over.
        for module, kind, method in (
            ("multiprocessing.popen_fork", "Popen", "_send_signal"),
            ("pyspark.context", "SparkContext", "stop"),
            ("pyspark.core.context", "SparkContext", "stop"),
        ):
            kind = getattr(sys.modules.get(module), kind, None)
            before = getattr(kind, method, None)
            if before is not None and before.__code__.co_filename != OWN:
                setattr(kind, method, asking_before(before))

    @classmethod
    def remove_later(cls):
        """Kernels are killed, so another process does it; workers may still write meanwhile."""
        end, cls.alive = os.pipe()
        remove = '(cat <&3; rm -rf "$0" || rm -rf "$0" || rm -rf "$0") >/dev/null 2>&1 &'
        arguments, moved = ["sh", "-c", remove, cls.folder], [(os.POSIX_SPAWN_DUP2, end, 3)]
        pid = os.posix_spawn("/bin/sh", arguments, os.environ, file_actions=moved, setsid=True)
        os.waitpid(pid, 0)
        os.close(end)

    @classmethod
    def settings(cls):
        """Those of workers that begin now."""
        profile, settings = State.current, State.settings
        return dict(
            settings,
            profilers=[n for n in possible() if PROFILERS[n].follows and PROFILERS[n].in_workers],
            functions=(settings.get("functions") or [])
            + (profile.options["functions"] if profile else []),
            decorators={},
            folder=Names.folder,
        )

    @classmethod
    def environment(cls, env):
        """That of a program that starts workers, or is one."""
        cls.open()
        write_file("settings", json.dumps(cls.settings()).encode())
        if env is None:
            env = [k + b"=" + v for k, v in os.environb.items()]
        found = [e.partition(b"=")[2] for e in env if e.startswith(b"PYTHONPATH=")]
        paths = b":".join([os.fsencode(cls.folder), *found[-1:]])
        return [e for e in env if not e.startswith(b"PYTHONPATH=")] + [b"PYTHONPATH=" + paths]

    # ---- what they hand over ----

    @classmethod
    def ask(cls, ending=""):
        if cls.folder is not None:
            cls.asked = time.monotonic_ns()
            path = os.path.join(cls.folder, f"asked.{os.getpid()}")
            os.symlink(f"{cls.asked} {ending}", path)
            os.replace(path, os.path.join(cls.folder, "asked"))

    @classmethod
    def read(cls, name, all=True):
        """The head of what a process has handed over last, and its tables."""
        with open(os.path.join(cls.folder, name), "rb") as file:
            return marshal.load(file), marshal.load(file) if all else None

    @classmethod
    def names(cls):
        found = os.listdir(cls.folder) if cls.folder else []
        return [name for name in found if re.fullmatch("[0-9]+-[0-9]+", name)]

    @classmethod
    def wait(cls, names, seconds):
        """For the answers of those that live; returns the names of those that do not answer."""
        until = time.monotonic() + seconds
        while True:
            names = [
                n for n in names if is_alive(n) and not cls.has_answered(cls.read(n, False)[0])
            ]
            if not names or time.monotonic() > until:
                return names
            time.sleep(ASKED_S / 2)

    @classmethod
    def has_answered(cls, head):
        return head["asked"] >= cls.asked or head["state"] == "ended"

    @classmethod
    def begin_cell(cls):
        cls.ask()
        cls.wait(cls.names(), ANSWER_S)
        cls.before = {name: cls.read(name) for name in cls.names()}

    @classmethod
    def end_cell(cls, codes):
        """What the cell did in each process, as (used time, tables); the numbers of those that were
        killed or do not answer; and the CPU time of those that have ended, from their begin."""
        parts, ended_s, lost = [], 0.0, cls.wait(cls.names(), ANSWER_S)
        for name in cls.names():
            ended = not is_alive(name)
            head, tables = cls.read(name)
            old, before = cls.before.get(name, ({"used": {}}, {}))
            if ended:
                ended_s += head["used"]["cpu_s"]
                lost += [name] if head["state"] == "works" else []
                os.unlink(os.path.join(cls.folder, name))
            added = {p: less(table, before.get(p, {})) for p, table in tables.items()}
            used = less(head["used"], old["used"])
            if used.get("cpu_s", 0) >= WORKED_S or any(added.values()):
                parts.append((used, Sent.found(added, codes)))
        return parts, [name.partition("-")[0] for name in lost], ended_s


def is_alive(name):
    pid, _, begun = name.partition("-")
    return begin_time(pid) == int(begun)


def asking_before(end):
    @functools.wraps(end)
    def ask_and_end(self, *args, **kwargs):
        try:
            ours().before_end(getattr(self, "pid", None))
        except Exception:
            pass
        return end(self, *args, **kwargs)

    return ask_and_end


def before_end(pid):
    """Called before a process is ended; None: before any of them is."""
    names = [n for n in Workers.names() if pid is None or n == f"{pid}-{begin_time(pid)}"]
    if names:
        Workers.ask("all" if pid is None else str(pid))
        Workers.wait(names, END_S)


# ---- how workers begin --------------------------------------------------------------------------


def starts_workers(frame):
    """Whether a process that forks there does not become another program."""
    module = str(frame.f_globals.get("__name__", ""))
    return module.split(".")[0] not in REPLACED and frame.f_code.co_name != "fork_exec"


def before_fork():
    try:
        if starts_workers(sys._getframe(2)) and ours().possible():
            ours().Workers.open()
    except Exception:
        pass


def after_fork():
    try:
        if starts_workers(sys._getframe(2)) and ours().Workers.folder:
            ours().begin_fork()
    except Exception:
        pass


def watch_processes():
    """The only functions by which Python starts processes."""
    start = _posixsubprocess.fork_exec
    if getattr(start, "__module__", None) == "_nbscope_profile":
        return

    def fork_exec(args, executables, close_fds, pass_fds, cwd, env, *more):
        try:
            command = b" ".join(map(os.fsencode, args))
            if any(p.encode() in command for p in PROGRAMS):
                env = ours().Workers.environment(env)
        except Exception:
            pass
        return start(args, executables, close_fds, pass_fds, cwd, env, *more)

    _posixsubprocess.fork_exec = fork_exec
    if hasattr(subprocess, "_fork_exec"):
        subprocess._fork_exec = fork_exec
    os.register_at_fork(
        before=lambda: ours().before_fork(), after_in_child=lambda: ours().after_fork()
    )
