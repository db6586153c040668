# contributors.py: what the person waited for in a cell, one list of contributors in milliseconds of
# its client time: the critical path of what kernel and page did and of the messages between them.
# An interval belongs to the work that ends later; what ran meanwhile is overlapped, not counted.
# In:  lines, of one cell after the other: {"stack", "t", "spans", "process", "thread"}, where stack
#      lists [frame, frame as shown, own, package or other]; profile_message records; and last the
#      instants of the cell, {"at", "cell_index", "pressed_t", ...}
# Out: [{"at", "contributors": [members of contributor records, the longest first]}]
import bisect
import collections
import json
import re
import sys

SLACK_S = 0.001  # between two instants that are one
NEAR_S = 0.01  # between a message's date and the sample of what has sent it
BUSY_SHARE = 0.8  # of the time that a message waited, in which the page was busy
LEAST_MS = 0.5  # shorter contributors of a kind are one
KERNEL, PAGE = "kernel", "page"
UNKNOWN = ("unattributed", None, None, None)
AROUND = ("python", "the kernel, around the code of the cell", None, None)
IDLE = ("wait", "a timer, a frame or the network, in the page", None, None)
FRAME = re.compile(r"(.*?) \((.*?)(?::(\d+))?\)$")
FINDS = "_find_and_load ("  # of importlib, below which modules run
REQUEST = "execute_request"
ENDS = ("status", "execute_reply", "execute_input")  # messages that change no output
BROWSER = ("style", "layout", "paint", "decode", "gpu", "gc")
WORK = {"(other)": "browser", **{f"({kind})": kind for kind in BROWSER}}
WORDS = {
    "style": "style",
    "layout": "layout",
    "paint": "painting",
    "decode": "decoding of images",
    "gpu": "work of the GPU's process",
    "browser": "other work of the browser",
    "unattributed": "unattributed",
}

# A contributor is (kind, what, file, line).


# ---- whose work a stack is ----------------------------------------------------------------------


def place_of(frame):
    """(function, file, line) of a frame; file None: it has none."""
    found = FRAME.match(frame)
    if not found:
        return frame, None, None
    return found[1], found[2], int(found[3] or 0) or None


def module_of(shown):
    """The name of the module that runs in a frame; None: it is no module."""
    function, file, _ = place_of(shown)
    if function != "<module>" or not file or not file.endswith(".py"):
        return None
    return file[: -len(".py")].removesuffix("/__init__").replace("/", ".")


def imported(stack):
    """The modules that are being imported, the outermost first; None: none is."""
    finds = [i for i, (frame, _, _) in enumerate(stack) if frame.startswith(FINDS)]
    if not finds:
        return None
    return [m for m in (module_of(shown) for _, shown, _ in stack[finds[0] :]) if m]


def of_kernel(stack):
    modules = imported(stack)
    own = None, None, None
    for frame, _, owner in stack:
        if frame.startswith(FINDS):
            break
        if owner == "own":
            own = place_of(frame)
    last = stack[-1][0]
    if any("gc_collect" in frame for frame, _, _ in stack) or last == "(gc)":
        return "gc", "in Python", None, None
    if modules is not None:
        return "import", modules[0] if modules else "a module", *own[1:]
    if last.startswith("(wait: "):
        return "wait", last[len("(wait: ") : -1], *own[1:]
    if own[1]:
        return "python", *own
    packages = [shown for _, shown, owner in stack if owner == "package"]
    package = re.split(r"[/.]", place_of(packages[0])[1] or "")[0] if packages else None
    return "python", package or "the kernel itself", None, None


def of_page(stack):
    """What the browser does itself is the innermost frame, below the function that forced it."""
    functions = [place_of(frame) for frame, _, _ in stack]
    function, file, line = next((f for f in reversed(functions) if f[1]), (None, None, None))
    word = WORK.get(functions[-1][0])
    if word == "gc":
        return "gc", "in the page", None, None
    if word in ("layout", "style"):
        return word, function, file, line
    if word:
        return word, None, None, None
    return "javascript", function or functions[-1][0], file, line


# ---- the times of a cell ------------------------------------------------------------------------


class Lane:
    """What one thread did when, at each instant one thing."""

    def __init__(self):
        self.spans = []  # (begin, end, contributor, stack)

    def sort(self):
        self.spans.sort(key=lambda s: s[:2])
        self.begins = [s[0] for s in self.spans]

    def within(self, begin, end):
        """The spans between two instants, cut to them, without overlaps."""
        first = max(bisect.bisect_right(self.begins, begin) - 1, 0)
        at = begin
        for a, b, by, stack in self.spans[first : bisect.bisect_left(self.begins, end)]:
            a, b = max(a, at), min(b, end)
            if a < b:
                yield a, b, by, stack
                at = b

    def busy(self, begin, end):
        return sum(b - a for a, b, _, _ in self.within(begin, end))


class Cell:
    """The critical path of one run of a cell."""

    def __init__(self, head, stacks, messages):
        self.head = head
        self.client = collections.Counter()  # contributor: seconds that were waited for
        self.ran = collections.Counter()  # that it took, also where something else was waited for
        self.bytes = collections.Counter()
        self.first = {}  # contributor: when it was first waited for
        self.imports = {}  # contributor: {module: [own seconds, {module ...}]}
        pressed = head["pressed_t"]
        self.begin = head["busy_t"] if pressed is None else pressed
        self.end = head["idle_t"] if pressed is None else head["end_t"]
        self.lanes = {name: Lane() for name in ("collector", KERNEL, PAGE, "beside")}
        if self.begin is None or self.end is None:
            return
        for stack in stacks:
            self.add_stack(stack)
        for lane in self.lanes.values():
            lane.sort()
            for a, b, by, _ in lane.within(self.begin, self.end):
                self.ran[by] += b - a
        self.read_messages(messages)
        self.walk()

    def add_stack(self, s):
        if s["process"] == "browser":
            lane, by = PAGE if s["thread"] == "main" else "beside", of_page(s["stack"])
        elif s["process"] == KERNEL and s["thread"] in ("MainThread", "garbage collector"):
            lane = KERNEL if s["thread"] == "MainThread" else "collector"
            by = of_kernel(s["stack"])
        else:
            return
        for begin, duration in s["spans"]:
            begin += s["t"]
            self.lanes[lane].spans.append((begin, begin + duration, by, s["stack"]))

    def read_messages(self, messages):
        """Times become those of the cell's clock. Without messages, such as where there is no page,
        the instants of the cell are some."""
        head, own = self.head, {"parent": "cell", "message": "status", "sent": False}
        for m in messages:
            m["page_t"] += head["page_shift_s"]
            if m["kernel_t"] is not None:
                m["kernel_t"] += head["kernel_shift_s"]
        if all(m["sent"] for m in messages) and head["idle_t"] is not None:
            messages = [
                {**own, "id": "cell", "sent": True, "page_t": head["sent_t"], "message": REQUEST},
                {**own, "state": "busy", "page_t": head["busy_t"], "kernel_t": head["busy_t"]},
                {**own, "state": "idle", "page_t": head["received_t"], "kernel_t": head["idle_t"]},
            ]
        for m in messages:
            m["bytes"] = m.get("bytes") or 0
        messages = [m for m in messages if m["page_t"] is not None]
        self.received = sorted(
            (m for m in messages if not m["sent"] and m["kernel_t"] is not None),
            key=lambda m: m["page_t"],
        )
        self.requests = {m["id"]: m for m in messages if m["sent"]}
        ways = [m["page_t"] - m["kernel_t"] for m in self.received if m["page_t"] >= self.begin]
        self.way = max(min(ways, default=0), 0)  # the shortest one
        self.turns = []  # when the kernel worked for a request: [busy, idle, request]
        for m in self.received:
            if m.get("state") == "busy":
                self.turns.append([m["kernel_t"], float("inf"), m["parent"]])
            elif m.get("state") == "idle":
                for turn in self.turns:
                    if turn[2] == m["parent"] and m["kernel_t"] >= turn[0]:
                        turn[1] = min(turn[1], m["kernel_t"])

    # ---- time is given to what was done ---------------------------------------------------------

    def note(self, by, begin, end):
        self.client[by] += end - begin
        self.first[by] = min(begin, self.first.get(by, begin))

    def claim(self, lanes, begin, end, rest):
        """The interval goes to what the first lane did, in its gaps to the next one, and in the end
        to `rest`."""
        if not lanes:
            self.note(rest, begin, end)
            return
        at = begin
        for a, b, by, stack in self.lanes[lanes[0]].within(begin, end):
            if a > at:
                self.claim(lanes[1:], at, a, rest)
            self.note(by, a, b)
            if by[0] == "import":
                self.add_import(by, imported(stack), b - a)
            at = b
        if at < end:
            self.claim(lanes[1:], at, end, rest)

    def add_import(self, by, modules, s):
        tree, node = self.imports.setdefault(by, {}), None
        for module in modules:
            node = tree.setdefault(module, [0, {}])
            tree = node[1]
        if node:
            node[0] += s

    def claim_way(self, m, begin, end):
        """Of a message; its sender is the author's line that ran then."""
        what, file, line = m["message"] + (" to the kernel" if m["sent"] else ""), None, None
        if not m["sent"] and m["message"] not in ENDS:
            t = m["kernel_t"]
            near = self.lanes[KERNEL].within(t - NEAR_S, t + NEAR_S)
            lines = [s for s in near if s[2][0] in ("python", "wait")]
            if lines:
                _, _, file, line = min(lines, key=lambda s: max(s[0] - t, t - s[1], 0))[2]
        by = "transport", what, file, line
        self.note(by, max(begin, self.begin), max(end, begin, self.begin))
        self.bytes[by] += m["bytes"]

    # ---- the walk, from the end to the begin -----------------------------------------------------

    def had_to_wait(self, m):
        """Whether the page was busy while the message could already have been handled."""
        begin, end = m["kernel_t"] + self.way, m["page_t"]
        busy = self.lanes[PAGE].busy(begin, end) if end > begin + SLACK_S else 0
        return busy > BUSY_SHARE * (end - begin) > 0

    def is_busy(self, begin, end):
        return self.lanes[PAGE].busy(begin, end) >= BUSY_SHARE * (end - begin - SLACK_S)

    def may_cause(self, m, t):
        """Whether the page may have done until t what it did because of the message. What ends a
        request changes no output: an idle page was busy with it since, or nothing is due to it."""
        at = m["page_t"]
        if not max(m["kernel_t"], self.begin) < at <= t + SLACK_S:
            return False
        ends = m["message"] in ENDS and at < self.end - SLACK_S
        return not ends or self.is_busy(at, t) and not self.is_busy(at - NEAR_S, at)

    def cause(self, t):
        """(message, when the page could have begun with it); None: there is none."""
        waited = None
        while self.received:
            m = self.received.pop()
            if not self.may_cause(m, t):
                continue
            if waited and not self.is_busy(m["page_t"], waited["page_t"]):
                break
            if not self.had_to_wait(m):
                return m, min(m["page_t"], t)
            waited = m
        # What the page was busy with had no cause in the kernel.
        return waited and (waited, min(waited["kernel_t"] + self.way, t))

    def walk_page(self, t):
        """The page did it since it handled a message, and this came from the kernel."""
        before = list(self.received)
        m, begin = self.cause(t) or (None, self.begin)
        self.claim([PAGE, "beside"], begin, t, IDLE)
        if not m:
            return PAGE, self.begin
        self.received = before[: before.index(m)]
        return KERNEL, self.walk_way(m, begin)

    def walk_way(self, m, t):
        """It may have been behind a larger message."""
        larger = [
            o
            for o in self.received
            if o["kernel_t"] <= m["kernel_t"] < o["page_t"] <= t and o["bytes"] > 10 * m["bytes"]
        ]
        begin = max((o["page_t"] for o in larger), default=None)
        self.claim_way(m, begin or m["kernel_t"], t)
        if not begin:
            return min(m["kernel_t"], t)
        self.received = [o for o in self.received if o["page_t"] <= begin]
        return self.walk_way(self.received.pop(), begin)

    def walk_kernel(self, t):
        """The kernel did it since it began with a request, or since it ended the one before."""
        busy, idle, request = max(
            (turn for turn in self.turns if turn[0] < t), default=(self.begin, t, None)
        )
        begin = max(idle if idle < t else busy, self.begin)
        known = self.lanes[KERNEL].spans and idle >= t
        self.claim(["collector", KERNEL], begin, t, AROUND if known else UNKNOWN)
        m = self.requests.get(request) if idle >= t else None
        before = max((turn[1] for turn in self.turns if turn[1] <= begin + SLACK_S), default=0)
        if not m or before > m["page_t"] + SLACK_S:
            return KERNEL, begin
        self.claim_way(m, m["page_t"], begin)
        return PAGE, min(m["page_t"], begin)

    def walk(self):
        where, t = PAGE if self.head["pressed_t"] is not None else KERNEL, self.end
        while t > self.begin:
            where, t = (self.walk_page if where == PAGE else self.walk_kernel)(t)


# ---- all runs of a cell -------------------------------------------------------------------------


def size(n):
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if n >= factor:
            return f"{n / factor:.1f} {unit}"
    return f"{n:.0f} bytes"


def text_of(by, n_bytes):
    kind, what, file, line = by
    cell = re.fullmatch(r"<cell (\d+)>", file or "")
    where = f"line {line} of cell {cell[1]}" if cell else file
    if where and where.startswith("/"):
        where = "/".join(where.split("/")[-2:])
    if where and line and not cell:
        where += f":{line}"
    named = what and what != "<module>" and not (cell and what == file)
    if kind == "transport":
        return f"{where} sends {size(n_bytes)} ({what})" if where else f"{what}, {size(n_bytes)}"
    if kind in ("python", "javascript"):
        return " ".join([where] * bool(where) + [what] * bool(named))
    if kind in ("layout", "style") and where:
        return f"{WORDS[kind]} forced by {where} {what}"
    words = {"gc": "garbage collection", "import": "import of", "wait": "waiting for"}
    text = f"{words[kind]} {what}" if kind in words else WORDS.get(kind, kind)
    return f"{text}, {where}" if where else text


def tree_of(imports, runs):
    """Which module imported which, the longest first."""
    nodes = []
    for module, (own, inner) in imports.items():
        below = tree_of(inner, runs)
        own_ms = round(1e3 * own / runs, 3)
        total = own_ms + sum(n["ms"] for n in below)
        nodes.append({"module": module, "ms": round(total, 3), "own_ms": own_ms, "imports": below})
    return sorted(nodes, key=lambda n: -n["ms"])


def modules_in(nodes, by=None):
    """(own milliseconds, module, the module that imports it) of all modules of a tree."""
    for n in nodes:
        yield n["own_ms"], n["module"], by
        yield from modules_in(n["imports"], n["module"])


def longest_module(nodes):
    """In words, the one that takes most itself, if it is an inner one and takes a quarter."""
    modules = list(modules_in(nodes))
    own_ms, module, by = max(modules, key=lambda m: m[0], default=(0, None, None))
    if not by or own_ms < sum(m[0] for m in modules) / 4:
        return ""
    return f"; {seconds(own_ms / 1e3)} of it is {module}, which {by} imports"


def joined(trees):
    """Those of several runs."""
    all_ = {}
    for tree in trees:
        for module, (own, inner) in tree.items():
            had = all_.setdefault(module, [0, []])
            had[0] += own
            had[1].append(inner)
    return {module: [own, joined(inner)] for module, (own, inner) in all_.items()}


def side_of(by):
    """Where it is: in the kernel, in the page, or between them."""
    kind, what, file, _ = by
    if kind in ("transport", "unattributed"):
        return kind
    in_kernel = what == "in Python" if kind == "gc" else kind in ("python", "import")
    return KERNEL if in_kernel or kind == "wait" and by != IDLE else PAGE


def by_script(client):
    """Functions of what was minified, which have no lines, are one, called as the longest."""
    longest = {}
    for by, _ in client.most_common():
        if by[0] == "javascript" and not by[3]:
            longest.setdefault(by[2], by)
    return {by: longest[by[2]] if by[0] == "javascript" and not by[3] else by for by in client}


def contributors(cells):
    """Of all runs of a cell, on average."""
    runs, client, ran, n_bytes = len(cells), *(collections.Counter() for _ in range(3))
    for cell in cells:
        client.update(cell.client)
        ran.update(cell.ran)
        n_bytes.update(cell.bytes)
    for by in ran:
        client[by] += 0
    name = by_script(client)
    for by in client:
        if max(client[by], ran[by]) * 1e3 < LEAST_MS * runs:
            name[by] = by[0], "shorter ones", None, None
    sums = {by: [0, 0, 0] for by in name.values()}
    sums[UNKNOWN] = [0, 0, 0]
    for by, to in name.items():
        for i, amounts in enumerate((client, ran, n_bytes)):
            sums[to][i] += amounts[by] / runs
    from_ms = {}
    for by, to in name.items():
        first = [1e3 * (c.first[by] - c.begin) for c in cells if by in c.first]
        if first:
            from_ms[to] = min([round(min(first), 3), *filter(None, [from_ms.get(to)])])
    rows = []
    order = sorted(sums, key=lambda by: (by[0] == UNKNOWN[0], -sums[by][0]))
    for by in order:
        s, ran_s, amount = sums[by]
        row = dict(zip(("kind", "what", "file", "line"), by))
        row["client_ms"] = round(1e3 * s, 3)
        row["overlapped_ms"] = round(1e3 * max(ran_s - s, 0), 3)
        row["side"] = side_of(by)
        row["from_ms"] = from_ms.get(by)
        row["text"] = text_of(by, amount)
        row["runs"] = runs
        if by[0] == "transport":
            row["bytes"] = round(amount)
        if by[0] == "import":
            row["imports"] = tree_of(joined([c.imports.get(by, {}) for c in cells]), runs)
            row["text"] += longest_module(row["imports"])
        if row["client_ms"] or row["overlapped_ms"] or by == UNKNOWN:
            rows.append(row)
    rows = [{"rank": i + 1, **row} for i, row in enumerate(rows)]
    cell_ms = round(sum(r["client_ms"] for r in rows), 3)
    # Where the page was not recorded, what it did is a guess.
    recorded = any(c.lanes[PAGE].spans for c in cells)
    rows[0].update(cell_ms=cell_ms, longest=longest(rows) if recorded else None)
    return rows


def longest(rows):
    """The longest ones in words, in the order in which they were waited for; None: most of the time
    is the kernel's."""
    all_ms = sum(r["client_ms"] for r in rows)
    if 2 * sum(r["client_ms"] for r in rows if r["side"] == KERNEL) >= all_ms:
        return None
    chosen = [r for r in rows[:3] if r["client_ms"] >= all_ms / 10]
    parts = [
        f"{r['text']} ({seconds(r['client_ms'] / 1e3)})"
        for r in sorted(chosen, key=lambda r: r["from_ms"])
    ]
    return ", ".join(parts[:-2] + [", then ".join(parts[-2:])])


def seconds(s):
    return f"{s:.2f} s" if s >= 1 else f"{1e3 * s:.0f} ms"


def main():
    cells, stacks, messages = {}, [], []
    for line in sys.stdin:
        record = json.loads(line)
        if "stack" in record:
            stacks.append(record)
        elif "at" not in record:
            messages.append(record)
        else:
            cell = Cell(record, stacks, messages)
            if cell.client:
                cells.setdefault(record["at"], []).append(cell)
            stacks, messages = [], []
    print(json.dumps([{"at": at, "contributors": contributors(c)} for at, c in cells.items()]))


main()
