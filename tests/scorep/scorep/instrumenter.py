"""As Score-P's: with scorep.instrumenter.enable() and disable()."""

import sys
import time

events = []  # ["E" or "L", microseconds, name]
on = False


def note(frame, event, argument):
    if event in ("call", "return"):
        code = frame.f_code
        module = frame.f_globals.get("__name__", "")
        events.append(
            ["E" if event == "call" else "L", time.time_ns() // 1000, f"{module}:{code.co_name}"]
        )


class enable:
    def __enter__(self):
        global on
        on = True
        sys.setprofile(note)

    def __exit__(self, kind, error, traceback):
        global on
        on = False
        sys.setprofile(None)


class disable:
    def __enter__(self):
        global on
        self.was_on, on = on, False
        sys.setprofile(None)

    def __exit__(self, kind, error, traceback):
        global on
        on = self.was_on
        sys.setprofile(note if on else None)


def balanced():
    """A call that began before it was on has no enter, one that did not end no leave."""
    found, stack = [], []
    for kind, t, name in events:
        if kind == "E":
            stack.append(name)
        elif not stack or stack.pop() != name:
            continue
        found.append((kind, t, name))
    last = found[-1][1] if found else 0
    return found + [("L", last, name) for name in reversed(stack)]
