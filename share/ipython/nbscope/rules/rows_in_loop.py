"""A loop over the rows of a frame."""

import re

from .words import blocks, by_id, called_by, functions_named, number, place, without_profiler

RULE = {
    "name": "rows_in_loop",
    "title": "A loop over the rows of a frame",
    "saw": "own code took the rows or single values of a frame (pandas) or a table (astropy) out "
    "one by one: by `iterrows()`, `itertuples()`, `apply(axis=1)`, or by `.iloc`, `.loc`, `.at` in "
    "a loop. Only the time of taking them out counts, not what the loop does with them.",
    "instead": "compute with whole columns (`df.a * df.b`, `numpy.where`, `groupby`); where a loop "
    "must be, loop over `zip(df.a, df.b)`",
    "least": {"s": 0.2},
    "means": "the time that taking the rows out takes",
}
LEAST_ROWS = 500
COMPREHENSION = re.compile(r"\S.*\bfor\b.*\bin\b")
FRAME, SERIES = "pandas/core/frame.py", "pandas/core/series.py"
APPLY, INDEXING = "pandas/core/apply.py", "pandas/core/indexing.py"
NAMED, ROW, TABLE = "collections/__init__.py", "astropy/table/row.py", "astropy/table/table.py"
VALUE = (SERIES, "Series.__getitem__")
# Each way: what own code calls, or what is below it; what runs for each row, and its least share of
# the time (a mask or a slice is no row); how often it runs besides; the functions whose time
# counts, all of it or (mine) under own code; how a line writes it; whether its loop is inside of
# what it calls; its name.
WAYS = (
    {
        "asked": [(FRAME, "DataFrame.iterrows")],
        "each": [(FRAME, "DataFrame.iterrows")],
        "more": 1,
        "all": [(FRAME, "DataFrame.iterrows")],
        "mine": [VALUE],
        "line": r"\.iterrows\(",
        "name": "iterrows()",
    },
    {
        "asked": [(NAMED, "namedtuple.<locals>._make")],
        "each": [(NAMED, "namedtuple.<locals>._make")],
        "all": [(NAMED, "namedtuple.<locals>._make")],
        "line": r"\.itertuples\(",
        "name": "itertuples()",
    },
    {
        "asked": [(FRAME, "DataFrame.apply")],
        "each": [(APPLY, "FrameColumnApply.series_generator")],
        "more": 1,
        "all": [(APPLY, "FrameColumnApply.series_generator")],
        "mine": [VALUE],
        "line": r"\.apply\(",
        "inner": True,
        "name": "apply(axis=1)",
    },
    {
        "asked": [(INDEXING, "_LocationIndexer.__getitem__")],
        "each": [
            (FRAME, "DataFrame._get_value"),
            (FRAME, "DataFrame._ixs"),
            ("pandas/core/generic.py", "NDFrame.xs"),
            (SERIES, "Series._get_value"),
            (SERIES, "Series._ixs"),
        ],
        "share": 0.3,
        "mine": [(INDEXING, "_LocationIndexer.__getitem__"), VALUE],
        "line": r"\.i?loc\s*\[",
        "name": ".loc[] or .iloc[]",
    },
    {
        "asked": [
            (INDEXING, "_ScalarAccessIndexer.__getitem__"),
            (INDEXING, "_AtIndexer.__getitem__"),
        ],
        "each": [(INDEXING, "_ScalarAccessIndexer.__getitem__")],
        "mine": [
            (INDEXING, "_ScalarAccessIndexer.__getitem__"),
            (INDEXING, "_AtIndexer.__getitem__"),
        ],
        "line": r"\.i?at\s*\[",
        "name": ".at[] or .iat[]",
    },
    {
        "asked": [(TABLE, "Table.__getitem__"), (TABLE, "Table.__iter__")],
        "each": [(ROW, "Row.__init__")],
        "share": 0.03,
        "mine": [(TABLE, "Table.__getitem__"), (ROW, "Row.__getitem__")],
        "line": r"\[",
        "name": "the rows of a Table",
    },
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
    for way in WAYS:
        asked = functions_named(evidence, way["asked"])
        callers = {c[0] for f in asked for c in f["callers"]} & own
        if not callers:
            continue
        each = functions_named(evidence, way["each"])
        spent = sum(f["cumulative_s"] for f in functions_named(evidence, way.get("all", ())))
        spent += sum(called_by(f, own)[1] for f in functions_named(evidence, way.get("mine", ())))
        row = line_of(evidence, way["line"], [known[i] for i in sorted(callers)])
        rows = row["hits"] - way.get("more", 0) if "hits" in row else None
        if way.get("inner") or COMPREHENSION.search(row.get("source") or ""):
            rows = None  # the line runs once
        if rows is None and all(f["calls"] is not None for f in each):
            rows = sum(f["calls"] for f in each) - way.get("more", 0)
        if rows is not None and rows < LEAST_ROWS:
            continue
        if sum(f["cumulative_s"] for f in each) < way.get("share", 0) * spent or not each:
            continue
        count = f"{number(rows)} " if rows is not None else ""
        yield {
            "text": f"{place(row, evidence)} takes {count}rows or values out one by one, "
            f"by {way['name']}",
            "saved_s": without_profiler(spent, evidence, "functions"),
            "file": row["file"],
            "line": row["line"],
        }


def line_of(evidence, pattern, functions):
    """The line that says so and takes longest, in these functions if they have one."""
    wanted = {(f["file"], f["function"]) for f in functions}
    rows = [
        ((r["file"], r["function"]) in wanted, r["time_s"], r)
        for r in evidence.get("lines") or ()
        if r["hits"] and re.search(pattern, r["source"] or "")
    ]
    if rows:
        return max(rows, key=lambda r: r[:2])[2]
    of = functions[0]
    return {"file": of["file"], "line": None if of["file"] == of["function"] else of["line"]}


def by_lines(evidence):
    """A line that begins a loop has the time of making its rows."""
    for file, _, _, rows in blocks(evidence):
        for line, row in rows.items():
            found = re.match(r"\s*for\b.*\.(iterrows|itertuples)\(", row["source"] or "")
            if found and row["hits"] > LEAST_ROWS:
                at = {"file": file, "line": line}
                yield {
                    "text": f"{place(at, evidence)} takes {number(row['hits'] - 1)} rows or values "
                    f"out one by one, by {found.group(1)}()",
                    "saved_s": without_profiler(row["time_s"], evidence, "lines"),
                    **at,
                }
