"""rulecells.py notebook NOTEBOOK RULE... [--all]: a notebook of the cells in data/rules/RULE.cells.
rulecells.py check NOTEBOOK < MISTAKES: compares mistake records with what these cells are to show.

A cell whose title is "before" prepares the others. One that "fires" has a mistake of its rule, and
no other; one that is "silent" has none. Those whose title is "fires: ..." are other ways to make
the mistake: only with --all. The exit status is 1 if any differs.
"""

import json
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).parent / "data/rules"


def cells_of(rule):
    text = (FOLDER / f"{rule}.cells").read_text(encoding="utf-8")
    for part in re.split(r"^# %% ", text, flags=re.M)[1:]:
        title, _, source = part.partition("\n")
        yield {"rule": rule, "title": title}, source.rstrip("\n")


def write_notebook(path, rules, every):
    cells = [
        {
            "cell_type": "code",
            "id": f"c{i}",
            "metadata": about,
            "source": source,
            "outputs": [],
            "execution_count": None,
        }
        for i, (about, source) in enumerate(
            cell
            for rule in rules
            for cell in cells_of(rule)
            if every or not cell[0]["title"].startswith("fires:")
        )
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4}
    path.write_text(json.dumps({**notebook, "nbformat_minor": 5}), encoding="utf-8")


def check(path, lines):
    found = {}
    for m in map(json.loads, lines):
        found.setdefault(m["cell_index"], []).append(m)
    bad = 0
    for i, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"], 1):
        rule, title = cell["metadata"]["rule"], cell["metadata"]["title"]
        seen = sorted({m["rule"] for m in found.get(i, ())})
        wanted = [rule] if title.startswith("fires") else []
        ok = seen == wanted
        bad += not ok
        print(f"{'ok ' if ok else 'NOT'} cell {i}, {rule}, {title}: {', '.join(seen) or 'nothing'}")
        for m in found.get(i, ()):
            print(f"      {m['text']}; {m['saved_s']} s, {m['saved_bytes']} bytes")
    return bad > 0


what, notebook, *names = [word for word in sys.argv[1:] if word != "--all"]
if what == "check":
    sys.exit(check(pathlib.Path(notebook), sys.stdin))
write_notebook(pathlib.Path(notebook), names, "--all" in sys.argv)
