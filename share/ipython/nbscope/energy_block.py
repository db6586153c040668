"""What a block of code within a cell emits: with nbscope.emissions() as e: ...

procsample reads energy and CPU time at both ends of the block, as it does for the cells of a run,
and cellmetrics computes the share and the emissions from them: nbscope-energy(7). A driven run has
the result as an emissions record: nbscope-records(7).
"""

import json
import os
import sys
import threading
import time
import types

from . import driven, programs, records
from .recorder import Recorder

INTERVAL_MS = 1000.0  # between the two readings, so that a counter overflows once at most
OWN_PEAK = types.SimpleNamespace(exact=False)  # it is the cell's, and not reset here
NO_INTENSITY = "CARBON_INTENSITY (g of CO2e per kWh) is not set"
NO_TIME = "the block was too short for the clocks of the processors"
UNKNOWN = dict.fromkeys(
    ("duration_s", "energy_j", "co2e_g", "machine_energy_j", "energy_method", "reason")
)


class Recorders:
    """Those that no block uses now. A block takes one, so that blocks may overlap."""

    def __init__(self):
        self.idle, self.owner, self.lock = [], os.getpid(), threading.Lock()

    def take(self):
        if self.owner != os.getpid():  # forked: they are the parent's
            self.__init__()
        with self.lock:
            recorder = self.idle.pop() if self.idle else None
        if recorder is None:
            recorder = Recorder(INTERVAL_MS)
            recorder.start()
        return recorder

    def give_back(self, recorder):
        if recorder.pipe is not None and recorder.owner == self.owner == os.getpid():
            with self.lock:
                self.idle.append(recorder)


recorders = Recorders()


class Emissions:
    """A block, and what it used when it has ended. What is not known is None: `reason` says why.

    duration_s        how long it took
    energy_j          joules of the kernel and all its processes, by their share of CPU time
    co2e_g            grams of CO2 equivalent of these
    machine_energy_j  joules of the machine meanwhile
    energy_method     rapl, or estimate
    """

    # As a cell of a run has it.
    index, id, source, tags, apart, error, added_s = 1, "", "", (), (), (None, None), 0.0
    status = reason = start = end = span = recorder = None

    def __init__(self, name=None):
        self.name = name
        self.__dict__.update(UNKNOWN)

    def __enter__(self):
        self.recorder = recorders.take()
        self.recorder.before()
        self.start, self.began = time.time(), time.perf_counter()
        return self

    def __exit__(self, kind, error, trace):
        self.duration_s = round(time.perf_counter() - self.began, 6)
        self.end = self.start + self.duration_s
        self.status = "completed" if kind is None else "failed"
        self.span = self.recorder.after()
        self.compute()
        recorders.give_back(self.recorder)
        self.recorder = None
        self.collect()

    def lines(self):
        return self.recorder.lines(self.span)

    def compute(self):
        if self.span is None:
            self.reason = self.recorder.why_not or "the block began in another process"
            return
        lines, state = self.lines(), types.SimpleNamespace(cells=[self], name="block")
        self.usage = {
            "kernel": records.kernel_usage(lines, OWN_PEAK, OWN_PEAK, None),
            "machine": records.machine_usage(lines),
        }
        try:
            printed = records.run_program(state, "cellmetrics", []).splitlines()
        except (programs.ProgramError, OSError) as problem:
            self.reason = str(problem)
            return
        metrics = next(m for m in map(json.loads, printed) if m["type"] == "cell_metrics")
        self.energy_j, self.co2e_g = metrics["kernel_energy_j"], metrics["kernel_co2e_g"]
        self.machine_energy_j = metrics["machine_energy_j"]
        self.energy_method = metrics["energy_method"]
        if self.machine_energy_j is None:
            self.reason = metrics["energy_reason"]
        elif self.energy_j is None:
            self.reason = metrics["kernel_usage_reason"] or NO_TIME
        elif self.co2e_g is None:
            self.reason = NO_INTENSITY

    def record(self):
        return {
            "type": "emissions",
            "t": round(self.start, 6),
            "name": self.name,
            "status": self.status,
            **{key: getattr(self, key) for key in UNKNOWN},
        }

    def collect(self):
        """A driven run and %nbscope --save have the record; nothing is shown."""
        import nbscope

        if nbscope.state is not None and nbscope.state.current is not None:
            nbscope.state.current.apart.append(self.record())
        shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
        if driven.driven and shell is not None and recorders.owner == os.getpid():
            shell.display_pub.publish({records.MIME: self.record()})

    def __str__(self):
        if self.end is None:
            return "emissions: the block has not ended"
        known = [
            (self.energy_j, "J"),
            (self.co2e_g, "g of CO2e"),
            (self.machine_energy_j, "J of the machine"),
        ]
        values = [f"{value:.6g} {unit}" for value, unit in known if value is not None]
        words = [f"{self.duration_s:.3f} s", *values]
        if self.energy_method:
            words.append(f"by {self.energy_method}")
        name = f" of {self.name}" if self.name else ""
        return f"emissions{name}: {', '.join(words)}" + (f" ({self.reason})" if self.reason else "")

    __repr__ = __str__
