"""The samples in the nested lists in which JUmPER exports them.

For each monitored cell: one node, then the mean of each quantity over all nodes. A node has
[CPU, memory, read calls, write calls, read MiB, written MiB, GPU utilization, GPU memory]. CPU and
GPU have a list for each device, then those of mean, maximum and minimum over the devices. There is
one list for all processors together, because procsample reads their sum.
"""

import json

from . import records

MIB, GIB = 1 << 20, 1 << 30


def memory_total():
    """Bytes of the machine's memory, or None."""
    try:
        with open("/proc/meminfo", encoding="ascii") as f:
            return int(f.readline().split()[1]) * 1024
    except (OSError, IndexError, ValueError):
        return None


def over_devices(devices):
    """Lists of devices, with the mean, the maximum and the minimum of each reading."""
    readings = list(zip(*devices))
    return [
        *devices,
        [sum(r) / len(r) for r in readings],
        [max(r) for r in readings],
        [min(r) for r in readings],
    ]


def cpu_of(samples):
    """Percent of all processors between two samples."""
    pairs = zip(samples, samples[1:])
    return [
        round(100 * (b["cpu_busy_s"] - a["cpu_busy_s"]) / (b["t"] - a["t"]) / b["processors"], 2)
        for a, b in pairs
        if b["t"] > a["t"] and b["cpu_busy_s"] is not None
    ]


def cpu_lists(samples):
    """A list for each processor, percent between two samples; else one of all together.

    Processors are read less often than the rest: between two readings it is the mean.
    """
    read = [i for i, sample in enumerate(samples) if sample.get("processor_busy_s")]
    if len(read) < 2 or len({tuple(samples[i]["processor_ids"]) for i in read}) > 1:
        return [cpu_of(samples)]
    lists = [[] for _ in samples[read[0]]["processor_ids"]]
    for a, b in zip(read, read[1:]):
        time_s = samples[b]["t"] - samples[a]["t"]
        before, now = samples[a]["processor_busy_s"], samples[b]["processor_busy_s"]
        for values, x, y in zip(lists, before, now):
            values += [round(min(100 * (y - x) / time_s, 100), 2) if time_s > 0 else 0] * (b - a)
    missing = len(samples) - 1 - len(lists[0])
    return [values[:1] * read[0] + values + values[-1:] * (missing - read[0]) for values in lists]


def gpu_lists(samples, member):
    count = max((len(sample.get("gpus") or []) for sample in samples), default=0)
    return [
        [
            sample["gpus"][i].get(member) or 0
            for sample in samples
            if len(sample.get("gpus") or []) > i
        ]
        for i in range(count)
    ]


def perfdata_of(cell):
    lines, total = cell.lines(), memory_total()
    machine = [json.loads(line) for line in records.of_role(lines, b"machine")]
    kernel = [json.loads(line) for line in records.of_role(lines, b"kernel")][1:]
    cpu = over_devices(cpu_lists(machine))
    memory = [
        round((total - sample["memory_available_bytes"]) / GIB, 6)
        for sample in machine[1:]
        if total and sample["memory_available_bytes"] is not None
    ]
    calls = [[sample[name] or 0 for sample in kernel] for name in ("read_calls", "write_calls")]
    moved = [
        [round((sample[name] or 0) / MIB, 6) for sample in kernel]
        for name in ("read_bytes", "write_bytes")
    ]
    used = over_devices(gpu_lists(machine[1:], "utilization_pct"))
    held = over_devices(gpu_lists(machine[1:], "memory_utilization_pct"))
    node = [cpu, memory, *calls, *moved, used, held]
    return [node, cpu[-3], memory, *calls, *moved, used[-3], held[-3]]


def perfdata(state):
    return [perfdata_of(cell) for cell in state.monitored()]
