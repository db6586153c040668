"""A cell of a notebook as plain Python: without magics, with the text that the notebook shows.

IPython says what is a magic or a shell line; each is then replaced where it is in the text, so
comments and formatting stay as they are.
"""

import ast
import io
import re
import symtable
import tokenize

TOP_AWAIT = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
# Magics that only measure a statement: their options that take an argument.
MEASURE = {"time": "", "prun": "lsTD", "lprun": "fmsDTu", "mprun": "fT", "memit": "rti"}
# Cell magics whose code runs as it is, and interpreters for other text.
BODY = {"time", "prun", "memit", "execute_with_scorep"}
PROGRAMS = {"bash", "sh", "perl", "ruby", "python", "python2", "python3", "pypy"}
SHOWN = {
    "html": "HTML",
    "HTML": "HTML",
    "javascript": "Javascript",
    "js": "Javascript",
    "svg": "SVG",
    "SVG": "SVG",
    "latex": "Latex",
    "markdown": "Markdown",
}
COMMANDS = {"ls", "cat", "mkdir", "rmdir", "rm", "mv", "cp", "ln"}
NO_VALUE = {
    "print",
    "_notebook_system",
    "_notebook_env",
    "_notebook_cd",
    "_notebook_run",
    "_notebook_program",
    "_notebook_writefile",
    "_notebook_pprint",
    "_notebook_pylab",
}
# Which values of a cell are shown; IPython's default is last_expr.
MODES = {"all", "last", "last_expr", "last_expr_or_assign", "none"}
# IPython takes these for magics, too, if they are alone in a cell.
AUTOMATIC = re.compile(r"(cd|pwd|ls|cat|mkdir|rmdir|rm|mv|cp)(\s+[^=\s(\[.,].*)?")
# What a notebook has and a script does not.
HISTORY = re.compile(r"In|Out|_(dh|i+|__?|i?\d+)|get_ipython")
GUARD = "'get_ipython')"  # of a cell that asks whether it is in a notebook
# Without a meaning outside a notebook; all others are left out with a note.
SILENT = {
    "matplotlib",
    "load_ext",
    "reload_ext",
    "unload_ext",
    "autoreload",
    "pinfo",
    "pinfo2",
    "psearch",
    "timeit",
    "xmode",
    "colors",
    "nbscope",
}
SILENT_CELLS = {
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
        self.frames = []  # the heads of blocks around it, from the outermost

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
    found = re.match(r"\s*%%([\w.!]+)[ \t]*([^\n]*)\n?", source)
    return (found[1], found[2].strip(), source[found.end() :]) if found else None


def translate(source, mode="last_expr"):
    """mode: which values of expressions are shown, as in IPython's ast_node_interactivity."""
    magic = magic_of(source)
    if not magic:
        return of_python(source, mode)
    name, args, body = magic
    if name == "capture":
        options = [a for a in args.split() if a.startswith("-")]
        variable = next((a for a in args.split() if not a.startswith("-")), "")
        cell = translate(body, mode)
        head = f"with _notebook_capture({' '.join(options)!r})" if options else CAPTURE
        cell.frames.insert(0, head + (f" as {variable}:" if variable else ":"))
        return cell
    if name in BODY:
        statement = statement_of(args, "") if name == "time" else ""
        return translate(f"{statement}\n{body}" if statement else body, mode)
    if name in PROGRAMS or name == "script":
        command = args if name == "script" else f"{name} {args}".strip()
        note = ["what --bg leaves in a variable is read without await"] if BACK.search(args) else []
        return Cell(f"_notebook_program({expanded(command)}, {long_text(body)})\n", note)
    if name in ("writefile", "file"):
        return Cell(f"_notebook_writefile({expanded(args)}, {long_text(body)})\n")
    if name in ("sx", "system", "!"):
        return of_python("!!" + body.strip().replace("\n", "; "), mode)
    text = "".join(f"# {line}\n" for line in source.strip().split("\n"))
    if name in SHOWN:
        return Cell(f"{text}print('<IPython.core.display.{SHOWN[name]} object>')\n")
    note = [] if name in SILENT_CELLS else [f"%%{name} has no equivalent: the cell is left out"]
    return Cell(text, note)


CAPTURE = "with _notebook_capture()"
BACK = re.compile(r"--bg\b.*--(out|err)\b|--(out|err)\b.*--bg\b")
CONFIG = r"InlineBackend\.|InteractiveShell\.(xmode|colors|ast_node_interactivity)\b"


def long_text(text):
    """A literal over as many lines as the text has."""
    safe = text.replace("\\", "\\\\").replace('"""', '\\"""')
    return f'"""\\\n{safe}"""' if not safe.endswith('"') else repr(text)


def of_python(source, mode="last_expr"):
    from IPython.core.inputtransformer2 import TransformerManager

    cell = Cell()
    if AUTOMATIC.fullmatch(source.strip()):
        source = f"%{source.strip()}\n"
    text = TransformerManager().transform_cell(source)
    cell.text = Text(text, cell).without_magics()
    cell.text = Text(cell.text, cell).without_future()
    if not ends_quietly(cell.text):
        cell.text = Text(cell.text, cell).with_values(mode)
    parsed(cell.text, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)  # refuses what no syntax tree shows
    reads, binds = cell.names()
    if GUARD not in source:
        missing = sorted(name for name in reads - binds if HISTORY.fullmatch(name))
        cell.notes += [f"{name} has no equivalent: a script does not have it" for name in missing]
    return cell


def mode_after(source, mode):
    """The mode of the cells after this one, and whether it is known."""
    found = re.findall(r"ast_node_interactivity\s*=\s*(?:['\"](\w+)['\"]|)", source)
    return (found[-1], True) if found and found[-1] in MODES else (mode, not found)


def parsed(text, flags=TOP_AWAIT):
    try:
        return compile(text, "cell", "exec", flags)
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
            elif is_mode_of_shell(node):
                self.replace(node, "pass  # ast_node_interactivity")
        return self.edited()

    def plain(self, method, args, alone):
        """Python for a call of the shell; alone: it is a statement."""
        if method == "system":
            return f"_notebook_system({expanded(args[0])})"
        if method == "getoutput":
            return f"_notebook_lines({expanded(args[0])})"
        name, text = args[0], args[1].strip() if len(args) > 1 else ""
        if method == "run_cell_magic":
            self.cell.notes.append(f"%%{name} has no equivalent within a cell: it is left out")
            return "None"
        if name in MEASURE:
            return statement_of(text, MEASURE[name]) or "pass"
        if name in ("sx", "system"):
            return f"_notebook_lines({expanded(text)})"
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
        if name == "run" and re.match("(-i )?[^-]", text) and ".ipynb" not in text:
            return f"_notebook_run({expanded(text)})"
        if name == "precision":
            return f"_notebook_precision({expanded(text)})"
        if name == "pprint":
            return "_notebook_pprint()"
        if name == "pylab":
            return f"_notebook_pylab({'--no-import-all' not in text})"
        is_silent = name in SILENT and (alone or name != "timeit")
        if not is_silent and not (name == "config" and re.match(CONFIG, text)):
            self.cell.notes.append(f"%{name} has no equivalent: it is left out")
        return f"pass  # %{name} {text}".rstrip() if alone else "None"

    def without_future(self):
        """What is imported from __future__ must be at the head of a script."""
        for node in self.tree.body:
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                self.cell.future += [a.name for a in node.names]
                self.replace(node, "pass  # from __future__: see the head")
        return self.edited()

    def with_values(self, mode):
        last = self.tree.body[-1] if self.tree.body else None
        if mode == "last_expr_or_assign" and isinstance(
            last, (ast.Assign, ast.AugAssign, ast.AnnAssign)
        ):
            targets = getattr(last, "targets", None) or [last.target]
            if len(targets) == 1 and isinstance(targets[0], ast.Name):
                end = self.offset(last.end_lineno, last.end_col_offset)
                self.edits.append((end, end, f"; _notebook_show({targets[0].id})"))
        elif mode == "all" or mode == "last" and last:
            for statement in self.tree.body if mode == "all" else [last]:
                self.show_within(statement)
        elif mode != "none" and isinstance(last, ast.Expr):
            self.show(last)
        return self.edited()

    def show_within(self, node):
        """All expressions that Python's prompt would show of a statement."""
        if isinstance(node, ast.Expr):
            self.show(node)
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for child in ast.iter_child_nodes(node):
                if isinstance(child, (ast.stmt, ast.excepthandler, ast.match_case)):
                    self.show_within(child)

    def show(self, statement):
        value = statement.value
        name = isinstance(value, ast.Call) and getattr(value.func, "id", None)
        if name not in NO_VALUE:
            start = self.offset(statement.lineno, statement.col_offset)
            end = self.offset(statement.end_lineno, statement.end_col_offset)
            left, right = ("((", "))") if isinstance(value, ast.Tuple) else ("(", ")")
            self.edits += [(start, start, "_notebook_show" + left), (end, end, right)]


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
    if method == "show_usage":  # a line that is only ?
        method, args = "run_line_magic", ["pinfo", ""]
    known = method in ("system", "getoutput", "run_line_magic", "run_cell_magic")
    return (method, args) if known and args and all(isinstance(a, str) for a in args) else None


def is_mode_of_shell(node):
    """get_ipython().ast_node_interactivity = ..."""
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    return (
        isinstance(target, ast.Attribute)
        and target.attr == "ast_node_interactivity"
        and ast.unparse(target.value) == "get_ipython()"
    )


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
