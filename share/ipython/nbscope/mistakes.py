"""The plain mistakes of a cell while a person works: nbscope-rules(7).

Nothing is traced, so rules that need the time of lines are silent.
"""

import os

from . import rules
from .rules.collect import PARTS, Evidence

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")


class Mistakes:
    def __init__(self, shell):
        self.shell, self.names = shell, {}  # names of files -> prompts of cells
        self.kernels = Evidence(shell, self.place)
        self.found = {}  # index of a cell -> the kernel's evidence

    def place(self, frame):
        """The file and line of a frame, if it is of a cell or a file next to the notebook."""
        name = frame.f_code.co_filename
        number = self.names.get(name)
        if number is not None:
            return f"<cell {number}>", frame.f_lineno
        near = name.startswith(os.getcwd() + os.sep) and not name.startswith(HERE)
        near = near and not any(part in name for part in PARTS)
        return (os.path.relpath(name), frame.f_lineno) if near else None

    def begin(self, cell):
        try:
            name = self.shell.compile.get_code_name(cell.source, cell.source, cell.prompt)
            self.names[name] = cell.prompt
            self.kernels.begin(cell.prompt)
        except Exception:  # pylint: disable=broad-except
            Evidence.active = None  # the internals of another version of ipykernel may differ

    def end(self, cell):
        try:
            if Evidence.active is self.kernels:
                self.found[cell.index] = self.kernels.end()
        except Exception:  # pylint: disable=broad-except
            Evidence.active = None

    def of(self, cell, seen):
        """seen: the page's evidence."""
        mine = self.found.pop(cell.index, {})
        used = cell.usage["kernel"]
        evidence = {
            **seen,
            **{name: value for name, value in mine.items() if value},
            "cell": cell.prompt,
            "kernel_s": cell.end - cell.start,
            "cpu_s": used["cpu_s"],
        }
        try:
            found = rules.judge(evidence)
        except Exception:  # pylint: disable=broad-except
            return []  # a rule that fails is silent
        return [{name: mistake[name] for name in ("text", "instead")} for mistake in found]
