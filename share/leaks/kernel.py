# kernel.py: what a kernel's memory has after each round of a notebook, and what holds what it did
# not have before. cellprofile sends it as the module _nbscope_leaks. Python 3.8 and later.
#
# Objects are those that the garbage collector knows, and what only those refer to, such as texts
# and arrays. What this module makes itself is none of them.
import array
import collections
import ctypes
import gc
import json
import sys
import types

MIME = "application/vnd.nbscope.profile+jsonl"
BATCH = 4096
MAX_HOLDERS, MAX_TYPES, MAX_PARTS = 12, 200, 8
WIDGETS = "widgets that are not closed"


class State:
    marks = []  # keys of the objects that were there after the first rounds, and before the last
    types = {}  # type: how many of them
    trim = None  # of the C library


class Answer:
    def __init__(self, value):
        self.text = json.dumps(value)

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {MIME: self.text, "text/plain": ""}


def shell():
    return sys.modules["IPython"].get_ipython()


def collect():
    """What nobody holds goes, and what is free goes back to the system."""
    for _ in range(5):
        if not gc.collect():
            break
    try:
        State.trim = State.trim or ctypes.CDLL(None).malloc_trim
        State.trim(0)
    except (AttributeError, OSError):  # not glibc
        pass


def private_bytes():
    try:
        with open("/proc/self/status") as file:
            for line in file:
                if line.startswith("RssAnon:"):
                    return int(line.split()[1]) << 10
    except OSError:
        pass
    return None


def is_own(o):
    return isinstance(o, types.ModuleType) and o.__name__ == __name__


def every():
    """All objects."""
    found = gc.get_objects()
    seen = set(map(id, found))
    at = 0
    while at < len(found):
        for o in gc.get_referents(*found[at : at + BATCH]):
            if id(o) not in seen:
                seen.add(id(o))
                found.append(o)
        at += BATCH
    own = {id(State.marks), id(State.types), id(sys._getframe()), *map(id, State.marks)}
    return [o for o in found if id(o) not in own]


SIZES = {}  # type: its function; not one in Python, which may count what others count, too


def size_of(o):
    t = type(o)
    if t not in SIZES:
        methods = (vars(c).get("__sizeof__") for c in t.__mro__)
        SIZES[t] = next(m for m in methods if isinstance(m, types.MethodDescriptorType))
    try:
        return SIZES[t](o)
    except Exception:
        return 0


def key_of(o):
    """Of an object. Its address alone would soon be another's."""
    fixed = 0 if gc.is_tracked(o) else size_of(o)
    return (id(o) ^ id(type(o)) << 24 ^ fixed << 44) & (1 << 64) - 1


def type_name(t):
    module, name = (type.__dict__[f"__{n}__"].__get__(t) for n in ("module", "qualname"))
    return name if not isinstance(module, str) or module == "builtins" else f"{module}.{name}"


def widgets():
    """The live ones, as ipywidgets knows them: (the dict that holds them, how many by model)."""
    module = sys.modules.get("ipywidgets.widgets.widget")
    if not module:
        return None, {}
    held = getattr(module, "_instances", None)
    if held is None:
        held = vars(module.Widget).get("widgets") or {}  # ipywidgets 7
    return held, collections.Counter(str(w._model_name) for w in list(held.values()))


def comms():
    """The dict of the open ones."""
    kernel = getattr(shell(), "kernel", None)
    return getattr(getattr(kernel, "comm_manager", None), "comms", {})


def measure():
    """Of one round."""
    collect()
    memory = private_bytes()
    objects = every()
    counts = collections.Counter(map(type, objects))
    total = sum(map(size_of, objects))
    n = len(objects)
    del objects
    types_now = {type_name(t): (c, c - State.types.get(t, 0)) for t, c in counts.items()}
    grown = sorted(
        ((d, name) for name, (c, d) in types_now.items() if State.types and d > 0), reverse=True
    )
    return Answer(
        {
            "memory_bytes": memory,
            "objects_bytes": total,
            "objects": n,
            "comms": len(comms()),
            "widgets": sum(widgets()[1].values()),
            "models": widgets()[1],
            "types": {name: d for d, name in grown[:MAX_TYPES]},
        }
    )


def mark():
    """After the first rounds, and before the last: the memory of both is taken at first."""
    objects = every()
    if not State.marks:
        State.types = collections.Counter(map(type, objects))
        keys = array.array("Q", map(key_of, objects))
        State.marks = [keys, array.array("Q", [0]) * (2 * len(keys))]
    else:
        for at, o in enumerate(objects[: len(State.marks[1])]):
            State.marks[1][at] = key_of(o)
    return Answer(len(objects))


# ---- what holds what is new ---------------------------------------------------------------------


def by_design():
    """{id: what it is called}: what keeps things because it is made for it."""
    found, space = {}, shell().user_ns
    held, _ = widgets()
    linecache = sys.modules.get("linecache")
    for o, name in (
        (space.get("_oh"), "Out[]"),
        (getattr(shell(), "user_ns_hidden", None), "Out[]"),
        (space.get("_ih"), "In[]"),
        (getattr(shell(), "history_manager", None), "IPython's history"),
        (getattr(getattr(shell(), "history_manager", None), "outputs", None), "Out[]"),
        (getattr(shell(), "displayhook", None), "Out[]"),
        (getattr(linecache, "cache", None), "linecache"),
        (held, WIDGETS),
        (comms(), WIDGETS),
    ):
        if o is not None:
            found[id(o)] = name
    return found


class Reached:
    """All objects that can be reached, each by a shortest way: first not by what keeps by design,
    then by it."""

    def __init__(self):
        self.parent = {}  # id: the object by which it was reached, or None
        self.order = []
        self.designed, self.later = by_design(), []
        self.design = {}  # id: what keeps it, of what nothing else does
        self.own = {id(self), id(self.__dict__), id(self.parent), id(self.order)}
        modules = [m for m in list(sys.modules.values()) if not is_own(m)]
        modules.sort(key=lambda m: getattr(m, "__name__", "") != "__main__")
        self.spread([(m, None) for m in modules])
        mine = sys._getframe()
        while mine:
            self.own.add(id(mine))
            mine = mine.f_back
        self.spread([(f, None) for f in sys._current_frames().values() if id(f) not in self.own])
        for o, parent, name in self.later:
            self.spread([(o, parent)], name)

    def spread(self, todo, design=None):
        todo = collections.deque(todo)
        while todo:
            o, parent = todo.popleft()
            i = id(o)
            if i in self.parent or i in self.own or is_own(o):
                continue
            if design is None and i in self.designed:
                self.later.append((o, parent, self.designed[i]))
                continue
            self.parent[i] = parent
            self.order.append(o)
            if design:
                self.design[i] = design
            if o is shell().user_ns and design is None:
                todo.extend((v, o) for k, v in list(o.items()) if not self.is_outputs(k, v))
            else:
                todo.extend((r, o) for r in gc.get_referents(o))

    def is_outputs(self, name, value):
        """_ and _5, which IPython sets to what cells have shown; _i5 to their sources."""
        rest = str(name).lstrip("_")
        rest = rest[1:] if rest.startswith("i") else rest
        if name in ("In", "Out", "_ih", "_oh") or str(name)[:1] != "_" or rest.strip("i0123456789"):
            return False
        self.later.append((value, None, "Out[]"))
        return True


def attributes(o):
    """(name, value) of an object's own."""
    found = []
    try:
        found += list(object.__getattribute__(o, "__dict__").items())
    except (AttributeError, TypeError):
        pass
    for c in type(o).__mro__:
        for name, slot in list(vars(c).items()):
            if isinstance(slot, types.MemberDescriptorType):
                try:
                    found.append((name, slot.__get__(o)))
                except (AttributeError, TypeError):
                    pass
    return found


def edge(path, at):
    """How path[at] holds path[at + 1]; None: as one of many. "": it is a part of it."""
    o, held = path[at], path[at + 1]
    before = path[at - 1] if at else None
    if isinstance(o, dict):
        spaces = (
            isinstance(before, (types.ModuleType, type))
            or before is not None
            and (vars(before) is o if hasattr(before, "__dict__") else False)
        )
        if spaces or o is shell().user_ns:
            return next((f".{k}" for k, v in list(o.items()) if v is held), "")
        return None
    if isinstance(o, types.FunctionType):
        for name, cell in zip(o.__code__.co_freevars, o.__closure__ or ()):
            if cell is held or isinstance(held, tuple) and cell in held:
                following = path[at + 2] if held is not cell and at + 2 < len(path) else cell
                if following is cell:
                    return f" (closure: {name})"
        return " (default of an argument)" if held is o.__defaults__ else ""
    if isinstance(o, types.FrameType):
        return next((f" (local: {k})" for k, v in list(o.f_locals.items()) if v is held), "")
    if isinstance(o, (list, tuple, set, frozenset, collections.deque)):
        return "" if isinstance(before, types.FunctionType) else None
    return next((f".{n}" for n, v in attributes(o) if v is held and n != "__dict__"), "")


KINDS = ((types.FrameType, "local variable"), (types.FunctionType, "closure"),
         (type, "class attribute"))  # fmt: skip


def described(reached, o):
    """(Name, kind) of what holds the objects that hang on o."""
    design = reached.design.get(id(o))
    if design:
        return design, "by design"
    path = []
    while o is not None and len(path) < 64:
        path.insert(0, o)
        o = reached.parent.get(id(o))
    root = path[0]
    text = getattr(root, "__name__", None) or getattr(getattr(root, "f_code", None), "co_name", "")
    kind = "module global"
    for at in range(len(path)):
        for t, name in KINDS:
            if isinstance(path[at], t):
                kind = name
        if at + 1 == len(path):
            break
        part = edge(path, at)
        if part is None and not text.endswith("[]"):
            part = "[]"
        if isinstance(path[at], types.FunctionType) and part and part[0] == " ":
            text = f"{path[at].__module__}.{path[at].__qualname__}"
        if at + 1 < len(path) and isinstance(path[at + 1], type):
            text, part = type_name(path[at + 1]), ""
        text += part or ""
    return text, kind


def holders():
    """What holds the objects that came between the marks and are still there, the largest first."""
    collect()
    objects, came = every(), set(State.marks[1]) - set(State.marks[0])
    reached = Reached()
    top, groups, names = {}, {}, {}
    for o in reached.order:
        i = id(o)
        if key_of(o) not in came:
            continue
        parent = reached.parent[i]
        above = top.get(id(parent)) if parent is not None else None
        if above is None:
            above = (id(parent), type(o), reached.design.get(i), parent)
            first = True
        else:
            first = False
        top[i] = above
        key = above[:3]
        if key not in groups:
            groups[key] = [above[3], 0, 0, collections.Counter()]
        group = groups[key]
        group[1] += first
        group[2] += size_of(o)
        group[3][type(o)] += size_of(o)
    merged = {}
    for (_, kind_of, design), (parent, count, size, parts) in sorted(
        groups.items(), key=lambda g: -g[1][2]
    )[: 10 * MAX_HOLDERS]:
        if design:
            name = (design, "by design")
        elif parent is None:
            name = ("sys.modules", "module global")
        else:
            name = names.setdefault(id(parent), described(reached, parent))
        into = merged.setdefault((name, kind_of), [0, 0, collections.Counter()])
        into[0] += count
        into[1] += size
        into[2].update(parts)
    lost = [o for o in objects if id(o) not in reached.parent and key_of(o) in came]
    found = sorted(merged.items(), key=lambda g: -g[1][1])[:MAX_HOLDERS]
    return Answer(
        {
            "holders": [
                {
                    "holder": holder,
                    "kind": kind,
                    "of": type_name(t),
                    "mostly": [type_name(p) for p, _ in parts.most_common(MAX_PARTS)],
                    "count": count,
                    "bytes": size,
                }
                for ((holder, kind), t), (count, size, parts) in found
            ],
            "unreached": sum(map(size_of, lost)),
        }
    )
