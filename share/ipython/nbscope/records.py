"""The recorded cells as the records of a run, which nbscope's programs read: nbscope-records(7)."""

import json
import os
import re

from . import programs

MIME = "application/vnd.nbscope.record+json"  # of a record among a cell's outputs
SUMS = (
    "cpu_s",
    "run_queue_wait_s",
    "minor_faults",
    "major_faults",
    "read_bytes",
    "write_bytes",
    "syscall_read_bytes",
    "syscall_write_bytes",
)
UNKNOWN = dict.fromkeys(
    (
        "pid",
        "processes",
        "threads",
        "cpu_s",
        "run_queue_wait_s",
        "voluntary_switches",
        "involuntary_switches",
        "minor_faults",
        "major_faults",
        "read_bytes",
        "write_bytes",
        "syscall_read_bytes",
        "syscall_write_bytes",
        "rss_before_bytes",
        "rss_bytes",
        "pss_bytes",
        "peak_rss_bytes",
        "peak_method",
        "reason",
    )
)
MACHINE_SUMS = ("cpu_busy_s", "cpu_pressure_s", "io_pressure_s", "memory_pressure_s", "energy_j")


def of_role(lines, role):
    begin = b'"role":"' + role + b'"'
    return [line for line in lines if line.startswith(b'{"type":"sample"') and begin in line]


def kernel_usage(lines, before, after, reason):
    """What the kernel and its descendants used, by the first and the last reading."""
    used, samples = dict(UNKNOWN, pid=os.getpid()), of_role(lines, b"kernel")
    if not samples:
        # Without procsample: this process alone, and the children that it has waited for.
        used.update(cpu_s=round(after.cpu_s() - before.cpu_s(), 2), reason=reason)
        if after.exact:
            used.update(peak_rss_bytes=after.peak_bytes, peak_method="sampled")
        return used
    first, last = json.loads(samples[0]), json.loads(samples[-1])
    for name in SUMS:
        if last.get(name) is not None:
            used[name] = last[name]
    used.update(
        processes=last["processes"],
        threads=last["threads"],
        reason=last["reason"],
        rss_before_bytes=first["rss_bytes"],
        rss_bytes=last["rss_bytes"],
    )
    all_lines = b"".join(samples)
    peak = max(map(int, re.findall(rb'"rss_bytes":(\d+)', all_lines)), default=None)
    alone = set(re.findall(rb'"processes":(\d+)', all_lines)) == {b"1"}
    if before.exact and after.exact:
        peak = max(peak or 0, after.peak_bytes)
    used.update(
        peak_rss_bytes=peak,
        peak_method="vmhwm" if alone and before.exact and after.exact else "sampled",
    )
    return used


def machine_usage(lines):
    samples = of_role(lines, b"machine")
    if not samples:
        return None
    first, last = json.loads(samples[0]), json.loads(samples[-1])
    own = ("type", "t", "role", "processor_ids", "processor_busy_s", "processor_reason")
    used = {name: last[name] for name in last if name not in own}
    used["elapsed_s"] = round(last["t"] - first["t"], 6)
    for name in MACHINE_SUMS:
        if used.get(name) is not None:
            used[name] = round(used[name] - first[name], 9)
    used.setdefault("reason", None)
    return used


def of_cell(cell):
    return {
        "type": "cell",
        "t": cell.start,
        "cell_index": cell.index,
        "cell_id": cell.id,
        "tags": [],
        "profiled": True,
        "status": cell.status,
        "empty": False,
        "source": cell.source,
        "pressed_t": None,
        "sent_t": cell.start,
        "busy_t": cell.start,
        "idle_t": cell.end,
        "received_t": cell.end,
        "client_ms": None,
        "kernel_ms": round((cell.end - cell.start) * 1e3, 3),
        "clock_offset_ms": 0.0,
        "clock_bound_ms": 0.0,
        "error_name": cell.error[0],
        "error_value": cell.error[1],
        "reason": cell.reason,
        "marks": ["no_browser"],
        "usage": cell.usage,
        "added": {"record_ms": round(cell.added_s * 1e3, 3)},
    }


def line_of(record):
    return json.dumps(record, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def run_of(state):
    first = state.cells[0].start
    return {
        "type": "run",
        "t": first,
        "usecase": None,
        "name": state.name,
        "notebook": state.name,
        "label": "interactive",
        "repetition": 1,
        "attempt": 1,
        "params": None,
        "code_cells": len(state.cells),
        "settings": {
            "interactive": True,
            "extension": {"magics": [], "loaded": True, "reason": None},
        },
    }


def sampler_of(costs):
    """The cost of sampling all cells; the time is theirs, not that between them."""
    total = {
        "type": "sampler",
        "t": costs[-1]["t"],
        "interval_ms": costs[-1]["interval_ms"],
        "min_samples": costs[-1]["min_samples"],
    }
    for name in ("samples", "late", "cpu_s", "wall_s"):
        total[name] = sum(cost[name] for cost in costs)
    return total


def stream(state, cells):
    """Lines of a run with these cells, as cellrun and procsample would have written them."""
    yield line_of(run_of(state))
    costs = []
    for cell in cells:
        for line in cell.lines():
            if line.startswith(b'{"type":"sampler"'):
                costs.append(dict(json.loads(line), wall_s=cell.end - cell.start))
            elif line.startswith((b'{"type":"sample"', b'{"type":"watch"')):
                yield line
        for record in cell.apart:
            yield line_of({**record, "cell_index": cell.index})
        yield line_of(of_cell(cell))
    if costs:
        yield line_of(sampler_of(costs))
    yield line_of(
        {
            "type": "run_end",
            "t": cells[-1].end,
            "status": "completed",
            "reason": None,
            "cells_run": len(cells),
        }
    )


def run_program(state, name, arguments, cells=None):
    """What a program prints for these cells, or for all."""
    return programs.run(name, arguments, stream(state, cells or state.cells))
