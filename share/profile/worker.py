# worker.py: one of the processes of workers.py: begins, is asked what it found, and ends.
import _thread
import atexit
import functools


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
        for name, module in list(sys.modules.items()):
            follow_module(name, module)
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
                follow_module(name, module)

            found.loader.exec_module = exec_module
        return found


def follow_module(name, module):
    for where, function, wrapper in (
        ("cloudpickle", "_make_function", noting_made),
        ("pyspark.worker", "main", resting_after),
    ):
        before = getattr(module, function, None) if name.endswith(where) else None
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
