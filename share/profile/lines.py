# lines.py: hits and time of each line, by line_profiler: of the whole cell, and of functions that
# are own code, named or decorated. Hits are exact; from times, what counting a line's own hits took
# is subtracted.
import builtins
import dis
import fnmatch
import gc
import inspect
import pickle
import types

MAX_PROFILED = 2000  # codes of functions
HITS, ATTEMPTS = 600, 40  # by which the cost of one is measured
LEAST_LEFT = 0.05  # of a line's time without it, because the cost is not always the same
MADE = {}  # the variables of the functions that are made for line_profiler alone
INLINE = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")


class Lines(Profiler):
    name = "lines"
    follows = True
    library = None
    decorated = []  # functions with @profile
    hit_s = 0.0  # what a hit adds to the time of its line

    @classmethod
    def load(cls, settings):
        import line_profiler

        cls.library, cls.hit_s = line_profiler, cost_of_hit(line_profiler)
        cls.version = (
            f"line_profiler {line_profiler.__version__}, Python {platform.python_version()}"
        )
        honour_decorators(line_profiler)

    def __init__(self, profile, settings):
        super().__init__(profile, settings)
        self.profiler = self.library.LineProfiler()
        names = (settings.get("functions") or []) + (profile.options.get("functions") or [])
        self.patterns = [Pattern(name) for name in names]
        self.codes = []  # registered, of the cell and of functions
        self.registered = {}  # id of a code: (it, the one in its place)
        self.made = {}  # (file, code): the first of equal codes that functions were made of
        self.changed = {}  # id of a function: (function, its code before, its code now)
        self.places = {}  # (module, file) of functions: the patterns that are for them
        self.named = set()  # ids of the codes of functions that are named
        self.left_out, self.on = 0, False

    def begin(self):
        for function in Lines.decorated:
            self.add_function(function)
        self.resolve()
        sys.meta_path.insert(0, Imports(self))

    def resolve(self):
        """At the begin, and after each import: what is own code or named may be new."""
        own = []
        for function in [f for f in gc.get_objects() if type(f) is types.FunctionType]:
            code, asked = function.__code__, self.asked_of(function)
            if function.__globals__ is MADE or not (asked or is_own_function(code)):
                continue
            inner = [p for p in asked if p.is_nested and p.finds_in(function)]
            # Each pattern is asked, because it notes that it is found.
            matches = any([p.matches(function) for p in asked])  # noqa: C419
            if matches and "__wrapped__" not in function.__dict__:
                self.add_function(function)
                self.named.add(place_of_code(code))
            elif is_own_function(code):
                own.append(function)
            elif inner and id(function) not in self.changed:
                # A function that is made again at each call: its code is in the outer one's.
                names = [p.what for p in inner]
                function.__code__ = self.nested(
                    code, lambda c, names=names: function_name(c) in names
                )
                self.changed[id(function)] = function, code, function.__code__
        # If there are too many, those of the notebook come first.
        for function in sorted(own, key=lambda f: os.path.isabs(file_name(f.__code__.co_filename))):
            self.add_function(function)

    def asked_of(self, function):
        """The patterns that name functions of its module or file."""
        place = str(function.__module__ or ""), function.__code__.co_filename
        if place not in self.places:
            self.places[place] = [p for p in self.patterns if p.is_in(*place)]
        return self.places[place]

    def resolve_import(self):
        """The time is not that of the lines which import."""
        began, frame = time.perf_counter(), sys._getframe(1)
        self.resolve()
        spent = time.perf_counter() - began
        self.profile.wall -= spent
        while frame:
            if id(frame.f_code) in self.registered:
                self.profile.wrappers.append([frame.f_code, frame.f_lineno, 0, spent])
            frame = frame.f_back

    def add_function(self, function):
        before = function.__code__
        if id(function) in self.changed or before.co_filename == OWN:
            return
        if id(before) not in self.registered and len(self.codes) >= MAX_PROFILED:
            self.left_out += 1
            return
        function.__code__ = self.add_code(before)
        self.changed[id(function)] = function, before, function.__code__

    def add_code(self, code):
        """line_profiler marks a code object by instructions that do nothing at its end. Functions
        that share a code object, such as closures, have one row of lines."""
        if id(code) not in self.registered:
            body = self.nested(code)
            cells = tuple(types.CellType() for _ in code.co_freevars)
            function = types.FunctionType(body, MADE, None, None, cells)
            self.profiler.add_function(function)
            self.codes.append(function.__code__)
            self.registered[id(code)] = code, function.__code__
            self.registered[id(function.__code__)] = function.__code__, function.__code__
        return self.registered[id(code)][1]

    def add_made(self, function):
        """A function that has come to this process as its code, perhaps again."""
        code = function.__code__
        if INSTALLED.search(code.co_filename) or code.co_filename == "<string>":
            return
        code = self.made.setdefault((code.co_filename, code), code)
        if id(code) in self.registered or len(self.codes) < MAX_PROFILED:
            function.__code__ = self.add_code(code)

    def nested(self, code, is_asked=lambda code: True):
        consts = []
        for const in code.co_consts:
            if is_nested_code(const):
                # A class body has no local variables of its own.
                if const.co_flags & inspect.CO_NEWLOCALS and is_asked(const):
                    const = self.add_code(const)
                else:
                    const = self.nested(const, is_asked)
            consts.append(const)
        return code.replace(co_consts=tuple(consts)) if consts != list(code.co_consts) else code

    def prepare(self, code):
        return self.add_code(code)

    def enter_thread(self):
        self.profiler.enable_by_count()
        return self.profiler.disable_by_count

    def start(self):
        self.profiler.enable_by_count()
        self.on = True

    def stop(self):
        if self.on:
            self.profiler.disable_by_count()
        self.on = False

    def end(self):
        sys.meta_path[:] = [f for f in sys.meta_path if type(f) is not Imports]
        for function, before, now in self.changed.values():
            if function.__code__ is now:
                function.__code__ = before

    def timings(self):
        """Of each code its last line, and [line, hits, s] of those that ran; lines
        are those of the file."""
        from line_profiler._line_profiler import label

        stats, seen = self.profiler.get_stats(), set()
        for code in list(self.codes):
            moved, key = Moved.of(code), label(code)
            timed = [] if key in seen else stats.timings.get(key, ())
            seen.add(key)
            yield (
                code,
                max(moved.values(), default=last_line(code)),
                [
                    (moved.get(n, n), hits, without_counting(ticks * stats.unit, hits))
                    for n, hits, ticks in timed
                ],
            )

    def blocks(self):
        """{(file, function, first line): [kernel's file name, last line, {line: [hits, s]}]}"""
        blocks = {}
        for code, last, timed in self.timings():
            name = code.co_filename
            last = Names.spans[name][1] if is_cell_code(code) else line_number(name, last)
            block = blocks.setdefault(place_of_code(code), [name, last, {}])
            block[1] = max(block[1], last)
            for line, hits, seconds in timed:
                row = block[2].setdefault(line_number(name, line), [0, 0.0])
                row[0] += hits
                row[1] += seconds
        self.add_waits(blocks)
        for code, line, hits, seconds in self.profile.wrappers:
            self.add_time(blocks, code, line, -seconds, -hits)
        return blocks

    def add_waits(self, blocks):
        """A coroutine waits in the line that awaits, as do those that await it."""
        for places, (_, seconds) in self.profile.waits.items():
            for code, line in places:
                self.add_time(blocks, code, line, seconds)

    @staticmethod
    def add_time(blocks, code, line, seconds, hits=0):
        block = blocks.get(place_of_code(code))
        if block:
            row = block[2].setdefault(line_in_file(code, line), [0, 0.0])
            row[0], row[1] = row[0] + hits, max(0.0, row[1] + seconds)

    def records(self, more):
        missing = [p.text for p in self.patterns if not p.found]
        if missing:
            more["missing"] = missing
        more["left_out"] = self.left_out
        yield from self.rows(self.blocks(), more)

    def rows(self, blocks, more, of=""):
        own = {c.co_filename for c in self.profile.codes}
        for place, (filename, last, timed, *processes) in blocks.items():
            file, function, first = place
            if not timed and own_code(filename) and filename not in own and place not in self.named:
                continue  # it was not called
            for line in range(first, max([last] + list(timed)) + 1):
                hits, time_s = timed.get(line, [0, 0.0])
                yield {
                    "type": "profile_line",
                    "file": file,
                    "function": function,
                    "first_line": first,
                    "line": line,
                    "hits": hits,
                    "time_s": time_s,
                    "source": source_line(filename, line),
                    **dict(zip(["processes"], processes)),
                }
        lprof = self.lprof(blocks)
        yield from file_record(self.profile, self.name, f"{of}lprof", lprof, more)

    def handed(self):
        """{(file, function, first and last line): {line: [hits, s]}}, as in this process."""
        table = {}
        for code, last, timed in self.timings():
            first = code.co_firstlineno
            first = Moved.of(code).get(first, first)
            rows = table.setdefault((Sent.name(code), function_name(code), first, last), {})
            for line, hits, seconds in timed:
                before = rows.get(line, [0, 0.0])
                rows[line] = [before[0] + hits, before[1] + seconds]
        return {place: rows for place, rows in table.items() if rows}

    def added(self, parts, more):
        """The time in which a process worked is its CPU time, or longer if its lines wait, but not
        for a processor: for that, each line loses the same share."""
        blocks, more["work_s"] = {}, 0.0
        for used, handed in parts:
            cpu_s = used.get("cpu_s", 0.0)
            longest = max([sum(s for _, s in timed.values()) for timed in handed.values()] + [0.0])
            works = min(longest, max(cpu_s, longest - used.get("queued_s", 0.0)))
            for (name, function, first, last), timed in handed.items():
                place = file_name(name), function, line_number(name, first)
                block = blocks.setdefault(place, [name, line_number(name, last), {}, 0])
                block[3] += 1
                for line, (hits, seconds) in timed.items():
                    row = block[2].setdefault(line_number(name, line), [0, 0.0])
                    row[0] += hits
                    row[1] += seconds * (works / longest if longest else 1)
            more["work_s"] += max(cpu_s, works)
        return self.rows(
            {k: v for k, v in blocks.items() if any(r[0] for r in v[2].values())}, more, "workers."
        )

    def lprof(self, blocks):
        unit, kind = 1e-9, type(self.profiler.get_stats())
        return pickle.dumps(
            kind(
                {
                    (file, first, function): [
                        (line, row[0], round(row[1] / unit)) for line, row in sorted(timed.items())
                    ]
                    for (file, function, first), (_, _, timed, *_) in blocks.items()
                },
                unit,
            )
        )


def cost_of_hit(library):
    """The least of many short attempts, in seconds: other processes may have the processor, too."""

    def loop(n):
        for i in range(n):
            i  # noqa: B018

    def counted():
        stats = profiler.get_stats()
        rows = [row for timed in stats.timings.values() for row in timed]
        return sum(r[1] for r in rows), sum(r[2] for r in rows) * stats.unit

    without_s, with_s, profiler = [], [], library.LineProfiler()
    for _ in range(ATTEMPTS):
        began = time.perf_counter()
        loop(HITS // 2)
        without_s.append(time.perf_counter() - began)
    profiled = profiler(loop)
    for _ in range(ATTEMPTS):
        hits, before_s = counted()
        profiled(HITS // 2)
        with_s.append((counted()[1] - before_s) / (counted()[0] - hits))
    return max(0.0, min(with_s) - min(without_s) / HITS)


def without_counting(seconds, hits):
    return max(LEAST_LEFT * seconds, seconds - hits * Lines.hit_s)


def is_own_function(code):
    return code.co_flags & inspect.CO_NEWLOCALS and own_code(code.co_filename)


def is_cell_code(code):
    return not code.co_flags & inspect.CO_NEWLOCALS and file_name(code.co_filename) in Names.sources


def place_of_code(code):
    """File, function and first line, as in records."""
    if is_cell_code(code):
        file, first, function = whole_cell(code.co_filename)
        return file, function, first
    name = code.co_filename
    return file_name(name), function_name(code), line_in_file(code, code.co_firstlineno)


class Imports:
    """A finder of modules, the first one: what is imported may be what is named."""

    def __init__(self, lines):
        self.lines, self.inner = lines, threading.local()

    def find_spec(self, name, path=None, target=None):
        if getattr(self.inner, "on", False):
            return None
        self.inner.on = True
        try:
            spec = self.found(name, path, target)
        finally:
            self.inner.on = False
        if (
            spec
            and spec.loader
            and (
                own_code(spec.origin or "")
                or any(p.is_in(name, spec.origin or "") for p in self.lines.patterns)
            )
        ):
            spec.loader.exec_module = self.resolving(spec.loader.exec_module)
        return spec

    @staticmethod
    def found(name, path, target):
        for finder in sys.meta_path:
            spec = not isinstance(finder, Imports) and finder.find_spec(name, path, target)
            if spec:
                return spec
        return None

    def resolving(self, execute):
        def exec_module(module):
            execute(module)
            if not self.lines.profile.ended:
                self.lines.profile.attempt(self.lines, "resolve_import")

        return exec_module


class Pattern:
    """package.module:Class.method, FILE:FUNCTION, a module, or a glob of these."""

    def __init__(self, text):
        self.text, self.found = text, False
        self.where, colon, self.what = text.rpartition(":")
        if not colon:
            self.where, self.what = text, "*"
        self.outer, self.is_nested, _ = self.what.partition(".<locals>.")

    def is_in(self, module, filename):
        """Whether it names functions of this module or file."""
        return self.is_file(filename) or fnmatch.fnmatchcase(module, self.where)

    def is_file(self, filename):
        file = file_name(filename)
        # A script that runs as a notebook has its own name as that of a module.
        dotted = file[:-3].replace("/", ".") if file.endswith(".py") else file
        return self.where in (filename, file, dotted)

    def names_code(self, code):
        """As matches(), of a code alone."""
        file = code.co_filename
        modules = [n for n, m in list(sys.modules.items()) if getattr(m, "__file__", None) == file]
        if any(self.is_in(module, file) for module in modules or [""]):
            return fnmatch.fnmatchcase(function_name(code), self.what)
        return False

    def finds_in(self, function):
        """Whether a function makes the one that is named."""
        found = self.matches_names(function, self.outer) and self.what in inner_names(
            function.__code__
        )
        self.found = self.found or found
        return found

    def matches(self, function):
        if not self.matches_names(function, self.what):
            return False
        self.found = True
        return True

    def matches_names(self, function, what):
        code = function.__code__
        if what == "*" and not self.is_file(code.co_filename) and not self.is_in_module(function):
            return False
        return fnmatch.fnmatchcase(function.__qualname__, what) or function_name(code) == what

    @staticmethod
    def is_in_module(function):
        """Decorators of other modules may copy the name of what they wrap."""
        module = sys.modules.get(function.__module__)
        return getattr(module, "__file__", None) in (None, function.__code__.co_filename)


def is_nested_code(const):
    return inspect.iscode(const) and const.co_name not in INLINE


def inner_names(code):
    """The names of the functions that are made within a function, at any depth."""
    inner = [c for c in code.co_consts if is_nested_code(c)]
    return {function_name(c) for c in inner}.union(*map(inner_names, inner))


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
            if p.name == Lines.name:
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
