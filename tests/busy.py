#!/usr/bin/env python3
"""busy.py TRUTH WORK...: does known work and writes what it cost into TRUTH.

The truth is what the kernel reports to this process about itself and the children
that it waited for, in microseconds, at its end.
"""

import json
import os
import resource
import sys
import threading
import time


def burn(seconds, clock=time.process_time):
    end = clock() + seconds
    while clock() < end:
        pass


def children(n, seconds):
    pids = []
    for _ in range(n):
        pids.append(os.fork())
        if pids[-1] == 0:
            burn(seconds)
            os._exit(0)
    for pid in pids:
        os.waitpid(pid, 0)


def threads(n, seconds):
    for _ in range(n):
        t = threading.Thread(target=burn, args=(seconds, time.thread_time))
        t.start()
        t.join()


def many(n):
    for _ in range(n):
        os.waitpid(os.posix_spawn("/bin/true", ["true"], os.environ), 0)


def disk(n, megabytes):
    """n processes in turn write, sync and read their own file."""
    for i in range(n):
        pid = os.fork()
        if pid == 0:
            with open(f"data{i}", "wb", buffering=0) as f:
                for _ in range(megabytes):
                    f.write(bytes(1000000))
                os.fsync(f.fileno())
                os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            with open(f"data{i}", "rb", buffering=0) as f:
                while f.read(1000000):
                    pass
            os._exit(0)
        os.waitpid(pid, 0)


def daemon(seconds, sessions):
    """A process whose parent has ended, in a session of its own or of its parent."""
    told, tell = os.pipe()
    if os.fork() == 0:
        if sessions == "parent":
            os.setsid()
        if os.fork() == 0:
            if sessions == "own":
                os.setsid()
            burn(seconds)
            os.write(tell, b"done")
        os._exit(0)
    os.wait()
    os.read(told, 4)


WORK = {
    "burn": lambda s: burn(float(s)),
    "children": lambda n, s: children(int(n), float(s)),
    "threads": lambda n, s: threads(int(n), float(s)),
    "many": lambda n: many(int(n)),
    "daemon": lambda s, sessions: daemon(float(s), sessions),
    "disk": lambda n, mb: disk(int(n), int(mb)),
}
truth, name, *args = sys.argv[1:]
WORK[name](*args)
own, theirs = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
costs = {
    "cpu_s": own.ru_utime + own.ru_stime + theirs.ru_utime + theirs.ru_stime,
    "switches": own.ru_nvcsw + own.ru_nivcsw + theirs.ru_nvcsw + theirs.ru_nivcsw,
    "minor_faults": own.ru_minflt + theirs.ru_minflt,
}
with open(truth, "w") as f:
    json.dump(costs, f)
