"""A cell of a notebook as plain Python: without magics, with the text that the notebook shows.

IPython says what is a magic or a shell line; each is then replaced where it is in the text, so
comments and formatting stay as they are.
"""

import ast
import io
import re
import shlex
import symtable
import tokenize

TOP_AWAIT = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
# Magics that only measure a statement: their options that take an argument.
MEASURE = {"time": "", "prun": "lsTD", "lprun": "fmsDTu", "mprun": "fT", "memit": "rti"}
# Cell magics whose code runs as it is, and interpreters for other text.
BODY = {"time", "prun", "memit", "python", "python3", "execute_with_scorep"}
PROGRAMS = {"bash": "bash", "sh": "sh", "perl": "perl", "ruby": "ruby", "script": None}
COMMANDS = {"ls", "cat", "mkdir", "rmdir", "rm", "mv", "cp", "ln"}
NO_VALUE = {
    "print",
    "_notebook_system",
    "_notebook_env",
    "_notebook_cd",
    "_notebook_run",
    "_notebook_program",
    "_notebook_writefile",
}
# Without a meaning outside a notebook; all others are left out with a note.
SILENT = {
    "matplotlib",
    "load_ext",
    "reload_ext",
    "unload_ext",
    "autoreload",
    "config",
    "pip",
    "conda",
    "precision",
    "pinfo",
    "pinfo2",
    "psearch",
    "timeit",
    "history",
    "pylab",
    "pprint",
    "xmode",
    "colors",
    "watermark",
    "lsmagic",
    "nbscope",
}
SILENT_CELLS = {
    "html",
    "HTML",
    "javascript",
    "js",
    "svg",
    "SVG",
    "latex",
    "markdown",
    "timeit",
    "display_graph_for_last",
    "display_graph_for_index",
    "display_graph_for_all",
    "display_code_for_index",
    "display_code_history",
    "perfdata_to_variable",
    "perfdata_to_json",
    "marshalling_settings",
    "serializer_settings",
}


class Untranslatable(Exception):
    """Why a cell cannot be a part of a script."""


class Cell:
    """Plain Python of one cell, and what it needs."""

    def __init__(self, text="", notes=()):
        self.text, self.notes = text, list(notes)
        self.future = []  # names that it imports from __future__
        self.frame = ""  # the head of a block around it

    def names(self):
        """The names that it reads, and those that it binds."""
        reads, binds = set(), set()
        for node in ast.walk(compile(self.text, "cell", "exec", TOP_AWAIT)):
            if isinstance(node, ast.Name):
                (reads if isinstance(node.ctx, ast.Load) else binds).add(node.id)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                binds.add(node.name)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                binds.update(a.asname or a.name.split(".")[0] for a in node.names)
        return reads, binds


def magic_of(source):
    """Name, arguments and body of a cell that begins with a magic, or None."""
    found = re.match(r"\s*%%([\w.]+)[ \t]*([^\n]*)\n?", source)
    return (found[1], found[2].strip(), source[found.end() :]) if found else None


def translate(source, shown=True):
    """shown: the values of expressions are."""
    magic = magic_of(source)
    if not magic:
        return of_python(source, shown)
    name, args, body = magic
    if name == "capture":
        variable = next((a for a in args.split() if not a.startswith("-")), "")
        cell = of_python(body, shown=False)
        cell.frame = "with _notebook_capture()" + (f" as {variable}:" if variable else ":")
        return cell
    if name in BODY:
        return of_python(body, shown)
    if name in PROGRAMS:
        command = PROGRAMS[name] or args
        return Cell(f"_notebook_program({command!r}, {long_text(body)})\n")
    if name in ("writefile", "file"):
        words = shlex.split(args)
        append = ", append=True" if words[0] == "-a" else ""
        return Cell(f"_notebook_writefile({words[-1]!r}, {long_text(body)}{append})\n")
    note = [] if name in SILENT_CELLS else [f"%%{name} has no equivalent: the cell is left out"]
    return Cell("".join(f"# {line}\n" for line in source.strip().split("\n")), note)


def long_text(text):
    """A literal over as many lines as the text has."""
    safe = text.replace("\\", "\\\\").replace('"""', '\\"""')
    return f'"""\\\n{safe}"""' if not safe.endswith('"') else repr(text)


def of_python(source, shown=True):
    from IPython.core.inputtransformer2 import TransformerManager

    cell = Cell()
    text = TransformerManager().transform_cell(source)
    cell.text = Text(text, cell).without_magics()
    cell.text = Text(cell.text, cell).without_future()
    if shown and not ends_quietly(cell.text):
        cell.text = Text(cell.text, cell).with_value()
    return cell


def parsed(text):
    try:
        return compile(text, "cell", "exec", TOP_AWAIT)
    except SyntaxError as error:
        raise Untranslatable(f"line {error.lineno}: {error.msg}") from None


class Text:
    """The text of a cell, and the changes to it."""

    def __init__(self, text, cell):
        self.text, self.cell, self.edits = text, cell, []
        self.tree = parsed(text)
        self.starts, at = [], 0
        for line in text.split("\n"):
            self.starts.append(at)
            at += len(line) + 1
        self.lines = text.split("\n")

    def offset(self, line, column):
        """Columns of ast are bytes."""
        before = self.lines[line - 1].encode()[:column].decode()
        return self.starts[line - 1] + len(before)

    def replace(self, node, text):
        self.edits.append(
            (
                self.offset(node.lineno, node.col_offset),
                self.offset(node.end_lineno, node.end_col_offset),
                text,
            )
        )

    def edited(self):
        text = self.text
        for start, end, new in sorted(self.edits, reverse=True):
            text = text[:start] + new + text[end:]
        return text

    def without_magics(self):
        statements = {id(n.value) for n in ast.walk(self.tree) if isinstance(n, ast.Expr)}
        for node in ast.walk(self.tree):
            call = ipython_call(node)
            if call:
                self.replace(node, self.plain(*call, id(node) in statements))
        return self.edited()

    def plain(self, method, args, alone):
        """Python for a call of the shell; alone: it is a statement."""
        if method == "system":
            return f"_notebook_system({expanded(args[0])})"
        if method == "getoutput":
            return f"_notebook_lines({expanded(args[0])})"
        name, text = args[0], args[1].strip() if len(args) > 1 else ""
        if method == "run_cell_magic":
            raise Untranslatable(f"%%{name} within a cell")
        if name in MEASURE:
            return statement_of(text, MEASURE[name]) or "pass"
        if name in COMMANDS:
            return f"_notebook_system({expanded(f'{name} {text}')})"
        if name in ("env", "set_env") and re.search("[= ]", text):
            return f"_notebook_env({expanded(text)})"
        if name == "env" and text:
            return f"__import__('os').environ[{text!r}]"
        if name == "cd":
            return f"_notebook_cd({expanded(text)})"
        if name == "pwd":
            return "__import__('os').getcwd()"
        if name == "run" and text and not text.startswith("-") and ".ipynb" not in text:
            return f"_notebook_run({', '.join(repr(w) for w in shlex.split(text))})"
        if name not in SILENT:
            self.cell.notes.append(f"%{name} has no equivalent: it is left out")
        return f"pass  # %{name} {text}".rstrip() if alone else "None"

    def without_future(self):
        """What is imported from __future__ must be at the head of a script."""
        for node in self.tree.body:
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                self.cell.future += [a.name for a in node.names]
                self.replace(node, "pass  # from __future__: see the head")
        return self.edited()

    def with_value(self):
        last = self.tree.body[-1] if self.tree.body else None
        value = last.value if isinstance(last, ast.Expr) else None
        if (
            value is None
            or isinstance(value, ast.Call)
            and isinstance(value.func, ast.Name)
            and value.func.id in NO_VALUE
        ):
            return self.text
        start = self.offset(last.lineno, last.col_offset)
        end = self.offset(last.end_lineno, last.end_col_offset)
        left, right = ("((", "))") if isinstance(value, ast.Tuple) else ("(", ")")
        self.edits = [(start, start, "_notebook_show" + left), (end, end, right)]
        return self.edited()


def ipython_call(node):
    """(method, texts) of get_ipython().method('text', ...), or None."""
    if not (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Call)
        and isinstance(node.func.value.func, ast.Name)
        and node.func.value.func.id == "get_ipython"
    ):
        return None
    method, args = node.func.attr, [getattr(a, "value", None) for a in node.args]
    known = method in ("system", "getoutput", "run_line_magic", "run_cell_magic")
    return (method, args) if known and args and all(isinstance(a, str) for a in args) else None


def expanded(command):
    """The literal of a command, whose names get their values when it runs."""
    if re.search(r"[{$]", command):
        return f"_notebook_expand({command!r}, {{**globals(), **locals()}})"
    return repr(command)


def statement_of(text, with_argument):
    """The statement after a magic's options."""
    while True:
        found = re.match(r"-(\w)(\s*)", text)
        if not found:
            return text
        text = text[found.end() :]
        if found[1] in with_argument:
            text = re.sub(r"^(\"[^\"]*\"|'[^']*'|\S+)\s*", "", text)


def tokens(text):
    return tokenize.generate_tokens(io.StringIO(text).readline)


def ends_quietly(text):
    """A last semicolon hides a cell's value."""
    empty = (
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.ENDMARKER,
        tokenize.INDENT,
        tokenize.DEDENT,
    )
    words = [t.string for t in tokens(text) if t.type not in empty]
    return words[-1:] == [";"]


def indented(text, by="    "):
    """Lines within a string stay as they are."""
    inside, begun = set(), []
    for token in tokens(text):
        kind = tokenize.tok_name[token.type]
        if kind.endswith("STRING_START"):
            begun.append(token.start[0])
        if kind == "STRING" or kind.endswith("STRING_END"):
            first = token.start[0] if kind == "STRING" else begun.pop()
            inside.update(range(first + 1, token.end[0] + 1))
    return "".join(
        (by if line.strip() and n not in inside else "") + line
        for n, line in enumerate(re.split("(?<=\n)", text), 1)
    )


def awaits(text):
    """Whether a cell has an await outside its functions."""
    todo = [parsed(text)]
    while todo:
        node = todo.pop()
        if (
            isinstance(node, (ast.Await, ast.AsyncFor, ast.AsyncWith))
            or isinstance(node, ast.comprehension)
            and node.is_async
        ):
            return True
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            todo.extend(ast.iter_child_nodes(node))
    return False


def in_coroutine(text):
    """A cell with await as a function, whose variables are global."""
    head = "async def _notebook_cell():\n"
    try:
        table = symtable.symtable(head + indented(text), "cell", "exec").get_children()[0]
    except SyntaxError as error:
        raise Untranslatable(f"a cell with await: {error.msg}") from None
    names = sorted(s.get_name() for s in table.get_symbols() if s.is_local())
    own = f"    global {', '.join(names)}\n" if names else ""
    return f"{head}{own}{indented(text)}\n\n_notebook_await(_notebook_cell())\n"
