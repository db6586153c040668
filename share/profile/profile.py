# profile.py: profilers around single cells, inside the kernel. cellprofile sends it with the files
# next to it as one module, _nbscope_profile, and calls setup() once, arm() before and take() after
# each cell. Sources, outputs, history and variables stay as they are. Python 3.8 and later.
#
# IPython's run_code runs each statement of a cell by exec or, with await, by eval. While a cell is
# profiled, both names in its module are ours, so that profilers see nothing but the cell's code.
# What a magic of the cell runs is the cell's code, too: a part of the cell, below %%time, or a
# file, by %run. Threads that begin meanwhile are profiled, and so are tasks that the cell makes.
import ast
import asyncio
import base64
import builtins
import collections.abc
import contextlib
import contextvars
import gc
import importlib
import inspect
import json
import linecache
import os
import platform
import re
import resource
import sys
import sysconfig
import threading
import time

MIME = "application/vnd.nbscope.profile+jsonl"
PART_CHARS = 4 << 20  # of the records that one take() returns
MAX_FILE_BYTES = 8 << 20  # of a profiler's own file: a record is a line of at most 16 MiB
INSTALLED = re.compile("/(site|dist)-packages/|/lib/python[0-9]")
RELOADER = "IPython.extensions.deduperreload.deduperreload"
NOTED_S = 0.02
NOTED_SHARE = 0.1  # of the cell's time, which others used
OWN = (lambda: 0).__code__.co_filename
ORDER = []  # the names of all, the outermost first: the rows of the table `profilers`
PROFILERS = {}  # name: class


class Profiler:
    """Of one cell. Methods are called in this order: begin; for each statement prepare, start and
    stop; end; records."""

    name = version = ""
    follows = False  # what a cell runs in other threads, tasks and processes
    in_workers = True  # if it follows: also in worker processes

    def __init__(self, profile, settings):
        self.profile, self.settings = profile, settings

    @classmethod
    def load(cls, settings):
        """Called once: raises what becomes the reason if the profiler is not possible."""

    def begin(self):
        pass

    def prepare(self, code):
        """Returns the code object to run in place of this one."""
        return code

    def start(self):
        pass

    def stop(self):
        """May be called more than once."""

    def around(self):
        """Returns a context of the cell's code, or None: entered after start(), by nobody else."""

    def enter_thread(self):
        """Called in a thread that the cell has started; returns what to call at its end."""

    def end(self):
        pass

    def records(self, more):
        """more: further members of the record `profile`."""
        return []

    def handed(self):
        """Of one that follows, in a worker: {what: numbers that only grow}, for another process."""

    def added(self, parts, more):
        """In the kernel: the records of (used time, what was added to these) in each process."""

    def add_made(self, function):
        """In a worker: a function that came to it as its code."""


class Reason(Exception):
    """Why a profiler has nothing to say about a cell."""


class State:
    shell = None
    settings = {}
    reasons = {}  # profiler: why it is not possible
    armed = None  # the cell that arm() was given
    current = None  # the Profile of the cell that runs
    cell = None  # of the notebook, profiled or not: [its place, its source, trees of it so far]
    gesture = None  # that of the gesture that is performed
    nested = []  # the sources that a cell runs by run_cell(), the innermost last
    done = []  # Profiles that take() will make records of
    text = ""  # records that take() has not returned yet


def number(n, what):
    return f"{n} {what}" + ("" if n == 1 else "es" if what.endswith("s") else "s")


def short(error):
    return str(error) if isinstance(error, Reason) else f"{type(error).__name__}: {error}"[:300]


def possible():
    """The names of this run's profilers, the outermost first."""
    return [n for n in ORDER if n in State.settings["profilers"] and n not in State.reasons]


class Profile:
    """One run of one cell, with the profilers of this pass."""

    def __init__(self, cell, info):
        self.cell, self.info = cell, info
        self.index, self.id = cell["index"], cell.get("id")
        self.options = cell["options"]
        self.thread = threading.get_ident()
        self.begun = self.ended = self.running = False
        self.t, self.wall, self.cpu, self.started = time.time(), 0.0, 0.0, None
        self.error = None
        self.codes = []  # of the cell's statements, as they ran
        self.parts = []  # what magics have run: codes that are parts of the cell
        self.files = []  # and those of files
        self.wrappers = []  # the statements that did, as [code, line, hits and seconds in parts]
        self.is_async = False
        self.tasks = []  # codes of the tasks that the cell made
        self.waits = {}  # ((code, line) of each coroutine, the outermost first): [times, seconds]
        self.waiting = {}  # id of a Driven that waits: these places
        self.threads = set()  # those that ran code of the cell
        self.active = []  # the profilers, the outermost first
        self.reasons = dict(State.reasons)
        self.working = []  # those that measure now
        self.timer = ()  # of functions: the profiler's own
        self.workers = [], [], 0.0  # what end_cell() of Workers returns
        self.evidence = None  # a record

    def attempt(self, profiler, method, *args):
        """A profiler that fails must not change what the cell does."""
        try:
            return getattr(profiler, method)(*args)
        except Exception as err:
            self.reasons.setdefault(profiler.name, short(err))
            return None

    def begin(self):
        self.begun = True
        Decorators.files = []
        for name in possible():
            try:
                self.active.append(PROFILERS[name](self, State.settings))
            except Exception as err:
                self.reasons[name] = short(err)
        for p in self.active:
            self.attempt(p, "begin")
        try:
            if any(p.follows for p in self.active):
                watch_threads(self)
        except Exception:  # the internals of another version of Python may differ
            Threads.restore()
        self.used = used_elsewhere()
        self.t = time.time()

    def prepare(self, code):
        if not self.begun:
            self.begin()
        name, before = cell_place(self.cell)
        note_file(code.co_filename, name, self.info.raw_cell, before)
        code = self.replaced(code)
        self.codes.append(code)
        return code

    def replaced(self, code):
        for p in self.active:
            code = self.attempt(p, "prepare", code) or code
        return code

    def inner(self, code, spaces, run):
        """Runs what a magic in a statement of the cell runs. Our own work is not the cell's."""
        called = time.perf_counter()
        frame = sys._getframe(1)
        while frame and not any(frame.f_code is c for c in self.codes + self.parts):
            frame = frame.f_back
        skipped = frame and skipped_lines(self, code, frame)
        if skipped is None and not (frame and own_code(code.co_filename)):
            return run(code, *spaces)
        wrapper = [frame.f_code, frame.f_lineno, 0, 0.0]
        if skipped is None:
            code = self.replaced(code)
            self.files.append(code)
        else:
            code = self.replaced(note_part(code, self.cell, skipped, len(self.parts)))
            self.parts.append(code)
        self.wrappers.append(wrapper)
        began = time.perf_counter()
        self.wall -= began - called
        try:
            return run(code, *spaces)
        finally:
            if skipped is not None:
                line = line_number(frame.f_code.co_filename, wrapper[1])
                wrapper[2:] = line_number(code.co_filename, 1) == line, time.perf_counter() - called

    def __enter__(self):
        self.running = True

    def __exit__(self, kind, err, tb):
        self.stop(err)
        self.running = False

    def start(self):
        for p in reversed(self.active):
            if p.name not in self.reasons:
                self.working.append(p)
                self.attempt(p, "start")
        self.started = time.perf_counter()
        self.cpu -= time.thread_time()

    def around(self):
        found = [self.attempt(p, "around") for p in self.working]
        return next(filter(None, found), contextlib.nullcontext())

    def stop(self, err=None):
        if self.started is not None:
            self.wall += time.perf_counter() - self.started
            self.cpu += time.thread_time()
            self.started = None
        while self.working:
            self.attempt(self.working.pop(), "stop")
        if err is not None:
            self.error = type(err).__name__
            self.end()

    def end(self):
        if self.ended:
            return
        self.ended = True
        Threads.restore()
        if self.begun:
            self.used = [now - before for now, before in zip(used_elsewhere(), self.used)]
        for p in reversed(self.active):
            self.attempt(p, "stop")
            self.attempt(p, "end")

    def records(self):
        try:
            if self.begun:
                self.workers = Workers.end_cell(self.codes + self.parts)
        except Exception:
            pass
        for p in self.active:
            rows, more = [], {}
            try:
                if self.codes:
                    rows = list(p.records(more))
            except Exception as err:
                self.reasons.setdefault(p.name, short(err))
            yield self.head(p.name, p.version, more)
            yield from self.of_cell(rows)
            if p.follows and p.in_workers and self.workers[0]:
                yield from self.worker_records(p)
        made = [p.name for p in self.active]
        for name in State.settings["profilers"]:
            if name not in made:
                yield self.head(name, PROFILERS[name].version if name in possible() else None, {})
        if self.evidence:
            yield self.evidence

    def of_cell(self, rows):
        for row in rows:
            kind = row.pop("type")
            yield dict({"type": kind, "cell_index": self.index}, **row)

    def worker_records(self, profiler):
        """What it found in worker processes, which adds up their time: not a part of the cell's."""
        parts = [(used, tables.get(profiler.name) or {}) for used, tables in self.workers[0]]
        more = {}
        rows = list(profiler.added(parts, more))
        more["processes"] = len(parts)
        if rows:
            note = f"they worked {more['work_s']:.2g} s in the {self.wall:.2g} s of the cell"
            yield dict(self.head(profiler.name, profiler.version, more), note=note)
            yield from self.of_cell(rows)

    def note(self, name):
        """What else the cell's time was, that this profiler does not see, or counts as well."""
        if name not in ("functions", "lines", "samples") or not self.codes:
            return None
        least = max(NOTED_S, NOTED_SHARE * self.wall)
        parts, lost, ended_s = self.workers
        used = self.used[0], self.used[1] - ended_s
        threads, processes = [s if s > least else 0 for s in used]
        notes, count = [], len(self.threads)
        if count:
            notes.append(f"what it ran in {number(count, 'other thread')} is counted, too")
        elif threads:
            notes.append(f"other threads used {threads:.2g} s of CPU time, which is not counted")
        if parts:
            notes.append(f"{number(len(parts), 'worker process')} profiled, too")
        if lost:
            notes.append(
                f"{number(len(lost), 'worker process')} ({', '.join(lost)}) killed or silent: "
                "what it did last is not counted"
            )
        if processes:
            notes.append(
                f"other processes used {processes:.2g} s of CPU time, which is not counted"
            )
        return "; ".join([*notes, "PROFILERS=stacks shows them"]) if notes else None

    def head(self, name, version, more):
        reason = self.reasons.get(name) or more.pop("reason", None)
        if not self.codes and not reason:
            reason = "the cell did not compile" if self.error else "the cell ran no code"
        head = {
            "type": "profile",
            "t": self.t,
            "cell_index": self.index,
            "cell_id": self.id,
            "profiler": name,
            "version": version,
            "wall_s": self.wall if self.codes else None,
            "cpu_s": self.cpu if self.codes else None,
            "error": self.error,
            "reason": reason,
            "note": self.note(name),
        }
        head.update(more)
        head.setdefault("left_out", 0)
        return head


def used_elsewhere():
    """CPU time of other threads, and of processes that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() - time.thread_time(), children.ru_utime + children.ru_stime


# ---- threads ------------------------------------------------------------------------------------


class Threads:
    local = threading.local()  # of: the Profile that a thread works for
    replaced = []  # (class, name, its function)

    @classmethod
    def restore(cls):
        while cls.replaced:
            setattr(*cls.replaced.pop())


def watch_threads(profile):
    """Of new threads, and of those of a pool while they work for the cell."""
    pool = importlib.import_module("concurrent.futures.thread")
    for owner, name in ((threading.Thread, "_bootstrap_inner"), (pool._WorkItem, "run")):
        function = getattr(owner, name)
        setattr(owner, name, profiled_thread(profile, function))
        Threads.replaced.append((owner, name, function))


def profiled_thread(profile, function):
    def run(self):
        before = getattr(Threads.local, "of", None)
        if profile.ended or before is profile:
            return function(self)
        Threads.local.of = profile
        profile.threads.add(threading.get_native_id())
        leaving = [profile.attempt(p, "enter_thread") for p in profile.active]
        try:
            return function(self)
        finally:
            for leave in leaving:
                if leave:
                    leave()
            Threads.local.of = before

    return run


# ---- what records call profiled code ------------------------------------------------------------
# A cell of the notebook is "<cell N>", whatever file name the kernel compiles it under; or the
# script that it is a part of, with the script's lines.


class Names:
    folder = ""  # the notebook's, with a slash at its end
    files = {}  # file name in the kernel: its name in records
    offsets = {}  # file name in the kernel: lines of the cell or script before its first line
    spans = {}  # file name in the kernel: first and last line of the cell
    sources = {}  # name of a cell in records: its lines as the author wrote them
    qualified = {}  # file: {(first line, name): qualified name}


def note_cell(shell, info, armed):
    """Called before each cell of the notebook, profiled or not."""
    raw = info.raw_cell
    name, before = cell_place(armed) if armed else (f"<input {shell.execution_count}>", 0)
    State.cell = [(name, before), raw, 0]
    filename = shell.compile.get_code_name(raw, raw, shell.execution_count)
    note_file(filename, name, raw, before)


TIMED = ("<timed exec>", "<timed eval>")  # what %time and %%time compile


def cell_place(cell):
    """A cell's name in records, and the lines before it in the script that it is a part of."""
    if cell.get("script"):
        return cell["script"], cell["line"] - 1
    return f"<cell {cell['index']}>", 0


def note_file(filename, name, raw, before):
    """IPython removes empty lines before a cell's first line."""
    lines = raw.split("\n")
    Own.files[filename] = True
    Names.files[filename], Names.offsets[filename] = name, before + blank_lines(raw)
    Names.spans[filename] = before + 1, before + len(lines)
    known = [] if name.startswith("<") else Names.sources.get(name, [])
    known += [""] * (before + len(lines) - len(known))
    known[before : before + len(lines)] = lines
    Names.sources[name] = known


def blank_lines(raw):
    return next((n for n, line in enumerate(raw.split("\n")) if line.strip()), 0)


def skipped_lines(profile, code, frame):
    """The lines of the cell before a code that one of its magics runs; None: it is not a part of
    the cell. frame: of the statement with the magic."""
    raw = profile.info.raw_cell
    if State.nested:
        part = State.nested[-1].rstrip()
        before, found, _ = raw.rpartition(part)
        return before.count("\n") + blank_lines(part) if found and part else None
    if code.co_filename not in TIMED:
        return None
    name, before = cell_place(profile.cell)
    line = line_number(frame.f_code.co_filename, frame.f_lineno) - before
    if not raw.lstrip().startswith("%%"):
        return line - 1
    return line + blank_lines("\n".join(raw.split("\n")[line:]))


def note_part(code, cell, skipped, count):
    """Two parts may not have one file name: each has lines of its own."""
    if code.co_filename in TIMED and code.co_filename in Names.files:
        code = renamed(code, f"{code.co_filename[:-1]} {count + 1}>")
    filename, (name, before) = code.co_filename, cell_place(cell)
    Own.files[filename] = True
    Names.files[filename], Names.offsets[filename] = name, before + skipped
    Names.spans[filename] = before + 1, before + len(Names.sources[name])
    return code


def renamed(code, filename):
    inner = [renamed(c, filename) if inspect.iscode(c) else c for c in code.co_consts]
    return code.replace(co_filename=filename, co_consts=tuple(inner))


def own_code(filename):
    """Whether a file is the author's own: a cell, a file below the notebook's folder, or a module
    that is not installed, such as one of an editable package, if the author may change it."""
    own = Own.files.get(filename)
    if own is None:
        own = Own.files[filename] = filename in Names.files or (
            os.path.isfile(filename)
            and not INSTALLED.search(filename)
            and not filename.startswith(Own.folders())
            and (filename.startswith(Names.folder) or os.access(filename, os.W_OK))
        )
    return own


class Own:
    files = {}  # file name in the kernel: whether it is own code

    @staticmethod
    def folders():
        """Of the standard library, of packages and of our profilers, wherever they are."""
        found = [sysconfig.get_path(p) for p in ("stdlib", "platstdlib", "purelib", "platlib")]
        found += [State.settings.get("overlay"), Workers.folder]
        return tuple(os.path.join(os.path.realpath(f), "") for f in found if f) + tuple(
            os.path.join(f, "") for f in found if f
        )


def whole_cell(filename):
    """What records call a cell's own code: its file, first line and function."""
    file = file_name(filename)
    return file, Names.spans.get(filename, (1, 1))[0], file if file.startswith("<") else "<module>"


def file_name(filename):
    """Of a file next to the notebook its name there: each run has a folder of its own."""
    if filename.startswith(Names.folder) and not INSTALLED.search(filename):
        return filename[len(Names.folder) :]
    return Names.files.get(filename, filename)


def line_number(filename, line):
    """In the author's numbering, of a line in the kernel's."""
    return line + Names.offsets.get(filename, 0)


def source_line(filename, line):
    """Of a line in the author's numbering."""
    linecache.checkcache(filename)  # a cell may have changed it, as with %autoreload
    lines, kernels = Names.sources.get(file_name(filename)), linecache.getlines(filename)
    offset = Names.offsets.get(filename, 0)
    if lines is not None and (
        not kernels
        or len(kernels) == len(lines) - offset
        or lines[offset:]
        and lines[offset].startswith("%%")
    ):
        kernels, offset = lines, 0
    line -= offset
    return kernels[line - 1].rstrip("\r\n") if 0 < line <= len(kernels) else ""


def qualified_names(filename):
    """Before Python 3.11, code objects do not know in which class they are."""
    found = {}

    def visit(node, prefix):
        for child in ast.iter_child_nodes(node):
            inner = prefix
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                first = min([child.lineno] + [d.lineno for d in child.decorator_list])
                found[first, child.name] = prefix + child.name
                inner = (
                    prefix + child.name + ("." if isinstance(child, ast.ClassDef) else ".<locals>.")
                )
            visit(child, inner)

    try:
        visit(ast.parse("".join(linecache.getlines(filename))), "")
    except (SyntaxError, ValueError, RecursionError):
        pass
    return found


def function_name(code):
    name = getattr(code, "co_qualname", None)
    if name is None:
        if code.co_filename not in Names.qualified:
            Names.qualified[code.co_filename] = qualified_names(code.co_filename)
        name = Names.qualified[code.co_filename].get(
            (code.co_firstlineno, code.co_name), code.co_name
        )
    return name.replace("__autoreload_class__.", "")


class Moved:
    """%autoreload compiles a function that has changed from a text of its own, which begins with
    it: its lines in the file."""

    lines = {}  # id of a code: (it, {line in that text: line in the file})

    @classmethod
    def of(cls, code):
        if id(code) not in cls.lines:
            try:
                found = cls.find(code) if RELOADER in sys.modules else {}
            except (SyntaxError, ValueError, RecursionError, OSError):
                found = {}
            cls.lines[id(code)] = code, found
        return cls.lines[id(code)][1]

    @staticmethod
    def find(code):
        linecache.checkcache(code.co_filename)
        tree = ast.parse("".join(linecache.getlines(code.co_filename)))
        named = [n for n in ast.walk(tree) if getattr(n, "name", None) == code.co_name]
        first = [min([n.lineno] + [d.lineno for d in n.decorator_list]) for n in named]
        if code.co_firstlineno in first or len(named) != 1:
            return {}
        found, before = {}, code.co_firstlineno - 1
        theirs = ast.parse(ast.unparse(named[0])).body[0]
        for there, here in zip(ast.walk(theirs), ast.walk(named[0])):
            if hasattr(there, "lineno"):
                found.setdefault(there.lineno + before, here.lineno)
        return found


def line_in_file(code, line):
    """In the author's numbering."""
    return line_number(code.co_filename, Moved.of(code).get(line, line))


def file_record(profile, profiler, ending, content, more):
    """The record of a profiler's own file, if it is not too large."""
    if len(content) > MAX_FILE_BYTES:
        size, limit = len(content) >> 20, MAX_FILE_BYTES >> 20
        more["reason"] = f"the .{ending} file has {size} MiB: more than {limit}"
        return []
    return [
        {
            "type": "profile_file",
            "profiler": profiler,
            "name": f"cell-{profile.index:03d}.{ending}",
            "bytes": len(content),
            "base64": base64.b64encode(content).decode(),
        }
    ]


# ---- around the cell's code ---------------------------------------------------------------------


def strip(tb):
    """Removes our own frames from a traceback, so that users see what they always do."""
    while tb is not None:
        after = tb.tb_next
        while after is not None and after.tb_frame.f_code.co_filename == OWN:
            after = after.tb_next
        if tb.tb_next is not after:
            tb.tb_next = after
        tb = after


class Awaited:
    """The coroutine of a statement with await."""

    def __init__(self, profile, code, spaces):
        self.profile, self.code, self.spaces = profile, code, spaces

    def __await__(self):
        profile = self.profile
        profile.is_async = True
        with profile:
            code = profile.prepare(self.code)
            coroutine = builtins.eval(code, *self.spaces)
            profile.start()
            with tasks_profiled(profile):
                return (yield from Driven(profile, coroutine))


class Driven(collections.abc.Coroutine):
    """A coroutine, or that of a task; notes how long it waited, and in which lines."""

    def __init__(self, profile, coroutine):
        self.profile, self.coroutine = profile, coroutine
        self.places, self.since = None, None

    def step(self, method, *args):
        if self.since is not None and not self.profile.ended:
            wait = self.profile.waits.setdefault(self.places, [0, 0.0])
            wait[0] += 1
            wait[1] += time.perf_counter() - self.since
        self.profile.waiting.pop(id(self), None)
        with self.profile.around():
            awaited = method(*args)
        self.places, self.since = places_of(self.coroutine), time.perf_counter()
        self.profile.waiting[id(self)] = self.places
        return awaited

    def send(self, value):
        return self.step(self.coroutine.send, value)

    def throw(self, *error):
        return self.step(self.coroutine.throw, *error)

    def close(self):
        self.profile.waiting.pop(id(self), None)
        return self.coroutine.close()

    def __await__(self):
        step, value = self.send, None
        while True:
            try:
                awaited = step(value)
            except StopIteration as end:
                return end.value
            try:
                step, value = self.send, (yield awaited)
            except GeneratorExit:
                self.close()
                raise
            except BaseException as err:
                step, value = self.throw, err

    __iter__ = __await__

    def __getattr__(self, name):
        return getattr(self.coroutine, name)


def places_of(coroutine):
    """(code, line) of a coroutine and of those that it awaits, the outermost first."""
    places = []
    while coroutine is not None:
        if type(coroutine).__name__.startswith("async_generator_a"):  # a step of a generator
            steps = gc.get_referents(coroutine)
            coroutine = next(filter(inspect.isasyncgen, steps), None)
        kind = next((k for k in ("cr", "gi", "ag") if hasattr(coroutine, f"{k}_frame")), None)
        frame = kind and getattr(coroutine, f"{kind}_frame")
        if not frame:
            break
        places.append((frame.f_code, frame.f_lineno))
        coroutine = getattr(coroutine, "gi_yieldfrom" if kind == "gi" else f"{kind}_await")
    return tuple(places)


OF_CELL = contextvars.ContextVar("nbscope_profile", default=False)  # tasks inherit it


class tasks_profiled:
    """Of the tasks that the cell makes, and not of the kernel's own."""

    def __init__(self, profile):
        self.profile, self.loop = profile, asyncio.get_running_loop()

    def __enter__(self):
        self.before, self.token = self.loop.get_task_factory(), OF_CELL.set(True)
        self.loop.set_task_factory(self.make)

    def make(self, loop, coroutine, **how):
        follows = any(p.follows for p in self.profile.working)
        if follows and OF_CELL.get() and inspect.iscoroutine(coroutine):
            self.profile.tasks.append(coroutine.cr_code)
            coroutine = Driven(self.profile, coroutine)
        make = self.before
        return make(loop, coroutine, **how) if make else asyncio.Task(coroutine, loop=loop, **how)

    def __exit__(self, *error):
        OF_CELL.reset(self.token)
        self.loop.set_task_factory(self.before)


def is_cells(code, spaces):
    profile = State.current
    return (
        profile is not None
        and inspect.iscode(code)
        and not profile.ended
        and len(spaces) == 2
        and threading.get_ident() == profile.thread
    )


def run_exec(code, *spaces):
    profile = State.current
    if not is_cells(code, spaces):
        return builtins.exec(code, *spaces)
    if profile.running:
        return profile.inner(code, spaces, builtins.exec)
    with profile:
        code = profile.prepare(code)
        profile.start()
        with profile.around():
            builtins.exec(code, *spaces)


def run_eval(code, *spaces):
    profile = State.current
    if not is_cells(code, spaces):
        return builtins.eval(code, *spaces)
    if profile.running:
        return profile.inner(code, spaces, builtins.eval)
    if code.co_flags & inspect.CO_COROUTINE:
        return Awaited(profile, code, spaces)
    return builtins.eval(code, *spaces)


def namespaces(shell):
    """Of the modules whose functions run a cell's code."""
    found = [type(shell).run_code.__globals__]
    try:
        found.append(vars(importlib.import_module("IPython.core.magics.execution")))
    except ImportError:
        pass
    return found


def install(shell):
    for namespace in namespaces(shell):
        namespace["exec"], namespace["eval"] = run_exec, run_eval
    before = shell._get_exc_info

    def get_exc_info(exc_tuple=None):
        strip(sys.exc_info()[2])
        return before(exc_tuple)

    shell._get_exc_info = get_exc_info


def uninstall(shell):
    for namespace in namespaces(shell):
        namespace.pop("exec", None)
        namespace.pop("eval", None)
    shell.__dict__.pop("_get_exc_info", None)


def before_cell(info=None):
    if State.current is not None:
        State.nested.append(getattr(info, "raw_cell", ""))
        return
    for name in [name for name in Names.files if name.startswith("<timed ")]:
        del Names.files[name]
    try:
        note_cell(State.shell, info, State.armed)
    except Exception:
        pass
    cell, State.armed = State.armed, None
    if cell is not None:
        CellEvidence.begin(cell)
    if cell is not None and cell.get("profile"):
        State.current, State.nested = Profile(cell, info), []
        try:
            install(State.shell)
        except Exception as err:
            uninstall(State.shell)
            State.current.reasons.update((name, short(err)) for name in possible())


def after_cell(result=None):
    profile = State.current
    if profile is None:
        CellEvidence.end()
        return
    if State.nested:
        State.nested.pop()
        return
    State.current = None
    profile.evidence = CellEvidence.end()
    uninstall(State.shell)
    profile.end()
    try:
        Workers.ask()
    except Exception:
        pass
    error = getattr(result, "error_before_exec", None)
    if error is not None and not profile.codes:
        profile.error = type(error).__name__
    State.done.append(profile)


def register(events):
    """In place of what an earlier setup() registered."""
    for name, function in (("pre_run_cell", before_cell), ("post_run_cell", after_cell)):
        for old in list(events.callbacks.get(name, ())):
            if getattr(old, "__code__", None) is not None and old.__code__.co_filename == OWN:
                events.unregister(name, old)
        events.register(name, function)


def load_profilers(settings):
    """Returns {name: version} of those that are possible."""
    overlay, versions = settings.get("overlay"), {}
    if overlay and overlay not in sys.path:
        sys.path.append(overlay)
    for name in settings["profilers"]:
        try:
            PROFILERS[name].load(settings)
            versions[name] = PROFILERS[name].version
        except KeyError:
            State.reasons[name] = "there is no such profiler in the kernel"
        except Exception as err:
            State.reasons[name] = short(err)
    if {"functions", "memory"} <= set(versions):
        State.reasons["memory"] = "not in one pass with functions: both need Python's profile hook"
        del versions["memory"]
    return versions


def setup(settings):
    State.shell, State.settings = sys.modules["IPython"].get_ipython(), settings
    Names.folder = os.path.join(os.getcwd(), "")
    versions = load_profilers(settings)
    name_decorators(settings)
    register(State.shell.events)
    if any(PROFILERS[name].follows and PROFILERS[name].in_workers for name in possible()):
        watch_processes()
    return {"python": platform.python_version(), "versions": versions, "reasons": State.reasons}


def options_of(tags):
    """What the tags of a cell say: profile-lines:FUNCTION and profile-dask:OPTION=VALUE, where the
    value is a number, true, false or a text."""
    functions, dask = [], {}
    for tag in tags:
        kind, _, text = tag.partition(":")
        name, equals, value = text.partition("=")
        if kind == "profile-lines":
            functions.append(text)
        elif kind == "profile-dask":
            try:
                known = json.loads(value) if equals else True
            except ValueError:
                known = value
            dask[name] = value if isinstance(known, (list, dict)) else known
    return {"functions": functions, "dask": dask}


def arm(cell):
    """The next cell that is not silent is this one; or a gesture begins, until take()."""
    if cell.get("interaction"):
        Gesture.begin(cell)
        return
    State.armed = dict(cell, options=options_of(cell["tags"]))
    try:
        if cell["profile"]:
            Workers.begin_cell()
    except Exception:  # such as a folder that is gone: the cell itself is profiled
        pass


class Gesture:
    """What a gesture after a cell makes the kernel run: the callbacks of widgets' messages. Those
    take the place of a cell's statements."""

    TYPES = ("comm_open", "comm_msg", "comm_close")
    handlers = {}  # those that are replaced meanwhile

    @classmethod
    def begin(cls, cell):
        cls.end()
        profile = State.gesture = Profile(dict(cell, options=options_of(cell["tags"])), None)
        known = State.shell.kernel.shell_handlers
        cls.handlers = {name: known[name] for name in cls.TYPES if name in known}
        if not cell["profile"]:
            State.gesture = None
            return
        profile.begin()
        for name, handler in cls.handlers.items():
            known[name] = cls.profiled(profile, handler)

    @staticmethod
    def profiled(profile, handler):
        code = getattr(handler, "__func__", handler).__code__

        def handle(*args):
            if profile.ended or profile.running:
                return handler(*args)
            if code not in profile.codes:
                profile.codes.append(code)
            if threading.get_ident() != profile.thread:
                sys.setprofile(None)  # a subshell's thread: only what it handles counts
            with profile:
                profile.start()
                with profile.around():
                    return handler(*args)

        return handle

    @classmethod
    def end(cls):
        profile, State.gesture = State.gesture, None
        if profile is None:
            return
        State.shell.kernel.shell_handlers.update(cls.handlers)
        profile.end()
        for name in possible() if not profile.codes else []:
            profile.reasons.setdefault(name, "the kernel got no message of a widget")
        State.done.append(profile)


class Answer:
    def __init__(self, text):
        self.text = text

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {MIME: self.text, "text/plain": ""}


def take():
    """The next part of the records, as lines of JSON; nothing is left when it is empty."""
    Gesture.end()
    while State.done:
        State.text += "".join(json.dumps(r) + "\n" for r in State.done.pop(0).records())
    part, State.text = State.text[:PART_CHARS], State.text[PART_CHARS:]
    return Answer(part)
