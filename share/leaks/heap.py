"""heap.py: what holds the objects of a page that came between two instants.

cellprofile writes to it a line, the ids of the last objects at these instants, and a snapshot of
the heap of V8, which has 100 MB and more. With fewer than two ids, it answers with the last one of
this snapshot, else with a list of holders.

Each object is reached by a shortest way: from what keeps it by design, else from the page's
globals, else from the browser's own roots. What came hangs on the first such object on its way, and
that on another one, its holder.
"""

import array
import bisect
import json
import sys

PIECE = 1 << 20
MAX_HOLDERS = 12
MAX_PATH = 12  # steps up, to a name of a holder
MODEL_STEPS = 6  # steps down, to the model of a widget that an object belongs to
NONE = 0xFFFFFFFF
# What the manager of widgets and the kernel's connection have as long as nobody closes it. The
# names of their classes are mangled, those of their members are not.
DESIGNS = {
    "_models": "WidgetManager._models",
    "_modelsSync": "WidgetManager._modelsSync",
    "_comms": "KernelConnection._comms",
}
# What JupyterLab has itself: what a widget has connected to signals of the first two stays when it
# is closed; a cell that becomes active gets a new toolbar, and the buttons of the old one go on
# listening to a media query.
PLATFORM = {
    "_comms": "KernelConnection",
    "_sessionContext": "SessionContext",
    "cellsArray": "Notebook.cellsArray",
    "_activeCell": "Notebook._activeCell",
    "<jp-button>": "MediaQueryList",
}
BY_DESIGN, GLOBAL, BROWSER, JUPYTERLAB = "by design", "global", "browser", "JupyterLab"
# What the browser makes for itself, such as compiled code.
MACHINERY = {"synthetic", "code", "hidden", "object shape"}


def numbers(text, name, kind):
    """The list of this name, and what follows it."""
    at = text.index(b'"%s":[' % name.encode()) + len(name) + 4
    end = text.index(b"]", at)
    found = array.array(kind)
    while at < end:
        to = end if end - at <= PIECE else text.rindex(b",", at, at + PIECE)
        found.extend(map(int, text[at:to].split(b",")))
        at = to + 1
    return found, text[end:]


class Snapshot:
    def __init__(self, text):
        begin = text.index(b'"nodes":[')
        meta = json.loads(text[:begin] + b'"nodes":[]}')["snapshot"]["meta"]
        self.fields = meta["node_fields"]
        self.node_types = meta["node_types"][self.fields.index("type")]
        self.nodes, text = numbers(text[begin:], "nodes", "Q")
        self.ids = self.column("id")
        self.text, self.edge_types = text, meta["edge_types"][0]

    def column(self, name):
        return self.nodes[self.fields.index(name) :: len(self.fields)]

    def read_graph(self):
        edges, text = numbers(self.text, "edges", "I")
        self.strings = json.loads(text[text.index(b'"strings":') + 10 : text.rindex(b"}")])
        self.type, self.name, self.size = map(self.column, ("type", "name", "self_size"))
        self.first = array.array("I", [0])
        for count in self.column("edge_count"):
            self.first.append(self.first[-1] + count)
        self.edge_type, self.edge_name = edges[0::3], edges[1::3]
        self.to = array.array("I", (to // len(self.fields) for to in edges[2::3]))
        self.named = {self.edge_types.index(t) for t in ("property", "context")}
        self.weak, self.internal = map(self.edge_types.index, ("weak", "internal"))
        self.pairs = {i for i, text in enumerate(self.strings) if " pair in WeakMap" in text}
        n = len(self.ids)
        self.parent = array.array("I", [NONE]) * n
        self.by, self.top = self.parent[:], self.parent[:]
        self.how = [None] * n  # it was reached
        self.queue, self.at = [], 0
        self.models = self.find_models()
        self.connections = {n for n, _ in self.edges_named("_comms")}

    def node_name(self, node):
        return self.strings[self.name[node]]

    def edges_named(self, *names):
        """(node, edge): those that have such a member."""
        wanted = {i for i, text in enumerate(self.strings) if text in names}
        for e, name in enumerate(self.edge_name):
            if name in wanted and self.edge_type[e] in self.named:
                yield bisect.bisect_right(self.first, e) - 1, e

    def find_models(self):
        """{object: the name of its model}, of those that have the state of a widget."""
        state = {n: self.node_name(self.to[e]) for n, e in self.edges_named("_model_name")}
        return {
            n: state[self.to[e]] for n, e in self.edges_named("attributes") if self.to[e] in state
        }

    # ---- ways ---------------------------------------------------------------------------------

    def add(self, node, how, parent=NONE, edge=NONE):
        self.how[node], self.parent[node], self.by[node] = how, parent, edge
        self.queue.append(node)

    def is_pair(self, edge):
        return self.edge_type[edge] == self.internal and self.edge_name[edge] in self.pairs

    def reach(self, marks):
        """From what was added; by design, not through what was there before."""
        first, last = marks
        machinery = {i for i, t in enumerate(self.node_types) if t in MACHINERY}
        # Lists and tables are made again when they grow: what they have hangs on what has them.
        table = self.node_types.index("array")
        ids, tops, how, type_of = self.ids, self.top, self.how, self.type
        while self.at < len(self.queue):
            n = self.queue[self.at]
            self.at += 1
            up, way = self.parent[n], how[n]
            above = NONE if up == NONE else tops[up]
            if above != NONE and not (above == up and type_of[up] == table):
                tops[n] = above
            elif first < ids[n] <= last and type_of[n] not in machinery:
                tops[n] = n
            for e in range(self.first[n], self.first[n + 1]):
                if type_of[n] == table and self.is_pair(e):
                    continue  # a WeakMap: its keys have what it has
                to = self.to[e]
                allowed = way != BY_DESIGN or ids[to] > first
                if how[to] is None and self.edge_type[e] != self.weak and allowed:
                    self.add(to, way, n, e)

    def reach_all(self, marks):
        for member in DESIGNS:
            begun = [e for e in self.edges_named(member) if self.how[self.to[e[1]]] is None]
            for n, e in begun:
                self.add(self.to[e], BY_DESIGN, n, e)
            self.reach(marks)
            for _, e in begun:  # once more, for what was there before
                self.how[self.to[e]] = None
        for n in range(len(self.ids)):
            if self.how[n] is None and is_window(self.node_name(n)):
                self.add(n, GLOBAL)
        self.reach(marks)
        if self.how[0] is None:
            self.add(0, BROWSER)
        self.reach(marks)

    # ---- names --------------------------------------------------------------------------------

    def holder_name(self, top):
        """Of "Class._member" or "variable kept (closure)": the last names on the way to it."""
        node, name, owner = self.parent[top], None, NONE
        for _ in range(MAX_PATH):
            if node == NONE or self.parent[node] == NONE or name:
                break
            if node in self.connections:
                return PLATFORM["_comms"]
            edge, node = self.by[node], self.parent[node]
            if self.node_name(node) == "MediaQueryList" and self.has_button(top):
                return PLATFORM["<jp-button>"]
            if self.edge_type[edge] in self.named:
                name = self.strings[self.edge_name[edge]]
        owner = "the browser" if node == NONE else self.object_name(node)
        if name in DESIGNS:
            return DESIGNS[name]
        if name in PLATFORM:
            return PLATFORM[name]
        if name and owner.startswith("system / Context"):
            return f"variable {name} (closure)"
        return f"{owner}.{name}" if name else owner

    def has_button(self, closure):
        """Has it a button of JupyterLab's in its context?"""
        return any(
            self.node_name(held).startswith("<jp-button")
            for context in self.held_by(closure)
            for held in self.held_by(context)
        )

    def held_by(self, node):
        return self.to[self.first[node] : self.first[node + 1]]

    def object_name(self, node):
        """A model's, that of an element without its attributes, of a class."""
        kind, name = self.node_types[self.type[node]], self.node_name(node)
        if node in self.models:
            return self.models[node]
        if is_window(name):
            return "window"
        if "string" in kind or "number" in kind:
            return f"({kind})"
        begin = name.find("<")
        if begin >= 0:
            name = name[:begin] + name[begin:].split(" ")[0].rstrip(">") + ">"
        return name[:200] or f"({kind})"

    def near_models(self):
        """{top: the name of the model nearest below it}."""
        near = {}
        for n in self.queue:
            top, up, steps = self.top[n], n, 0
            if top == NONE or n not in self.models or top in near:
                continue
            while up != top and steps <= MODEL_STEPS:
                up, steps = self.parent[up], steps + 1
            if up == top:
                near[top] = self.models[n]
        return near

    def holders(self):
        near, groups, group_of, seen = self.near_models(), {}, {}, set()
        for n in self.queue:
            top = self.top[n]
            if top == NONE or n in seen:
                continue
            seen.add(n)
            if top not in group_of:
                holder = self.holder_name(top)
                kind = JUPYTERLAB if holder in PLATFORM.values() else self.how[top]
                key = kind, holder, near.get(top) or self.object_name(top)
                group_of[top] = groups.setdefault(key, [0, 0])
                group_of[top][0] += 1
            group_of[top][1] += self.size[n]
        return [
            {"holder": holder, "kind": kind, "of": of, "count": count, "bytes": size}
            for (kind, holder, of), (count, size) in sorted(groups.items(), key=lambda g: -g[1][1])[
                :MAX_HOLDERS
            ]
        ]


def is_window(name):
    return name.startswith("Window ")  # "Window / http://127.0.0.1:8888"


def answer(marks, text):
    snapshot = Snapshot(text)
    if len(marks) < 2:
        return max(snapshot.ids)
    snapshot.read_graph()
    snapshot.reach_all(marks)
    return snapshot.holders()


print(json.dumps(answer(json.loads(sys.stdin.buffer.readline()), sys.stdin.buffer.read())))
