# memory.py: what a cell allocates, by memray: what is alive at the peak and what stays at the end,
# by the line that allocated it. Python's own allocator shows as the arenas that it fetches.
import os
import tempfile

MAX_ROWS = 200  # each of the peak and of the end
MAX_STACKS = 2000  # of which the frames are read, the largest first


class Memory(Profiler):
    name = "memory"
    library = None

    @classmethod
    def load(cls, settings):
        import memray

        cls.library = memray
        cls.version = f"memray {memray.__version__}, Python {platform.python_version()}"

    def __init__(self, profile, settings):
        super().__init__(profile, settings)
        self.tracker = self.path = None
        self.is_cut = False

    def begin(self):
        """memray allows one Tracker at a time: one that the cell itself starts has precedence."""
        own, kind = self, self.library.Tracker

        class Tracker(kind):
            def __enter__(self):
                own.is_cut = own.is_cut or own.tracker is not None
                own.end_tracker()
                return super().__enter__()

        self.before, self.library.Tracker = kind, Tracker
        folder = tempfile.mkdtemp(prefix="nbscope-profile.")
        self.path = os.path.join(folder, "cell.bin")

    def start(self):
        """Not for each statement: the cell is one, from its first statement to its end."""
        if self.tracker is None and not self.is_cut:
            tracker = self.before(
                self.path,
                native_traces=False,
                file_format=self.library.FileFormat.AGGREGATED_ALLOCATIONS,
            )
            # Of the thread where it starts, memray leaves out as many outer frames as there are
            # then; those of a task that the event loop runs are fewer.
            failed = []
            thread = threading.Thread(target=self.enter, args=(tracker, failed))
            thread.start()
            thread.join()
            if failed:
                raise failed[0]
            self.tracker = tracker

    def enter(self, tracker, failed):
        try:
            tracker.__enter__()
        except Exception as err:
            failed.append(Reason("memray: %s" % (err or "another Tracker is active")))

    def end_tracker(self):
        tracker, self.tracker = self.tracker, None
        if tracker is not None:
            tracker.__exit__(None, None, None)

    def end(self):
        self.end_tracker()
        self.library.Tracker = self.before

    def records(self, more):
        if self.is_cut:
            more["reason"] = "the cell started a Tracker of its own: the profile ends there"
        try:
            with self.library.FileReader(self.path) as reader:
                at_peak = list(reader.get_high_watermark_allocation_records(merge_threads=True))
                at_end = list(reader.get_leaked_allocation_records(merge_threads=True))
                more["peak_bytes"] = sum(r.size for r in at_peak)
                more["end_bytes"] = sum(r.size for r in at_end)
                rows = self.rows("peak", at_peak, more) + self.rows("end", at_end, more)
            with open(self.path, "rb") as file:
                return rows + file_record(self.profile, self.name, "bin", file.read(), more)
        finally:
            os.unlink(self.path)
            os.rmdir(os.path.dirname(self.path))

    def rows(self, when, allocations, more):
        places = {}
        allocations.sort(key=lambda r: -r.size)
        for r in allocations[:MAX_STACKS]:
            place = place_of(r.stack_trace())
            if place[0] == OWN:
                continue
            total = places.setdefault(place, [0, 0])
            total[0] += r.size
            total[1] += r.n_allocations
        places = sorted(places.items(), key=lambda p: -p[1][0])
        more["left_out"] = (
            more.get("left_out", 0)
            + max(0, len(places) - MAX_ROWS)
            + max(0, len(allocations) - MAX_STACKS)
        )
        return [
            {
                "type": "profile_allocation",
                "when": when,
                "file": file,
                "line": line,
                "function": function,
                "bytes": size,
                "allocations": count,
            }
            for (file, line, function), (size, count) in places[:MAX_ROWS]
        ]


def place_of(stack):
    """The innermost line, in the author's numbering."""
    for function, filename, line in stack:
        file = file_name(filename)
        if file.startswith("<cell") and (
            function == "<module>" or function.startswith("<cell line")
        ):
            function = file
        return file, line_number(filename, line), function
    return "~", 0, "outside the cell's code"


PROFILERS["memory"] = Memory
