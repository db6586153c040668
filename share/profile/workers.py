# workers.py: functions and lines of worker processes: of multiprocessing (fork, spawn, forkserver),
# concurrent.futures, joblib, dask and Spark. A worker is profiled from its start, in memory that it
# has from the kernel (fork) or by a sitecustomize in PYTHONPATH. What it found so far it hands over
# in a file: when the kernel asks, before it ends, and now and then, should it be killed.
import _posixsubprocess
import _thread
import atexit
import dis
import functools
import gc
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
ANSWER_S, END_S = 5.0, 1.0  # how long others wait for it
WORKED_S, IDLE_S = 0.001, 0.01  # a process that has used less CPU time has not worked; nor since
SERVERS = "multiprocessing.forkserver", "pyspark.daemon", "pyspark/daemon"  # only fork workers
PROGRAMS = *SERVERS, "multiprocessing.spawn", "popen_loky", "pyspark.worker", "spark-submit"
REPLACED = "pty", "ptyprocess", "pexpect", "subprocess"  # their children become other programs
HOOK = """def begin():
    import importlib.machinery, importlib.util, marshal, os, sys, types
    folder = os.path.dirname(__file__)
    paths = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[:] = [p for p in sys.path if p != folder]
    os.environ["PYTHONPATH"] = os.pathsep.join(p for p in paths if p != folder)
    if paths == [folder]:
        del os.environ["PYTHONPATH"]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", sys.path)
    if spec and spec.loader:
        sys.modules["sitecustomize"] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    with open("/proc/self/cmdline") as file:
        command = file.read()
    with open(os.path.join(folder, "module"), "rb") as file:
        code = file.read()
    magic = importlib.util.MAGIC_NUMBER
    if any(p in command for p in %r) and code[:len(magic)] == magic:
        sys.modules["_nbscope_profile"] = module = types.ModuleType("_nbscope_profile")
        exec(marshal.loads(code[len(magic):]), module.__dict__)
        module.begin_program(folder, command)
try:
    begin()
finally:
    del begin
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


def queued_s():
    """How long the threads of this process were runnable and did not run."""
    found = 0
    for task in os.listdir("/proc/self/task"):
        try:
            with open(f"/proc/self/task/{task}/schedstat", "rb") as file:
                found += int(file.read().split()[1])
        except (OSError, IndexError):  # it has ended, or the system has no such numbers
            pass
    return found / 1e9


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
        if any(place[0].startswith(cls.file) for table in tables.values() for place in table):
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
            cls.remove_later()
            write_file("sitecustomize.py", (HOOK % (PROGRAMS,)).encode())
            write_file("module", importlib.util.MAGIC_NUMBER + marshal.dumps(CODE))
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
        """Kernels are killed, so another process does it."""
        end, cls.alive = os.pipe()
        remove = '(cat <&3; rm -rf "$0") >/dev/null 2>&1 &'
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
            profilers=[n for n in possible() if PROFILERS[n].follows],
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
    """Whoever ends a process calls this first; None: any of them."""
    names = [n for n in Workers.names() if pid is None or n == f"{pid}-{begin_time(pid)}"]
    if names:
        Workers.ask("all" if pid is None else str(pid))
        Workers.wait(names, END_S)


# ---- in a worker --------------------------------------------------------------------------------


class Worker:
    current = None  # this process, if it is one

    def __init__(self):
        self.name = f"{os.getpid()}-{begin_time(os.getpid())}"
        self.lock = _thread.allocate_lock()
        self.asked, self.is_ended = self.question()[0], False
        self.state, self.cpu_s, self.saved = "works", 0.0, time.monotonic()
        self.cost_s = self.serving_s = 0.0  # of handing over once; of the thread that does it
        self.rested_s = -1.0  # its CPU time when it ended a task
        self.profile = Profile({"index": 0, "options": {"functions": [], "dask": {}}}, None)
        self.profile.timer = (time.thread_time,)

    @classmethod
    def begin(cls):
        self = cls.current = cls()
        self.profile.begin()
        for module in list(sys.modules.values()):
            follow_module(module)
        sys.meta_path.insert(0, WorkerImports)
        _thread.start_new_thread(self.serve, ())
        self.profile.start()
        return self

    @staticmethod
    def question():
        """When workers were asked last, in ns, and which of them is about to be ended."""
        try:
            when, _, ending = os.readlink(os.path.join(Workers.folder, "asked")).partition(" ")
            return int(when), ending
        except FileNotFoundError:
            return 0, ""

    def serve(self):
        while self is Worker.current and not self.is_ended and os.path.exists(Workers.folder):
            time.sleep(ASKED_S)
            self.serving_s = time.thread_time()
            asked, ending = self.question()
            if asked > self.asked:
                self.asked = asked
                ends = ending in (str(os.getpid()), "all")
                self.hand_over("rests" if ends else self.state_now())
            elif not self.cost_s or self.is_due(SAVE_S):
                self.hand_over(self.state_now())

    def spent_s(self):
        """Its CPU time, without what we take."""
        return time.process_time() - self.serving_s

    def state_now(self):
        return "rests" if self.spent_s() - self.rested_s < IDLE_S else "works"

    def is_due(self, seconds):
        """Not for nothing, and not so often that it takes time."""
        passed = time.monotonic() - self.saved
        if self.state == "works" and self.state_now() == "rests":
            seconds = 0
        elif self.spent_s() - self.cpu_s < IDLE_S:
            return False
        return passed > seconds and self.cost_s < SAVE_SHARE * passed

    def hand_over(self, state):
        if not self.lock.acquire(timeout=END_S):
            return
        try:
            began = time.thread_time()
            tables = {p.name: p.handed() for p in self.profile.active}
            self.state, self.cpu_s = state, self.spent_s()
            used = {"cpu_s": self.cpu_s, "queued_s": queued_s()}
            head = {"asked": self.asked, "state": state, "used": used}
            write_file(self.name, marshal.dumps(head) + marshal.dumps(tables))
            self.saved, self.cost_s = time.monotonic(), time.thread_time() - began
        except Exception:  # such as a folder that is gone: the work is not disturbed
            pass
        finally:
            self.lock.release()

    def rest(self):
        """Has ended a task: it may be killed now."""
        self.rested_s = self.spent_s()
        if self.is_due(0):
            self.hand_over("rests")

    def end(self):
        if self is Worker.current and not self.is_ended:
            self.profile.stop()
            self.is_ended = True
            self.hand_over("ended")


def end_worker():
    if Worker.current is not None:
        Worker.current.end()


def ending(leave):
    @functools.wraps(leave)
    def _exit(*args, **kwargs):
        ours().end_worker()
        return leave(*args, **kwargs)

    return _exit


def begin_worker():
    try:
        if os._exit.__module__ == "posix" and not hasattr(os._exit, "__wrapped__"):
            os._exit = ending(os._exit)
            atexit.register(end_worker)
        Worker.begin()
    except Exception:
        pass


class WorkerImports:
    """A finder of modules, the first one: what comes to a worker as code is profiled, too."""

    inner = threading.local()  # on: this thread is in find_spec()

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if not name.endswith(("cloudpickle", "pyspark.worker")) or getattr(cls.inner, "on", False):
            return None
        cls.inner.on = True
        try:
            found = Imports.found(name, path, target)
        finally:
            cls.inner.on = False
        if found and found.loader:
            execute = found.loader.exec_module

            def exec_module(module):
                execute(module)
                follow_module(module)

            found.loader.exec_module = exec_module
        return found


def follow_module(module):
    name = getattr(module, "__name__", None) or ""
    for where, function, wrapper in (
        ("cloudpickle", "_make_function", noting_made),
        ("pyspark.worker", "main", resting_after),
    ):
        before = getattr(module, function, None) if str(name).endswith(where) else None
        if before is not None and not hasattr(before, "__wrapped__"):
            setattr(module, function, wrapper(before))


def noting_made(make):
    @functools.wraps(make)
    def made(*args, **kwargs):
        function = make(*args, **kwargs)
        worker = ours().Worker.current
        for p in worker.profile.active if worker else ():
            worker.profile.attempt(p, "add_made", function)
        return function

    return made


def resting_after(main):
    @functools.wraps(main)
    def run(*args, **kwargs):
        try:
            return main(*args, **kwargs)
        finally:
            if ours().Worker.current:
                ours().Worker.current.rest()

    return run


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


def begin_fork():
    """In place of what the process that has forked was doing."""
    State.settings = Workers.settings()
    Threads.restore()
    of_cell = State.current or Worker.current and Worker.current.profile
    for p in reversed(of_cell.active if of_cell else ()):
        if p.follows:
            of_cell.attempt(p, "stop")
            of_cell.attempt(p, "end")
    sys.meta_path[:] = [f for f in sys.meta_path if f is not WorkerImports]
    State.current = State.armed = Worker.current = None
    begin_worker()


def begin_program(folder, command):
    """Called by the hook, in another program."""
    Workers.folder = folder
    with open(os.path.join(folder, "settings"), encoding="utf-8") as file:
        settings = State.settings = json.load(file)
    Names.folder = settings["folder"]
    load_profilers(settings)
    watch_processes()
    if not any(server in command for server in SERVERS):
        begin_worker()


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
