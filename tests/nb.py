"""nb.py OUT < CELLS: a notebook for a test.

CELLS is Python: a list of (kind, source[, tags[, metadata]]) with kind "code" or "markdown".
"""

import ast
import json
import sys

cells = []
for i, (kind, source, *more) in enumerate(ast.literal_eval(sys.stdin.read())):
    cell = {"cell_type": kind, "id": f"c{i}", "metadata": {}, "source": source}
    for metadata in more[1:]:
        cell["metadata"].update(metadata)
    if more and more[0]:
        cell["metadata"]["tags"] = more[0]
    if kind == "code":
        cell.update(execution_count=None, outputs=[])
    cells.append(cell)
notebook = {
    "cells": cells,
    "metadata": {
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}
    },
    "nbformat": 4,
    "nbformat_minor": 5,
}
with open(sys.argv[1], "w") as f:
    json.dump(notebook, f, indent=1)
