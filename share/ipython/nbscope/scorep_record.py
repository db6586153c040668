"""The scorep_cell record of a cell in a process of its own: nbscope-records(7).

The cell's output has it, where a driver finds it, and %nbscope --save writes it.
"""

import time

from .records import MIME

UNKNOWN = dict.fromkeys(
    (
        "status",
        "reason",
        "process_s",
        "load_s",
        "run_s",
        "dump_s",
        "exit_status",
        "carried_in",
        "carried_out",
        "results",
    )
)


def new(marshaller, mode, arguments, env):
    """What is not known yet is null."""
    return {
        "type": "scorep_cell",
        "t": round(time.time(), 6),
        **UNKNOWN,
        "marshaller": marshaller,
        "mode": mode,
        "arguments": arguments,
        "env": env,
    }


def text_of(record):
    if record["status"] == "not_run":
        return f"Score-P: not run: {record['reason']}"
    lines = []
    for way, key in (("in", "carried_in"), ("out", "carried_out")):
        rows = [row for row in record[key] or () if not row["reason"]]
        lines.append(
            f"{way}: {len(rows)} variables, {sum(r['bytes'] for r in rows)} bytes, "
            f"{sum(r['seconds'] for r in rows):.3f} s"
        )
    lines += [f"results: {path}" for path in record["results"] or ()]
    return "Score-P: " + "; ".join(lines)


def show(state, record):
    from IPython.display import display

    if state.current is not None:
        state.current.apart.append(record)
    display({MIME: record, "text/plain": text_of(record)}, raw=True)
