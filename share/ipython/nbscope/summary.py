"""What one cell used, next to what the same cell used the time before."""

import json

from . import records


def amount(value, unit=""):
    """A number for people: 12.3 M."""
    for prefix in ("", "k", "M", "G", "T"):
        if abs(value) < 1000 or prefix == "T":
            break
        value /= 1000
    digits = 0 if value == int(value) and not prefix else 1
    return f"{value:.{digits}f} {prefix}{unit}".rstrip()


def earlier(state, cell):
    """The same cell's execution before this one, or None."""
    for other in reversed(state.cells[: cell.index - 1]):
        if other.id == cell.id if cell.id and other.id else other.source == cell.source:
            return other
    return None


def gpus(cell):
    """(mean utilization in percent, highest memory in bytes) of all GPUs, or None."""
    lines = records.of_role(cell.lines(), b"machine")
    if not lines or not json.loads(lines[-1]).get("gpus"):
        return None
    samples = [json.loads(line) for line in lines]
    utilization, memory = [], []
    for sample in samples:
        for gpu in sample.get("gpus") or []:
            if gpu.get("utilization_pct") is not None:
                utilization.append(gpu["utilization_pct"])
        used = [
            gpu["memory_bytes"]
            for gpu in sample.get("gpus") or []
            if gpu.get("memory_bytes") is not None
        ]
        memory.extend([sum(used)] if used else [])
    if not utilization and not memory:
        return None
    mean = sum(utilization) / len(utilization) if utilization else None
    return mean, max(memory, default=None)


def text_of_gpus(cell):
    found = gpus(cell)
    if found is None:
        return None
    words = [f"{found[0]:.0f} % on average"] if found[0] is not None else []
    words += [f"at most {amount(found[1], 'B')}"] if found[1] is not None else []
    return ", ".join(words)


def peak_of(cell):
    """Its peak memory; None: it is not known."""
    peak, method = (cell.usage["kernel"][name] for name in ("peak_rss_bytes", "peak_method"))
    least = "at least " if method == "sampled" else ""
    return None if peak is None else f"{least}{amount(peak, 'B')}"


def rows_of(cell):
    """Pairs of a name and a text; None: it is not known."""
    used, elapsed_s = cell.usage["kernel"], cell.end - cell.start
    cpu = used["cpu_s"]
    mean = f", {100 * cpu / elapsed_s:.0f} % of a core" if cpu is not None and elapsed_s else ""
    peak, before, after = used["peak_rss_bytes"], used["rss_before_bytes"], used["rss_bytes"]
    grown = ""
    if before is not None and after is not None:
        sign = "+" if after >= before else "-"
        grown = f", {sign}{amount(abs(after - before), 'B')} after it"
    io = [
        f"{word} {amount(used[name], 'B')}"
        for word, name in (("read", "read_bytes"), ("written", "write_bytes"))
        if used[name] is not None
    ]
    calls = [used[name] for name in ("syscall_read_bytes", "syscall_write_bytes")]
    if None not in calls:
        io.append(f"through system calls {amount(calls[0], 'B')} and {amount(calls[1], 'B')}")
    return [
        ("duration", f"{elapsed_s:.3f} s, {cell.status}"),
        ("client time", None if cell.client_s is None else f"{cell.client_s:.3f} s"),
        ("CPU", None if cpu is None else f"{cpu:.3f} s{mean}"),
        ("peak memory", None if peak is None else f"{peak_of(cell)}{grown}"),
        ("I/O", ", ".join(io) or None),
        ("GPU", text_of_gpus(cell)),
    ]


def text_of(state, cell):
    """A table: what the cell used now, and the time before."""
    other = earlier(state, cell)
    rows = rows_of(cell)
    before = (
        (f"in cell {other.index}, the last run", dict(rows_of(other)))
        if other
        else state.last_runs.of(cell)
    )
    where, others = before or (None, {})
    first = next((line for line in cell.source.splitlines() if line.strip()), "")
    lines = [f"cell {cell.index}: {first[:70]}"]
    for name, text in rows:
        if text is None and not others.get(name):
            continue
        lines.append(f"  {name:<12} {text or '-'}")
        if before:
            lines.append(f"  {'':<12} {others.get(name) or '-'} {where}")
    reason = cell.usage["kernel"]["reason"]
    if reason:
        lines.append(f"  {'of this process alone: ' if not cell.span else ''}{reason}")
    lines.append(cost_of(cell))
    return "\n".join(lines)


def cost_of(cell):
    """What sampling and recording the cell cost."""
    costs = [json.loads(line) for line in cell.lines() if line.startswith(b'{"type":"sampler"')]
    words = f"  recording took {1e3 * cell.added_s:.1f} ms more than the cell"
    if cell.script_s is not None:
        words += f", the scripts in the page {1e3 * cell.script_s:.1f} ms"
    if not costs:
        return words
    elapsed_s = max(cell.end - cell.start, 1e-6)
    return (
        f"{words}, sampling {costs[-1]['cpu_s']:.3f} s of CPU in another process"
        f" ({100 * costs[-1]['cpu_s'] / elapsed_s:.2f} % of a core),"
        f" every {costs[-1]['interval_ms']:g} ms"
    )
