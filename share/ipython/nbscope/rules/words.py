"""What rules need to read evidence and to write sentences."""

import ast
import re
import textwrap

CELL = re.compile(r"<cell (\d+)>$")


def place(seen, evidence):
    """Where it was seen: "line 3 of cell 5", or only "cell 5"."""
    file, line = seen.get("file"), seen.get("line")
    if not file:
        return f"cell {evidence['cell']}"
    inner = CELL.match(file)
    of = f"cell {inner.group(1)}" if inner else file.rsplit("/", 1)[-1]
    return f"line {line} of {of}" if line else of


def size(n):
    for unit in ("bytes", "kB", "MB", "GB"):
        if n < 1000 or unit == "GB":
            return f"{n:.0f} {unit}" if n >= 10 or unit == "bytes" else f"{n:.1f} {unit}"
        n /= 1000
    return None


def number(n):
    return f"{n:,.0f}"


def without_profiler(seconds, evidence, of):
    """A profiler's time, as a part of the cell's time without it."""
    whole, kernel_s = evidence.get(of + "_s"), evidence.get("kernel_s")
    if not whole or kernel_s is None:
        return seconds
    return seconds * min(1.0, kernel_s / whole)


def blocks(evidence):
    """[(file, function, first line, {line: row})] of the lines."""
    found = {}
    for row in evidence.get("lines") or ():
        key = row["file"], row["function"], row["first_line"]
        found.setdefault(key, {})[row["line"]] = row
    return [(*key, rows) for key, rows in found.items()]


def tree(rows):
    """(What a block's lines are as Python, the number of the line before its first), or None."""
    first = min(rows)
    text = [rows[n]["source"] if n in rows else "" for n in range(first, max(rows) + 1)]
    # Lines of IPython alone.
    text = [re.sub(r"^(\s*)([%!].*|\?.*|.*\?)$", r"\1pass", line) for line in text]
    try:
        return ast.parse(textwrap.dedent("\n".join(text))), first - 1
    except (SyntaxError, ValueError):
        return None


def functions_named(evidence, names):
    """names: (how the path of the file ends, the function)"""
    return [
        f
        for f in evidence.get("functions") or ()
        if any(f["function"] == name and f["file"].endswith(end) for end, name in names)
    ]


def by_id(evidence):
    return {f["id"]: f for f in evidence.get("functions") or ()}


def called_by(function, callers):
    """[calls, seconds] of a function under these callers."""
    found = [c for c in function["callers"] if c[0] in callers]
    return [sum(c[1] for c in found), sum(c[4] for c in found)]
