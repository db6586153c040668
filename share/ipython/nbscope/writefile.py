"""%%start_writefile [NAME] and %%end_writefile: what is run between them is written, not executed.

The files are NAME.py (default jupyter_to_script.py), and NAME_run.sh, which runs it.
"""

import os
import sys

from . import script, translate

ADDED = {
    "settings": "recorded for the script",
    "traced": "written to the script, for Score-P",
    "plain": "written to the script",
    "empty": "nothing to write",
}


class WriteMode:
    def __init__(self, state):
        self.state, self.script, self.path = state, None, None

    def start(self, line="", cell=""):
        if self.script:
            print(
                "nbscope: cells are already being written; %%end_writefile ends it", file=sys.stderr
            )
            return
        self.script, self.path = script.Script(), os.path.abspath(script.file_name(line))
        scorep = getattr(self.state, "scorep", None)
        if scorep:  # settings made before hold for the script, too
            self.script.env = list(scorep.env.items())
            self.script.arguments = list(scorep.arguments)
        # Before the hooks of others: in write mode, multi-cell mode only marks.
        self.state.hooks.insert(0, self.hook)
        print(f"nbscope: the next cells are written to {self.path} and not executed")

    def end(self, line="", cell=""):
        if not self.script:
            print("nbscope: %%start_writefile comes first", file=sys.stderr)
            return
        self.state.hooks.remove(self.hook)
        written, self.script = self.script, None
        for path in written.write(self.path):
            print(f"nbscope: wrote {path}")
        for note in written.notes:
            print(f"nbscope: {note}", file=sys.stderr)

    def hook(self, source):
        magic = translate.magic_of(source)
        if magic and magic[0] in (script.START, script.END):
            return source
        try:
            print(f"nbscope: {ADDED[self.script.add(source)]}")
        except translate.Untranslatable as error:
            print(f"nbscope: not written: {error}", file=sys.stderr)
        return None


def register(shell, state):
    mode = WriteMode(state)
    for function, name in ((mode.start, script.START), (mode.end, script.END)):
        shell.register_magic_function(function, "line_cell", name)
        state.quiet.add(name)
