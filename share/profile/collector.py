# collector.py: when Python collected garbage in a cell, as a thread of its own.
import gc


class Collections(Profiler):
    name, version = "collector", "gc"
    LEAST_S = 1e-4  # shorter collections are many, and no part of what is waited for

    def begin(self):
        self.spans, self.began = [], None
        gc.callbacks.append(self.note)

    def note(self, phase, info):
        t = time.time()
        if phase == "start":
            self.began = t
        elif self.began is not None and t - self.began >= self.LEAST_S:
            self.spans.append([self.began, t - self.began])

    def end(self):
        if self.note in gc.callbacks:
            gc.callbacks.remove(self.note)

    def records(self, more):
        spans = [[round(begin - self.profile.t, 6), round(s, 6)] for begin, s in self.spans]
        time_s = sum(s for _, s in spans)
        if spans:
            yield {
                "type": "profile_stack",
                "process": "kernel",
                "thread": "garbage collector",
                "stack": ["(gc)"],
                "samples": len(spans),
                "time_s": round(time_s, 6),
                "spans": spans,
            }


PROFILERS["collector"] = Collections
