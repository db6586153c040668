"""As that of release 4.5.1: with scorep.instrumenter.enable() and disable(), also as decorators.

As there, functions of modules whose names begin with "scorep" are left out; a function that ends
without having begun is an error region, if none such has ever begun; else, with Score-P's profiling
on, which is the default, Score-P aborts the process. So it does if two threads run functions at
once, unless --thread=pthread is an argument.
"""

import functools
import os
import sys
import threading
import time

events = []  # ["E" or "L", microseconds, name]
known = set()  # codes of functions that have begun
stacks = {}  # of each thread, those that have not ended
per_thread = False  # --thread=pthread; else all threads are one
registered = False


def record(kind, name):
    if threading.current_thread() is threading.main_thread():
        events.append([kind, time.time_ns() // 1000, name])


def stack_of_thread():
    return stacks.setdefault(threading.get_ident() if per_thread else None, [])


def end(code, name):
    stack = stack_of_thread()
    if code not in known:
        record("E", "error_region")
        record("L", "error_region")
    elif stack and stack[-1] is code:
        stack.pop()
        record("L", name)
    elif os.environ.get("SCOREP_ENABLE_PROFILING", "true").lower() not in ("0", "false", "no"):
        os.write(2, b"[Score-P] Fatal: Exit event for other than current region occurred\n")
        os.abort()
    else:
        record("L", name)


def note(frame, event, argument):
    module, code = frame.f_globals.get("__name__", "unknown"), frame.f_code
    if event not in ("call", "return") or module.startswith("scorep"):
        return
    if "self" in frame.f_locals:
        module += "." + type(frame.f_locals["self"]).__name__
    name = f"{module}:{code.co_name}"
    if event == "call":
        known.add(code)
        stack_of_thread().append(code)
        record("E", name)
    else:
        end(code, name)


def switch(on):
    global registered
    registered = on
    sys.setprofile(note if on else None)
    threading.setprofile(note if on else None)


class enable:
    on = True

    def __enter__(self):
        self.was = registered
        if self.was is not self.on:
            switch(self.on)

    def __exit__(self, kind=None, error=None, traceback=None):
        if self.was is not self.on:
            switch(not self.on)

    def __call__(self, function):
        with disable():

            @functools.wraps(function)
            def inner(*args, **kwargs):
                with type(self)():
                    return function(*args, **kwargs)

        return inner


class disable(enable):
    on = False


def balanced():
    """A call that began before it was on has no enter, one that did not end no leave."""
    found, names = [], []
    for kind, t, name in events:
        if kind == "E":
            names.append(name)
        elif not names or names.pop() != name:
            continue
        found.append((kind, t, name))
    last = found[-1][1] if found else 0
    return found + [("L", last, name) for name in reversed(names)]
