"""The recorded cells of this kernel, and what runs before and after each of them."""
import re
import time


class Cell:
    """One execution of a cell. Times are Unix seconds."""

    def __init__(self, index, source, start):
        self.index, self.source = index, source  # index: from 1, of all recorded cells
        self.start, self.end = start, None
        self.status = None  # completed or failed, when it has ended
        self.error = (None, None)  # name and text of its exception


class State:
    """What the extension knows. Modules add to `hooks` and register magics with `shell`.

    cells   the recorded cells, in the order of their execution
    hooks   called in turn with the source of a cell before it is executed; each returns the
            source to execute, or None: nothing is executed. Cells that begin with a magic of
            this extension pass them too.
    quiet   names of cell magics whose cells are not recorded, since they only show or set something
    """

    def __init__(self, shell):
        self.shell = shell
        self.cells, self.hooks, self.quiet = [], [], set()
        self.current = None
        self.recorder = None
        self.run_cell_async = None

    def begin(self):
        shell = self.shell
        shell.input_transformers_cleanup.append(self.with_body)
        shell.events.register("pre_run_cell", self.before)
        shell.events.register("post_run_cell", self.after)
        self.run_cell_async = shell.run_cell_async
        shell.run_cell_async = self.run_hooked

    def end(self):
        shell = self.shell
        shell.input_transformers_cleanup.remove(self.with_body)
        shell.events.unregister("pre_run_cell", self.before)
        shell.events.unregister("post_run_cell", self.after)
        del shell.run_cell_async
        if self.recorder:
            self.recorder.stop()

    def with_body(self, lines):
        """IPython refuses a cell magic without a body: ours get an empty line."""
        name = magic_of(lines[0]) if lines else None
        if name in self.quiet and not "".join(lines[1:]).strip():
            return [lines[0].rstrip("\n") + "\n", "\n"]
        return lines

    async def run_hooked(self, raw_cell, store_history=False, silent=False, **options):
        source = raw_cell
        if self.hooks and store_history and not silent:
            for hook in list(self.hooks):
                source = hook(source)
                if source is None:
                    source = ""
                    break
            if source != raw_cell:
                options["transformed_cell"] = self.shell.transform_cell(source)
                options["preprocessing_exc_tuple"] = None
        return await self.run_cell_async(source, store_history, silent, **options)

    def before(self, info):
        if self.current is not None or not info.store_history or not info.raw_cell.strip():
            return
        if magic_of(info.raw_cell) in self.quiet:
            return
        self.current = Cell(len(self.cells) + 1, info.raw_cell, time.time())
        if self.recorder:
            self.recorder.before(self.current)

    def after(self, result):
        cell = self.current
        if cell is None or result.info.raw_cell != cell.source:
            return
        cell.end, self.current = time.time(), None
        error = result.error_in_exec or result.error_before_exec
        cell.status = "failed" if error is not None else "completed"
        if error is not None:
            cell.error = (type(error).__name__, str(error))
        self.cells.append(cell)
        if self.recorder:
            self.recorder.after(cell)


def magic_of(source):
    """The name of the cell magic that a source begins with, or None."""
    found = re.match(r"\s*%%(\w+)", source)
    return found.group(1) if found else None
