# samples.py: where a cell's time goes, hardly disturbed: a thread of ours reads the stacks of all
# threads of Python in the kernel. A stack has when which thread had it; an own line has what it
# calls of others. What runs without returning to Python, and does not let others run meanwhile, is
# seen when it ends, in the line that called it.
import _thread

LOOK_S, MAX_LOOKS = 0.003, 6000  # between two looks; longer ones in cells that take longer
SWITCH_S = 0.001  # how long Python lets one thread run if another one would
MAX_SAMPLED, MAX_BELOW, BELOW_SHARE = 3000, 20, 0.05
MAX_WAITING = 50  # tasks
THREAD_CLOCK = 6  # of Linux: the CPU time of a thread, by its native id


class Samples(Profiler):
    name = "samples"
    follows = True
    in_workers = False
    version = f"sys._current_frames, Python {platform.python_version()}"

    def __init__(self, profile, settings):
        super().__init__(profile, settings)
        self.lock, self.pid, self.own = _thread.allocate_lock(), os.getpid(), None
        self.on, self.ended = False, False
        self.last = self.begun = time.perf_counter()
        self.codes = {}  # id of a code: it
        self.ends = set()  # ids of the codes with which the cell begins
        self.cells = set()  # threads while they work for the cell
        self.cpu_s = {}  # of each thread at the last look
        self.spans = {}  # (thread, stack): [looks, seconds in which it ran, [[begin, end]...]]
        self.newest = {}  # thread: (its stack, the end of its span)
        self.looks = {}  # (stack, those of tasks that wait): seconds, of the cell itself
        self.of_threads = {}  # the same of its threads
        self.key = None  # of the last look within a statement
        self.patterns = [Pattern(f) for f in settings.get("functions") or []]

    # ---- when ----

    def begin(self):
        self.offset = time.time() - time.perf_counter()
        self.native = threading.get_native_id()
        self.switch_s = sys.getswitchinterval()
        sys.setswitchinterval(min(SWITCH_S, self.switch_s))
        _thread.start_new_thread(self.watch, ())

    def start(self):
        with self.lock:
            self.last, self.key, self.on = time.perf_counter(), None, True

    def stop(self):
        """What came after the last look was what it saw, or else the statement's own line."""
        if os.getpid() != self.pid or not self.on:
            return
        with self.lock:
            now, self.on = time.perf_counter(), False
            if self.key is None and self.profile.codes and not self.profile.is_async:
                self.key = ((self.place(self.profile.codes[-1], None),), ())
            self.note_cell(self.key, now)

    def enter_thread(self):
        ident = threading.get_ident()
        self.cells.add(ident)
        return lambda: self.cells.discard(ident)

    def end(self):
        self.ended = True
        if sys.getswitchinterval() <= SWITCH_S:
            sys.setswitchinterval(self.switch_s)

    def watch(self):
        self.own = threading.get_ident()
        while not self.ended:
            time.sleep(max(LOOK_S, (time.perf_counter() - self.begun) / MAX_LOOKS))
            with self.lock:
                if self.on:
                    self.profile.attempt(self, "look")

    # ---- a look ----

    def place(self, code, line):
        """A frame. Codes are compared by what they contain, so their ids are used."""
        self.codes[id(code)] = code
        return id(code), line

    def look(self):
        now, frames = time.perf_counter(), sys._current_frames()
        main, profile = self.profile.thread, self.profile
        if len(self.ends) != len(profile.codes) + len(profile.parts) + 1:
            self.ends = {id(c) for c in [*profile.codes, *profile.parts, Driven.step.__code__]}
        stack = self.stack_of(frames.get(main), self.ends)
        waiting = [tuple(self.place(*p) for p in w) for w in list(profile.waiting.values())]
        waiting.sort(key=lambda w: w[0][0] not in self.ends)  # the cell itself, then its tasks
        waiting = tuple(dict.fromkeys(waiting[:MAX_WAITING]))
        if stack or waiting or profile.is_async:
            self.key = (stack, waiting) if stack or waiting else None
        for ident, frame in frames.items():
            if ident not in (main, self.own):
                self.look_at_thread(ident, frame, now)
        self.note_cell(self.key, now)
        self.last = now

    def look_at_thread(self, ident, frame, now):
        ran, of_cell = self.ran(ident, now), ident in self.cells
        if ran or of_cell:
            stack = self.stack_of(frame, ()) or ()
            thread = threading._active.get(ident)
            self.note_span(thread.name if thread else "?", stack, now, ran)
            if of_cell:
                self.of_threads[stack, ()] = self.of_threads.get((stack, ()), 0.0) + now - self.last

    def note_cell(self, key, now):
        ran = self.ran(self.profile.thread, now)
        if key:
            self.looks[key] = self.looks.get(key, 0.0) + now - self.last
            wait = None if ran else awaited(self.native)
            stack = key[0] or key[1][0]
            if wait:
                stack += ((f"(wait: {wait})", None),)
            self.note_span("MainThread", stack, now, ran)

    def note_span(self, thread, stack, now, ran):
        row = self.spans.setdefault((thread, stack), [0, 0.0, []])
        row[0] += ran
        row[1] += (now - self.last) * ran
        if self.newest.get(thread) == (stack, self.last):
            row[2][-1][1] = now
        else:
            row[2].append([self.last, now])
        self.newest[thread] = stack, now

    def ran(self, ident, now):
        """Whether a thread used a processor for most of the time since the last look."""
        native = getattr(threading._active.get(ident), "native_id", None)
        try:
            cpu_s = time.clock_gettime(~native << 3 | THREAD_CLOCK)
        except (TypeError, OSError):  # it is not Python's, or has ended
            return False
        before, self.cpu_s[ident] = self.cpu_s.get(ident, cpu_s), cpu_s
        return cpu_s - before > (now - self.last) / 2

    def stack_of(self, frame, ends):
        """The frames from the cell's code on, the outermost first; None: it does not run."""
        found = []
        while frame is not None:
            code = frame.f_code
            if code.co_filename != OWN:
                found.append(self.place(code, frame.f_lineno or 0))
            if id(code) in ends:
                return tuple(reversed(found))
            frame = frame.f_back
        return None if ends else tuple(reversed(found))

    # ---- records ----

    def records(self, more):
        self.names = {}
        more["sampled_s"] = sum(self.looks.values())
        more["threads_s"] = sum(self.of_threads.values())
        rows = sorted(self.spans.items(), key=lambda r: -sum(e - b for b, e in r[1][2]))
        more["left_out"] = max(0, len(rows) - MAX_SAMPLED)
        shift = self.offset - self.profile.t
        for (thread, stack), (looks, ran_s, spans) in rows[:MAX_SAMPLED]:
            yield {
                "type": "profile_stack",
                "process": "kernel",
                "thread": thread,
                "stack": [
                    p[0] if isinstance(p[0], str) else self.frame_text(*self.named(p))
                    for p in stack
                ],
                "samples": looks,
                "time_s": round(ran_s, 6),
                "spans": [[round(b + shift, 6), round(e - b, 6)] for b, e in spans],
            }
        yield from self.functions()
        for in_threads, looks in ((False, self.looks), (True, self.of_threads)):
            yield from self.below(looks, in_threads)

    def named(self, place):
        """(file, function, first line), line, whether it is own code, file name in the kernel"""
        if place not in self.names:
            code, line = self.codes[place[0]], place[1]
            if line is None:
                line = min(n for _, n in dis.findlinestarts(code) if n)
            key, own = place_of_code(code), own_code(code.co_filename) or self.is_asked(code)
            own = own and code.co_filename != OWN
            self.names[place] = key, line_in_file(code, line), own, code.co_filename
        return self.names[place]

    def is_asked(self, code):
        return any(p.names_code(code) for p in self.patterns)

    @staticmethod
    def frame_text(key, line, own, filename):
        file, function, _ = key
        return f"{'<module>' if function == file else function} ({file}:{line})"

    def functions(self):
        table, ids = {}, Functions.ids  # {function: [own, cumulative, {caller: the same two}]}
        for (stack, waiting), seconds in [*self.looks.items(), *self.of_threads.items()]:
            named = map(self.named, stack or waiting[:1] and waiting[0])
            keys = [(f, n, name) for (f, name, n), *_ in named]
            for caller, key in {*zip([None, *keys], keys)}:
                row = table.setdefault(key, [0.0, 0.0, {}])
                if caller:
                    row[2].setdefault(caller, [0.0, 0.0])[1] += seconds
            for key in set(keys):
                table[key][1] += seconds
            if keys:
                table[keys[-1]][0] += seconds
            if keys[1:]:
                table[keys[-1]][2][keys[-2]][0] += seconds
        kept = dict.fromkeys(sorted(table, key=lambda k: -table[k][1])[:MAX_FUNCTIONS])
        for k in kept:
            ids.setdefault(k, len(ids) + 1)
        for k in kept:
            own_s, cumulative_s, callers = table[k]
            yield {
                "type": "profile_function",
                "page": False,
                "id": ids[k],
                "file": k[0],
                "line": k[1],
                "function": k[2],
                "calls": None,
                "primitive_calls": None,
                "own_s": own_s,
                "cumulative_s": cumulative_s,
                "callers": [[ids[c], 0, 0, *t] for c, t in callers.items() if c in kept],
            }

    def below(self, looks, in_threads):
        """Of each own line its time, once for each look, and what it calls of others."""
        rows, awaiting = {}, {i for i, code in self.codes.items() if awaits(code)}
        for (stack, waiting), seconds in looks.items():
            seen, last = {}, []
            for chain in (stack, *waiting) if stack else waiting:
                named = [self.named(p) for p in chain]
                keys = [n[0] for n in named if n[2]]
                at = None
                for (key, line, own, filename), (code, _) in zip(named, chain):
                    if own and at and at[0][0] == key[0] and self.codes[code].co_name in INLINE:
                        continue  # a part of the line that contains it, as for counting
                    if own:
                        at = key, line
                        row = rows.setdefault(at, [filename, 0.0, 0.0, 0.0, False, {}])
                        row[4] = row[4] or keys.count(key) > 1 or code in awaiting
                        seen.setdefault(at, {})
                    elif at and not key[0].startswith("<"):  # such as <frozen importlib...>
                        seen[at][key[0], key[1]] = None
                last.append((at, bool(stack) and named[-1][2]))
            for at, functions in seen.items():
                rows[at][1] += seconds
                for function in functions:
                    row = rows[at]
                    row[5][function] = row[5].get(function, 0.0) + seconds
            for at, leaf in set(last[:1] if stack else last[1:] or last):
                if at:
                    rows[at][2] += seconds
                    rows[at][3] += seconds * leaf
        for ((file, function, first), line), row in rows.items():
            filename, time_s, inner_s, leaf_s, uncounted, below = row
            below = [b for b in below.items() if b[1] >= BELOW_SHARE * time_s]
            yield {
                "type": "profile_below",
                "file": file,
                "function": function,
                "first_line": first,
                "line": line,
                "source": source_line(filename, line),
                "threads": in_threads,
                "time_s": time_s,
                "inner_s": inner_s,
                "leaf_s": leaf_s,
                "uncounted": uncounted,
                "below": [[*f, s] for f, s in sorted(below, key=lambda b: -b[1])[:MAX_BELOW]],
            }


# By the function of the system in which a thread sleeps: its wait channel.
AWAITED = {
    "nanosleep": "a sleep",
    "futex": "a lock",
    "do_wait": "a child process",
    "ep_poll": "an event",
    "poll": "a socket",
    "sk_": "a socket",
    "inet_csk": "a socket",
    "unix_stream": "a socket",
    "wait_woken": "a socket",
    "pipe": "a pipe",
    "folio": "storage",
    "io_schedule": "storage",
    "fsync": "storage",
}


def awaited(native):
    """For what a thread waits, by its native id; None: it runs, or only waits for a processor."""
    try:
        with open(f"/proc/self/task/{native}/wchan") as f:
            channel = f.read()
    except OSError:
        channel = ""
    if channel in ("", "0"):
        return None
    return next((word for name, word in AWAITED.items() if name in channel), "something")


def awaits(code):
    """Whether it goes on within a line: such a line has only its first part counted."""
    names = ("SEND", "YIELD_FROM", "GET_AWAITABLE")
    return any(i.opname in names for i in dis.get_instructions(code))


PROFILERS["samples"] = Samples
