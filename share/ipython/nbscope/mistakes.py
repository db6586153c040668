"""The plain mistakes of a cell while a person works: nbscope-rules(7).

Nothing is traced, so rules that need the time of lines are silent.
"""

import os

from . import rules
from .rules.collect import PARTS, Evidence


class Mistakes:
    def __init__(self, shell):
        self.shell, self.names = shell, {}  # names of files -> numbers of cells
        self.kernels = Evidence(shell, self.place)
        self.found = {}  # numbers of cells -> the kernel's evidence of their last execution

    def place(self, frame):
        """The file and line of a frame, if it is of a cell or a file next to the notebook."""
        name = frame.f_code.co_filename
        number = self.names.get(name)
        if number is not None:
            return f"<cell {number}>", frame.f_lineno
        near = name.startswith(os.getcwd() + os.sep) and not any(part in name for part in PARTS)
        return (os.path.relpath(name), frame.f_lineno) if near else None

    def begin(self, cell):
        try:
            name = self.shell.compile.get_code_name(cell.source, cell.source, cell.index)
            self.names[name] = cell.index
            self.kernels.begin(cell.index)
        except Exception:  # pylint: disable=broad-except
            self.kernels.active = None  # the internals of another version of ipykernel may differ

    def end(self, cell):
        if Evidence.active is self.kernels:
            self.found[cell.index] = self.kernels.end()

    def of(self, cell, seen):
        """seen: the page's evidence."""
        mine = self.found.pop(cell.index, {})
        used = cell.usage["kernel"]
        evidence = {
            **seen,
            **{name: value for name, value in mine.items() if value},
            "cell": cell.index,
            "kernel_s": cell.end - cell.start,
            "cpu_s": used["cpu_s"],
        }
        try:
            found = rules.judge(evidence)
        except Exception:  # pylint: disable=broad-except
            return []  # a rule that fails is silent
        return [{name: mistake[name] for name in ("text", "instead")} for mistake in found]
