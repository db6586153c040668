#!/usr/bin/env python3
"""bisectmake: share/bisect calls it in place of make: nothing is installed, nothing runs.

`env LABEL= WITH=` notes the requirements; `ab A= B= ...` says how much slower the second cell of a
notebook is, by the table PLANTED in the environment: a JSON array of [regular expression, what
requirements cost that it matches]: a factor of the cell's time, or "missing" (they do not install),
"broken" (the notebook fails), "unclear" (no comparison can tell). If NOISE is set, the variation of
a run, it does not say so but simulates interleaved runs, and mk/metric/compare-labels.sh compares
them from time to time, as for mk/run/decide-labels.sh.
"""

import json
import os
import pathlib
import random
import re
import subprocess
import sys

UC = pathlib.Path(os.environ["UC"])
CELLS = 0.2, 0.5, 1.0
PLANNED, FIRST, STEP = 60, 12, 8


def planted(requirements):
    """What is planted in them: the words, and the product of the factors."""
    file = re.search(r"-r (\S+)", requirements)
    text = pathlib.Path(file[1]).read_text() if file else requirements
    found = [
        effect
        for pattern, effect in json.loads(os.environ["PLANTED"])
        if re.search(pattern, text, re.M)
    ]
    factor = 1
    for effect in found:
        factor *= effect if isinstance(effect, float) else 1
    return factor, found


def runs(label, k, t, factor, broken, rng):
    """The records of one run."""
    common = {"usecase": "uc", "name": "nb", "label": label, "repetition": k, "t": t}
    noise = float(os.environ["NOISE"])
    drift = rng.gauss(0, noise / 2)
    total = 0
    for i, seconds in enumerate(CELLS, 1):
        s = seconds * (factor if i == 2 else 1) * (1 + drift + rng.gauss(0, noise))
        total += s
        status = "Failed" if broken and i == 2 else "Completed"
        yield {
            **common,
            "type": "cell_metrics",
            "cell_index": i,
            "cell_id": f"c{i}",
            "execution_status": status,
            "client_execution_time_metric": s,
        }
    yield {
        **common,
        "type": "notebook_metrics",
        "execution_status": "Completed",
        "client_execution_time_metric": total,
    }


def result_of(factor, found, decides):
    """What a comparison without noise says."""
    if "unclear" in found:
        return "unknown"
    return "worse" if factor - 1 > decides.get("share", 0) else "no_worse"


def by_table(a, b, factor, found):
    """Writes a verdict, and the record of the one test that is in it."""
    broken = "broken" in found
    result = result_of(factor, found, json.loads(os.environ["DECIDED_BY"] or "{}"))
    failure = {"base_failed": 0, "failed": 12, "runs": 12}
    verdict = {
        "verdict": "worse" if broken else result,
        "reason": "runs" if result == "unknown" else None,
        "failures": [failure] if broken else [],
    }
    record = {
        "type": "comparison",
        "metric": "client_execution_time_metric",
        "unit": "s",
        "name": "nb",
        "cell_index": 2,
        "gate": True,
        "result": result,
        "change": f"{100 * (factor - 1):+.0f} % (no bounds)",
        "base_median": 0.5,
        "median": 0.5 * factor,
        "shift": 0.5 * (factor - 1),
        "shift_low": None,
        "shift_high": None,
        "threshold": 0.025,
    }
    out = UC / "metrics" / b / f"against-{a}"
    out.mkdir(parents=True, exist_ok=True)
    out.joinpath("verdict.json").write_text(json.dumps(verdict))
    out.joinpath("comparison.jsonl").write_text(json.dumps(record))


def ab(a, b, options):
    table = [planted(UC.joinpath("with", re.sub("-vs-.*", "", x)).read_text()) for x in (a, b)]
    if "NOISE" not in os.environ:
        return by_table(a, b, table[1][0], table[1][1])
    rng = random.Random(f"{os.environ.get('SEED')} {b}")
    records, looks, n = [[], []], [], 0
    for x in (a, b):
        UC.joinpath("metrics", x).mkdir(parents=True, exist_ok=True)
    for last in range(FIRST, PLANNED + 1, STEP):
        for k in range(n + 1, last + 1):
            for i, x in enumerate((a, b)):
                t = 1e9 + 20 * k + 10 * (i ^ (k % 4 in (0, 3)))
                records[i] += runs(x, k, t, table[i][0], "broken" in table[i][1], rng)
        n = last
        order = {
            "type": "interleaving",
            "t": 1e9,
            "a": a,
            "b": b,
            "seed": 1,
            "order": ("ABBA" * n)[: 2 * n],
            "planned": PLANNED,
            "looks": looks,
        }
        for x, own in zip((a, b), records):
            UC.joinpath("metrics", x, "metrics.jsonl").write_text(
                "".join(json.dumps(r) + "\n" for r in [order, *own])
            )
        subprocess.run(
            ["mk/metric/compare-labels.sh", str(UC), a, b],
            check=False,
            stdout=subprocess.DEVNULL,
            env={**os.environ, **options},
        )
        out = UC / "metrics" / b / f"against-{a}" / "verdict.json"
        verdict = json.loads(out.read_text())
        print(f"ab: {n} of at most {PLANNED}: {verdict['line']}")
        if (verdict["verdict"], verdict["reason"]) != ("unknown", "runs"):
            break
        looks.append(n)


def main():
    goal, *words = sys.argv[1:]
    options = dict(word.split("=", 1) for word in words)
    with UC.joinpath("called").open("a") as log:
        print(*sys.argv[1:], file=log)
    if goal == "env":
        if "missing" in planted(options["WITH"])[1]:
            sys.exit("env: it cannot be installed")
        UC.joinpath("with").mkdir(exist_ok=True)
        UC.joinpath("with", options["LABEL"]).write_text(options["WITH"])
    else:
        ab(options.pop("A"), options.pop("B"), options)


main()
