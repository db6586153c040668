#!/usr/bin/env -S python3 -B
"""inputs.py DATA TO EXCEPT: prints what table2metrics reads of a campaign, one per line, as
"operand PATH" or "exclude PATH".

Operands are the folder DATA, if it has tables, and those in .txt files (Nextflow's trace, sacct -P,
Snakemake's benchmarks). The JSON of pytest-benchmark, Google Benchmark, hyperfine and PBS' qstat,
and BenchExec's tables, are written as TO/NAME.jsonl, and TO is an operand instead of them. EXCEPT
is a folder that is left out.
"""

import json
import pathlib
import shutil
import sys

ENDINGS = ".csv", ".tsv", ".jsonl", ".ndjson", ".parquet", ".parq", ".yaml", ".yml"


def is_table(lines):
    """Whether the first two lines have the same number of fields, at least three."""
    counts = [max((line.count(mark), mark) for mark in "\t|,") for line in lines[:2]]
    return len(counts) == 2 and counts[0] == counts[1] and counts[0][0] >= 2


def benchexec(lines):
    """A row for each task and set of runs: the third line has their columns again for each."""
    head = [line.rstrip("\n").split("\t") for line in lines[:3]]
    for line in lines[3:]:
        name, *fields = line.rstrip("\n").split("\t")
        rows = {}
        for tool, run_set, column, value in zip(head[0][1:], head[1][1:], head[2][1:], fields):
            row = rows.setdefault((tool, run_set), {"name": name, "tool": tool, "run_set": run_set})
            row[column.replace(" (", "_").rstrip(")")] = value or None
        yield from rows.values()


def benchmarks(document):
    """A row for each round, if they were saved; else one with the mean."""
    for one in document["benchmarks"]:
        row = {"benchmark": one["name"], "group": one.get("group")}
        row |= {f"{k}_param": str(v) for k, v in (one.get("params") or {}).items()}
        stats = one["stats"]
        if stats.get("data"):
            for i, seconds in enumerate(stats["data"]):
                yield row | {"round": i + 1, "run_time_s": seconds}
        else:
            yield row | {"rounds": stats.get("rounds"), "run_time_s": stats["mean"]}


def hyperfine(document):
    for one in document["results"]:
        row = {"command": one["command"]}
        row |= {f"{k}_param": str(v) for k, v in (one.get("parameters") or {}).items()}
        lists = [one.get(k) or [] for k in ("times", "exit_codes", "memory_usage_byte")]
        for i in range(len(lists[0])):
            names = "run_time_s", "exit_code", "memory_bytes"
            yield row | {n: v[i] for n, v in zip(names, lists) if i < len(v)} | {"run": i + 1}
        if not lists[0]:
            yield row | {"run_time_s": one["mean"]}


def google_benchmark(document):
    """A row for each repetition; means and deviations of them are none."""
    for one in document["benchmarks"]:
        seconds = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3}.get(one.get("time_unit", "ns"), 1)
        times = {
            f"{k}_s": one[f"{n}_time"] * seconds
            for k, n in (("run_time", "real"), ("cpu_time", "cpu"))
            if f"{n}_time" in one
        }
        if one.get("run_type") != "aggregate":
            state = "FAILED" if one.get("error_occurred") else "COMPLETED"
            yield {"benchmark": one.get("run_name", one["name"]), "state": state} | times


def qstat(document):
    """A row for each job of PBS, with what it used in resources_used."""
    for job, about in document["Jobs"].items():
        ended = about.get("job_state") in ("F", "X")
        failed = about.get("Exit_status", 0) != 0
        state = ("FAILED" if failed else "COMPLETED") if ended else "RUNNING"
        names = "Job_Name", "queue", "Exit_status", "resources_used"
        row = {"job_id": job, "state": state} | {n: about[n] for n in names if n in about}
        # "node/0*4+other/0*4"
        yield row | {"host": about.get("exec_host", "").split("/")[0] or None}


def rows_of_json(path):
    """None: it is not one of the known documents."""
    try:
        document = json.loads(path.read_text(encoding="utf-8-sig"))
    except (ValueError, OSError):
        return None
    if not isinstance(document, dict):
        return None
    if isinstance(document.get("Jobs"), dict) and "pbs_version" in document:
        return qstat(document)
    first = (document.get("benchmarks") or document.get("results") or [None])[0]
    if not isinstance(first, dict):
        return None
    if "stats" in first:
        return benchmarks(document)
    if "real_time" in first or "time_unit" in first:
        return google_benchmark(document)
    return hyperfine(document) if "command" in first else None


def rows_of(path):
    """Of a file that is written in another form; None: it is not."""
    if path.suffix.lower() == ".json":
        return rows_of_json(path)
    head = first_lines(path)
    if head[0].startswith("tool\t") and head[1].startswith("run set\t"):
        return benchexec(path.read_text(encoding="utf-8-sig").splitlines())
    return None


def first_lines(path):
    with open(path, encoding="utf-8-sig", errors="replace") as text:
        return [text.readline(), text.readline()]


def inputs(data, to, left_out):
    """The lines that are printed, as pairs."""
    operands, excluded, tables = [], [], False
    shutil.rmtree(to, ignore_errors=True)
    absent = pathlib.Path(left_out).absolute()
    for path in sorted(pathlib.Path(data).rglob("*")):
        name = path.relative_to(data)
        kind = path.suffix.lower()
        if (
            kind not in (*ENDINGS, ".txt", ".json")
            or any(part.startswith(".") for part in name.parts)
            or absent in path.absolute().parents
            or not path.is_file()
        ):
            continue
        rows = rows_of(path) if kind in (".json", ".txt", ".csv", ".tsv") else None
        if rows is not None:
            excluded.append(path)
            target = pathlib.Path(to) / f"{name}.jsonl"
            target.parent.mkdir(parents=True, exist_ok=True)
            with open(target, "w", encoding="utf-8") as out:
                for row in rows:
                    out.write(json.dumps({"type": "task"} | row) + "\n")
        elif kind in ENDINGS:
            tables = True
        elif kind == ".txt" and is_table(first_lines(path)):
            operands.append(path)
    operands = ([data] if tables else []) + operands + ([to] if excluded else [])
    return [("operand", str(p)) for p in operands] + [("exclude", str(p)) for p in excluded]


def main():
    for pair in inputs(*sys.argv[1:]):
        print(*pair)


if __name__ == "__main__":
    main()
