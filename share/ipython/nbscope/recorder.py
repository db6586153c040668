"""A procsample next to the kernel, which samples it while a cell runs.

It is procsample as a filter: the watch record at the start of a cell makes it take a first
reading, and the run_end record at its end a last, exact one. Between cells it does nothing. What
it writes is a file without a name, which vanishes with the kernel.
"""

import json
import os
import select
import subprocess
import tempfile
import time

from . import programs

ANSWER_S, FIRST_ANSWER_S, STEP_S = 2.0, 20.0, 0.0002
# With fewer variables than the kernel has, it is no part of a kernel that is watched from outside.
KEPT_VARIABLES = (
    "PATH",
    "LD_LIBRARY_PATH",
    "CPU_WATTS",
    "MEMORY_WATTS",
    "NBSCOPE_NVML",
    "NBSCOPE_SYSROOT",
)
# The shell ends at once, and leaves procsample without a parent.
START = 'exec 3<&0; "$@" <&3 >&2 3<&- 2>/dev/null &'


class Recorder:
    def __init__(self, interval_ms):
        self.interval_ms = interval_ms
        self.owner = os.getpid()  # a forked child leaves the pipe alone
        self.out = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  kept open
        self.pipe = None
        self.size = 0  # of what has been used of the file
        self.why_not = None  # there are no samples

    # ---- procsample ----

    def start(self):
        path = programs.find("procsample")
        if path is None:
            self.why_not = "there is no program procsample on PATH"
            return
        read_end, write_end = os.pipe()
        variables = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
        try:
            subprocess.run(
                ["/bin/sh", "-c", START, "sh", path, "--interval", str(self.interval_ms)],
                stdin=read_end,
                stdout=subprocess.DEVNULL,
                stderr=self.out,
                env=variables,
                start_new_session=True,
                check=True,
            )
        except (OSError, subprocess.SubprocessError) as error:
            self.why_not = f"procsample cannot be started: {error}"
            os.close(write_end)
            return
        finally:
            os.close(read_end)
        self.pipe = write_end
        # The first time it looks for GPUs and meters, which takes longer.
        self.begin(FIRST_ANSWER_S)
        self.finish(FIRST_ANSWER_S)

    def stop(self):
        if os.getpid() == self.owner and self.pipe is not None:
            os.close(self.pipe)
        self.pipe = None

    def send(self, record):
        """Returns the line, or None if procsample has ended."""
        line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
        try:
            os.write(self.pipe, line)
        except OSError as error:
            self.why_not = f"procsample has ended: {error}"
            self.stop()
            return None
        return line

    def wait(self, condition, limit_s):
        end = time.monotonic() + limit_s
        reader = select.poll()
        reader.register(self.pipe, 0)  # an error: nobody reads it any longer
        while not condition():
            gone = reader.poll(0)
            if gone or time.monotonic() > end:
                self.why_not = (
                    "procsample has ended"
                    if gone
                    else f"procsample did not answer within {limit_s:g} s"
                )
                self.stop()
                return
            time.sleep(STEP_S)

    def written(self):
        return os.fstat(self.out.fileno()).st_size

    def begin(self, limit_s=ANSWER_S):
        """The first reading has been taken when this returns."""
        self.size = self.written()  # an interrupt may have prevented that
        line = self.send(
            {
                "type": "watch",
                "t": round(time.time(), 6),
                "role": "kernel",
                "pid": self.owner,
                "reason": None,
            }
        )
        if line:
            self.wait(lambda: self.written() > self.size + len(line), limit_s)

    def finish(self, limit_s=ANSWER_S):
        """Takes the last reading. Returns where in the file the samples are."""
        line = self.send(
            {
                "type": "run_end",
                "t": round(time.time(), 6),
                "status": "completed",
                "reason": None,
                "cells_run": 1,
            }
        )
        if line:
            self.wait(lambda: self.tail(len(line)) == line, limit_s)
        begin, self.size = self.size, self.written()
        return begin, self.size - (len(line) if line and self.pipe is not None else 0)

    def tail(self, n):
        size = self.written()
        return os.pread(self.out.fileno(), n, size - n) if size >= self.size + n else b""

    # ---- a cell ----

    def before(self):
        if os.getpid() == self.owner and self.pipe is not None:
            self.begin()

    def after(self):
        """Where in the file the cell's samples are; None: there are none."""
        if os.getpid() != self.owner or self.pipe is None:
            return None
        return self.finish()

    def lines(self, span):
        """The samples of a cell, as lines of JSON."""
        return os.pread(self.out.fileno(), span[1] - span[0], span[0]).splitlines(keepends=True)


class Own:
    """What this process itself has used, and its peak since the last reading."""

    def __init__(self):
        self.times = os.times()
        self.peak_bytes = None
        try:
            with open("/proc/self/status", encoding="utf-8") as f:
                text = f.read()
            self.peak_bytes = int(text.split("VmHWM:")[1].split()[0]) * 1024
            with open("/proc/self/clear_refs", "w", encoding="ascii") as f:
                f.write("5")
            self.exact = True
        except (OSError, IndexError, ValueError):
            self.exact = False  # the peak is that since the process began

    def cpu_s(self):
        return sum(self.times[:4])
