"""A frame or an array that grows in a loop."""

import ast

from .words import blocks, called_by, number, place, tree, without_profiler

RULE = {
    "name": "grown_in_loop",
    "title": "A frame or an array grows in a loop",
    "saw": "a line that ran at least 20 times made a longer frame, array or table of the one "
    "before (`df = pd.concat([df, row])`, `a = np.append(a, x)`, `df.loc[len(df)] = row`, "
    "`table.add_row(row)`): each time, all that is there already is copied.",
    "instead": "append the parts to a list, and join them once after the loop: "
    "`pd.concat(parts)`, `np.concatenate(parts)`, `Table(rows=parts)`",
    "least": {"s": 0.2},
    "means": "the time of these calls, without what makes the parts",
}
LEAST_TIMES = 20
JOINS = (
    "concat append concatenate vstack hstack dstack column_stack row_stack insert union cat"
).split()
MAKERS = {"DataFrame", "Series", "array", "asarray", "list", "dict", "tuple", "Table", "float"}


def find(evidence):
    for file, function, _, rows in blocks(evidence):
        parsed = tree(rows) if any((r["hits"] or 0) >= LEAST_TIMES for r in rows.values()) else None
        for statement, name, what in grown(parsed[0]) if parsed else ():
            lines = range(statement.lineno + parsed[1], statement.end_lineno + parsed[1] + 1)
            found = [rows[n] for n in lines if n in rows]
            times = max((r["hits"] or 0 for r in found), default=0)
            if times < LEAST_TIMES:
                continue
            at = {"file": file, "line": lines[0]}
            spent = joining_s(evidence, (file, function), name)
            if spent is None and is_simple(statement):
                spent = without_profiler(sum(r["time_s"] for r in found), evidence, "lines")
            if spent is not None:
                yield {
                    "text": f"{place(at, evidence)} makes `{what}` longer {number(times)} times, "
                    "and copies all of it each time",
                    "saved_s": min(
                        spent,
                        without_profiler(sum(r["time_s"] for r in found), evidence, "lines"),
                    )
                    * (times - 1)
                    / times,
                    **at,
                }


def grown(module):
    """(statement, the function's last name, what grows)"""
    for node in ast.walk(module):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
            name = joined(target, value)
            if name:
                yield node, name, unparsed(target)
            elif is_row_after_last(target):
                yield node, "__setitem__", unparsed(target.value.value)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            function = node.value.func
            if isinstance(function, ast.Attribute) and function.attr == "add_row":
                yield node, "add_row", unparsed(function.value)


def joined(target, value):
    """The name of the function that joins the target with something, or None."""
    if not isinstance(target, (ast.Name, ast.Attribute)):
        return None
    own = ast.dump(target).replace("Store()", "Load()")
    if isinstance(value, ast.Subscript) and last_name(value.value) in ("r_", "c_"):
        inner, name = value.slice, "__getitem__"
        parts = getattr(getattr(inner, "value", inner), "elts", [])
    elif isinstance(value, ast.Call) and last_name(value.func) in JOINS:
        name = last_name(value.func)
        parts = value.args[:1] if name in ("insert", "append") else value.args
        parts = [e for a in parts for e in getattr(a, "elts", [a])]
        if isinstance(value.func, ast.Attribute):
            parts = [*parts, value.func.value]
    else:
        return None
    return name if any(ast.dump(p) == own for p in parts) else None


def is_row_after_last(target):
    """df.loc[len(df)] = ..."""
    return (
        isinstance(target, ast.Subscript)
        and isinstance(target.value, ast.Attribute)
        and target.value.attr in ("loc", "at")
        and any(
            isinstance(n, ast.Call)
            and last_name(n.func) == "len"
            and n.args
            and ast.dump(target.value.value) in ast.dump(n.args[0])
            for n in ast.walk(target.slice)
        )
    )


def last_name(node):
    return getattr(node, "attr", getattr(node, "id", None))


def unparsed(node):
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{unparsed(node.value)}.{node.attr}"
    return "it"


def is_simple(statement):
    """Whether nothing but the joining may take long."""
    calls = [n for n in ast.walk(statement) if isinstance(n, ast.Call)]
    return all(last_name(c.func) in (*JOINS, *MAKERS, "add_row", "len") for c in calls)


def joining_s(evidence, caller, name):
    """Seconds of the functions of this name that the block called; None: none was seen, such as
    one that is built in."""
    functions = evidence.get("functions") or ()
    callers = {f["id"] for f in functions if (f["file"], f["function"]) == caller}
    spent = [
        called_by(f, callers)
        for f in functions
        if f["function"].rstrip(">").rsplit(".", 1)[-1] == name
    ]
    if not any(calls or seconds for calls, seconds in spent):
        return None
    return without_profiler(sum(s for _, s in spent), evidence, "functions")
