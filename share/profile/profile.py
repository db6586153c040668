# profile.py: profilers around single cells, inside the kernel. cellrun sends it with the files next
# to it as one module, _nbscope_profile, and calls setup() once, arm() before and take() after each
# cell. Sources, outputs, history and variables stay as they are.
#
# A profiler is a class in PROFILERS, by its name, with the methods of Profiler. It is made once for
# a run; making it fails where its library is missing, and the reason is part of the records.
import base64
import fnmatch
import importlib
import json
import linecache
import os
import platform
import sys
import time

MIME = "application/vnd.nbscope.profile+jsonl"
PART_CHARS = 4 << 20	# of the records that one take() returns
MAX_FILE_BYTES = 8 << 20
PROFILERS = {}


class Profiler:
    """Methods are called in this order: before, enter and leave for each statement, after."""
    version = ""

    def before(self, cell):
        """A cell begins: {"index", "id", "options", "source"}."""

    def enter(self, code):
        """A statement's code object is about to run; returns the one to run."""
        return code

    def leave(self):
        """It has ended."""

    def after(self, cell):
        """The cell is over: its records, of which the first may be a dict of further members of
        the record `profile`."""
        return []


class Reason(Exception):
    """Why a profiler has nothing to say about a cell."""


class State:
    profilers = {}	# name: Profiler
    reasons = {}	# name: why there is none
    settings = {}
    cells = {}	# the file name of a cell's code: its index
    cell = None	# the cell that runs next, or runs
    begun = None	# perf_counter() when its first statement began
    ended = None
    text = ""	# records that take() has not returned yet


def setup(settings):
    shell = importlib.import_module("IPython").get_ipython()
    State.settings = settings
    overlay = settings.get("overlay")
    if overlay and overlay not in sys.path:
        sys.path.append(overlay)
    for name in settings["profilers"]:
        try:
            State.profilers[name] = PROFILERS[name](settings)
        except KeyError:
            State.reasons[name] = "there is no such profiler"
        except Exception as error:
            State.reasons[name] = short(error)
    run_code = shell.run_code

    # Each statement of a cell is a code object of its own. A coroutine that is not suspended is
    # run by IPython without an event loop, and this one is suspended only where the cell's is.
    async def run_profiled(code_obj, result=None, **how):
        note_file(code_obj)
        if not is_profiled():
            return await run_code(code_obj, result, **how)
        if State.begun is None:
            State.begun = time.perf_counter()
        try:
            for name in list(State.profilers):
                code_obj = attempt(name, State.profilers[name].enter, code_obj) or code_obj
            return await run_code(code_obj, result, **how)
        finally:
            for name in reversed(list(State.profilers)):
                attempt(name, State.profilers[name].leave)
            State.ended = time.perf_counter()

    shell.run_code = run_profiled
    shell.events.register("pre_run_cell", begin_cell)
    shell.events.register("post_run_cell", end_cell)
    return {"python": platform.python_version(), "reasons": State.reasons,
            "versions": {name: p.version for name, p in State.profilers.items()}}


def short(error):
    return ("%s: %s" % (type(error).__name__, error))[:300]


def attempt(name, work, *args):
    """A profiler that fails is left out of the cell, which goes on."""
    if name in State.cell["failed"]:
        return None
    try:
        return work(*args)
    except Exception as error:
        State.cell["failed"][name] = str(error) if isinstance(error, Reason) else short(error)
        return None


def is_profiled():
    return State.cell is not None and State.cell.get("running") and State.cell["profile"]


def note_file(code):
    if State.cell is not None and State.cell.get("running"):
        State.cells[code.co_filename] = State.cell["index"]


def file_of(name):
    """A cell's code has the name of its cell, other code its path."""
    return "<cell %d>" % State.cells[name] if name in State.cells else name


def begin_cell(info=None):
    if State.cell is None:
        return
    State.cell.update(running=True, source=getattr(info, "raw_cell", "") or "", t=time.time())
    State.begun = State.ended = None
    if State.cell["profile"]:
        for name, profiler in State.profilers.items():
            attempt(name, profiler.before, State.cell)


def end_cell(result=None):
    cell = State.cell
    if cell is None or not cell.get("running"):
        return
    if cell["profile"]:
        raised = getattr(result, "error_in_exec", None) or getattr(result, "error_before_exec", None)
        error = type(raised).__name__ if raised is not None else None
        records = []
        for name in State.settings["profilers"]:
            records += of_profiler(name, cell, error)
        State.text += "".join(json.dumps(r) + "\n" for r in records)
    State.cell = None


def of_profiler(name, cell, error):
    profiler = State.profilers.get(name)
    rows = (attempt(name, profiler.after, cell) if profiler else None) or []
    more = rows.pop(0) if rows and "type" not in rows[0] else {}
    wall_s = None if State.begun is None else State.ended - State.begun
    reason = State.reasons.get(name) or cell["failed"].get(name)
    return [dict({
        "type": "profile", "t": cell["t"], "cell_index": cell["index"], "cell_id": cell["id"],
        "profiler": name, "version": profiler.version if profiler else None,
        "wall_s": wall_s, "error": error, "reason": reason,
    }, **more)] + [dict(r, cell_index=cell["index"]) for r in rows]


def arm(cell):
    State.cell = dict(cell, failed={}, running=False)


class Answer:
    def __init__(self, text):
        self.text = text

    def _repr_mimebundle_(self, **_):
        return {MIME: self.text, "text/plain": ""}


def take():
    """The next part of the records, as lines of JSON; nothing is left when it is empty."""
    part, State.text = State.text[:PART_CHARS], State.text[PART_CHARS:]
    return Answer(part)


def file_record(profiler, name, data):
    if len(data) > MAX_FILE_BYTES:
        return []
    return [{"type": "profile_file", "profiler": profiler, "name": name, "bytes": len(data),
             "base64": base64.b64encode(data).decode()}]
