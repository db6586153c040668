#!/usr/bin/env python3
"""notebook.py: a Python script, or a function of a module, as a notebook.

Usage: notebook.py SCRIPT.py OUT.ipynb
       notebook.py -m MODULE[:FUNCTION] OUT.ipynb

A script with `# %%` lines has a cell for each; a plain one, for each of its paragraphs. Each cell
has the name and the line of the script in its metadata, so that profiles refer to the script.
ARGUMENTS in the environment, quoted as in a shell, are the script's in sys.argv.
"""

import ast
import json
import os
import shlex
import sys

MAIN_GUARD = "__main__"


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


def begin(name, shows_values):
    """What a script expects that a kernel does not have; it is not measured. A script that is made
    of this notebook has a __file__, and arguments of its own."""
    try:
        words = shlex.split(os.environ.get("ARGUMENTS", ""))
    except ValueError as error:
        sys.exit(f"ARGUMENTS: {error}")
    lines = [
        "import os",
        "import sys",
        f"sys.argv = [{name!r}, *('__file__' in globals() and sys.argv[1:] or {words!r})]",
        f"__file__ = os.path.abspath({name!r})",
        "sys.path.insert(0, os.getcwd())",
    ]
    if not shows_values:
        lines += [
            "if hasattr(__import__('builtins'), 'get_ipython'):  # not in a script of its cells",
            "    get_ipython().ast_node_interactivity = 'none'  # a script shows no values",
        ]
    return code("\n".join(lines), ["skip_profiling"])


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


def of_script(path):
    import jupytext

    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        ast.parse(text)
    except SyntaxError as error:
        sys.exit(f"{path}:{error.lineno}:{error.offset}: {error.msg}")
    name, lines = os.path.basename(path), text.split("\n")
    found = jupytext.reads(text, fmt="py")
    form = found.metadata.get("jupytext", {}).get("text_representation", {}).get("format_name")
    cells, line = [begin(name, form in ("percent", "hydrogen"))], 1
    for cell in found.cells:
        if cell.cell_type != "code":
            cells.append({"cell_type": cell.cell_type, "metadata": {}, "source": cell.source})
            continue
        first = line_of(cell.source, lines, line)
        if first is None:
            sys.exit(f"{path}:{line}:1: jupytext reads a cell that is not in the script")
        line = first + cell.source.count("\n") + 1
        cells.append(
            code(without_exit(cell.source), cell.metadata.get("tags", []), script=name, line=first)
        )
    return notebook_of(cells)


def line_of(source, lines, start):
    """The line at which a cell begins; magics are comments in a script."""
    wanted = [same(line) for line in source.split("\n")]
    for first in range(start, len(lines) - len(wanted) + 2):
        if [same(line) for line in lines[first - 1 : first - 1 + len(wanted)]] == wanted:
            return first
    return None


def same(line):
    line = line.rstrip()
    return line.lstrip("# ") if line.lstrip("# ")[:1] in ("%", "!") else line


def without_exit(source):
    """The last statement of a script may be sys.exit(main()), which a kernel reports as an error:
    then the error depends on the status. Lines stay where they are."""
    try:
        body = ast.parse(source).body
    except SyntaxError:  # a magic
        return source
    while body and isinstance(body[-1], ast.If) and MAIN_GUARD in ast.dump(body[-1].test):
        body = body[-1].body
    last = body[-1] if body else None
    call = (
        getattr(last, "value", None)
        if isinstance(last, ast.Expr)
        else getattr(last, "exc", None)
        if isinstance(last, ast.Raise)
        else None
    )
    if not isinstance(call, ast.Call) or ast.unparse(call.func) not in (
        "sys.exit",
        "exit",
        "quit",
        "SystemExit",
    ):
        return source
    lines = source.split("\n")
    lines[call.lineno - 1] = (
        lines[call.lineno - 1].encode()[: last.col_offset].decode()
        + "(lambda status=None: sys.exit(status) if status else None)"
        + lines[call.lineno - 1].encode()[call.func.end_col_offset :].decode()
    )
    return "\n".join(lines)


# ---- modules ------------------------------------------------------------------------------------


def of_module(target):
    module, _, function = target.partition(":")
    if not all(word.isidentifier() for word in f"{module}.{function or 'x'}".split(".")):
        sys.exit(f"-m {target}: not MODULE or MODULE:FUNCTION")
    if function:
        cells = [
            code(f"from {module} import {function.split('.')[0]}"),
            code(called(f"{function}()")),
        ]
    else:
        cells = [
            code("import runpy"),
            code(called(f"runpy.run_module({module!r}, run_name='__main__', alter_sys=True);")),
        ]
    return notebook_of([begin(module, True)] + cells)


def called(call):
    return f"try:\n    {call}\nexcept SystemExit as end:\n    if end.code:\n        raise"


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
