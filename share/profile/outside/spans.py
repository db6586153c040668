# spans.py: when the page's threads did what in a cell, from a sampled profile of its JavaScript and
# a trace of the browser's own work, which have one clock (CLOCK_MONOTONIC).
# In:  {"profile": what Profiler.stop returned, "shift_s": what makes its times those of the cell};
#      then lines with lists of events of Tracing.dataCollected
# Out: [{"thread", "node", "work", "spans": [[begin, duration], ...]}], in seconds; node: the id of
#      the innermost function in the profile, or null; work: what the browser did there, or null
import bisect
import collections
import json
import sys

WORK = {
    "Layout": "layout",
    "UpdateLayoutTree": "style",
    "ParseAuthorStyleSheet": "style",
    "PrePaint": "paint",
    "Paint": "paint",
    "Layerize": "paint",
    "Commit": "paint",
    "ProxyMain::BeginMainFrame": "paint",
    "ProxyMain::BeginMainFrame::commit": "paint",
    "RasterTask": "paint",
    "Decode Image": "decode",
    "ImageDecodeTask": "decode",
    "Decode LazyPixelRef": "decode",
    "GPUTask": "gpu",
    "MinorGC": "gc",
    "MajorGC": "gc",
    "BlinkGC.AtomicPhase": "gc",
}
TASKS, TASK = ("RunTask", "ThreadControllerImpl::RunTask"), "task"
IDLE, GC, OTHER = "(idle)", "(garbage collector)", "(program)"


class Trace:
    """The events of a trace, as intervals of threads."""

    def __init__(self, lines):
        self.intervals = collections.defaultdict(list)  # (pid, tid): [(begin, end, name)]
        self.names = {}  # (pid, tid): of the thread
        self.renderers = set()  # the processes that show the page
        opened = collections.defaultdict(list)
        for line in lines:
            for event in json.loads(line):
                self.add(event, opened[event["pid"], event["tid"]])

    def add(self, event, opened):
        key, name, phase = (event["pid"], event["tid"]), event["name"], event["ph"]
        if name == "thread_name":
            self.names[key] = event["args"]["name"]
        elif name == "TracingStartedInBrowser":
            frames = event["args"].get("data", {}).get("frames", [])
            self.renderers |= {f["processId"] for f in frames if "processId" in f}
        elif name in WORK or name in TASKS or name.startswith("V8.GC_"):
            word, t = TASK if name in TASKS else WORK.get(name, "gc"), event["ts"] / 1e6
            if phase == "X":
                self.intervals[key].append((t, t + event.get("dur", 0) / 1e6, word))
            elif phase == "B":
                opened.append((name, t))
            elif phase == "E" and opened and opened[-1][0] == name:
                self.intervals[key].append((opened.pop()[1], t, word))

    def of(self, thread, processes=None):
        """The intervals of all threads whose name begins so."""
        return [
            i
            for key, name in self.names.items()
            if name.startswith(thread) and (not processes or key[0] in processes)
            for i in self.intervals[key]
        ]


def innermost(intervals, tasks=False):
    """[(begin, the word of the innermost interval, or None)], in order, of the tasks or of what is
    done in them."""
    edges = []
    for begin, end, word in intervals:
        if (word == TASK) == tasks and end > begin:
            edges += [(begin, 1, -end, word), (end, 0, 0, word)]
    steps, opened = [], []
    for t, begins, _, word in sorted(edges):
        if begins:
            opened.append(word)
        else:
            opened.reverse()
            opened.remove(word)
            opened.reverse()
        steps.append((t, opened[-1] if opened else None))
    return steps


def at(steps, begins, t):
    i = bisect.bisect_right(begins, t) - 1
    return steps[i][1] if i >= 0 else None


def samples(profile):
    """[(begin, node)] of a sampled profile, and its functions by node."""
    t, steps = profile["startTime"], []
    for node, delta in zip(profile["samples"], profile["timeDeltas"]):
        t += delta
        steps.append((t / 1e6, node))
    steps.sort()
    if steps:
        steps.append((profile["endTime"] / 1e6, None))
    return steps, {n["id"]: n["callFrame"]["functionName"] for n in profile["nodes"]}


def doing(node, name, work, busy):
    """(node, work) of an instant of the main thread; None: it is idle."""
    native = name is None or name.startswith("(")
    if work or name == GC:
        return None if native else node, work or "gc"
    if busy is False or name == IDLE or (native and not busy):
        return None
    return (None, "other") if native else (node, None)


def main_thread(profile, trace):
    intervals = trace.of("CrRendererMain", trace.renderers)
    lists = [
        samples(profile)[0],
        innermost(intervals),
        innermost(intervals, tasks=True),
    ]
    names = samples(profile)[1]
    begins = [[t for t, _ in steps] for steps in lists]
    found, last = collections.defaultdict(list), (None, 0)
    times = sorted({t for list_ in begins for t in list_})
    for a, b in zip(times, times[1:]):
        node, work, busy = (at(s, t, a) for s, t in zip(lists, begins))
        busy = bool(busy) if lists[2] else names.get(node) == OTHER or None
        what = doing(node, names.get(node), work, busy)
        if what and last == (what, a):
            found[what][-1][1] = b
        elif what:
            found[what].append([a, b])
        last = what, b
    return found


def beside(trace):
    """What the browser's other threads did: several of one kind count once."""
    found = collections.defaultdict(list)
    threads = {
        "GPU": trace.of("CrGpuMain") or trace.of("VizCompositor"),
        "raster": trace.of("CompositorTileWorker", trace.renderers)
        + trace.of("ThreadPoolForegroundWorker", trace.renderers),
    }
    for thread, intervals in threads.items():
        steps = innermost(intervals)
        for (a, word), (b, _) in zip(steps, steps[1:]):
            if word and word != "gc":  # that of helping threads
                found[thread, word].append([a, b])
    return found


def answer(head, trace):
    profile, shift = head["profile"], head["shift_s"]
    threads = {("main", *what): spans for what, spans in main_thread(profile, trace).items()}
    for (thread, word), spans in beside(trace).items():
        threads[thread, None, word] = spans
    return [
        {
            "thread": thread,
            "node": node,
            "work": work,
            "spans": [[round(a + shift, 6), round(b - a, 6)] for a, b in spans],
        }
        for (thread, node, work), spans in threads.items()
    ]


print(json.dumps(answer(json.loads(sys.stdin.readline()), Trace(sys.stdin))))
