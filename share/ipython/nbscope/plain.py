"""What a script needs to behave like the notebook that it was written from.

script.py copies into a script the functions that its cells use, so each is complete in itself.
They need nothing but Python; with IPython, values have the text that a notebook shows.
"""

import subprocess
import sys


def _notebook_text(value):
    try:
        from IPython.core.formatters import PlainTextFormatter
    except ImportError:
        return repr(value)
    return PlainTextFormatter()(value)


def _notebook_show(value):
    """Prints the value of a cell's last expression, as a notebook does."""
    import builtins

    if value is not None:
        print(_notebook_text(value))
        builtins._ = value


def _notebook_figures(*args, at_end="", **options):
    """What matplotlib's show() does in a notebook, and the end of each cell: its figures, as
    text."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None or at_end and not pyplot.isinteractive():
        return
    for number in pyplot.get_fignums() if at_end != "hidden" else ():
        print(_notebook_text(pyplot.figure(number)))
    pyplot.close("all")


def display(*values, **options):
    """The text of what a notebook would show as a picture, a table or a widget."""
    for value in values:
        print(_notebook_text(value))


def _notebook_expand(command, names):
    """Replaces {expression} and $name as IPython does: all of them, or none if one fails."""
    import re
    import string

    class Expressions(string.Formatter):
        def parse(self, text):
            for literal, field, spec, conversion in super().parse(text):
                done, before = 0, ""
                # Not in single quotes; $$ is a dollar.
                for m in re.finditer(r"\$(\$?[\w.]+)(?=(?:[^']*'[^']*')*[^']*$)", literal):
                    before += literal[done : m.start()]
                    if m[1].startswith("$"):
                        before += m[1]
                    else:
                        yield before, m[1], "", None
                        before = ""
                    done = m.end()
                yield before + literal[done:], field, spec, conversion

        def get_field(self, name, args, kwargs):
            return eval(name, dict(names)), ()

    try:
        return Expressions().vformat(command, (), {})
    except Exception:
        return command


def _notebook_system(command):
    """What !command does; a notebook shows its errors between its output, too."""
    sys.stdout.flush()
    subprocess.run(["sh", "-c", command], stdout=None, stderr=subprocess.STDOUT)


def _notebook_lines(command):
    """The value of !command in an assignment."""
    sys.stdout.flush()
    done = subprocess.run(["sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    lines = done.stdout.decode(errors="replace").splitlines()
    try:
        from IPython.utils.text import SList
    except ImportError:
        return lines
    return SList(lines)


def _notebook_program(command, text):
    """What %%bash and its sisters do with the text of their cell."""
    import shlex

    sys.stdout.flush()
    subprocess.run(shlex.split(command), input=text.encode(), check=True)


def _notebook_env(setting):
    """What %env NAME=VALUE does."""
    import os

    separator = "=" if "=" in setting else " "
    name, _, value = setting.partition(separator)
    os.environ[name.strip()] = value.strip()
    print(f"env: {name.strip()}={value.strip()}")


def _notebook_cd(folder):
    """What %cd FOLDER does."""
    import os

    os.chdir(os.path.expanduser(folder.strip("'\"") or "~"))
    print(os.getcwd())


def _notebook_writefile(path, text, append=False):
    """What %%writefile PATH does."""
    import os

    path = os.path.expanduser(path)
    print("Appending to" if append else "Overwriting" if os.path.exists(path) else "Writing", path)
    with open(path, "a" if append else "w", encoding="utf-8") as file:
        file.write(text)


def _notebook_run(path, *args):
    """What %run PATH ARGUMENTS does."""
    import runpy

    own, sys.argv = sys.argv, [path, *args]
    try:
        globals().update(runpy.run_path(path, run_name="__main__"))
    finally:
        sys.argv = own


class _notebook_capture:
    """What %%capture does; and its variable."""

    def __enter__(self):
        import io

        self.streams, self.own = (io.StringIO(), io.StringIO()), (sys.stdout, sys.stderr)
        sys.stdout, sys.stderr = self.streams
        return self

    def __exit__(self, *error):
        sys.stdout, sys.stderr = self.own
        self.stdout, self.stderr = (stream.getvalue() for stream in self.streams)

    def show(self):
        sys.stdout.write(self.stdout)
        sys.stderr.write(self.stderr)


def _notebook_await(coroutine):
    """All cells with await have one loop."""
    import asyncio

    if not hasattr(_notebook_await, "loop"):
        _notebook_await.loop = asyncio.new_event_loop()
        asyncio.set_event_loop(_notebook_await.loop)
    _notebook_await.loop.run_until_complete(coroutine)
