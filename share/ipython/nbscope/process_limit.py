"""A child whose number of processes is bounded.

Score-P's Python module starts itself again, and its compiler wrapper may do so without an end.
RLIMIT_NPROC stops that for ordinary users; root is not bound by it, and a thread watches as well.
"""

import os
import resource
import signal
import subprocess
import threading

from .remote import children, text_of

MAX_PROCESSES = 256  # of one cell
MORE_TASKS = 1024  # than the machine has now: RLIMIT_NPROC counts threads, too
PERIOD_S = 0.02


def descendants(pid):
    found, new = [], [pid]
    while new:
        one = children(new.pop())
        found += one
        new += one
    return found


class Bounded(subprocess.Popen):
    """Its `exceeded` is the number of processes for which it was killed, or None."""

    def __init__(self, command, limit=MAX_PROCESSES, **options):
        self.limit, self.exceeded = limit, None
        soft, hard = resource.getrlimit(resource.RLIMIT_NPROC)
        bound = int(text_of("/proc/loadavg").split()[3].split("/")[1]) + MORE_TASKS
        if soft == resource.RLIM_INFINITY or soft > bound:
            options["preexec_fn"] = lambda: resource.setrlimit(resource.RLIMIT_NPROC, (bound, hard))
        super().__init__(command, start_new_session=True, **options)
        self.ended = threading.Event()
        threading.Thread(target=self.watch, daemon=True, name="nbscope-limit").start()

    def watch(self):
        while not self.ended.wait(PERIOD_S):
            count = 1 + len(descendants(self.pid))
            if count > self.limit:
                self.exceeded = count
                self.end()
                return

    def end(self):
        """All of it, including what is started meanwhile, and what it has left behind."""
        found = []
        for _ in range(100 if self.returncode is None else 0):
            found = descendants(self.pid)
            for pid in found:
                try:
                    os.kill(pid, signal.SIGSTOP)
                except OSError:
                    pass
            if set(descendants(self.pid)) <= set(found):
                break
        # Its own id may be another's once it was waited for; that of its group is not.
        for pid in [*found, self.pid] if self.returncode is None else ():
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except OSError:
            pass
