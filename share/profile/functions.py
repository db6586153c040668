# functions.py: the functions of a cell, by cProfile: calls, own and cumulative time, and callers.
import cProfile
import marshal

MAX_FUNCTIONS = 5000  # of one cell; those with the least time are left out
EXEC = ("~", 0, "<built-in method builtins.exec>")


class Functions(Profiler):
    name, version = "functions", "cProfile, Python " + platform.python_version()
    ids = {}  # (file, line, function): the id in records, the same for all cells

    def __init__(self, profile, settings):
        super().__init__(profile, settings)
        self.profiler = cProfile.Profile()
        self.paused = self.on = self.running = False
        self.theirs = 0    # profilers of the cell's own that are on

    def begin(self):
        """A profiler that the cell itself starts has precedence: Python allows only one."""
        own, mine = self, self.profiler
        kind = cProfile.Profile

        def enable(profiler, *args, **kwargs):
            if profiler is not mine:
                own.pause()
                own.theirs += 1
            return super(kind, profiler).enable(*args, **kwargs)

        def disable(profiler):
            super(kind, profiler).disable()
            own.theirs -= 1
            if own.running and own.theirs <= 0:
                own.start()
        kind.enable, kind.disable = enable, disable

    def pause(self):
        if self.on:
            super(cProfile.Profile, self.profiler).disable()
            self.on, self.paused = False, True

    def start(self):
        self.running = True
        if self.theirs > 0:
            return
        if sys.getprofile() is not None:
            raise Reason("another profiler is active in the kernel")
        super(cProfile.Profile, self.profiler).enable()
        self.on = True

    def stop(self):
        if self.on:
            super(cProfile.Profile, self.profiler).disable()
        self.running = self.on = False

    def end(self):
        for word in ("enable", "disable"):
            if word in vars(cProfile.Profile):
                delattr(cProfile.Profile, word)

    def key(self, code):
        if isinstance(code, str):
            return "~", 0, code
        file = file_name(code.co_filename)
        if any(code is c for c in self.profile.codes):
            return file, 1, file
        return file, line_number(code.co_filename, code.co_firstlineno), function_name(code)

    def table(self):
        """{function: [calls, primitive calls, own, cumulative, {caller: the same four}]}"""
        table, entries = {}, self.profiler.getstats()
        keys = {}
        for e in entries:
            keys[id(e.code) if not isinstance(e.code, str) else e.code] = k = self.key(e.code)
            if not isinstance(e.code, str) and e.code.co_filename == OWN:
                continue
            add(table.setdefault(k, [0, 0, 0.0, 0.0, {}]), e)
        for e in entries:
            caller = self.key(e.code)
            if not isinstance(e.code, str) and e.code.co_filename == OWN:
                continue
            for sub in e.calls or ():
                callee = table.get(self.key(sub.code))
                if callee is not None:
                    add(callee[4].setdefault(caller, [0, 0, 0.0, 0.0]), sub)
        return self.cells_own(table)

    def cells_own(self, table):
        """Leaves what the cell calls: not exec, with which IPython runs it."""
        cell = file_name(self.profile.codes[0].co_filename)
        cell = cell, 1, cell
        row = table.get(cell)
        if row is None:
            return table
        statements, by = row[0], row[4].pop(EXEC, None)
        row[0] = row[1] = 1
        if EXEC in table and by is not None:
            theirs = table[EXEC]
            theirs[0], theirs[1] = theirs[0] - by[0], theirs[1] - by[0]
            theirs[3] -= by[3]
            if theirs[0] <= 0:
                del table[EXEC]
                for other in table.values():
                    other[4].pop(EXEC, None)
        if self.profile.is_async:
            table.pop(("~", 0, "<method 'disable' of '_lsprof.Profiler' objects>"), None)
            return table
        return reachable(table, cell)

    def records(self, more):
        if self.paused:
            more["reason"] = "the cell started a profiler of its own, which is left out"
        table = self.table()
        rows = sorted(table.items(), key=lambda r: -max(r[1][2], r[1][3]))
        more["left_out"] = max(0, len(rows) - MAX_FUNCTIONS)
        rows = rows[:MAX_FUNCTIONS]
        ids, kept = Functions.ids, {k for k, _ in rows}
        for k, _ in rows:
            ids.setdefault(k, len(ids) + 1)
        for (file, line, function), (calls, primitive, own, cumulative, callers) in rows:
            yield {"type": "profile_function", "id": ids[file, line, function], "file": file,
                   "line": line, "function": function, "calls": calls,
                   "primitive_calls": primitive, "own_s": own, "cumulative_s": cumulative,
                   "callers": [[ids[k]] + v for k, v in callers.items() if k in kept]}
        stats = {k: (v[1], v[0], v[2], v[3], {
            c: (n[1], n[0], n[2], n[3]) for c, n in v[4].items()}) for k, v in table.items()}
        yield from file_record(self.profile, self.name, "pstats", marshal.dumps(stats), more)


def add(row, entry):
    row[0] += entry.callcount
    row[1] += entry.callcount - entry.reccallcount
    row[2] += entry.inlinetime
    row[3] += entry.totaltime


def reachable(table, start):
    callees, found, todo = {}, {start}, [start]
    for callee, row in table.items():
        for caller in row[4]:
            callees.setdefault(caller, []).append(callee)
    while todo:
        for callee in callees.get(todo.pop(), ()):
            if callee not in found:
                found.add(callee)
                todo.append(callee)
    for row in table.values():
        for caller in [c for c in row[4] if c not in found]:
            del row[4][caller]
    return {k: v for k, v in table.items() if k in found}


PROFILERS["functions"] = Functions
