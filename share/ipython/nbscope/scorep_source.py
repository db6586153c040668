"""The Python of a cell for a process of its own, where there is no IPython.

IPython's own transformers find magics and shell commands. These are left out, as JUmPER does, and
all others stay on the lines where they are, so that errors name the lines of the cell. A statement
that a magic only measures stays, and so does the body of such a cell.
"""

import ast

from IPython.core import inputtransformer2

from .translate import BODY, MEASURE, Cell, Text, ipython_call, magic_of, statement_of

WITH_BODY = {*BODY, "capture"}
SETTINGS = ("env", "set_env")
MAX_SHOWN = 60  # characters of a line in a note


def transformed(manager, text):
    """IPython's Python for a text without a cell magic, in as many lines."""
    lines = text.splitlines(keepends=True)
    count = len(lines)
    for transform in manager.cleanup_transforms + manager.line_transforms:
        lines = transform(lines)
    lines = ["\n"] * (count - len(lines)) + lines
    for _ in range(inputtransformer2.TRANSFORM_LOOP_LIMIT):
        before = lines
        changed, lines = manager.do_one_token_transform(before)
        if not changed:
            break
        # A command that continues over several lines becomes one.
        at = next((n for n, pair in enumerate(zip(before, lines), 1) if pair[0] != pair[1]), 0)
        lines = lines[:at] + ["\n"] * (len(before) - len(lines)) + lines[at:]
    return "".join(lines)


class Part:
    """One cell, or one of the marked cells; where: how notes name it.

    text      its Python, which ends with a newline
    left_out  notes: the lines that are not in it
    env       variables that %env sets
    """

    def __init__(self, manager, source, where=""):
        self.where, self.left_out, self.env = where, [], {}
        self.source = source.rstrip("\n") + "\n"
        text = self.without_cell_magics(self.source)
        self.text = self.without_magics(transformed(manager, text))

    def note(self, first, last=None, shown=None):
        shown = shown or self.source.split("\n")[first - 1].strip()[:MAX_SHOWN]
        lines = f"line {first}" if last in (None, first) else f"lines {first} to {last}"
        self.left_out.append(f"{self.where}{lines} ({shown})")

    def without_cell_magics(self, text):
        """With the body of those whose body is Python."""
        magic = magic_of(text)
        while magic:
            name, arguments, body = magic
            lines = text.count("\n")
            first = lines - body.count("\n")
            if name not in WITH_BODY:
                self.note(first, lines)
                return "\n" * lines
            self.note(first, shown=f"%%{name}")
            measured = statement_of(arguments, MEASURE[name]) if name in MEASURE else ""
            text = "\n" * (first - 1) + f"{measured}\n{body}"
            magic = magic_of(text)
        return text

    def without_magics(self, text):
        ast.parse(text)  # an error of the cell is its own
        changed, found = Text(text, Cell()), []
        for node in ast.walk(changed.tree):
            if isinstance(node, (ast.Expr, ast.Assign, ast.AnnAssign)) and node.value:
                call = ipython_call(node.value)
                found += [(node.lineno, node.col_offset, node, call)] if call else []
        for _, _, node, call in sorted(found, key=lambda one: one[:2]):
            changed.replace(*self.plain(node, *call))
        text = changed.edited()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Name) and node.id == "get_ipython":
                raise SyntaxError(
                    f"{self.where}line {node.lineno}: a process of its own has no get_ipython()"
                )
        return text

    def plain(self, node, method, args):
        """(what to replace, by which text) for a statement that calls the shell."""
        name, text = [*args, "", ""][:2]
        is_magic, text = method == "run_line_magic", text.strip()
        if is_magic and name in MEASURE and statement_of(text, MEASURE[name]):
            self.note(node.lineno, shown=f"%{name}")
            return node.value, statement_of(text, MEASURE[name])
        variable, equals, value = text.partition("=")
        if is_magic and name in SETTINGS and equals and not set("${") & set(text):
            self.env[variable.strip()] = value.strip()
        else:
            lines = self.source.split("\n")[node.lineno - 1 :]
            more = next(n for n, line in enumerate(lines) if not line.endswith("\\"))
            self.note(node.lineno, max(node.end_lineno, node.lineno + more))
        return node, "pass" + "\n" * (node.end_lineno - node.lineno)


def has_code(text):
    """Whether anything but `pass` is in it."""
    return not all(isinstance(node, ast.Pass) for node in ast.parse(text).body)
