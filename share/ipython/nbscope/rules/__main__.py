"""rules [--metrics METRICS] FILE...: judges the cells of runs; writes mistake records.

FILEs are records of runs: of ordinary ones, of which the page's evidence is judged, and of profiler
passes, whose records are joined by notebook and cell. METRICS are cell_metrics records: how long
cells take without a profiler.
"""

import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from rules import judge  # pylint: disable=wrong-import-position

PASS = ("profile", "profile_line", "profile_function", "profile_evidence")
NEEDED = tuple(f'{{"type":"{kind}"'.encode() for kind in ("run", "cell", *PASS))


def records_of(path, needed):
    """Those of these types; a cell only if it was profiled, or has evidence."""
    with open(path, "rb") as file:
        for line in file:
            head = line[:40].replace(b'": "', b'":"')
            if not head.startswith(needed):
                continue
            if head.startswith(b'{"type":"cell"') and not (
                b'"evidence":{' in line or b'"profiler"' in line
            ):
                continue
            yield json.loads(line)


class Cells:
    """The evidence of the cells of some runs."""

    def __init__(self):
        self.found = {}  # (use case, notebook, cell): evidence
        self.run = None, None
        self.profiler = None

    def at(self, record):
        index = record["cell_index"]
        return self.found.setdefault((*self.run, index), {"cell": index})

    def read(self, path):
        for r in records_of(path, NEEDED):
            if r["type"] == "run":
                self.run = r.get("usecase"), r.get("name")
            elif r.get("cell_index") and not r.get("interaction") and not r.get("processes"):
                getattr(self, "read_" + r["type"])(r)

    def read_cell(self, r):
        e, usage = self.at(r), (r.get("usage") or {}).get("kernel") or {}
        kernel_s = (r.get("kernel_ms") or 0) / 1e3
        e["kernel_s"] = kernel_s or None
        e["source"] = r.get("source")
        if kernel_s and usage.get("cpu_s") is not None:
            ready_s = usage["cpu_s"] + (usage.get("run_queue_wait_s") or 0)
            e["ready_share"] = ready_s / kernel_s
        for member, value in ((r.get("page") or {}).get("evidence") or {}).items():
            e.setdefault(member, value)

    def read_profile(self, r):
        self.profiler = r["profiler"]
        if self.profiler in ("functions", "lines"):
            self.at(r)[self.profiler + "_s"] = r["wall_s"]
        elif self.profiler == "samples":
            self.at(r)["samples_s"] = r.get("sampled_s")

    def read_profile_line(self, r):
        self.at(r).setdefault("lines", []).append(r)

    def read_profile_function(self, r):
        if self.profiler in ("functions", "samples"):  # not the page's
            self.at(r).setdefault(self.profiler, []).append(r)

    def read_profile_evidence(self, r):
        self.at(r).update({k: v for k, v in r.items() if k not in ("type", "cell_index")})

    def read_metrics(self, path):
        """The times of cells without a profiler."""
        for r in records_of(path, b'{"type":"cell_metrics"'):
            e = self.found.get((r.get("usecase"), r.get("name"), r.get("cell_index")))
            if e and r.get("kernel_s") is not None:
                e["kernel_s"] = r["kernel_s"]

    def mistakes(self):
        for (usecase, name, index), e in self.found.items():
            if e.get("samples"):  # their times are not longer than without a profiler
                e["functions"], e["functions_s"] = e["samples"], e["samples_s"]
            if e.get("kernel_s") and "ready_share" in e:
                e["ready_s"] = e["ready_share"] * e["kernel_s"]
            for m in judge(e):
                yield {
                    "type": "mistake",
                    "usecase": usecase,
                    "name": name,
                    "cell_index": index,
                    "profiled": bool(e.get("functions") or e.get("lines") or "opens" in e),
                    **m,
                }


def main():
    parser = argparse.ArgumentParser(prog="rules", description=__doc__)
    parser.add_argument("--metrics")
    parser.add_argument("files", nargs="*", metavar="FILE")
    given = parser.parse_args()
    cells = Cells()
    for path in given.files:
        cells.read(path)
    if given.metrics:
        cells.read_metrics(given.metrics)
    for m in cells.mistakes():
        print(json.dumps(m, ensure_ascii=False, separators=(",", ":")))


main()
