# lines.py: line_profiler over a whole cell, and over functions that are named or decorated. Its
# hits are exact; its times contain the cost of counting.
import builtins
import inspect
import pickle
import types


class Lines(Profiler):
    def __init__(self, settings):
        self.library = importlib.import_module("line_profiler")
        self.version = "line_profiler " + self.library.__version__
        self.decorated, self.profiler, self.added = [], None, {}
        decorator = self.decorate
        builtins.profile = decorator	# as kernprof does
        self.library.profile = decorator
        explicit = sys.modules.get("line_profiler.explicit_profiler")
        if explicit:
            explicit.profile = decorator

    def decorate(self, function):
        self.decorated.append(function)
        if self.profiler is not None:
            self.add(function)
        return function

    def add(self, thing):
        for function in functions_in(thing):
            if id(function) not in self.added:
                self.profiler.add_function(function)
                self.added[id(function)] = function

    def before(self, cell):
        self.profiler, self.added, self.statements = self.library.LineProfiler(), {}, []
        self.missing = []
        for function in self.decorated:
            self.add(function)
        names = State.settings.get("functions") or []
        for name in names + ((cell.get("options") or {}).get("functions") or []):
            found = things_named(name)
            if not found:
                self.missing.append(name)
            for thing in found:
                self.add(thing)

    def enter(self, code):
        code = self.with_lines(code)
        self.profiler.enable_by_count()
        return code

    def leave(self):
        if self.profiler.enable_count:
            self.profiler.disable_by_count()

    def with_lines(self, code):
        """A code object of the cell whose lines are counted, also within its functions."""
        consts = tuple(self.with_lines(c) if isinstance(c, types.CodeType) else c
                       for c in code.co_consts)
        cells = tuple(types.CellType() for _ in code.co_freevars)
        holder = types.FunctionType(code.replace(co_consts=consts), {}, "f", None, cells or None)
        self.profiler.add_function(holder)
        self.statements.append(holder)
        return holder.__code__

    def after(self, cell):
        stats, profiler = self.profiler.get_stats(), self.profiler
        rows = [{"missing": self.missing} if self.missing else {"left_out": 0}]
        rows += self.cell_rows(cell, stats.unit)
        for function in self.added.values():
            rows += function_rows(function, stats)
        self.profiler = None
        return rows + file_record("lines", "cell-%03d.lprof" % cell["index"], self.dump(stats))

    def cell_rows(self, cell, unit):
        """A line with several statements is hit as often as the one that is hit most."""
        lines, name = {}, "<cell %d>" % cell["index"]
        for holder in self.statements:
            for line, (hits, ticks) in self.counts(holder.__code__).items():
                before = lines.get(line, (0, 0.0))
                lines[line] = (max(before[0], hits), before[1] + ticks * unit)
        return [{"type": "profile_line", "file": name, "function": name, "first_line": 1,
                 "line": n, "hits": lines.get(n, (0, 0.0))[0], "time_s": lines.get(n, (0, 0.0))[1],
                 "source": text} for n, text in enumerate(cell["source"].splitlines(), 1)]

    def counts(self, code):
        """{line: (hits, time in ticks)} of one code object."""
        found = {}
        entries = self.profiler.c_code_map
        for key in self.profiler.code_hash_map.get(code, ()):
            for entry in entries.get(key, {}).values():
                line, ticks, hits = (entry[k] for k in ("lineno", "total_time", "nhits"))
                before = found.get(line, (0, 0))
                found[line] = (before[0] + hits, before[1] + ticks)
        return found

    def dump(self, stats):
        timings = {(file_of(file), line, name): rows
                   for (file, line, name), rows in stats.timings.items()}
        return pickle.dumps(type(stats)(timings, stats.unit))


def functions_in(thing):
    """The functions behind what a name stands for: through decorators, of a class or a module."""
    if isinstance(thing, types.ModuleType):
        members = [v for v in vars(thing).values()
                   if getattr(v, "__module__", None) == thing.__name__]
    elif isinstance(thing, type):
        members = list(vars(thing).values())
    elif isinstance(thing, property):
        members = [thing.fget, thing.fset, thing.fdel]
    elif isinstance(thing, types.FunctionType):
        inner = inspect.unwrap(thing)
        return [inner] if isinstance(inner, types.FunctionType) else functions_in(inner)
    else:
        inner = next((getattr(thing, name, None) for name in ("__wrapped__", "__func__", "func")
                      if getattr(thing, name, None) is not None), None)
        members = [inner]
    found = []
    for member in members:
        if isinstance(member, (types.FunctionType, type, property, classmethod, staticmethod)) or \
                hasattr(member, "__wrapped__") or hasattr(member, "__func__"):
            found += functions_in(member)
    return found


def module_named(name):
    try:
        return sys.modules.get(name) or importlib.import_module(name)
    except Exception:
        return None


def module_of_file(path):
    return next((m for m in list(sys.modules.values())
                 if getattr(m, "__file__", None) == path), None)


def member_named(thing, name):
    for part in name.split("."):
        if part == "<locals>":
            break
        of = vars(thing) if isinstance(thing, (type, types.ModuleType)) else {}
        thing = of[part] if part in of else getattr(thing, part, None)
        if thing is None:
            return None
    return thing


def things_named(name):
    """package.module:Class.method, package.module, /path/of/module.py:function, or a pattern."""
    module, _, member = name.rpartition(":") if ":" in name else (name, "", "")
    if any(c in name for c in "*?["):
        modules = [m for n, m in list(sys.modules.items())
                   if fnmatch.fnmatchcase(n, module) and isinstance(m, types.ModuleType)]
        things = modules if not member else [
            v for m in modules for n, v in list(vars(m).items())
            if fnmatch.fnmatchcase(n, member) and getattr(v, "__module__", None) == m.__name__]
        return things
    if module == "__main__" or module.startswith("<cell"):
        found = importlib.import_module("__main__")
    else:
        found = module_of_file(module) if os.path.isabs(module) else module_named(module)
    thing = member_named(found, member) if found and member else found
    return [] if thing is None else [thing]


def function_rows(function, stats):
    code = function.__code__
    file, first = file_of(code.co_filename), code.co_firstlineno
    lines = {}
    for (path, line, _), rows in stats.timings.items():
        if path == code.co_filename and line == first:
            lines.update({n: (hits, ticks * stats.unit) for n, hits, ticks in rows})
    try:
        block = inspect.getblock(linecache.getlines(code.co_filename)[first - 1:])
    except Exception:
        block = []
    last = max([first + len(block) - 1] + list(lines))
    block += [""] * (last - first + 1 - len(block))
    return [{"type": "profile_line", "file": file, "function": function.__qualname__,
             "first_line": first, "line": n, "hits": lines.get(n, (0, 0.0))[0],
             "time_s": lines.get(n, (0, 0.0))[1], "source": block[n - first].rstrip("\n")}
            for n in range(first, last + 1)]


PROFILERS["lines"] = Lines
