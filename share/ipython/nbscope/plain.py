"""What a script needs to behave like the notebook that it was written from.

script.py copies into a script the functions that its cells use, so each is complete in itself.
They need nothing but Python; with IPython, values have the text that a notebook shows.
"""

import subprocess
import sys


def _notebook_formatter():
    """IPython's, with the settings of %precision and %pprint; None: there is no IPython."""
    try:
        from IPython.core.formatters import PlainTextFormatter
    except ImportError:
        return None
    if not hasattr(_notebook_formatter, "made"):
        _notebook_formatter.made = PlainTextFormatter()
    return _notebook_formatter.made


def _notebook_out(value):
    """Prints a value as a notebook shows it, or keeps it for %%capture."""
    formatter = _notebook_formatter()
    text = formatter(value) if formatter else repr(value)
    kept = getattr(_notebook_out, "kept", None)
    if kept is None:
        print(text)
    else:
        kept.append(text)


def _notebook_show(value):
    """What a notebook does with the value of an expression."""
    import builtins

    if value is not None:
        _notebook_out(value)
        builtins._ = value


def _notebook_figures(*args, at_end=False, **options):
    """What matplotlib's show() does in a notebook, and the end of each cell: its figures, as
    text."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None or at_end and not pyplot.isinteractive():
        return
    for number in pyplot.get_fignums():
        _notebook_out(pyplot.figure(number))
    pyplot.close("all")


def display(*values, raw=False, display_id=None, **options):
    """The text of what a notebook would show as a picture, a table or a widget."""
    import types

    for value in values:
        if raw:
            print(value.get("text/plain", ""))
        else:
            _notebook_out(value)
    if display_id:
        return types.SimpleNamespace(display_id=display_id, display=display, update=display)


def _notebook_precision(text):
    """What %precision does."""
    formatter = _notebook_formatter()
    if formatter:
        formatter.float_precision = text
        return formatter.float_format


def _notebook_pprint():
    """What %pprint does."""
    formatter = _notebook_formatter()
    if formatter:
        formatter.pprint = not formatter.pprint
        print("Pretty printing has been turned", ["OFF", "ON"][formatter.pprint])


def _notebook_pylab(import_all):
    """What %pylab does."""
    import matplotlib.mlab
    import matplotlib.pylab
    import matplotlib.pyplot
    import numpy

    if import_all:
        exec("from matplotlib.pylab import *\nfrom numpy import *", globals())
    globals().update(
        numpy=numpy,
        np=numpy,
        matplotlib=matplotlib,
        pylab=matplotlib.pylab,
        mlab=matplotlib.mlab,
        pyplot=matplotlib.pyplot,
        plt=matplotlib.pyplot,
    )
    print("%pylab is deprecated, use %matplotlib inline and import the required libraries.")
    print("Populating the interactive namespace from numpy and matplotlib")


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
    own = subprocess.PIPE if sys.stdout is not sys.__stdout__ else None  # of %%capture
    done = subprocess.run(["sh", "-c", command], stdout=own, stderr=subprocess.STDOUT)
    text = (done.stdout or b"").decode(errors="replace")
    sys.stdout.write(text.replace("\n", "\r\n"))  # as from the notebook's pseudoterminal
    globals()["_exit_code"] = done.returncode


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
    """What %%script and its sisters do with their arguments and the text of their cell."""
    import argparse
    import shlex

    parser = argparse.ArgumentParser(add_help=False)
    for name in ("--out", "--err", "--proc"):
        parser.add_argument(name)
    parser.add_argument("--bg", action="store_true")
    parser.add_argument("--no-raise-error", action="store_true")
    options, words = parser.parse_known_args(shlex.split(command))
    if words[0] in ("python", "python3"):
        words[0] = sys.executable
    streams, pipe = (sys.stdout, sys.stderr), subprocess.PIPE
    own = [
        pipe if name or options.bg or stream not in (sys.__stdout__, sys.__stderr__) else None
        for name, stream in zip((options.out, options.err), streams)
    ]
    sys.stdout.flush()
    try:
        process = subprocess.Popen(words, stdin=pipe, stdout=own[0], stderr=own[1])
    except FileNotFoundError:
        print(f"Couldn't find program: {words[0]!r}")
        return
    text = (text if text.endswith("\n") else text + "\n").encode()
    if options.bg:
        process.stdin.write(text)
        process.stdin.close()
        names = (options.out, options.err, options.proc)
        found = zip(names, (process.stdout, process.stderr, process))
        globals().update((name, value) for name, value in found if name)
        return
    for name, stream, data in zip((options.out, options.err), streams, process.communicate(text)):
        if name:
            globals()[name] = data.decode(errors="replace")
        elif data:
            stream.write(data.decode(errors="replace"))
    if process.returncode and not options.no_raise_error:
        raise subprocess.CalledProcessError(process.returncode, text)


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
    import re

    own, before = _notebook_cd.__dict__, os.getcwd()
    seen = own.setdefault("seen", [before])
    quiet, folder = re.fullmatch(r"(-q\b)?\s*(.*?)\s*", folder).groups()
    number = re.fullmatch(r"-(\d+)", folder)
    folder = folder.strip("'\"")
    if folder == "-" or number:
        folder = seen[int(number[1]) if number else -2]
    os.chdir(os.path.expanduser(folder or "~"))
    if not quiet:
        print(os.getcwd())
    if os.getcwd() != before:
        seen.append(os.getcwd())


def _notebook_writefile(command, text):
    """What %%writefile PATH does."""
    import os
    import shlex

    *options, path = shlex.split(command)
    path, append = os.path.expanduser(path), bool(options)
    print("Appending to" if append else "Overwriting" if os.path.exists(path) else "Writing", path)
    with open(path, "a" if append else "w", encoding="utf-8") as file:
        file.write(text if text.endswith("\n") else text + "\n")


def _notebook_run(command):
    """What %run PATH ARGUMENTS does, which survives an error; with -i in the cells' variables."""
    import os
    import shlex
    import traceback

    own, path, words = sys.argv, sys.path[:], shlex.split(command)
    shared = words[0] == "-i" and words.pop(0)
    words[0] = words[0] if os.path.exists(words[0]) else words[0] + ".py"
    names = {**(globals() if shared else {}), "__name__": "__main__", "__file__": words[0]}
    try:
        sys.argv = words
        sys.path.insert(0, os.path.dirname(os.path.abspath(words[0])))
        with open(words[0], "rb") as file:
            exec(compile(file.read(), words[0], "exec"), names)
    except SystemExit as end:
        if end.code:
            traceback.print_exc()
    except Exception:
        traceback.print_exc()
    finally:
        sys.argv, sys.path[:] = own, path
        globals().update((n, v) for n, v in names.items() if not n.startswith("__"))


class _notebook_output:
    """One of the outputs that %%capture keeps."""

    def __init__(self, text):
        self.data, self.metadata = {"text/plain": text}, {}

    def __repr__(self):
        return self.data["text/plain"]

    def display(self):
        _notebook_out(self)


class _notebook_capture:
    """What %%capture does; and its variable. An error of the cell is shown alone."""

    def __init__(self, options=""):
        self.options, self.stdout, self.stderr, self.outputs = options.split(), "", "", []

    def __enter__(self):
        import io

        self.own = sys.stdout, sys.stderr, getattr(_notebook_out, "kept", None)
        self.streams = [io.StringIO(), io.StringIO()]
        if "--no-stdout" not in self.options:
            sys.stdout = self.streams[0]
        if "--no-stderr" not in self.options:
            sys.stderr = self.streams[1]
        if "--no-display" not in self.options:
            _notebook_out.kept = self.kept = []
        return self

    def __exit__(self, etype, error, trace):
        import traceback

        sys.stdout, sys.stderr, _notebook_out.kept = self.own
        self.stdout, self.stderr = (stream.getvalue() for stream in self.streams)
        self.outputs = [_notebook_output(text) for text in getattr(self, "kept", ())]
        if isinstance(error, Exception):
            traceback.print_exception(etype, error, trace)
        return isinstance(error, Exception)

    def __str__(self):
        return self.stdout

    def show(self):
        sys.stdout.write(self.stdout)
        sys.stderr.write(self.stderr)
        for output in self.outputs:
            output.display()

    __call__ = show


def _notebook_loop():
    """The loop of a notebook counts as running in each cell, and runs between them."""
    import asyncio

    if not hasattr(_notebook_loop, "loop"):
        _notebook_loop.loop = asyncio.new_event_loop()
        asyncio.set_event_loop(_notebook_loop.loop)
    _notebook_await(asyncio.sleep(0.01))


def _notebook_await(coroutine):
    """All cells with await have one loop."""
    import asyncio

    asyncio._set_running_loop(None)
    try:
        _notebook_loop.loop.run_until_complete(coroutine)
    finally:
        asyncio._set_running_loop(_notebook_loop.loop)
