#!/usr/bin/env python3
"""runreader: every program that reads runs assigns the same samples to the same cells.

Usage: runreader.py [--random N] RECORDS_OR_BATS...

Reads the runs in files of records, and those that tests have as literal text; makes N random
runs next to them. Gives each run samples next to where its cells begin and end, and compares
what cellmetrics, cellgraph, runexport, runtrace and runhistory make of it with the rules of
nbscope-records(7), "How a run is read". Prints each difference; status 1 if there is one.
"""

import json
import math
import os
import random
import re
import subprocess
import sys

ENVIRONMENT = dict(os.environ, TERM="dumb", LC_ALL="C.UTF-8")


def program(*args, runs):
    """A program's output for a stream of records."""
    text = "".join(json.dumps(r, separators=(",", ":")) + "\n" for r in runs)
    done = subprocess.run(args, input=text, capture_output=True, text=True, env=ENVIRONMENT)
    if done.returncode not in (0, 6):
        sys.exit(f"{' '.join(args)}: status {done.returncode}: {done.stderr}")
    return done.stdout


# ---- the rules ---------------------------------------------------------------------------


def number(record, key):
    value = record.get(key)
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


class Times:
    """When a cell began, got the kernel and ended, on the clock of the samples."""

    def __init__(self, cell, kernel_here, offset_ms, bound_ms):
        self.offset_ms, self.bound_ms = offset_ms, bound_ms
        certain = offset_ms is not None and bound_ms is not None and abs(offset_ms) > bound_ms
        offset_s = offset_ms / 1000 if certain else 0
        self.shift = offset_s if kernel_here else 0
        page = {
            k: number(cell, k) + self.shift
            for k in ("pressed_t", "sent_t", "received_t", "last_visual_change_t")
            if number(cell, k) is not None
        }
        busy = number(cell, "busy_t")
        marks = cell.get("marks") or []
        self.queued = "queued" in marks
        self.begin = page.get("pressed_t", page.get("sent_t"))
        self.turn = self.end = None
        if self.begin is None:
            return
        if "received_t" in page:
            self.end = max(page["received_t"], page.get("last_visual_change_t", -math.inf))
        elif number(cell, "client_ms") is not None:
            self.end = self.begin + number(cell, "client_ms") / 1000
        elif "truncated" in marks:
            self.end = number(cell, "t")
        self.turn = self.begin
        if self.queued and self.end is not None:
            turn = self.end if busy is None else busy - (0 if kernel_here else offset_s)
            self.turn = max(self.begin, min(turn, self.end))

    def lasted(self):
        return self.begin is not None and self.end is not None

    def has(self, t):
        return self.lasted() and self.turn <= t <= self.end


def times_of(records):
    """The cells' times, in the order of their records."""
    here, offset, bound, times = False, None, None, []
    for r in records:
        if r["type"] == "watch" and r.get("role") == "kernel" and number(r, "pid") is not None:
            here = True
        elif r["type"] == "cell":
            if number(r, "clock_offset_ms") is not None:
                offset, bound = number(r, "clock_offset_ms"), number(r, "clock_bound_ms")
            times.append(Times(r, here, offset, bound))
    return times


# ---- the runs ----------------------------------------------------------------------------


def record_of(text):
    try:
        record = json.loads(text, parse_constant=lambda word: float("x"))
    except ValueError:
        return None
    return record if isinstance(record, dict) and isinstance(record.get("type"), str) else None


def runs_in(path):
    """The runs of a file of records; of a bats file those that its tests have as literal text."""
    runs, records = [], []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if line[0] in "@}s" and path.endswith(".bats"):  # a test or setup begins or ends
                runs, records = runs + [records], []
            for text in [line.strip("\t\n")] + re.findall(r"'(\{\"type\":.*?\})'", line):
                record = record_of(text)
                if record and record["type"] == "run" and records:
                    runs, records = runs + [records], []
                records += [record] if record else []
    return [r for r in runs + [records] if usable(r)]


def usable(records):
    cells = [r for r in records if r["type"] == "cell"]
    times = [t for t in times_of(records) if t.lasted() and 0 < t.begin < 1e10 and t.end < 1e10]
    return len(times) > 0 and all(isinstance(c.get("source", ""), str) for c in cells)


def random_run(rng):
    """Cells run by a driver, or by a person who does not wait for one to end."""
    listens, here = rng.random() < 0.5, rng.random() < 0.7
    offset_ms, bound_ms = rng.choice(
        [
            (0.05, 0.1),
            (-3600000, 1),
            (120, 5),
            (120, 500),
            (-250, 249),
            (900000, 0.25),
            (None, None),
            (40, None),
        ]
    )
    shift_s = (offset_ms or 0) / 1000
    records = [{"type": "run", "t": 1e9}]
    records.append({"type": "watch", "t": 1e9, "role": "kernel", "pid": 7 if here else None})
    free_t = pressed_t = 1e9 + 100.0
    cells = []
    for index in range(1, rng.randint(2, 7)):
        pressed_t = round(pressed_t + rng.uniform(0.05, 1.5), 6)
        if not listens:
            pressed_t = max(pressed_t, free_t + 0.02)
        sent_t, kernel_s = pressed_t + 0.004, rng.uniform(0.01, 2)
        busy_t = max(sent_t + 0.002, free_t)
        idle_t = busy_t + kernel_s
        cell = {
            "type": "cell",
            "t": pressed_t,
            "cell_index": index,
            "status": "completed",
            "marks": [],
            "pressed_t": pressed_t,
            "sent_t": sent_t,
            "busy_t": round(busy_t + shift_s, 6),
            "idle_t": round(idle_t + shift_s, 6),
            "received_t": round(idle_t + 0.003, 6),
        }
        if rng.random() < 0.5:
            cell["last_visual_change_t"] = round(idle_t + rng.uniform(0, 1.5), 6)
        end_t = max(cell["received_t"], cell.get("last_visual_change_t", 0))
        cell["client_ms"] = round((end_t - pressed_t) * 1000, 3)
        if busy_t > sent_t + 0.01:
            cell["marks"].append("queued")
        if index == 1 or rng.random() < 0.7:
            cell.update(clock_offset_ms=offset_ms, clock_bound_ms=bound_ms)
        kind = rng.random()
        if kind < 0.15:
            cell.update(pressed_t=None, client_ms=None, marks=cell["marks"] + ["untriggered"])
        elif kind < 0.3:
            cut_t = pressed_t + rng.uniform(0.1, 2) + (shift_s if here else 0)
            cell.update(
                t=round(cut_t, 6),
                status="browser_died",
                client_ms=None,
                received_t=None,
                last_visual_change_t=None,
                busy_t=None,
                idle_t=None,
                marks=["truncated"],
            )
        elif kind < 0.4:
            cell.update(
                status="kernel_died", received_t=None, last_visual_change_t=None, idle_t=None
            )
        elif kind < 0.45:
            cell = {"type": "cell", "t": pressed_t, "cell_index": index, "status": "not_run"}
        cells.append((end_t, cell))
        free_t = end_t if not listens else max(free_t, idle_t)
    return records + [cell for _, cell in sorted(cells, key=lambda pair: pair[0])]


class Run:
    """A run as cellrun and procsample would write it, with samples for which the rules differ."""

    def __init__(self, name, records, rng):
        self.name = name
        watches = [r for r in records if r["type"] == "watch"]
        cells = [r for r in records if r["type"] == "cell"]
        times = times_of(watches + cells)
        pairs = [
            (t, dict(c))
            for t, c in zip(times, cells)
            if not t.lasted() or 0 < t.begin < 1e10 and t.end < 1e10
        ]
        # A cell is recorded when it has ended.
        self.cells = sorted(pairs, key=lambda pair: pair[0].end if pair[0].lasted() else -math.inf)
        if self.cells != pairs:  # then another cell would come before one without an offset
            for t, cell in self.cells:
                cell.update(clock_offset_ms=t.offset_ms or 0, clock_bound_ms=t.bound_ms)
        self.cells = self.cells[:12]
        for index, (_, cell) in enumerate(self.cells, 1):
            cell.update(
                cell_index=index,
                profiled=True,
                usage=None,
                source=f"cell {index}",
                page={"heap_before_bytes": 1000 + index},
            )
            cell.setdefault("status", "completed")
        self.times = [t for t, _ in self.cells]
        self.head = [
            {
                "type": "run",
                "t": 1.0,
                "name": "n",
                "notebook": "n.ipynb",
                "label": "l",
                "repetition": 1,
                "code_cells": 0,
                "settings": {"listen": True},
            }
        ] + watches
        own = [
            number(r, "t") for r in records if r["type"] == "sample" and number(r, "t") is not None
        ]
        self.samples = self.sample_times(own, rng)

    def sample_times(self, own, rng):
        edges = [e for t in self.times if t.lasted() for e in (t.begin, t.turn, t.end)]
        shifted = any(t.shift for t in self.times)
        near = [e + d for e in edges for d in (-0.3, -0.0007, 0.0004, 0.25)]
        wanted = rng.sample(own, min(len(own), 20)) + rng.sample(near, min(len(near), 40))
        if not shifted:
            wanted += rng.sample(edges, min(len(edges), 3))
        exact = [
            t
            for t in {round(t, 6) for t in wanted}
            if t > 0 and all(abs(t - e) > 5e-6 or (t == e and not shifted) for e in edges)
        ]
        return sorted(exact)

    def stream(self, chosen=None, **usage):
        """The records; only the chosen samples of the kernel, each of another size."""
        chosen = range(len(self.samples)) if chosen is None else chosen
        events = [
            (
                self.samples[i],
                1,
                {
                    "type": "sample",
                    "t": self.samples[i],
                    "role": "kernel",
                    "pid": 7,
                    "cpu_s": i + i * i % 7 / 8,
                    "rss_bytes": 1000000 + i,
                },
            )
            for i in chosen
        ]
        latest = -math.inf
        for t, cell in self.cells:
            if t.lasted():
                events.append(
                    (
                        t.begin,
                        0,
                        {
                            "type": "cell_start",
                            "t": t.begin - t.shift,
                            "cell_index": cell["cell_index"],
                            "tags": [],
                        },
                    )
                )
                # The record comes somewhat later, and the next sample before it.
                latest = max(latest, min((s for s in self.samples if s > t.end), default=t.end))
            events.append((latest, 2, dict(cell, usage=usage or None)))
        return self.head + [r for _, _, r in sorted(events, key=lambda e: e[:2])]

    def members(self, chosen=None):
        chosen = range(len(self.samples)) if chosen is None else chosen
        return [{i for i in chosen if t.has(self.samples[i])} for t in self.times]


# ---- what the programs say -----------------------------------------------------------------


def by_cellmetrics(run):
    """A copy of the run for each sample: a cell has a memory if the sample is its own."""
    copies = [r for i in range(len(run.samples)) for r in run.stream([i])]
    lines = [json.loads(line) for line in program("cellmetrics", runs=copies).splitlines()]
    cells = [line for line in lines if line["type"] == "cell_metrics"]
    n = len(run.cells)
    found = [set() for _ in run.cells]
    for k, line in enumerate(cells):
        if line["kernel_max_rss_bytes"] is not None:
            found[k % n].add(k // n)
    return found


def by_runexport(run):
    """The cell that a program assigns to each sample, from 1."""
    document = json.loads(program("runexport", "--json", runs=run.stream()))
    return [sample["cell_index"] for sample in document["samples"]]


def by_runtrace(run):
    """Cells are slices, and the page's numbers at their turns are counters."""
    events = json.loads(program("runtrace", runs=run.stream()))["traceEvents"]
    tracks = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    ends, turns, samples = {}, {}, {}
    for e in events:
        if e["ph"] == "X" and tracks[e["pid"], e["tid"]].startswith("cells"):
            ends[e["args"]["cell_index"]] = e["ts"] + e["dur"]
        elif e["ph"] == "C" and e["name"] == "JavaScript heap":
            turns[e["args"]["B"] - 1000] = e["ts"]
        elif e["ph"] == "C" and e["name"] == "memory (RSS)":
            samples[e["args"]["B"] - 1000000] = e["ts"]
    return [
        {i for i, t in samples.items() if k in ends and turns[k] <= t <= ends[k]}
        for k in range(1, len(run.cells) + 1)
    ]


def by_cellgraph(run, chosen, *options):
    """For each cell that took time how many samples it has, and their mean CPU in percent."""
    text = program(
        "cellgraph",
        "--each",
        "-r",
        "kernel",
        *options,
        runs=run.stream(chosen, kernel={"peak_rss_bytes": 1}),
    )
    counts, index = {}, 0
    for line in text.splitlines():
        if title := re.match(r"n\.ipynb, cell (\d+): ", line):
            index = int(title[1])
        if count := re.search(r"only (\d+) samples? in this cell|mean ([\d.]+) %", line):
            counts[index] = float(count[1] or count[2])
    return counts


def compare(run):
    """The differences between the programs and the rules, one per line."""
    expected = run.members()
    for name, found in (("cellmetrics", by_cellmetrics(run)), ("runtrace", by_runtrace(run))):
        for k, (want, got) in enumerate(zip(expected, found), 1):
            for i in sorted(want ^ got):
                has = "lacks" if i in want else "has"
                yield f"{name}: cell {k} {has} the sample at {run.samples[i]}"

    for i, got in enumerate(by_runexport(run)):
        owners = [(run.times[k].turn, k + 1) for k, m in enumerate(expected) if i in m]
        want = max(owners)[1] if owners else None
        if want != got:
            at = run.samples[i]
            yield f"runexport: the sample at {at} belongs to cell {got} instead of {want}"

    subsets = [list(range(len(run.samples)))]
    subsets += [
        [i for i in subsets[0] if i >> bit & 1] for bit in range(len(run.samples).bit_length())
    ]
    for chosen in subsets:
        counts = by_cellgraph(run, chosen, "-m", "memory", "--min-samples", "1000000")
        for k, t in enumerate(run.times):
            want, got = len(expected[k] & set(chosen)), counts.get(k + 1)
            if t.lasted() and t.end > t.begin and want != got:
                yield f"cellgraph: cell {k + 1} has {got} of the samples {chosen} instead of {want}"

    shown = [
        json.loads(line) for line in program("runhistory", "--json", runs=run.stream()).splitlines()
    ]
    for k, (t, line) in enumerate(zip(run.times, shown), 1):
        want = None if t.begin is None else t.begin - t.shift
        if (want is None) != (line["start_t"] is None) or (
            want and abs(want - line["start_t"]) > 2e-6
        ):
            yield f"runhistory: cell {k} begins at {line['start_t']} instead of {want}"


def compare_intervals(run):
    """CPU between two samples: the same whole intervals in cellmetrics and cellgraph."""
    lines = [
        json.loads(line)
        for line in program("cellmetrics", "--min-samples", "1", runs=run.stream()).splitlines()
    ]
    means = by_cellgraph(run, None, "-m", "cpu", "--min-samples", "1")
    middles = [(a + b) / 2 for a, b in zip(run.samples, run.samples[1:])]
    for k, line in enumerate((line for line in lines if line["type"] == "cell_metrics"), 1):
        mean, count = line["kernel_mean_cpu_metric"], sum(map(run.times[k - 1].has, middles))
        if run.times[k - 1].lasted() and line["kernel_samples"] not in (None, count):
            yield f"cellmetrics: cell {k} has {line['kernel_samples']} intervals instead of {count}"
        # Without a sample in the cell, cellgraph shows the mean by the cell's own readings.
        sampled = any(map(run.times[k - 1].has, run.samples))
        if (
            mean is not None
            and sampled
            and k in means
            and abs(mean - means[k]) > 0.0051 * abs(mean) + 0.006
        ):
            yield f"cellgraph: cell {k} has a mean CPU of {means[k]} % instead of {mean}"


def main(args):
    count = int(args[1]) if "--random" in args[:1] else 0
    paths = args[2:] if "--random" in args[:1] else args
    rng = random.Random(19)
    found = [
        (f"{os.path.basename(path)} {k}", records)
        for path in paths
        for k, records in enumerate(runs_in(path), 1)
    ]
    found += [(f"random {k}", random_run(rng)) for k in range(1, count + 1)]
    bad = cells = samples = 0
    for name, records in found:
        run = Run(name, records, rng)
        if not run.samples:
            continue
        cells += len(run.cells)
        samples += len(run.samples)
        for difference in list(compare(run)) + list(compare_intervals(run)):
            print(f"{name}: {difference}")
            bad += 1
            if bad == 20:
                sys.exit("too many differences")
    print(f"{len(found)} runs, {cells} cells, {samples} samples")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
