# profile.py: profilers around single cells, inside the kernel. cellprofile sends it with the files
# next to it as one module, _nbscope_profile, and calls setup() once, arm() before and take() after
# each cell. Sources, outputs, history and variables stay as they are. Python 3.8 and later.
#
# IPython's run_code runs each statement of a cell by exec or, with await, by eval. While a cell is
# profiled, both names in its module are ours, so that profilers see nothing but the cell's code.
import ast
import base64
import builtins
import importlib
import inspect
import json
import linecache
import os
import platform
import re
import sys
import threading
import time

MIME = "application/vnd.nbscope.profile+jsonl"
PART_CHARS = 4 << 20  # of the records that one take() returns
MAX_FILE_BYTES = 8 << 20  # of a profiler's own file: a record is a line of at most 16 MiB
INSTALLED = re.compile("/(site|dist)-packages/|/lib/python[0-9]")
OWN = (lambda: 0).__code__.co_filename
ORDER = []  # the names of all, the outermost first: the rows of the table `profilers`
PROFILERS = {}  # name: class


class Profiler:
    """Of one cell. Methods are called in this order: begin; for each statement prepare, start and
    stop; end; records."""

    name = version = ""

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

    def end(self):
        pass

    def records(self, more):
        """more: further members of the record `profile`."""
        return []


class Reason(Exception):
    """Why a profiler has nothing to say about a cell."""


class State:
    shell = None
    settings = {}
    reasons = {}  # profiler: why it is not possible
    armed = None  # the cell that arm() was given
    current = None  # the Profile of the cell that runs
    depth = 0  # of run_cell() called by a cell
    done = []  # Profiles that take() will make records of
    text = ""  # records that take() has not returned yet


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
        self.magic = info.raw_cell.lstrip().startswith("%%")
        self.begun = self.ended = self.running = False
        self.t, self.wall, self.started = time.time(), 0.0, None
        self.error = None
        self.codes = []  # of the cell's statements, as they ran
        self.is_async = False
        self.waited = {}  # (file name, line) of an await of the cell: seconds
        self.active = []  # the profilers, the outermost first
        self.reasons = dict(State.reasons)
        self.working = []  # those that measure now

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
        self.t = time.time()

    def prepare(self, code):
        if not self.begun:
            self.begin()
        code = self.replaced(code)
        self.codes.append(code)
        return code

    def replaced(self, code, inner=False):
        name, before = cell_place(self.cell)
        note_file(code.co_filename, name, self.info.raw_cell, inner, before)
        for p in self.active:
            code = self.attempt(p, "prepare", code) or code
        return code

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

    def stop(self, err=None):
        if self.started is not None:
            self.wall += time.perf_counter() - self.started
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
        for p in reversed(self.active):
            self.attempt(p, "stop")
            self.attempt(p, "end")

    def records(self):
        for p in self.active:
            rows, more = [], {}
            try:
                if self.codes:
                    rows = list(p.records(more))
            except Exception as err:
                self.reasons.setdefault(p.name, short(err))
            yield self.head(p.name, p.version, more)
            for row in rows:
                kind = row.pop("type")
                yield dict({"type": kind, "cell_index": self.index}, **row)
        made = [p.name for p in self.active]
        for name in State.settings["profilers"]:
            if name not in made:
                yield self.head(name, PROFILERS[name].version if name in possible() else None, {})

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
            "error": self.error,
            "reason": reason,
        }
        head.update(more)
        head.setdefault("left_out", 0)
        return head


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
    filename = shell.compile.get_code_name(raw, raw, shell.execution_count)
    note_file(filename, name, raw, False, before)


def cell_place(cell):
    """A cell's name in records, and the lines before it in the script that it is a part of."""
    if cell.get("script"):
        return cell["script"], cell["line"] - 1
    return f"<cell {cell['index']}>", 0


def note_file(filename, name, raw, inner, before):
    """IPython removes empty lines before a cell's first line. inner: code below a %%magic."""
    lines = raw.split("\n")
    blank = next((n for n, line in enumerate(lines) if line.strip()), 0)
    Names.files[filename], Names.offsets[filename] = name, before + blank + inner
    Names.spans[filename] = before + 1, before + len(lines)
    known = [] if name.startswith("<") else Names.sources.get(name, [])
    known += [""] * (before + len(lines) - len(known))
    known[before : before + len(lines)] = lines
    Names.sources[name] = known


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
    return name


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
            return (yield from self.drive(coroutine))

    def drive(self, coroutine):
        """What `yield from` does, and notes how long the cell waited in which line."""
        waited, step, value = self.profile.waited, coroutine.send, None
        while True:
            try:
                awaited = step(value)
            except StopIteration as end:
                return end.value
            key = self.code.co_filename, coroutine.cr_frame.f_lineno
            began = time.perf_counter()
            try:
                step, value = coroutine.send, (yield awaited)
            except GeneratorExit:
                coroutine.close()
                raise
            except BaseException as err:
                step, value = coroutine.throw, err
            waited[key] = waited.get(key, 0) + time.perf_counter() - began


def is_cells(code, spaces):
    profile = State.current
    return (
        profile is not None
        and inspect.iscode(code)
        and not profile.ended
        and len(spaces) == 2
        and threading.get_ident() == profile.thread
    )


def inner(code, spaces):
    """What %%time or %%capture runs in a cell is the cell's code, too."""
    if is_cells(code, spaces) and State.current.magic and State.current.running:
        return State.current.replaced(code, True)
    return code


def run_exec(code, *spaces):
    if not is_cells(code, spaces) or State.current.running:
        return builtins.exec(inner(code, spaces), *spaces)
    profile = State.current
    with profile:
        code = profile.prepare(code)
        profile.start()
        builtins.exec(code, *spaces)


def run_eval(code, *spaces):
    if (
        is_cells(code, spaces)
        and not State.current.running
        and code.co_flags & inspect.CO_COROUTINE
    ):
        return Awaited(State.current, code, spaces)
    return builtins.eval(inner(code, spaces), *spaces)


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
        State.depth += 1
        return
    for name in ("<timed exec>", "<timed eval>"):
        Names.files.pop(name, None)
    try:
        note_cell(State.shell, info, State.armed)
    except Exception:
        pass
    cell, State.armed = State.armed, None
    if cell is not None and cell.get("profile"):
        State.current, State.depth = Profile(cell, info), 0
        try:
            install(State.shell)
        except Exception as err:
            uninstall(State.shell)
            State.current.reasons.update((name, short(err)) for name in possible())


def after_cell(result=None):
    profile = State.current
    if profile is None:
        return
    if State.depth:
        State.depth -= 1
        return
    State.current = None
    uninstall(State.shell)
    profile.end()
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


def setup(settings):
    State.shell, State.settings = sys.modules["IPython"].get_ipython(), settings
    Names.folder = os.path.join(os.getcwd(), "")
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
    name_decorators(settings)
    register(State.shell.events)
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
    """The next cell that is not silent is this one."""
    State.armed = dict(cell, options=options_of(cell["tags"]))


class Answer:
    def __init__(self, text):
        self.text = text

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {MIME: self.text, "text/plain": ""}


def take():
    """The next part of the records, as lines of JSON; nothing is left when it is empty."""
    while State.done:
        State.text += "".join(json.dumps(r) + "\n" for r in State.done.pop(0).records())
    part, State.text = State.text[:PART_CHARS], State.text[PART_CHARS:]
    return Answer(part)
