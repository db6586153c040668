"""The recorded cells of this kernel, and what runs before and after each of them."""

import functools
import os
import re
import sys
import time

from . import records, summary
from .last_runs import LastRuns
from .page import Page
from .recorder import Own, Recorder

DEFAULT_INTERVAL_S, MIN_INTERVAL_S, MAX_INTERVAL_S = 0.1, 0.001, 3600.0
DEFAULT_REPORTS = 2


class Cell:
    """One execution of a cell. Times are Unix seconds."""

    def __init__(self, index, source, identity):
        self.index, self.source = index, source  # index: from 1, of all recorded cells
        self.prompt = None  # its number in the notebook
        self.id = identity or ""  # in the notebook; empty: the kernel does not know it
        self.start = self.end = None
        self.status = None  # completed or failed, when it has ended
        self.error = (None, None)  # name and text of its exception
        self.reason = None  # why it was not run
        self.apart = []  # records of parts that ran in another process: scorep_record.py
        self.usage = None  # as in a cell record: kernel and machine
        self.reports = 0  # readings after the first one
        self.added_s = 0.0  # what recording it took
        # What the person waited, and what of it nbscope's scripts in the page took: page.py
        self.client_s = self.script_s = None
        self.recorder = self.span = None  # where its samples are

    def lines(self):
        """Its samples, as lines of JSON, with the record of what they cost."""
        return self.recorder.lines(self.span) if self.span else []


class State:
    """What the extension knows. Modules add to `hooks` and `quiet`.

    cells   the recorded cells, in the order of their execution
    hooks   called in turn with the source of a cell before it is executed; each returns the
            source to execute, or None: nothing is executed. Cells that begin with a magic of
            this extension pass them too.
    magics  names of the extension's cell magics, which may have no body
    quiet   those whose cells are not recorded, since they only show or set something
    events  pairs of an event of the shell and a function, while the extension is loaded
    """

    def __init__(self, shell):
        self.shell = shell
        self.cells, self.hooks = [], []
        self.magics, self.quiet = set(), set()
        self.interval_s = self.min_reports = None  # set by %nbscope
        self.name = os.path.basename(os.environ.get("JPY_SESSION_NAME", "")) or "notebook"
        self.current = self.recorder = self.prompt = None
        self.last_runs = LastRuns(os.environ.get("JPY_SESSION_NAME"))
        self.page = Page(self)
        self.events = [("pre_run_cell", self.before), ("post_run_cell", self.after)]

    # ---- the rate ----

    def interval(self):
        """Seconds between two samples. JUmPER's variable is no frequency, in spite of its name."""
        given = self.interval_s or number(os.environ.get("JUMPER_REPORT_FREQUENCY"))
        return min(max(given or DEFAULT_INTERVAL_S, MIN_INTERVAL_S), MAX_INTERVAL_S)

    def reports_needed(self):
        if self.min_reports is not None:
            return self.min_reports
        given = number(os.environ.get("JUMPER_REPORTS_MIN"))
        return DEFAULT_REPORTS if given is None else given

    def monitored(self):
        """The cells that JUmPER would have counted, by its index from 0."""
        return [cell for cell in self.cells if cell.reports >= self.reports_needed()]

    # ---- the shell ----

    def begin(self):
        shell = self.shell
        self.start_recorder()
        shell.input_transformers_cleanup.append(self.with_body)
        for name, function in self.events:
            shell.events.register(name, function)
        shell.run_cell_async = self.hooked(shell.run_cell_async)
        self.page.open()

    def end(self):
        shell = self.shell
        self.page.close()
        shell.input_transformers_cleanup.remove(self.with_body)
        for name, function in self.events:
            shell.events.unregister(name, function)
        del shell.run_cell_async
        self.recorder.stop()

    def start_recorder(self):
        if self.recorder is not None:
            self.recorder.stop()
        self.recorder = Recorder(round(self.interval() * 1e3, 3))
        self.recorder.start()

    def with_body(self, lines):
        """IPython refuses a cell magic without a body: ours get an empty line."""
        name = magic_of(lines[0]) if lines else None
        if name in self.magics and not "".join(lines[1:]).strip():
            return [lines[0].rstrip("\n") + "\n", "\n"]
        return lines

    def hooked(self, run_cell_async):
        """The same method, with the hooks before it."""

        @functools.wraps(run_cell_async)
        async def run(raw_cell, store_history=False, silent=False, **options):
            source = raw_cell
            # IPython 9 has counted the cell when its events come.
            self.prompt = self.shell.execution_count
            if store_history and not silent:
                for hook in list(self.hooks):
                    source = hook(source)
                    if source is None:
                        source = ""
                        break
            if source != raw_cell:
                options["preprocessing_exc_tuple"] = None
                options["transformed_cell"] = source
                try:
                    options["transformed_cell"] = self.shell.transform_cell(source)
                except Exception:  # pylint: disable=broad-except
                    options["preprocessing_exc_tuple"] = sys.exc_info()
            return await run_cell_async(source, store_history, silent, **options)

        return run

    # ---- a cell ----

    def is_quiet(self, source):
        """Whether a cell consists of a magic of ours that only shows or sets something."""
        words = source.split(None, 1)
        line = words[0].lstrip("%") if words and source.strip().startswith("%") else None
        return magic_of(source) in self.quiet or (line in self.quiet and "\n" not in source.strip())

    def before(self, info):
        if self.current is not None or not info.store_history or not info.raw_cell.strip():
            return
        if self.is_quiet(info.raw_cell):
            return
        entered = time.perf_counter()
        if self.recorder.interval_ms != round(self.interval() * 1e3, 3):
            self.start_recorder()
        identity = getattr(info, "cell_id", None)
        cell = Cell(len(self.cells) + 1, info.raw_cell, identity)
        cell.start, cell.own_before = time.time(), Own()  # if what follows is interrupted
        self.current = cell
        cell.prompt = self.prompt
        self.page.begin(cell)
        self.recorder.before()
        cell.own_before = Own()
        cell.added_s = time.perf_counter() - entered
        cell.start = time.time()

    def after(self, result):
        cell = self.current
        # No result: it was interrupted. Cells may run others, which are not recorded.
        if cell is None or result is not None and result.info.raw_cell != cell.source:
            return
        cell.end, entered, self.current = time.time(), time.perf_counter(), None
        own_after = Own()
        cell.recorder, cell.span = self.recorder, self.recorder.after()
        lines = cell.lines()
        cell.usage = {
            "kernel": records.kernel_usage(
                lines, cell.own_before, own_after, self.recorder.why_not
            ),
            "machine": records.machine_usage(lines),
        }
        # Without samples: as many as there would have been.
        cell.reports = (
            len(records.of_role(lines, b"kernel")) - 1
            if cell.span
            else int((cell.end - cell.start) / self.interval())
        )
        error = (
            KeyboardInterrupt()
            if result is None
            else result.error_before_exec
            if result.error_in_exec is None
            else result.error_in_exec
        )
        cell.status = "failed" if error is not None else "completed"
        if error is not None:
            kind = error if isinstance(error, type) else type(error)
            cell.error = (kind.__name__, str(error))
        for record in cell.apart:
            if record["status"] == "not_run":
                cell.status, cell.reason = "not_run", record["reason"]
        self.cells.append(cell)
        self.last_runs.note(cell, summary.rows_of(cell))
        self.page.note(cell)
        cell.added_s += time.perf_counter() - entered


def magic_of(source):
    """The name of the cell magic that a source begins with, or None."""
    found = re.match(r"\s*%%(\w+)", source)
    return found.group(1) if found else None


def number(text):
    """A positive number, else None."""
    try:
        value = float(text)
    except (TypeError, ValueError):
        return None
    return value if 0 < value < float("inf") else None
