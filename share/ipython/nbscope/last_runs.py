"""What the cells of this notebook used in earlier kernels, for %nbscope to show next to what they
use now.

The folder for state has a file for each notebook, with a line for each run of a cell: what %nbscope
shows of it, and not its code. Runs of a driver and IPython in a terminal have no such file.
"""

import hashlib
import json
import os
import tempfile
import time

from . import driven

MAX_BYTES = 1 << 20  # of a file; then only the last run of each cell remains


def digest(text):
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def path_of(notebook):
    """The file for a notebook; None: there is none."""
    home = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    folder = os.environ.get("NBSCOPE_LAST_RUNS", os.path.join(home, "nbscope"))
    if driven.driven or not notebook or not os.path.isabs(folder):
        return None
    name = os.path.splitext(os.path.basename(notebook))[0][:60]
    return os.path.join(folder, f"{name}-{digest(os.path.realpath(notebook))[:16]}.jsonl")


class LastRuns:
    def __init__(self, notebook):
        self.path, self.runs = path_of(notebook), []
        try:
            with open(self.path or os.devnull, encoding="utf-8") as file:
                text = file.read()
        except (OSError, ValueError):
            text = ""
        for line in text.splitlines():
            try:
                run = json.loads(line)
                run["id"], run["source"], run["t"], run["rows"].get("duration")
            except (ValueError, TypeError, KeyError, AttributeError):
                continue  # it was cut off
            self.runs.append(run)
        if len(text) > MAX_BYTES:
            self.compact()

    def compact(self):
        last = {(run["id"], run["source"]): run for run in self.runs}
        self.runs = sorted(last.values(), key=lambda run: run["t"])
        try:
            with tempfile.NamedTemporaryFile(
                "w", encoding="utf-8", delete=False, dir=os.path.dirname(self.path)
            ) as file:
                file.writelines(json.dumps(run) + "\n" for run in self.runs[-2000:])
            os.replace(file.name, self.path)
        except OSError:
            pass

    def of(self, cell):
        """(when, rows) of its last run before this kernel, or None. The cell has the same id, or
        the same code where the kernel does not know the ids."""
        code = digest(cell.source)
        for run in reversed(self.runs):
            if run["id"] == cell.id if cell.id and run["id"] else run["source"] == code:
                when = time.strftime("%Y-%m-%d %H:%M", time.localtime(run["t"]))
                return f"on {when}, the last run", run["rows"]
        return None

    def seconds(self):
        """What the last run of each cell took, by the cell's id: the client time, else the
        kernel's."""
        taken = {}
        for run in self.runs:
            text = run["rows"].get("client time") or run["rows"].get("duration", "")
            if run["id"] and text:
                taken[run["id"]] = float(text.split(" ", 1)[0])
        return taken

    def note(self, cell, rows):
        """Appends a run. A folder that cannot be written is none of the user's concern now."""
        if self.path is None:
            return
        run = {
            "id": cell.id,
            "source": digest(cell.source),
            "t": round(cell.end, 3),
            "rows": {name: text for name, text in rows if text is not None},
        }
        try:
            os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
            descriptor = os.open(
                self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600
            )
            try:
                os.write(descriptor, json.dumps(run).encode() + b"\n")
            finally:
                os.close(descriptor)
        except OSError:
            self.path = None
