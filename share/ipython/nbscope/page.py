"""The line under each cell in the person's page, which the labextension draws (share/labextension).

A comm connects the two. The kernel says what a cell used, and when the page has seen the cell to
its end, the page says what the person waited. Where there is no labextension, nothing is shown.
"""

from . import driven, programs, summary
from .mistakes import Mistakes

TARGET = "nbscope"


class Page:
    def __init__(self, state):
        self.state, self.comm = state, None
        self.mistakes = Mistakes(state.shell)

    def open(self):
        """Not of a driver's kernel, nor in a terminal."""
        if driven.driven or getattr(self.state.shell, "kernel", None) is None:
            return
        try:
            import comm
        except ImportError:  # an old ipykernel
            return
        self.comm = comm.create_comm(target_name=TARGET, data=self.greeting())
        self.comm.on_msg(self.heard)
        self.comm.on_close(self.leave)

    def leave(self, message=None):
        """The page has no labextension."""
        self.comm = None

    def close(self):
        if self.comm is not None:
            self.comm.close()
        self.leave()

    def greeting(self):
        last = self.state.last_runs.seconds()
        for cell in self.state.cells:
            last[cell.id] = cell.end - cell.start if cell.client_s is None else cell.client_s
        return {"what": "hello", "version": programs.version(), "last": last}

    def begin(self, cell):
        if self.comm is not None:
            self.mistakes.begin(cell)

    def note(self, cell):
        """A cell has ended in the kernel."""
        self.mistakes.end(cell)
        if self.comm is not None and cell.id:
            self.comm.send({"what": "cell", "id": cell.id, "peak": summary.peak_of(cell)})

    def heard(self, message):
        data = message["content"]["data"]
        if data["what"] == "hello":  # a page that was loaded again
            self.comm.send(self.greeting())
        elif data["what"] == "cell":
            self.seen(data)

    def seen(self, data):
        """A cell has ended in the page."""
        cells = self.state.cells
        cell = next((cell for cell in reversed(cells) if cell.id == data["id"]), None)
        if cell is None or cell.client_s is not None:
            return
        cell.client_s, cell.script_s = data["client_ms"] / 1e3, data["script_ms"] / 1e3
        self.state.last_runs.note(cell, summary.rows_of(cell))
        found = self.mistakes.of(cell, data["evidence"])
        if found:
            self.comm.send({"what": "cell", "id": cell.id, "mistakes": found})
