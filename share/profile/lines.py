# lines.py: hits and time of each line, by line_profiler: of the whole cell, of functions that it
# defines, and of functions that are named or decorated. Hits are exact; times contain the cost of
# counting.
import builtins
import dis
import fnmatch
import gc
import inspect
import pickle
import types

MAX_PROFILED = 2000  # functions
INLINE = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")


class Lines(Profiler):
    name = "lines"
    library = None
    decorated = []  # functions with @profile

    @classmethod
    def load(cls, settings):
        import line_profiler

        cls.library = line_profiler
        cls.version = (
            f"line_profiler {line_profiler.__version__}, Python {platform.python_version()}"
        )
        honour_decorators(line_profiler)

    def __init__(self, profile, settings):
        super().__init__(profile, settings)
        self.profiler = self.library.LineProfiler()
        names = (settings.get("functions") or []) + (profile.options.get("functions") or [])
        self.patterns = [Pattern(name) for name in names]
        self.codes = []  # registered, of the cell
        self.changed = {}  # id of a function: (function, its code before, its code now)
        self.left_out, self.on = 0, False

    def begin(self):
        for function in Lines.decorated:
            self.add_function(function)
        self.resolve()

    def resolve(self):
        """Repeated until all are found: a statement of the cell may import them."""
        missing = [p for p in self.patterns if not p.found or p.is_glob]
        if not missing:
            return
        for function in [f for f in gc.get_objects() if type(f) is types.FunctionType]:
            # Each pattern is asked, because it notes that it is found.
            if "__wrapped__" not in function.__dict__ and any(
                [p.matches(function) for p in missing]  # noqa: C419
            ):
                self.add_function(function)

    def add_function(self, function):
        if id(function) in self.changed or function.__code__.co_filename == OWN:
            return
        if len(self.changed) >= MAX_PROFILED:
            self.left_out += 1
            return
        before = function.__code__
        self.profiler.add_function(function)
        self.changed[id(function)] = function, before, function.__code__

    def add_body(self, code):
        """line_profiler marks a code object by instructions that do nothing at its end."""
        cells = tuple(types.CellType() for _ in code.co_freevars)
        function = types.FunctionType(code, {}, None, None, cells)
        self.profiler.add_function(function)
        self.codes.append(function.__code__)
        return function.__code__

    def nested(self, code):
        consts = []
        for const in code.co_consts:
            if inspect.iscode(const) and const.co_name not in INLINE:
                const = self.nested(const)
                if const.co_flags & inspect.CO_NEWLOCALS:  # a class body has them not
                    const = self.add_body(const)
            consts.append(const)
        return code.replace(co_consts=tuple(consts))

    def prepare(self, code):
        if self.profile.codes:
            self.resolve()
        return self.add_body(self.nested(code))

    def start(self):
        self.profiler.enable_by_count()
        self.on = True

    def stop(self):
        if self.on:
            self.profiler.disable_by_count()
        self.on = False

    def end(self):
        for function, before, now in self.changed.values():
            if function.__code__ is now:
                function.__code__ = before

    def blocks(self):
        """{(file, function, first line): [kernel's file name, last line, {line: [hits, s]}]}"""
        from line_profiler._line_profiler import label

        stats, blocks = self.profiler.get_stats(), {}
        codes = [(c, function_name(c)) for c in self.codes]
        codes += [(now, f.__qualname__) for f, _, now in self.changed.values()]
        seen = set()
        for code, function in codes:
            name = code.co_filename
            file, offset = file_name(name), Names.offsets.get(name, 0)
            first, last = line_number(name, code.co_firstlineno), line_number(name, last_line(code))
            if not code.co_flags & inspect.CO_NEWLOCALS and file in Names.sources:
                _, first, function = whole_cell(name)
                last = Names.spans[name][1]
            block = blocks.setdefault((file, function, first), [name, last, {}])
            block[1] = max(block[1], last)
            key = label(code)
            if key in seen:
                continue
            seen.add(key)
            for line, hits, ticks in stats.timings.get(key, ()):
                row = block[2].setdefault(line + offset, [0, 0.0])
                row[0] += hits
                row[1] += ticks * stats.unit
        for (name, line), seconds in self.profile.waited.items():
            file, first, function = whole_cell(name)
            row = blocks[file, function, first][2].setdefault(line_number(name, line), [0, 0.0])
            row[1] += seconds
        return blocks

    def records(self, more):
        missing = [p.text for p in self.patterns if not p.found]
        if missing:
            more["missing"] = missing
        more["left_out"] = self.left_out
        blocks = self.blocks()
        for (file, function, first), (filename, last, timed) in blocks.items():
            for line in range(first, max([last] + list(timed)) + 1):
                hits, time_s = timed.get(line, (0, 0.0))
                yield {
                    "type": "profile_line",
                    "file": file,
                    "function": function,
                    "first_line": first,
                    "line": line,
                    "hits": hits,
                    "time_s": time_s,
                    "source": source_line(filename, line),
                }
        yield from file_record(self.profile, self.name, "lprof", self.lprof(blocks), more)

    def lprof(self, blocks):
        unit, kind = 1e-9, type(self.profiler.get_stats())
        return pickle.dumps(
            kind(
                {
                    (file, first, function): [
                        (line, hits, round(seconds / unit))
                        for line, (hits, seconds) in sorted(timed.items())
                    ]
                    for (file, function, first), (_, _, timed) in blocks.items()
                },
                unit,
            )
        )


class Pattern:
    """package.module:Class.method, FILE:FUNCTION, a module, or a glob of these."""

    def __init__(self, text):
        self.text, self.found = text, False
        self.where, colon, self.what = text.rpartition(":")
        if not colon:
            self.where, self.what = text, "*"
        self.is_glob = any(c in text for c in "*?[") or not colon

    def matches(self, function):
        code = function.__code__
        file = file_name(code.co_filename)
        # A script that runs as a notebook has its own name as that of a module.
        module = file[:-3].replace("/", ".") if file.endswith(".py") else file
        where = function.__module__ or "", code.co_filename, file, module
        if self.where not in where and not fnmatch.fnmatchcase(where[0], self.where):
            return False
        if self.what == "*" and self.where not in where[1:] and not self.is_in_module(function):
            return False
        if (
            not fnmatch.fnmatchcase(function.__qualname__, self.what)
            and function_name(code) != self.what
        ):
            return False
        self.found = True
        return True

    @staticmethod
    def is_in_module(function):
        """Decorators of other modules may copy the name of what they wrap."""
        module = sys.modules.get(function.__module__)
        return getattr(module, "__file__", None) in (None, function.__code__.co_filename)


def last_line(code):
    lines = linecache.getlines(code.co_filename)
    last = max(
        [line for _, _, line in code.co_lines() if line]
        if hasattr(code, "co_lines")
        else [line for _, line in dis.findlinestarts(code)] + [code.co_firstlineno]
    )
    try:
        return max(
            last, code.co_firstlineno - 1 + len(inspect.getblock(lines[code.co_firstlineno - 1 :]))
        )
    except Exception:
        return last


class Collector:
    """What @profile calls: it changes nothing, but the function is profiled in profiled cells."""

    def __call__(self, function):
        inner = function
        while not isinstance(inner, types.FunctionType) or hasattr(inner, "__wrapped__"):
            after = (
                getattr(inner, "__wrapped__", None)
                or getattr(inner, "__func__", None)
                or getattr(inner, "fget", None)
                or getattr(inner, "func", None)
            )
            if after is None:
                return function
            inner = after
        Lines.decorated.append(inner)
        current = State.current
        for p in current.active if current is not None else ():
            if p.name == Lines.name and inner.__code__ not in p.codes:
                current.attempt(p, "add_function", inner)
        return function


def honour_decorators(line_profiler):
    """As kernprof does: LINE_PROFILE in the environment would reach other processes."""
    collector = Collector()
    if not hasattr(builtins, "profile"):
        builtins.profile = collector
    decorator = getattr(line_profiler, "profile", None)
    if hasattr(decorator, "_kernprof_overwrite") and not decorator.enabled:
        decorator._kernprof_overwrite(collector)


PROFILERS["lines"] = Lines
