#!/usr/bin/env python3
"""What cells printed of their items: how many a second, and which share of them is done.

In:  the paths of files, one per line: of runs, and before them of their run_plan records
Out: the records of these files; the cells of runs with items_per_s, items_unit, items_done_pct,
     items_done_meaning and items_reason, from the outputs in their executed notebooks
ITEMS and ITEMS_SHARE in the environment are regular expressions whose first group is the number.
With --check NAME=VALUE: prints what is wrong with such an expression.
"""

import html
import json
import os
import re
import signal
import sys

MAX_CHARACTERS = 1000000  # of an output: its end
KINDS = "text/plain", "text/html", "text/markdown"
CELL = b'{"type":"cell",'
PLAN = b'{"type":"run_plan",'

# A comma separates thousands.
NUMBER = re.compile(r"(?:\d{1,3}(?:,\d{3})+(?![\d,])|\d+)(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+")
ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])")
HIDDEN = re.compile(r"<!--.*?-->|<(script|style)\b.*?</\1\s*>", re.I | re.S)
INLINE = re.compile(
    r"</?(?:a|b|big|code|em|font|i|kbd|mark|small|span|strong|sub|sup|tt|u)\b[^>]*>"
)
SECONDS = {"ms": 1e-3, "s": 1, "sec": 1, "second": 1, "min": 60, "minute": 60, "h": 3600}
SECONDS.update({"hr": 3600, "hour": 3600, "d": 86400, "day": 86400})
TIME = rf"(?:{'|'.join(SECONDS)})s?\b"
AFTER = re.compile(rf"\W*(.*?)\s*(?:/|\bper\b)\s*({TIME})", re.I | re.S)
BEFORE = re.compile(rf"(\w+)\s*(?:/|\bper\b)\s*({TIME})", re.I)
INVERSE = re.compile(rf"\s*({TIME})\s*(?:/|\bper\b)\s*(\w+)", re.I)
BYTES = re.compile(r"([kKMGT]?)(i?)(?:B|[Bb]ytes?)")
PERCENT = re.compile(r"\s*(%|percent\b|pct\b)?\s*(.*)", re.S)


# ---- texts of outputs ----------------------------------------------------------------------------


def text_of_html(text):
    text = INLINE.sub("", HIDDEN.sub(" ", text))
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split())


def texts(output):
    """As they are at the end: what follows a carriage return replaces its line."""
    data = output.get("data") or {}
    if output.get("output_type") == "stream":
        data = {"text/plain": output.get("text")}
    for kind in KINDS:
        text = data.get(kind) or ""
        text = ("".join(text) if isinstance(text, list) else str(text))[-MAX_CHARACTERS:]
        if kind == "text/html":
            text = text_of_html(text)
        lines = ESCAPE.sub("", text).split("\n")
        yield "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines)


# ---- numbers -------------------------------------------------------------------------------------


def number_of(match):
    """The whole number that the group is a part of, and the words of the match around it."""
    text = match.string
    begin, end = match.span(1)
    line = text.rfind("\n", 0, begin) + 1, (text + "\n").find("\n", end)
    for found in NUMBER.finditer(text, *line):
        if found.start() < end and found.end() > begin:
            number = float(found.group().replace(",", ""))
            around = text[match.start() : found.start()], text[found.end() : match.end()]
            return number, *around
    return None


def last_number(pattern, outputs):
    found = None
    for text in outputs:
        for match in pattern.finditer(text):
            found = match.group(1) and number_of(match) or found
    return found


def seconds(word):
    return SECONDS.get(word.lower()) or SECONDS[word.lower()[:-1]]


def rate(number, before, after):
    """Per second, and its unit."""
    named = AFTER.match(after) or BEFORE.search(before)
    inverse = INVERSE.match(after)
    if named:
        what, number = named[1], number / seconds(named[2])
    elif inverse and number:
        what, number = inverse[2], 1 / (number * seconds(inverse[1]))
    else:
        words = " ".join((after if re.search(r"\w", after) else before).split())
        return number, words.strip(" ,;:=([])") or None
    amount = BYTES.fullmatch(what)
    if amount:
        power = "kMGT".find(amount[1].replace("K", "k")) + 1 if amount[1] else 0
        return number * (1024 if amount[2] else 1000) ** power / 1e6, "MB/s"
    # What tqdm writes with unit_scale.
    if re.fullmatch("[kMG]it", what):
        return number * 1000 ** ("kMG".index(what[0]) + 1), "it/s"
    return number, f"{' '.join(what.split()) or 1}/s"


def share(number, before, after):
    """In percent, and what it is a share of."""
    sign, words = PERCENT.fullmatch(after).groups()
    pct = number if sign or number > 1 else 100 * number
    return pct, " ".join((words or before).split()).strip(" ,;:=([])") or None


def items(outputs, patterns):
    found = {name: last_number(p, outputs) for name, p in patterns.items()}
    per_s, done = found.get("ITEMS"), found.get("ITEMS_SHARE")
    missing = [name for name, numbers in found.items() if not numbers]
    values = dict(zip(("items_per_s", "items_unit"), rate(*per_s) if per_s else (None, None)))
    values.update(
        zip(("items_done_pct", "items_done_meaning"), share(*done) if done else (None,) * 2)
    )
    return values, f"no output matches {' or '.join(missing)}" if missing else None


# ---- runs ----------------------------------------------------------------------------------------


def code_cells(path):
    """Those of an executed notebook; or why there are none."""
    try:
        with open(path, encoding="utf-8") as file:
            return [c for c in json.load(file)["cells"] if c["cell_type"] == "code"], None
    except FileNotFoundError:
        return [], "the executed notebook is missing"
    except (OSError, ValueError, KeyError, TypeError):
        return [], "the executed notebook cannot be read"


def cell_of(record, cells):
    """The cell of the executed notebook that a record is about, in a list of at most one."""
    index = record.get("cell_index") or 0
    own = [cell for cell in cells if cell.get("id") == record.get("cell_id")]
    return (own or cells[index - 1 : index] if index else [])[:1]


def with_items(line, cells, reason, patterns):
    try:
        record = json.loads(line)
    except ValueError:
        return line  # cellmetrics says where it is
    own = cell_of(record, cells)
    outputs = [text for cell in own for o in cell.get("outputs", []) for text in texts(o)]
    values, missing = items(outputs, patterns)
    values["items_reason"] = None if record.get("items") is not None else reason or missing
    return line.rstrip()[:-1] + b"," + json.dumps(values).encode()[1:] + b"\n"


def add_items(out, path, executed, patterns):
    notebook = executed.get(path)
    cells, reason = code_cells(notebook) if notebook else ([], None)
    with open(path, "rb") as file:
        for line in file:
            if line.startswith(PLAN):
                plan = json.loads(line)
                executed[plan["run"]] = plan["executed"]
            if notebook and line.startswith(CELL):
                line = with_items(line, cells, reason, patterns)
            out.write(line)


def check(name, pattern):
    try:
        groups = re.compile(pattern).groups
    except re.error as error:
        return f"!!{name} is no regular expression: {error}"
    return "" if groups else f"!!{name} has no group: put the number in (), as in '([0-9.]+) it/s'"


def main():
    if sys.argv[1:2] == ["--check"]:
        print(check(*sys.argv[2].split("=", 1)), end="")
        return
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    given = {name: os.environ.get(name) for name in ("ITEMS", "ITEMS_SHARE")}
    patterns = {name: re.compile(p, re.MULTILINE) for name, p in given.items() if p}
    executed = {}
    for path in sys.stdin:
        add_items(sys.stdout.buffer, path.rstrip("\n"), executed, patterns)


if __name__ == "__main__":
    main()
