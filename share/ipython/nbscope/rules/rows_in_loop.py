"""A loop over the rows of a frame."""

import re

from .words import blocks, by_id, called_by, function_ids, number, place, without_profiler

RULE = {
    "name": "rows_in_loop",
    "title": "A loop over the rows of a frame",
    "saw": "the rows or values of a frame (pandas) or a table (astropy) were taken out one by one: "
    "by `iterrows()`, `itertuples()`, `apply(axis=1)`, or by `.iloc`, `.loc`, `.at` in a loop. "
    "Only the time of taking them out counts, not what the loop does with them.",
    "instead": "compute with whole columns (`df.a * df.b`, `numpy.where`, `groupby`); where a loop "
    "must be, loop over `zip(df.a, df.b)`",
    "least": {"s": 0.2},
    "means": "the time that taking the rows out takes",
}
FRAME, INDEXING = "pandas/core/frame.py", "pandas/core/indexing.py"
SERIES = ("pandas/core/series.py", "Series.__getitem__")
LEAST_ROWS = 500
# What makes rows: (its file, its function, how a line writes it, what it is called).
ROWS = (
    (FRAME, "DataFrame.iterrows", r"\.iterrows\(", "iterrows()"),
    (FRAME, "DataFrame.itertuples", r"\.itertuples\(", "itertuples()"),
    ("pandas/core/apply.py", "FrameColumnApply.series_generator", r"\.apply\(", "apply(axis=1)"),
    (INDEXING, "_LocationIndexer.__getitem__", r"\.i?loc\s*\[", ".loc[] or .iloc[]"),
    (INDEXING, "_LocationIndexer.__setitem__", r"\.i?loc\s*\[", ".loc[] or .iloc[]"),
    (INDEXING, "_ScalarAccessIndexer.__getitem__", r"\.i?at\s*\[", ".at[] or .iat[]"),
    (INDEXING, "_ScalarAccessIndexer.__setitem__", r"\.i?at\s*\[", ".at[] or .iat[]"),
    ("astropy/table/row.py", "Row.__getitem__", r"\[", "row[]"),
    ("astropy/table/table.py", "Table.__getitem__", r"\[", "table[]"),
)


def is_own(function):
    """Of packages only paths are known."""
    file = function["file"]
    return file != "~" and not re.search(r"/(site|dist)-packages/|/lib/python[0-9]", file)


def find(evidence):
    if evidence.get("functions"):
        yield from by_functions(evidence)
    else:
        yield from by_lines(evidence)


def by_functions(evidence):
    known = by_id(evidence)
    own = {i for i, f in known.items() if is_own(f)}
    for file, name, pattern, called in ROWS:
        for made in function_ids(evidence, file, name):
            under = own_callers(made, known, own)
            calls, spent = made["calls"], made["cumulative_s"]
            if name.endswith("item__"):
                calls, spent = called_by(made, own)
            else:  # a row is a series, whose values are taken out
                spent += sum(called_by(f, under)[1] for f in function_ids(evidence, *SERIES))
            if calls < LEAST_ROWS:
                continue
            at = line_of(evidence, pattern, [known[i] for i in under])
            yield {
                "text": f"{place(at, evidence)} takes {number(calls)} rows out one by one, "
                f"by {called}",
                "saved_s": without_profiler(spent, evidence, "functions"),
                **at,
            }


def own_callers(made, known, own):
    """Own functions that call it, or that what calls it calls: those of apply()."""
    callers = {c[0] for c in made["callers"]}
    return (callers & own) or {
        i for i in own if any(c[0] in callers for c in known[i]["callers"])
    } or {max(own, key=lambda i: known[i]["cumulative_s"], default=None)} - {None}


def line_of(evidence, pattern, functions):
    """The line that says so and takes longest, in these functions if they have one."""
    wanted = {(f["file"], f["function"]) for f in functions}
    rows = [
        (key in wanted, r["time_s"], r)
        for key, r in (((r["file"], r["function"]), r) for r in evidence.get("lines") or ())
        if r["hits"] and re.search(pattern, r["source"] or "")
    ]
    if rows:
        row = max(rows, key=lambda r: r[:2])[2]
        return {"file": row["file"], "line": row["line"]}
    for f in functions:
        return {"file": f["file"], "line": None if f["file"] == f["function"] else f["line"]}
    return {"file": None, "line": None}


def by_lines(evidence):
    """A line that begins a loop has the time of making its rows."""
    for file, _, _, rows in blocks(evidence):
        for line, row in rows.items():
            found = re.match(r"\s*for\b.*\.(iterrows|itertuples)\(", row["source"] or "")
            if found and row["hits"] > LEAST_ROWS:
                at = {"file": file, "line": line}
                yield {
                    "text": f"{place(at, evidence)} takes {number(row['hits'] - 1)} rows out one "
                    f"by one, by {found.group(1)}()",
                    "saved_s": without_profiler(row["time_s"], evidence, "lines"),
                    **at,
                }
