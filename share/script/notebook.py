#!/usr/bin/env python3
"""notebook.py: a Python script, or a function of a module, as a notebook.

Usage: notebook.py SCRIPT.py OUT.ipynb
       notebook.py -m MODULE[:FUNCTION] OUT.ipynb

A script with `# %%` lines has a cell for each; a plain one, for each of its paragraphs, but never
a part of a statement. Each cell has the name and the line of the script in its metadata, so that
profiles refer to the script. ARGUMENTS in the environment, quoted as in a shell, are the script's
in sys.argv.
"""

import ast
import io
import json
import os
import re
import shlex
import sys
import tokenize
import warnings

# What begins a cell: "# %%" of many editors, "# In[3]:" of nbconvert.
MARK = re.compile(r"#\s?(?:%%+|In\[[\d ]*\]:?)(\s.*)?$")
# Cells with empty lines in a plain script, as jupytext writes them.
OPEN, CLOSE = re.compile(r"#\s?\+(\s.*)?$"), re.compile(r"#\s?-$")
MAGIC = re.compile(r"#\s?(?=%%?[A-Za-z]|!\s*\w)")
NO_TEXT = re.compile(r"#!|#.*coding[:=]")
AWAITS = (ast.Await, ast.AsyncFor, ast.AsyncWith)
AS_PYTHON = os.path.join(os.path.dirname(os.path.abspath(__file__)), "as_python.py")


def code(source, tags=(), **own):
    metadata = {"tags": list(tags)} if tags else {}
    if own:
        metadata["nbscope"] = own
    return {
        "cell_type": "code",
        "metadata": metadata,
        "source": source,
        "outputs": [],
        "execution_count": None,
    }


def begin(name, shows_values, leaves_loop="lambda source: True"):
    """What a script expects that a kernel does not have; it is not measured. A script that is made
    of this notebook has a __file__, and arguments of its own."""
    try:
        words = shlex.split(os.environ.get("ARGUMENTS", ""))
    except ValueError as error:
        sys.exit(f"ARGUMENTS: {error}")
    with open(AS_PYTHON, encoding="utf-8") as file:
        as_python = file.read()
    lines = [
        "import os",
        "import sys",
        f"sys.argv = [{name!r}, *('__file__' in globals() and sys.argv[1:] or {words!r})]",
        f"__file__ = os.path.abspath({name!r})",
        "sys.path.insert(0, os.getcwd())",
        "exit = quit = sys.exit",
        "",
        "",
        as_python,
        "",
        "if hasattr(__import__('builtins'), 'get_ipython'):  # not in a script of its cells",
        f"    _nbscope_as_python(get_ipython(), {leaves_loop})",
    ]
    if not shows_values:
        lines.append(
            "    get_ipython().ast_node_interactivity = 'none'  # a script shows no values"
        )
    return code("\n".join([*lines, "del _nbscope_as_python"]), ["skip_profiling"])


def notebook_of(cells):
    for number, cell in enumerate(cells):
        cell["id"] = f"script-{number}"
    return {
        "nbformat": 4,
        "nbformat_minor": 5,
        "cells": cells,
        "metadata": {
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}
        },
    }


# ---- scripts ------------------------------------------------------------------------------------


def read_script(path):
    """The text as Python reads it, with newlines alone, and its syntax tree."""
    warnings.simplefilter("ignore")  # the kernel gives them
    try:
        with open(path, "rb") as file:
            data = file.read().replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        text = data.decode(tokenize.detect_encoding(io.BytesIO(data).readline)[0])
        tree = ast.parse(text)
        compile(tree, path, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
        return text, tree
    except OSError as error:
        sys.exit(f"cannot read '{path}': {error.strerror}")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        sys.exit(f"{path}:{line}:1: not {error.encoding}, and no other coding is declared")
    except SyntaxError as error:
        sys.exit(f"{path}:{error.lineno or 1}:{error.offset or 1}: {error.msg}")
    except ValueError as error:
        sys.exit(f"{path}:1:1: {error}")


class Lines:
    """The lines of a script, which count from 1, and the statements that they are parts of."""

    def __init__(self, text, tree):
        self.text = ["", *text.split("\n")]
        self.of = {}  # first line of the statement that a line is a part of
        for node in tree.body:
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
            first = self.of.get(first, first)  # a = 1; b = [
            self.of.update(dict.fromkeys(range(first, node.end_lineno + 1), first))

    def begins(self, line):
        """Whether no statement begins before the line and ends behind it."""
        return self.of.get(line, line) == line

    def is_mark(self, line, pattern):
        return line not in self.of and pattern.match(self.text[line])

    def find(self, pattern):
        return [n for n in range(1, len(self.text)) if self.is_mark(n, pattern)]

    def cell(self, first, last, kind="code", tags=(), name="", magics=False):
        """A cell of these lines without the empty ones at its ends; None: there are no others."""
        while first <= last and not self.text[first].strip():
            first += 1
        while first <= last and not self.text[last].strip():
            last -= 1
        lines = self.text[first : last + 1]
        if not lines:
            return None
        if kind != "code":
            lines = [re.sub(r"^# ?", "", line) for line in lines if not NO_TEXT.match(line)]
            text = "\n".join(lines)
            quoted = re.fullmatch(r"[rR]?(\"\"\"|''')\n?(.*?)\n?\1", text, re.S)
            text = quoted[2] if quoted else text
            return {"cell_type": kind, "metadata": {}, "source": text} if text else None
        if magics:
            lines = [
                line if n in self.of else MAGIC.sub("", line) for n, line in enumerate(lines, first)
            ]
        return code("\n".join(lines), tags, script=name, line=first)


def marked_cells(lines, marks, name):
    ends = [mark - 1 for mark in marks[1:]] + [len(lines.text) - 1]
    yield lines.cell(1, marks[0] - 1, name=name, magics=True)
    for mark, end in zip(marks, ends):
        head = MARK.match(lines.text[mark])[1] or ""
        kind = re.search(r"\[(markdown|md|raw)\]", head)
        kind = {"md": "markdown"}.get(kind[1], kind[1]) if kind else "code"
        yield lines.cell(mark + 1, end, kind, tags_of(head), name, magics=True)


def tags_of(head):
    """Those of `# %% tags=["a", "b"]`, or of an object of JSON."""
    found = re.search(r"\btags\"?\s*[=:]\s*(\[[^\]]*\])", head)
    try:
        return [str(tag) for tag in json.loads(found[1])] if found else []
    except ValueError:
        return []


def plain_cells(lines, name):
    """Paragraphs, of comments alone as text; `# +` begins a cell with empty lines."""
    first, count = 1, len(lines.text)
    while first < count:
        opened, last = lines.is_mark(first, OPEN), first
        if not lines.text[first].strip() or lines.is_mark(first, CLOSE):
            first += 1
            continue
        while last + 1 < count and (
            not lines.begins(last + 1)
            or not (lines.is_mark(last + 1, OPEN) or lines.is_mark(last + 1, CLOSE))
            and (opened or lines.text[last + 1].strip())
        ):
            last += 1
        is_code = opened or any(n in lines.of for n in range(first, last + 1))
        yield lines.cell(
            first + bool(opened),
            last,
            "code" if is_code else "markdown",
            tags_of(opened[1] or "") if opened else (),
            name,
        )
        first = last + 1


def of_script(path):
    text, tree = read_script(path)
    name, lines = os.path.basename(path), Lines(text, tree)
    marks = lines.find(MARK)
    cells = marked_cells(lines, marks, name) if marks else plain_cells(lines, name)
    # Widgets of a script with marks may need the kernel's loop, as in a notebook.
    leaves = f"lambda source: {not any_await(tree)}"
    if marks and not any_await(tree):
        leaves = "lambda source: 'asyncio.run(' in source or 'run_until_complete(' in source"
    return notebook_of([begin(name, bool(marks), leaves), *filter(None, cells)])


def any_await(tree):
    """Whether an await is outside of functions, which Python itself refuses."""
    todo = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, AWAITS) or isinstance(node, ast.comprehension) and node.is_async:
            return True
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            todo.extend(ast.iter_child_nodes(node))
    return False


# ---- modules ------------------------------------------------------------------------------------


def of_module(target):
    module, _, function = target.partition(":")
    if not all(word.isidentifier() for word in f"{module}.{function or 'x'}".split(".")):
        sys.exit(f"-m {target}: not MODULE or MODULE:FUNCTION")
    if function:
        cells = [
            code(f"from {module} import {function.split('.')[0]}"),
            code(f"{function}();"),
        ]
    else:
        cells = [
            code("import runpy"),
            code(f"runpy.run_module({module!r}, run_name='__main__', alter_sys=True);"),
        ]
    return notebook_of([begin(module, True)] + cells)


def main(args):
    if len(args) == 3 and args[0] == "-m":
        found, out = of_module(args[1]), args[2]
    elif len(args) == 2:
        found, out = of_script(args[0]), args[1]
    else:
        sys.exit(__doc__)
    with open(out, "w", encoding="utf-8") as file:
        json.dump(found, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main(sys.argv[1:])
