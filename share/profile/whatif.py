# whatif.py: chosen lines of one's own code take longer by known delays. By how much a cell then
# takes longer is what it would gain if they took less: nbscope-whatif(7).
#
# The lines are wrapped when a cell or a file is compiled, so that nothing is traced: a line that is
# not chosen runs as it always does. "delays" of the settings are {"file", "line", "to_line",
# "delay_s" of each hit, "how"}; with "watch", the run has no delays, and finds out how each line
# spends its time.
import hashlib
import importlib.machinery
import importlib.util

LINE = "_nbscope_line"  # what wrapped code calls
NO_LINE = """(lambda pause: type("Line", (), {"__init__": lambda s, *key: None,
"__enter__": lambda s: s, "__exit__": lambda s, *e: None, "__aenter__": lambda s: pause(0, s),
"__aexit__": lambda s, *e: pause(0), "ends": lambda s, v: v, "ends_later": lambda s, v: pause(0, v),
"each": lambda s, i: i}))(__import__("asyncio").sleep)"""  # where a function was sent to
WATCH_S, SLEEP_US = 0.02, 2000  # until the next sleep with Python's lock; of a sleep
UNLOCKED_S = 0.00015  # of CPU time in it: a thread that needs the lock takes less until it waits
MAX_WATCHED, MAX_STEPS, STEP_S = 200, 4000, 0.005
NATIVE_S = 0.05  # of one call that computes without the lock
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
HEADERS = {"For": "iter", "While": "test", "If": "test", "Match": "subject"}
SILENT = (ast.Global, ast.Nonlocal, ast.Pass, ast.Break, ast.Continue)


# ---- delays -------------------------------------------------------------------------------------


def spin(seconds):
    """Computes with Python's lock, which others get as from any code of Python."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


class Native:
    """Computes in native code, without the lock."""

    per_s = 0.0  # iterations

    @classmethod
    def run(cls, count):
        hashlib.pbkdf2_hmac("sha256", b"", b"", max(1, int(count)))

    @classmethod
    def spin(cls, seconds):
        end, left = time.perf_counter() + seconds, seconds
        while left > 0:
            cls.run(min(left, NATIVE_S) * cls.per_s)
            left = end - time.perf_counter()

    @classmethod
    def gauge(cls):
        """The fastest of some calls: others may need the processor, too."""
        for _ in range(5):
            began = time.perf_counter()
            cls.run(5000)
            cls.per_s = max(cls.per_s, 5000 / (time.perf_counter() - began))


# how: (what delays, the shortest delay: shorter ones are added up)
WAYS = {"spin": (spin, 2e-5), "native": (Native.spin, 1e-4), "sleep": (time.sleep, 1e-3)}


class Chosen:
    """A line, or lines from one to another, and what they did in the cell that runs."""

    all = []

    def __init__(self, file, line, to_line=None, delay_s=0.0, how="spin"):
        self.file, self.first, self.last = file, line, to_line or line
        self.delay_s, self.how = delay_s, how
        self.key, self.source, self.lock = len(Chosen.all), None, threading.Lock()
        Chosen.all.append(self)
        self.reset()

    def reset(self):
        self.hits = 0
        self.sums = [0.0] * 4  # time of the line and of its delays, and CPU time of both
        self.owed_s = 0.0
        self.threads, self.workers = set(), set()  # that ran the line, and that are in it
        self.watched = [0.0, 0.0, 0.0]  # time of the first hits, in which it ran, was queued
        self.looks = self.unlocked = 0  # while others had Python's lock; of these, it computed
        self.steps, self.step_s = [], STEP_S

    def owes(self, time_s, cpu_s, watched):
        """Counts a hit; returns how long it is to be delayed now."""
        with self.lock:
            self.hits += 1
            self.sums[0] += time_s
            self.sums[2] += cpu_s
            if watched:
                self.watched = [a + b for a, b in zip(self.watched, watched)]
            self.owed_s += self.delay_s
            due = self.owed_s if self.owed_s >= WAYS[self.how][1] else 0.0
            self.owed_s -= due
        return due

    def note(self, time_s, cpu_s):
        """What there was until now: the client's time may end before the last hit."""
        with self.lock:
            self.sums[1] += time_s
            self.sums[3] += cpu_s
            t = time.time()
            if len(self.steps) > 1 and t - self.steps[-2][0] < self.step_s:
                self.steps.pop()
            self.steps.append([t, *self.sums])
            if len(self.steps) > MAX_STEPS:
                self.steps, self.step_s = self.steps[1::2], 2 * self.step_s

    def record(self, main):
        return {
            "type": "profile_delay",
            "file": self.file,
            "line": self.first,
            "to_line": self.last,
            "source": self.source,
            "how": self.how,
            "hits": self.hits,
            "time_s": self.sums[0],
            "watched_s": self.watched[0],
            "cpu_s": self.watched[1],
            "queued_s": self.watched[2],
            "delay_s": self.sums[1],
            "unlocked": self.unlocked / self.looks if self.looks else None,
            "threads": len(self.threads),
            "main_thread": main in self.threads,
            "steps": self.steps,
        }


class Running(threading.local):
    """The chosen lines in which a thread is: a hit within a hit is a part of it."""

    def __init__(self):
        self.keys = set()


def waited_for_cpu_s():
    try:
        with open(f"/proc/self/task/{threading.get_native_id()}/schedstat", "rb") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, IndexError):  # the system has no such numbers
        return 0.0


class Hit:
    """One hit of a chosen line, from its making to its end."""

    running = Running()
    on = watch = False
    __slots__ = ("line", "alone", "began", "cpu", "used")

    def __init__(self, key, alone=True):
        self.line, self.alone, self.began = Chosen.all[key], alone, None
        keys = self.running.keys
        if not Hit.on or alone and key in keys:
            return
        if alone:
            keys.add(key)
        thread = threading.get_ident()
        self.line.threads.add(thread)
        self.line.workers.add(thread)
        self.used = None
        if Hit.watch and self.line.hits < MAX_WATCHED:
            self.used = time.perf_counter(), time.thread_time(), waited_for_cpu_s()
        self.cpu, self.began = time.thread_time(), time.perf_counter()

    def ended(self):
        """How long the delay is to be; None: this is no hit."""
        if self.began is None:
            return None
        line, now, cpu = self.line, time.perf_counter(), time.thread_time()
        if self.alone:
            self.running.keys.discard(line.key)
        line.workers.discard(threading.get_ident())
        watched = None
        if self.used:  # no wait may seem longer than the time in which it was
            queued = waited_for_cpu_s()
            used = time.perf_counter(), time.thread_time(), queued
            watched = [after - before for before, after in zip(self.used, used)]
        due_s = line.owes(now - self.began, cpu - self.cpu, watched)
        self.cpu, self.began = time.thread_time(), time.perf_counter()
        return due_s

    def delayed(self, due_s):
        used = (time.perf_counter() - self.began, time.thread_time() - self.cpu)
        self.line.note(*(used if due_s else (0.0, 0.0)))

    def __enter__(self):
        return self

    def __exit__(self, *error):
        due_s = self.ended()
        if due_s:
            WAYS[self.line.how][0](due_s)
        if due_s is not None:
            self.delayed(due_s)

    async def __aenter__(self):
        return self

    async def __aexit__(self, *error):
        due_s = self.ended()
        if due_s:
            await asyncio.sleep(due_s)
        if due_s is not None:
            self.delayed(due_s)

    def ends(self, value):
        self.__exit__()
        return value

    async def ends_later(self, value):
        await self.__aexit__()
        return value

    def each(self, iterable):
        """What a loop gets: each step is a hit."""
        self.__exit__()
        steps = iter(iterable)
        while True:
            with Hit(self.line.key):
                try:
                    value = next(steps)
                except StopIteration:
                    return
            yield value


class Maker:
    """The function that wrapped code calls. Functions that are sent to another process, with what
    they call, have no delays there."""

    def __call__(self, key, alone=True):
        return Hit(key, alone)

    def __reduce__(self):
        return eval, (NO_LINE,)


# ---- wrapping -----------------------------------------------------------------------------------


def contains(node, kinds):
    """Not in functions within it, which run at another time."""
    if isinstance(node, kinds):
        return True
    if isinstance(node, (ast.Lambda, *SCOPES)):
        return False
    return any(contains(child, kinds) for child in ast.iter_child_nodes(node))


AWAITS = (ast.Await, ast.AsyncFor, ast.AsyncWith)


class Wrapper:
    """Wraps the statements of a chosen line in a tree: whole ones, and of loops and conditions that
    go on below it what the line itself evaluates."""

    def __init__(self, chosen, offset):
        self.key = chosen.key
        self.first, self.last = chosen.first - offset, chosen.last - offset
        self.found = False

    def overlaps(self, first, last):
        return first <= self.last and last >= self.first

    def call(self, like, alone=True):
        args = [ast.Constant(self.key, kind=None), ast.Constant(alone, kind=None)]
        return ast.copy_location(
            ast.Call(ast.Name(LINE, ast.Load()), args if not alone else args[:1], []), like
        )

    def method(self, name, value, alone=True):
        function = ast.Attribute(self.call(value, alone), name, ast.Load())
        return ast.copy_location(ast.Call(function, [value], []), value)

    def expression(self, value):
        self.found = True
        if not contains(value, AWAITS):
            return self.method("ends", value)
        return ast.copy_location(ast.Await(self.method("ends_later", value, False)), value)

    def body(self, nodes, top=False):
        for i, node in enumerate(nodes):
            begins = min([node.lineno] + [d.lineno for d in getattr(node, "decorator_list", ())])
            if self.overlaps(begins, node.end_lineno):
                nodes[i] = ast.fix_missing_locations(self.statement(node, top))

    def statement(self, node, top):
        whole = self.first <= node.lineno and node.end_lineno <= self.last
        inner = [getattr(node, n, None) or [] for n in ("body", "orelse", "finalbody")]
        parts = (getattr(node, "handlers", None) or []) + (getattr(node, "cases", None) or [])
        inner += [part.body for part in parts]
        if any(inner) and (not whole or isinstance(node, SCOPES)):
            for nodes in inner:
                self.body(nodes)
            self.header(node, next(filter(None, inner))[0].lineno - 1)
            return node
        return self.simple(node, top)

    def header(self, node, last):
        name = HEADERS.get(type(node).__name__)
        if name and self.overlaps(node.lineno, max(last, node.lineno)):
            value = getattr(node, name)
            if name == "iter" and not contains(value, AWAITS):
                self.found = True
                value = self.method("each", value)
            else:
                value = self.expression(value)
            setattr(node, name, value)

    def simple(self, node, top):
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if isinstance(node, SILENT) or is_text or getattr(node, "module", "") == "__future__":
            return node
        if contains(node, (ast.Yield, ast.YieldFrom)):
            for found in ast.walk(node):
                if isinstance(found, ast.Yield) and found.value:
                    found.value = self.expression(found.value)
            return node
        if isinstance(node, ast.Expr) and top:  # the cell may show its value
            node.value = self.expression(node.value)
            return node
        self.found = True
        waits = contains(node, AWAITS)
        item = ast.withitem(self.call(node, not waits), None)
        kind = ast.AsyncWith if waits else ast.With
        return ast.copy_location(kind([item], [node]), node)


def wrap(tree, file, offset, lines):
    """lines: those of the source, as the author numbers them."""
    for chosen in Chosen.all:
        if chosen.file == file:
            wrapper = Wrapper(chosen, offset)
            wrapper.body(tree.body, top=True)
            if wrapper.found:
                chosen.source = "\n".join(lines[chosen.first - 1 : chosen.last])
    return tree


class WrapCell:
    """One of IPython's transformers of trees: of a cell, then of what its first magic runs."""

    @staticmethod
    def visit(tree):
        if not State.cell or not tree.body:
            return tree
        (name, before), raw, seen = State.cell
        State.cell[2] += 1
        lines = [""] * before + raw.split("\n")
        magic = raw.lstrip().startswith("%%")
        if magic and seen:
            first, _, below = raw.lstrip().partition("\n")
            part = (State.nested[-1] if State.nested else below).rstrip()
            above, found, _ = raw.rpartition(part)
            return wrap(tree, name, before + above.count("\n") + blank_lines(part), lines)
        if magic or seen:
            return tree
        return wrap(tree, name, before + blank_lines(raw), lines)


def wrap_files(loader):
    before = loader.get_code

    def get_code(self, name):
        path = self.get_filename(name)
        file = file_name(path)
        if all(c.file != file for c in Chosen.all):
            return before(self, name)
        text = importlib.util.decode_source(self.get_data(path))
        tree = wrap(ast.parse(text, path), file, 0, text.split("\n"))
        return compile(tree, path, "exec", dont_inherit=True)

    loader.get_code = get_code


# ---- the profiler -------------------------------------------------------------------------------


class LockWatch(threading.Thread):
    """Sleeps with Python's lock now and then. A thread that works meanwhile computes without it."""

    def __init__(self):
        super().__init__(daemon=True)
        # Not every Python has it.
        self.sleep_us = importlib.import_module("ctypes").PyDLL(None).usleep  # keeps the lock
        self.on = True
        self.start()

    def run(self):
        while self.on:
            time.sleep(WATCH_S)
            lines = [(c, worker) for c in Chosen.all for worker in list(c.workers)]
            clocks = [time.pthread_getcpuclockid(worker) for _, worker in lines]
            try:
                before = [time.clock_gettime(c) for c in clocks]
                if lines:
                    self.sleep_us(SLEEP_US)
                after = [time.clock_gettime(c) for c in clocks]
            except OSError:  # a thread has ended
                continue
            for (chosen, _), cpu_s, later_s in zip(lines, before, after):
                chosen.looks += 1
                chosen.unlocked += later_s - cpu_s > UNLOCKED_S


class WhatIf(Profiler):
    name, version = "whatif", "delays"

    @classmethod
    def load(cls, settings):
        if "delays" not in settings:
            raise Reason("it needs lines that are delayed: make whatif")
        for delay in settings["delays"]:
            Chosen(**delay)
        if any(c.how == "native" for c in Chosen.all):
            Native.gauge()
        setattr(builtins, LINE, Maker())
        # Those who send a function elsewhere find what it calls among its globals.
        State.shell.push({LINE: getattr(builtins, LINE)}, interactive=False)
        State.shell.ast_transformers.append(WrapCell())
        wrap_files(importlib.machinery.SourceFileLoader)

    def begin(self):
        for chosen in Chosen.all:
            chosen.reset()
        Hit.watch, self.watch = bool(self.settings.get("watch")), None
        if Hit.watch:
            with contextlib.suppress(ImportError, OSError, AttributeError):
                self.watch = LockWatch()
        self.before, self.queued_s = used_elsewhere(), -waited_for_cpu_s()
        Hit.on = True

    def end(self):
        self.queued_s += waited_for_cpu_s()

    def records(self, more):
        Hit.on = False
        if self.watch:
            self.watch.on = False
        more["beside_s"] = sum(used_elsewhere()) - sum(self.before)
        more["queued_s"] = self.queued_s
        for chosen in Chosen.all:
            yield chosen.record(self.profile.thread)


PROFILERS["whatif"] = WhatIf
