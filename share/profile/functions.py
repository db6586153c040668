# functions.py: the functions of a cell: calls, own and cumulative time, and callers. By cProfile
# before Python 3.12. From then on, cProfile takes the calls of all threads for those of one stack,
# also of the kernel's own threads, so sys.setprofile does it there, which is slower.
import cProfile
import marshal
import sys
import time

MAX_FUNCTIONS = 5000  # of one cell; those with the least time are left out
EXEC = ("~", 0, "<built-in method builtins.exec>")


class Functions(Profiler):
    name = "functions"
    follows = True
    version = "cProfile" if sys.version_info < (3, 12) else "sys.setprofile"
    version += f", Python {platform.python_version()}"
    ids = {}  # (file, line, function): the id in records, the same for all cells

    def __init__(self, profile, settings):
        super().__init__(profile, settings)
        self.profiler = self.new_profiler()
        self.of_threads = []  # profilers, one for each thread that the cell has started
        self.paused = self.on = self.running = False
        self.theirs = set()  # ids of the cell's own profilers that are on

    def new_profiler(self):
        kind = cProfile.Profile if sys.version_info < (3, 12) else ThreadProfile
        return kind(*self.profile.timer)

    def begin(self):
        if sys.version_info < (3, 12):
            self.give_way()

    def give_way(self):
        """A profiler that the cell itself starts has precedence: Python allows only one."""
        own, mine = self, self.profiler
        kind = cProfile.Profile

        def enable(profiler, *args, **kwargs):
            if profiler is not mine:
                own.pause()
                own.theirs.add(id(profiler))
            return super(kind, profiler).enable(*args, **kwargs)

        def disable(profiler):
            super(kind, profiler).disable()
            if id(profiler) in own.theirs:
                own.theirs.remove(id(profiler))
                if own.running:
                    own.profile.attempt(own, "start")

        kind.enable, kind.disable = enable, disable

    def pause(self):
        if self.on:
            super(cProfile.Profile, self.profiler).disable()
            self.on, self.paused = False, True

    def start(self):
        self.running = True
        if self.theirs or self.on:
            return
        if sys.getprofile() is not None:
            raise Reason("another profiler is active in the kernel")
        super(type(self.profiler), self.profiler).enable()
        self.on = True

    def stop(self):
        if self.on:
            super(type(self.profiler), self.profiler).disable()
        self.running = self.on = False

    def enter_thread(self):
        profiler = self.new_profiler()
        self.of_threads.append(profiler)
        super(type(profiler), profiler).enable()
        return super(type(profiler), profiler).disable

    def end(self):
        for word in ("enable", "disable"):
            if word in vars(cProfile.Profile):
                delattr(cProfile.Profile, word)

    def key(self, code):
        if isinstance(code, str):
            return "~", 0, code
        file = file_name(code.co_filename)
        if any(code is c for c in self.profile.codes + self.profile.parts):
            return whole_cell(code.co_filename)
        return file, line_in_file(code, code.co_firstlineno), function_name(code)

    def table(self):
        """{function: [calls, primitive calls, own, cumulative, {caller: the same four}]}"""
        table, of_threads = {}, self.entries(*self.of_threads)
        parts, wrappers = self.profile.parts, [w[0] for w in self.profile.wrappers]
        entries = self.entries(self.profiler) + of_threads
        for e in entries:
            row = table.setdefault(self.key(e.code), [0, 0, 0.0, 0.0, {}])
            cumulative = row[3]
            add(row, e)
            if any(e.code is c for c in parts):  # the statement with the magic has it
                row[3] = cumulative
        # What a magic calls until it runs the cell's code is IPython's.
        own = [e for e in entries if not any(e.code is c for c in wrappers)]
        add_calls(table, own, self.key)
        self.add_files(table)
        self.add_waits(table)
        return self.cells_own(table, {self.key(e.code) for e in of_threads})

    @staticmethod
    def entries(*profilers):
        return [e for p in profilers for e in p.getstats() if not is_ours(e.code)]

    def add_files(self, table):
        """The cell calls what %run has run."""
        for code in self.profile.files:
            row = table.get(self.key(code))
            if row:
                row[4][whole_cell(self.profile.codes[0].co_filename)] = row[:4]

    def add_waits(self, table):
        """cProfile takes each time that a coroutine goes on for a call, and no time for waiting."""
        for places, (times, seconds) in self.profile.waits.items():
            caller = None
            for n, (code, _) in enumerate(places):
                row = table.get(self.key(code))
                links = row[4] if row else {}
                for to in filter(None, (row, links.get(caller))):
                    to[0], to[1] = max(1, to[0] - times), max(1, to[1] - times)
                    to[2] += seconds if n == len(places) - 1 else 0
                    to[3] += seconds
                caller = self.key(code)

    def cells_own(self, table, of_threads):
        """Leaves what the cell and its threads call: not exec, with which IPython runs it."""
        cell = whole_cell(self.profile.codes[0].co_filename)
        row = table.get(cell)
        if row is None:
            return table
        row[0] = row[1] = 1
        row[4].pop(EXEC, None)
        starts = {cell} | of_threads
        if self.profile.is_async:  # the kernel's own code runs while the cell waits
            starts |= {self.key(code) for code in self.profile.tasks}
            starts |= {k for k in table if k[0].startswith("<cell") or own_code(k[0])}
        table = reachable(table, starts)
        # What is left of built-in functions is what the cell's own functions call.
        for key in [k for k in table if k[0] == "~"]:
            callers = list(table[key][4].values())
            if callers:
                table[key][:4] = [sum(c) for c in zip(*callers)]
            else:
                del table[key]
        for row in table.values():
            row[4] = {caller: times for caller, times in row[4].items() if caller in table}
        return table

    def records(self, more):
        if self.paused:
            more["reason"] = "the cell started a profiler of its own, which is left out"
        yield from take_reports(self.profile, self.name, "pstats", more)
        yield from self.rows(self.table(), more)

    def rows(self, table, more, of=""):
        if not table:
            return
        rows = sorted(table.items(), key=lambda r: -max(r[1][2], r[1][3]))
        more["left_out"] = max(0, len(rows) - MAX_FUNCTIONS)
        rows = rows[:MAX_FUNCTIONS]
        ids, kept = Functions.ids, {k for k, _ in rows}
        for k, _ in rows:
            ids.setdefault(k, len(ids) + 1)
        for (file, line, function), (
            calls,
            primitive,
            own,
            cumulative,
            callers,
            *in_processes,
        ) in rows:
            yield {
                "type": "profile_function",
                "id": ids[file, line, function],
                "file": file,
                "line": line,
                "function": function,
                "calls": calls,
                "primitive_calls": primitive,
                "own_s": own,
                "cumulative_s": cumulative,
                "callers": [[ids[k]] + v for k, v in callers.items() if k in kept],
                **dict(zip(["processes"], in_processes)),
            }
        stats = {
            k: (v[1], v[0], v[2], v[3], {c: (n[1], n[0], n[2], n[3]) for c, n in v[4].items()})
            for k, v in table.items()
        }
        yield from file_record(self.profile, self.name, f"{of}pstats", marshal.dumps(stats), more)

    def handed(self):
        """{function: [calls, primitive calls, own, cumulative, {caller: the same four}]}, of the
        time on a processor; functions are (file, line, name) as in this process."""

        def place(code):
            if isinstance(code, str):
                return "~", 0, code
            first = code.co_firstlineno
            return Sent.name(code), Moved.of(code).get(first, first), function_name(code)

        table, entries = {}, self.entries(self.profiler, *self.of_threads)
        for e in entries:
            add(table.setdefault(place(e.code), [0, 0, 0.0, 0.0, {}]), e)
        add_calls(table, entries, place)
        return table

    def added(self, parts, more):
        def named(place):
            return file_name(place[0]), line_number(*place[:2]), place[2]

        table, more["work_s"] = {}, sum(used.get("cpu_s", 0.0) for used, _ in parts)
        for _, handed in parts:
            for place, (*times, callers) in handed.items():
                if not times[0]:
                    continue
                row = table.setdefault(named(place), [0, 0, 0.0, 0.0, {}, 0])
                row[:4] = map(sum, zip(row, times))
                row[5] += 1
                for caller, calls in callers.items():
                    before = row[4].setdefault(named(caller), [0, 0, 0.0, 0.0])
                    before[:] = map(sum, zip(before, calls))
        return self.rows(table, more, "workers.")


def add(row, entry):
    row[0] += entry.callcount
    row[1] += entry.callcount - entry.reccallcount
    row[2] += entry.inlinetime
    row[3] += entry.totaltime


def add_calls(table, entries, key):
    for e in entries:
        for sub in e.calls or ():
            callee = table.get(key(sub.code))
            if callee is not None:
                add(callee[4].setdefault(key(e.code), [0, 0, 0.0, 0.0]), sub)


def is_ours(code):
    return not isinstance(code, str) and code.co_filename == OWN


def reachable(table, starts):
    callees, found, todo = {}, set(starts), list(starts)
    for callee, row in table.items():
        for caller in row[4]:
            callees.setdefault(caller, []).append(callee)
    while todo:
        for callee in callees.get(todo.pop(), ()):
            if callee not in found:
                found.add(callee)
                todo.append(callee)
    for row in table.values():
        row[4] = {caller: times for caller, times in row[4].items() if caller in found}
    return {k: v for k, v in table.items() if k in found}


class ThreadEntry:
    """As what cProfile's getstats() returns."""

    __slots__ = "code", "callcount", "reccallcount", "inlinetime", "totaltime", "calls", "depth"

    def __init__(self, code):
        self.code, self.callcount, self.reccallcount, self.depth = code, 0, 0, 0
        self.inlinetime, self.totaltime, self.calls = 0.0, 0.0, {}

    def leave(self, total, inline):
        self.callcount += 1
        self.depth -= 1
        self.inlinetime += inline
        if self.depth:
            self.reccallcount += 1
        else:
            self.totaltime += total

    def named(self):
        """This, as cProfile returns it."""
        entry = ThreadEntry(self.code)
        if isinstance(self.code, tuple):
            module, name = self.code
            kind, _, method = name.rpartition(".")
            entry.code = (
                f"<built-in method {module}.{name}>"
                if module
                else f"<method {method!r} of {kind!r} objects>"
                if kind
                else f"<built-in method {name}>"
            )
        entry.callcount, entry.reccallcount = self.callcount, self.reccallcount
        entry.inlinetime, entry.totaltime = self.inlinetime, self.totaltime
        entry.calls = [sub.named() for sub in list(self.calls.values())]
        return entry


class ThreadBase:
    """Profiles the calls of one thread. The time in on_event() is not counted."""

    def __init__(self, clock=time.perf_counter):
        self.entries, self.stack, self.lost, self.clock = {}, [], 0.0, clock

    def enable(self):
        self.stack = []
        sys.setprofile(self.on_event)

    def disable(self):
        if sys.getprofile() == self.on_event:
            sys.setprofile(None)

    def on_event(self, frame, event, arg):
        now = self.clock()
        stack = self.stack
        if event == "call" or event == "c_call":
            key = (
                frame.f_code
                if event == "call"
                else (getattr(arg, "__module__", None), getattr(arg, "__qualname__", "?"))
            )
            entry = self.entries.get(key)
            if entry is None:
                entry = self.entries[key] = ThreadEntry(key)
            entry.depth += 1
            sub = None
            if stack:
                calls = stack[-1][0].calls
                sub = calls.get(key)
                if sub is None:
                    sub = calls[key] = ThreadEntry(key)
                sub.depth += 1
            stack.append([entry, sub, now - self.lost, 0.0])
        elif stack:  # else of a call that began before
            entry, sub, began, below = stack.pop()
            total = now - self.lost - began
            entry.leave(total, total - below)
            if sub is not None:
                sub.leave(total, total - below)
                stack[-1][3] += total
        self.lost += self.clock() - now

    def getstats(self):
        return [entry.named() for entry in list(self.entries.values())]


class ThreadProfile(ThreadBase):
    """Functions calls the methods of the class above, as with cProfile."""


PROFILERS["functions"] = Functions
