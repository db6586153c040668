# functions.py: cProfile around the statements of a cell. IPython's own functions between the
# profiler and the cell are left out.
import cProfile
import marshal

MAX_FUNCTIONS = 3000	# of one cell, those with the most time
OWN_FUNCTIONS = ("run_profiled", "leave", "attempt", "enter", "run_code")


class Functions(Profiler):
    version = "cProfile, Python " + platform.python_version()

    def __init__(self, settings):
        self.profile = None

    def before(self, cell):
        self.profile = cProfile.Profile()

    def enter(self, code):
        try:
            self.profile.enable()
        except ValueError as error:
            raise Reason("another profiler is active: %s" % error)
        return code

    def leave(self):
        self.profile.disable()

    def after(self, cell):
        stats = stats_of(self.profile)
        ids = {label: n for n, label in enumerate(
            sorted(stats, key=lambda l: (-stats[l][2], l))[:MAX_FUNCTIONS])}
        rows = [{"left_out": len(stats) - len(ids)}]
        for (file, line, name), number in ids.items():
            primitive, calls, own, cumulative, callers = stats[file, line, name]
            rows.append({
                "type": "profile_function", "id": number, "file": file, "line": line,
                "function": name, "calls": calls, "primitive_calls": primitive,
                "own_s": own, "cumulative_s": cumulative,
                "callers": [[ids[c], n[1], n[0], n[2], n[3]]
                            for c, n in callers.items() if c in ids],
            })
        return rows + file_record("functions", "cell-%03d.pstats" % cell["index"],
                                  marshal.dumps(stats))


def label_of(code):
    if isinstance(code, str):
        return ("~", 0, code)
    file = file_of(code.co_filename)
    if code.co_name == "<module>" and file.startswith("<cell"):
        return (file, 1, file)
    return (file, code.co_firstlineno, getattr(code, "co_qualname", code.co_name))


def is_ours(code):
    if isinstance(code, str):
        return code in ("<method 'disable' of '_lsprof.Profiler' objects>",
                        "<built-in method builtins.exec>", "<built-in method builtins.eval>")
    return code.co_filename == "<nbscope profile>" or code.co_name in OWN_FUNCTIONS and \
        code.co_filename.endswith("interactiveshell.py")


def add(to, label, entry):
    before = to.get(label, (0, 0, 0.0, 0.0))
    to[label] = (before[0] + entry.callcount - entry.reccallcount, before[1] + entry.callcount,
                 before[2] + entry.inlinetime, before[3] + entry.totaltime)


def stats_of(profile):
    """{label: (primitive calls, calls, own s, cumulative s, {caller: the same four})}, as pstats
    has it. The statements of a cell are one function."""
    own, callers = {}, {}
    outer = {id(e.code) for e in profile.getstats() if is_ours(e.code) and not (
        isinstance(e.code, str) and "disable" not in e.code and is_called_by_user(e, profile))}
    for entry in profile.getstats():
        if id(entry.code) in outer:
            continue
        label = label_of(entry.code)
        add(own, label, entry)
        for called in entry.calls or ():
            if id(called.code) not in outer:
                add(callers.setdefault(label_of(called.code), {}), label, called)
    return {label: times + (callers.get(label, {}),) for label, times in own.items()}


def is_called_by_user(entry, profile):
    """exec() and eval() may be the cell's own, too."""
    return any(called.code == entry.code for other in profile.getstats()
               if not is_ours(other.code) for called in other.calls or ())


PROFILERS["functions"] = Functions
