"""Cells of a notebook as a Python script, and a shell script that runs it.

Usage: python -m nbscope.script [-h] [OPTION...] NOTEBOOK...

The cells are those that --cells numbers, else those between %%start_writefile and %%end_writefile,
else those with the tag "script", else all. If some of them are for Score-P (%%execute_with_scorep,
between %%enable_multicellmode and %%finalize_multicellmode, or with a tag "scorep" or
"profile-scorep:OPTION"), the others
are framed with scorep.instrumenter.disable(). Without Score-P, plain Python runs the script.
"""

import argparse
import inspect
import json
import os
import re
import shlex
import sys
import tempfile

from . import plain, translate
from .scorep_tags import tag_options, with_defaults

DEFAULT_NAME = "jupyter_to_script.py"
START, END = "start_writefile", "end_writefile"
FRAME = "with scorep.instrumenter.disable():\n"
SCOREP = """\
try:
    import scorep
    import scorep.instrumenter
except ImportError:  # plain Python has nothing to disable
    import contextlib
    import types
    scorep = types.SimpleNamespace(
        instrumenter=types.SimpleNamespace(disable=contextlib.nullcontext))
"""
DRAWS = r"^\s*(import|from) (matplotlib|seaborn)|pylab|\.(plot|hist|boxplot)\b"
MATPLOTLIB = """\
import os
os.environ.setdefault("MPLBACKEND", "Agg")  # no windows, as in a notebook
"""
FIGURES = """
try:
    import matplotlib.pyplot
    matplotlib.pyplot.ion()
    matplotlib.pyplot.show = _notebook_figures
except ImportError:
    pass
"""
# What is shown, also by what the cells import.
DISPLAYS = r"\b(display|update_display|clear_output)\b"
DISPLAY = """
try:
    import IPython.core.display_functions
    import IPython.display
    for _notebook_module in (IPython.display, IPython.core.display_functions):
        _notebook_module.display = _notebook_module.update_display = display
        _notebook_module.clear_output = lambda wait=False: None
except ImportError:
    pass
"""
LOOPS = r"\b(create_task|ensure_future|get_running_loop|current_task|get_event_loop)\b"
# Cell magics that say how a script runs, or what a notebook does with it.
SETTINGS = {
    "scorep_env",
    "scorep_python_binding_arguments",
    "enable_multicellmode",
    "finalize_multicellmode",
    "abort_multicellmode",
    START,
    END,
}


SCOREP_SETTINGS = {"scorep_env", "scorep_python_binding_arguments"}


class Part:
    """One cell of the script."""

    def __init__(self, title, cell, traced, may_fail):
        self.title, self.cell, self.traced = title, cell, traced
        self.may_fail = may_fail

    def lines(self, scorep, figures, loops):
        text, is_code = (
            self.cell.text.rstrip("\n") + "\n",
            bool(translate.parsed(self.cell.text).body),
        )
        if translate.awaits(text):
            text = translate.in_coroutine(text)
        if figures and is_code:
            text += "_notebook_figures(at_end=True)\n"
        frames = [frame + "\n" for frame in self.cell.frames]
        if scorep and not self.traced:
            frames.insert(0, FRAME)
        for frame in reversed(frames) if is_code else ():
            text = frame + translate.indented(text)
        if self.may_fail and is_code:
            text = (
                "try:\n"
                + translate.indented(text)
                + "except Exception:\n    __import__('traceback').print_exc()\n"
            )
        if loops and is_code:
            text = "_notebook_loop()\n" + text
        return f"\n# %% {self.title}\n{text}"


class Script:
    """The cells that have been added, in their order."""

    def __init__(self, source_name="a notebook"):
        self.source_name, self.parts, self.notes = source_name, [], []
        self.env, self.arguments, self.multicell = [], [], False
        self.tags = []  # of all cells: their options have precedence
        self.mode = "last_expr"  # which values are shown

    def add(self, source, title=None, tags=()):
        """Adds a cell; says in a word what it was: settings, traced, plain, or empty."""
        magic = translate.magic_of(source)
        name, args, body = magic or ("", "", source)
        if name in SETTINGS:
            self.set(name, args, body)
            return "settings"
        if not source.strip():
            return "empty"
        title = title or f"cell {len(self.parts) + 1}"
        try:
            cell = translate.translate(source, self.mode)
        except translate.Untranslatable as error:
            raise translate.Untranslatable(f"{title}: {error}") from None
        self.mode, known = translate.mode_after(source, self.mode)
        if not known:
            cell.notes.append("which values later cells show cannot be told")
        if re.search(r"\b(display_id|update_display|clear_output)\b", source):
            cell.notes.append("an output that changes is printed each time")
        if re.search(r"\bcapture_output\b", source):
            cell.notes.append("capture_output keeps what is displayed as text of its stdout")
        self.notes += [f"{title}: {note}" for note in cell.notes]
        options = any(tag_options(tags))
        self.tags += tags
        traced = bool(
            self.multicell or name == "execute_with_scorep" or "scorep" in tags or options
        )
        self.parts.append(Part(title, cell, traced, "raises-exception" in tags))
        return "traced" if traced else "plain"

    def set(self, name, args, body):
        if name == "scorep_env":
            self.env += list(settings_of(f"{args}\n{body}"))
        elif name == "scorep_python_binding_arguments":
            self.arguments = shlex.split(f"{args}\n{body}", comments=True)
        elif name == "enable_multicellmode":
            self.multicell = True
        elif name == "finalize_multicellmode":
            self.multicell = False

    @property
    def scorep(self):
        return bool(self.env or self.arguments or any(p.traced for p in self.parts))

    def python(self, run_name):
        draws, shows = self.finds(DRAWS), self.finds(DISPLAYS)
        parts = [p.lines(self.scorep, draws, self.loops) for p in self.parts]
        future = sorted({n for p in self.parts for n in p.cell.future})
        text = "".join(parts)
        head = (
            f"#!/usr/bin/env python3\n# Cells of {self.source_name}, written by nbscope.\n"
            f"# {run_name} runs this script with the cells' environment and arguments.\n"
        )
        if future:
            head += f"from __future__ import {', '.join(future)}\n"
        if draws:
            head += MATPLOTLIB
        if self.scorep:
            head += SCOREP
        helpers = self.helpers(parts + ["display"] * shows + ["_notebook_figures"] * draws)
        if helpers:
            head += "import subprocess\nimport sys\n" + "".join(f"\n\n{h}" for h in helpers) + "\n"
        return head + (DISPLAY if shows else "") + (FIGURES if draws else "") + text

    def finds(self, pattern):
        return any(re.search(pattern, p.cell.text, re.M) for p in self.parts)

    @property
    def loops(self):
        """Whether the cells need the event loop of a notebook."""
        return (
            any(translate.awaits(p.cell.text) for p in self.parts)
            or self.finds(LOOPS)
            and not self.finds(r"\b_nbscope_as_python\b")
        )

    @staticmethod
    def helpers(texts):
        """The sources of the functions of plain.py that the texts name, and those of these."""
        needed, todo = {}, list(texts)
        while todo:
            for name in re.findall(r"_notebook_\w+|^display$", todo.pop()):
                if name not in needed and hasattr(plain, name):
                    needed[name] = inspect.getsource(getattr(plain, name))
                    todo.append(needed[name])
        return [needed[name] for name in sorted(needed)]

    def shell(self, name, python, folder):
        """folder: where it runs, relative to the script; None: where it is started."""
        lines = [
            "#!/bin/sh",
            f"# Runs {name}. PYTHON is the interpreter, if it is set.",
            "set -eu",
            'here=$(cd -- "$(dirname -- "$0")" && pwd)',
        ]
        if folder is not None:
            lines.append(f'cd -- "$here"/{quoted(folder)}')
        env, arguments = tag_options(self.tags)
        lines += [f"export {key}={quoted(value)}" for key, value in [*self.env, *env.items()]]
        lines.append(f'[ -n "${{PYTHON-}}" ] || PYTHON={quoted(python)}')
        arguments = with_defaults([*self.arguments, *arguments])
        words = ["-m", "scorep", *arguments] if self.scorep else []
        lines.append(
            " ".join(['exec "$PYTHON"', *map(quoted, words), f'"$here"/{quoted(name)} "$@"'])
        )
        return "\n".join(lines) + "\n"

    def write(self, path, python=sys.executable, folder=None):
        """Writes both scripts; returns their paths."""
        name = os.path.basename(path)
        run = path[:-3] + "_run.sh"
        write_file(path, self.python(os.path.basename(run)))
        write_file(run, self.shell(name, python, folder))
        return path, run


def settings_of(text):
    """NAME=VALUE lines, or words, as %%scorep_env has them."""
    for word in shlex.split(text, comments=True):
        name, equals, value = word.partition("=")
        if word == "export":
            continue
        if not equals or not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise translate.Untranslatable(f"'{word}' is not NAME=VALUE")
        yield name, value


def quoted(word):
    """A word of the shell that means nothing but itself."""
    if re.fullmatch(r"[\w@%+=:,./-]+", word, re.ASCII):
        return word
    return '"' + re.sub(r'([\\"$`])', r"\\\1", word) + '"'


def write_file(path, text):
    """As a whole or not at all."""
    folder = os.path.dirname(os.path.abspath(path))
    os.makedirs(folder, exist_ok=True)
    handle, partial = tempfile.mkstemp(dir=folder, suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(partial, 0o777 & ~mask)
        os.replace(partial, path)
    except BaseException:
        os.unlink(partial)
        raise


def selected(cells, wanted):
    """(number, source, tags) of the code cells to write."""
    if wanted == "all":
        return cells
    numbers = [int(n) for n in wanted.split(",") if n]
    if numbers:
        missing = set(numbers) - {n for n, _, _ in cells}
        if missing:
            raise translate.Untranslatable(f"there is no code cell {min(missing)}")
        return [c for c in cells if c[0] in numbers]
    names = [(translate.magic_of(source) or ("",))[0] for _, source, _ in cells]
    settings = [c for c, name in zip(cells, names) if name in SCOREP_SETTINGS]
    if START in names:
        first = names.index(START)
        chosen = cells[first : names.index(END, first) if END in names[first:] else None]
    else:
        chosen = [c for c in cells if "script" in c[2]]
    # Settings of Score-P before them are in force, too.
    return sorted(chosen + [c for c in settings if c < chosen[0]]) if chosen else cells


def file_name(words):
    """The script that %%start_writefile names."""
    name = (words.split() or [DEFAULT_NAME])[0]
    return name if name.endswith(".py") else name + ".py"


def code_cells(notebook):
    number = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number += 1
            source = cell["source"]
            yield (
                number,
                source if isinstance(source, str) else "".join(source),
                cell["metadata"].get("tags", []),
            )


def numbers_of(text):
    if not re.fullmatch(r"all|[0-9,]*", text):
        raise argparse.ArgumentTypeError("must be numbers of code cells, as in 5,8, or all")
    return text


def write_script(notebook, options):
    """Writes the script of a notebook; returns the status."""
    try:
        with open(notebook, encoding="utf-8-sig") as file:
            cells = list(code_cells(json.load(file)))
        script, name = Script(os.path.basename(notebook)), DEFAULT_NAME
        for number, source, tags in selected(cells, options.cells):
            magic = translate.magic_of(source)
            if magic and magic[0] == START:
                name = file_name(magic[1])
            script.add(source, f"cell {number}", tags)
        path = options.output or name
        if options.scripts:
            base = os.path.splitext(os.path.basename(notebook))[0]
            path = os.path.join(options.scripts, base, DEFAULT_NAME)
        folder = options.folder and os.path.relpath(
            options.folder, os.path.dirname(os.path.abspath(path))
        )
        written = script.write(path, options.python, folder)
    except (OSError, ValueError, KeyError, translate.Untranslatable) as error:
        print(f"script: {notebook}: {error}", file=sys.stderr)
        return 4 if isinstance(error, OSError) else 3
    for note in script.notes:
        print(f"script: {note}", file=sys.stderr)
    print("\n".join(written))
    return 0


def main():
    own = argparse.ArgumentParser(prog="nbscope.script", description=__doc__.split("\n")[0])
    own.add_argument("notebook", nargs="+")
    own.add_argument(
        "--cells", type=numbers_of, default="", help="numbers of code cells, as in 2,5, or all"
    )
    own.add_argument(
        "--output",
        help=f"the script (default: {DEFAULT_NAME}, or what "
        "%%%%start_writefile names, in this folder)",
    )
    own.add_argument(
        "--scripts", help=f"a folder: the script of each NOTEBOOK is there, in NAME/{DEFAULT_NAME}"
    )
    own.add_argument("--python", default=sys.executable, help="the interpreter (default: this one)")
    own.add_argument("--folder", help="where the script runs (default: where it is started)")
    options = own.parse_args()
    for notebook in options.notebook:
        status = write_script(notebook, options)
        if status:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
