#!/usr/bin/env python3
"""Writes into executed notebooks what their cells cost, for those who have the notebook alone.

In:  run_plan and metrics records, as metrics/LABEL/metrics.jsonl has them, on standard input
Out: metadata.nbscope and metadata.papermill of each executed notebook of a usable run, and of its
     cells; all other bytes are kept. A notebook that has them already is not written again.
With an argument, only a copy of the first repetition's is written, to that path. NOTEBOOK in the
environment: the path that the user typed, for metadata.papermill.
"""

import collections
import datetime
import json
import os
import re
import signal
import sys

from items import cell_of

PHASES = "dispatch_s queue_s kernel_s delivery_s transport_s render_s unattributed_s".split()
PEAKS = "kernel_peak_rss_bytes", "browser_peak_rss_bytes"
NOT_RUN = "not_run", "skipped"
OF_BOTH = "error_name", "error_value", "reason", "marks"
CELL, NOTEBOOK = b'{"type":"cell_metrics"', b'{"type":"notebook_metrics"'
KINDS = CELL, NOTEBOOK, b'{"type":"run_plan"'
DECODER = json.JSONDecoder()
BLANKS = re.compile(r"[ \t\n\r]*")
INDENT = {"notebook": 1, "cell": 3}  # as Jupyter writes them


# ---- what is written -----------------------------------------------------------------------------


def status(record):
    """The word of the run's records, as in nbscope-records(7)."""
    return record["execution_status"].lower().replace(" ", "_")


def costs(record):
    return {
        "client_s": record["client_execution_time_metric"],
        **{name: record[name] for name in (*PHASES, *PEAKS, *OF_BOTH)},
    }


def of_cell(record):
    return {
        "type": "executed_cell",
        "status": status(record),
        "profiled": record["profiled"],
        **costs(record),
        "diagnosis": record["diagnosis"],
    }


def of_notebook(record):
    names = "label", "repetition", "nbscope_version", "open_s", "wall_s", "failed_cell"
    return {
        "type": "executed_notebook",
        "status": status(record),
        "t": record["t"],
        **{name: record[name] for name in names},
        **costs(record),
    }


def moment(t):
    return t and datetime.datetime.fromtimestamp(t, datetime.timezone.utc).isoformat()


def unix_of(date):
    try:
        return datetime.datetime.fromisoformat(date.replace("Z", "+00:00")).timestamp()
    except (AttributeError, ValueError):
        return None  # there is none, or it is written in another way


def papermill_times(begin, seconds):
    end = None if begin is None or seconds is None else begin + seconds
    return {"start_time": moment(begin), "end_time": moment(end), "duration": seconds}


def times_of(record, cell):
    """Begin and seconds, by the dates of the kernel's messages where no page saw the cell."""
    if record["t"] is not None and record["client_execution_time_metric"] is not None:
        return record["t"], record["client_execution_time_metric"]
    dates = cell.get("metadata", {}).get("execution", {})
    busy, idle = (unix_of(dates.get(f"iopub.status.{state}")) for state in ("busy", "idle"))
    return busy, None if None in (busy, idle) else round(idle - busy, 6)


def papermill_of_cell(record, cell):
    if record is None:  # text, which papermill counts as completed, too
        return {**papermill_times(None, None), "exception": False, "status": "completed"}
    if status(record) in NOT_RUN:
        return {**papermill_times(None, None), "exception": None, "status": "pending"}
    completed = status(record) == "completed"
    return {
        **papermill_times(*times_of(record, cell)),
        "exception": not completed,
        "status": "completed" if completed else "failed",
    }


def papermill_of_notebook(record, plan, output):
    return {
        **papermill_times(record["t"] - (record["open_s"] or 0), record["wall_s"]),
        "default_parameters": {},
        "environment_variables": {},
        "exception": True if status(record) != "completed" else None,
        "input_path": os.environ.get("NOTEBOOK") or plan["notebook"],
        "output_path": output,
        "parameters": record["params"] or {},
        "version": f"nbscope {record['nbscope_version']}",
    }


# ---- the text of a notebook ----------------------------------------------------------------------


def skip(text, at):
    return BLANKS.match(text, at).end()


def members(text, at):
    """Of the object at text[at]: where each value begins and ends, and the value."""
    found, at = {}, skip(text, at + 1)
    while text[at] != "}":
        key, at = DECODER.raw_decode(text, at)
        begin = skip(text, skip(text, at) + 1)
        value, at = DECODER.raw_decode(text, begin)
        found[key] = begin, at, value
        at = skip(text, at)
        at = skip(text, at + 1) if text[at] == "," else at
    return found


def elements(text, at):
    """Where each element of the array at text[at] begins."""
    at = skip(text, at + 1)
    while text[at] != "]":
        yield at
        at = skip(text, DECODER.raw_decode(text, at)[1])
        at = skip(text, at + 1) if text[at] == "," else at


def with_metadata(text, at, kind, added):
    """What replaces the metadata of the object at text[at]: its begin, its end, and the text."""
    begin, end, old = members(text, at).get("metadata") or (at + 1, at + 1, {})
    ours = {**old.get("nbscope", {}), **added.get("nbscope", {})}
    value = {**old, **added, **({"nbscope": ours} if ours else {})}
    new = json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False)
    new = new.replace("\n", "\n" + " " * INDENT[kind])
    return begin, end, new if end > begin else f'"metadata": {new},'


def carry(text, notebook, cells, plan, output):
    top = skip(text, 0)
    begin, _, values = members(text, top)["cells"]
    code = [cell for cell in values if cell["cell_type"] == "code"]
    owners = {id(cell): record for record in cells for cell in cell_of(record, code)}
    pieces = [
        with_metadata(
            text,
            top,
            "notebook",
            {
                "nbscope": of_notebook(notebook),
                "papermill": papermill_of_notebook(notebook, plan, output),
            },
        )
    ]
    for at, cell in zip(elements(text, begin), values):
        record = owners.get(id(cell))
        added = {"papermill": papermill_of_cell(record, cell)}
        if record:
            added["nbscope"] = of_cell(record)
        pieces.append(with_metadata(text, at, "cell", added))
    whole, last = [], 0
    for begin, end, new in sorted(pieces):
        whole += text[last:begin], new
        last = end
    return "".join([*whole, text[last:]])


# ---- files ---------------------------------------------------------------------------------------


def replace(path, data):
    folder, name = os.path.split(path)
    temp = os.path.join(folder, f".{name}.{os.getpid()}.tmp")
    try:
        with open(temp, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temp, path)
    finally:
        if os.path.exists(temp):
            os.unlink(temp)


def write(plan, notebook, cells, copy):
    path = plan["executed"]
    if not copy and not os.path.exists(path):
        return True  # mk/run/name-lost.sh says so
    try:
        with open(path, "rb") as file:
            before = file.read()
        after = carry(before.decode(), notebook, cells, plan, copy or path).encode()
        if copy or after != before:
            replace(copy or path, after)
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        if not copy and not isinstance(error, OSError):
            return True  # damaged: likewise
        what = f"cannot write '{copy}'" if copy else f"'{path}' is without the times of its cells"
        print(f"metrics: {what}: {error!r}", file=sys.stderr)
        return False
    return True


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    copy = sys.argv[1] if len(sys.argv) > 1 else None
    plans, notebooks, cells = {}, {}, collections.defaultdict(list)
    for line in sys.stdin.buffer:
        kind = line[: line.find(b",")]
        if kind not in KINDS:
            continue
        record = json.loads(line)
        name = record.get("notebook_filename") or os.path.basename(record["notebook"])
        key = name, record["repetition"]
        if kind == CELL:
            cells[key].append(record)
        elif kind == NOTEBOOK:
            notebooks[key] = record
        elif record["usable"] and not record["profile"]:
            plans[key] = record
    done = [
        write(plans[key], notebooks[key], cells[key], copy)
        for key in plans
        if key in notebooks and (key[1] == 1 or not copy)
    ]
    sys.exit(0 if done and all(done) or not copy else 4)


if __name__ == "__main__":
    main()
