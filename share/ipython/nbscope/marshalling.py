"""Values of a notebook that are carried to another process and back, as one graph.

The variables go through one pickler, one after the other, so that objects that several of them
share are shared in the other process, too. It is the chosen marshaller's; another one is taken if
it can carry more. What none can carry, such as a generator, is left out, by name and with the
reason. A handle (a file, a socket, a database) is never carried, nor what holds one: to open it
again there could empty or change what it refers to.

Definitions, the classes and functions of the notebook, go there by value, and come back as
references to those of the notebook.
"""

import ast
import gc
import hashlib
import importlib
import io
import marshal
import os
import pickle
import shutil
import sys
import tempfile
import time
import types
import warnings

MARSHALLERS = ("dill", "cloudpickle", "parallel_marshall", "pickle")
UNCHANGING = (
    int,
    float,
    complex,
    str,
    bytes,
    bool,
    type(None),
    type,
    types.BuiltinFunctionType,
    types.ModuleType,
)
MAX_ELEMENTS = 1000  # of a container whose classes are looked for
MAX_SHARED = 100_000  # objects of a variable that are compared with those of others
CONTAINERS = (list, tuple, dict, set, frozenset)
IN_MEMORY = (io.BytesIO, io.StringIO)
STREAMS = ("stdin", "stdout", "stderr")
# Module, class, and what the reason calls an instance of it.
HANDLES = (
    ("io", "IOBase", "a file"),
    ("tempfile", "_TemporaryFileWrapper", "a temporary file"),
    ("tempfile", "TemporaryDirectory", "a temporary folder"),
    ("socket", "socket", "a socket"),
    ("mmap", "mmap", "a memory map"),
    ("numpy", "memmap", "a memory map"),
    ("multiprocessing.shared_memory", "SharedMemory", "shared memory"),
    ("sqlite3", "Connection", "a database connection"),
    ("sqlite3", "Cursor", "a database connection"),
    ("shelve", "Shelf", "a database"),
    ("dbm.dumb", "_Database", "a database"),
    ("subprocess", "Popen", "a subprocess"),
    ("multiprocessing.process", "BaseProcess", "a subprocess"),
    ("threading", "Thread", "a thread"),
    ("concurrent.futures", "Executor", "a pool"),
)


class NotCarried(Exception):
    """Its text is the reason."""


def reason_of(error):
    if isinstance(error, NotCarried):
        return str(error)
    return f"{type(error).__name__}: {error}"[:300]


def available(name):
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


# ---- handles ----------------------------------------------------------------------------------


def handle_word(kind):
    """What an instance of this class is called, if it is a handle."""
    for module, name, word in HANDLES:
        known = getattr(sys.modules.get(module), name, None)
        if known is not None and issubclass(kind, known) and not issubclass(kind, IN_MEMORY):
            return word
    if issubclass(kind, IN_MEMORY) or not callable(getattr(kind, "fileno", None)):
        return None
    return "a handle"


def handle_reason(word, value):
    try:
        name, mode = getattr(value, "name", None), getattr(value, "mode", None)
    except Exception:  # of a handle that is closed
        name = mode = None
    named = f" ({name!r}, mode {mode!r})" if isinstance(name, str) and mode else ""
    return f"it is or holds {word}{named}: handles are never carried"


# ---- what picklers do otherwise ----------------------------------------------------------------
# Helpers, streams and modules are sent as persistent ids: the other process has its own.


def main_space():
    return vars(sys.modules["__main__"])


def make_function(code, name):
    return types.FunctionType(marshal.loads(code), main_space(), name)


def function_state(function):
    return {
        "__defaults__": function.__defaults__,
        "__kwdefaults__": function.__kwdefaults__,
        "__dict__": function.__dict__,
    }


def set_function(function, state):
    for name, value in state.items():
        setattr(function, name, value)


def view_of(owner, kind, shape, offset, strides):
    """An array that shares the memory of its owner, as in the notebook."""
    numpy = sys.modules["numpy"]
    flat = owner if owner.flags.c_contiguous else owner.T
    return numpy.ndarray(shape, kind, flat, offset, strides)


def memory_owner(value):
    """The array whose memory an array shows."""
    numpy = sys.modules.get("numpy")
    if not numpy or type(value) is not numpy.ndarray or type(value.base) is not numpy.ndarray:
        return None
    owner = value.base
    whole = owner.flags.c_contiguous or owner.flags.f_contiguous
    return owner if whole and not value.dtype.hasobject else None


def address(array):
    return array.__array_interface__["data"][0]


HELPERS = {f.__name__: f for f in (make_function, set_function, view_of)}


def is_own_function(value):
    """Functions with a closure are values: what is in it may change."""
    return (
        type(value) is types.FunctionType
        and value.__globals__ is main_space()
        and not value.__closure__
    )


def is_own_class(value):
    return isinstance(value, type) and value.__module__ == "__main__"


class Guarded:
    """A pickler that refuses handles, and keeps arrays together that share their memory."""

    words = {}  # class: what an instance of it is called, if it is a handle

    def begin(self, known):
        """known: {id of an object: its persistent id}."""
        self.known = {id(f): ("helper", name) for name, f in HELPERS.items()}
        self.known.update({id(getattr(sys, n)): ("stream", n) for n in STREAMS})
        self.known.update(known)
        self.met = {}  # id: a definition
        self.keep_globals()
        return self

    def keep_globals(self):
        """cloudpickle gives functions global variables of their own: they get the process's."""
        self.globals_of_main = {"": None}
        self.known[id(self.globals_of_main)] = ("globals", None)
        if hasattr(self, "globals_ref"):
            self.globals_ref[id(main_space())] = self.globals_of_main

    def persistent_id(self, value):
        known = self.known.get(id(value))
        if known is not None:
            return known
        kind = type(value)
        if kind is types.ModuleType:
            return "module", value.__name__
        if kind not in self.words:
            self.words[kind] = handle_word(kind)
        if self.words[kind]:
            raise NotCarried(handle_reason(self.words[kind], value))
        if is_own_class(value) or is_own_function(value):
            if isinstance(value, type) and self.by_name:
                raise NotCarried("pickle does not carry classes of the notebook")
            self.met[id(value)] = value
        return None

    def reducer_override(self, value):
        if is_own_function(value):
            made = marshal.dumps(value.__code__), value.__name__
            return make_function, made, function_state(value), None, None, set_function
        owner = memory_owner(value)
        if owner is not None:
            offset = address(value) - address(owner)
            return view_of, (owner, value.dtype, value.shape, offset, value.strides)
        inherited = getattr(super(), "reducer_override", None)
        reduced = inherited(value) if inherited else NotImplemented
        is_function = type(value) is types.FunctionType and value.__globals__ is main_space()
        if is_function and reduced is not NotImplemented:
            reduced[2][1]["__globals__"] = {}  # of cloudpickle: the variables themselves
        return reduced


def pickler_class(marshaller):
    module = importlib.import_module(marshaller)
    return type("Pickler", (Guarded, module.Pickler), {"by_name": marshaller == "pickle"})


class Loading:
    """An unpickler: definitions are those of the receiver."""

    definitions = ()

    def persistent_load(self, known):
        kind, key = known
        if kind == "module":
            return importlib.import_module(key)
        if kind == "globals":
            return main_space()
        if kind == "stream":
            return getattr(sys, key)
        return HELPERS[key] if kind == "helper" else self.definitions[key]

    def find_class(self, module, name):
        if (module, name) == ("__builtin__", "__main__"):  # as dill calls it
            return main_space()
        if (module, name) == ("__builtin__", "NoneType"):
            return type(None)
        return super().find_class("dill._dill" if module == "dill.dill" else module, name)


class Loader(Loading, pickle.Unpickler):
    pass


class Memo(dict):
    def __getitem__(self, key):
        value = super().__getitem__(key)
        if value is Memo:
            raise NotCarried("it shares an object with a variable that could not be loaded")
        return value


class CarefulLoader(Loading, pickle._Unpickler):
    """Goes on after a value that cannot be loaded."""

    def fill(self, count):
        self.memo = Memo(self.memo)
        for n in range(len(self.memo), count):
            self.memo[n] = Memo


# ---- one graph ----------------------------------------------------------------------------------


class Failed(Exception):
    pass


def pickle_values(marshaller, values, known):
    """[(label, length, objects so far, seconds)] and the bytes, of which the last part is the
    list of the definitions that were met, and these."""
    out, parts = io.BytesIO(), []
    pickler = pickler_class(marshaller)(out).begin(known)
    for label, value in values.items():
        began, started = out.tell(), time.perf_counter()
        try:
            with warnings.catch_warnings():
                # dill warns where it refers to a class by a name that the other one lacks.
                warnings.filterwarnings("error", "Cannot (locate|pickle)")
                pickler.dump(value)
        except Exception as error:  # of whatever kind: it is the reason
            raise Failed(label, reason_of(error)) from error
        seconds = round(time.perf_counter() - started, 6)
        parts.append((label, out.tell() - began, len(pickler.memo.copy()), seconds))
    met = list(pickler.met.values())
    pickler.dump(met)
    return parts, out.getvalue(), met


def graph_of(marshaller, values, known):
    """The same without what cannot be carried, and {label: why not}."""
    values, reasons = dict(values), {}
    while True:
        try:
            return pickle_values(marshaller, values, known), reasons
        except Failed as failed:
            label, reasons[label] = failed.args
            del values[label]


def best_graph(values, preferred, known):
    order = [preferred, *(m for m in MARSHALLERS if m != preferred)]
    order = [m for m in order if m != "parallel_marshall" and available(m)]
    best, reasons = graph_of(order[0], values, known)
    chosen = order[0]
    for name in order[1:]:
        rest = {label: values[label] for label in reasons}
        if rest and len(graph_of(name, rest, known)[1]) < len(rest):
            other = graph_of(name, values, known)
            if len(other[1]) < len(reasons):
                (best, reasons), chosen = other, name
    return chosen, best, reasons


def carry(values, preferred, known=None):
    """What to send; what that took, a row for each name; and the definitions that were met. Names
    of the same object get the same object again."""
    names_of = {}
    for name, value in values.items():
        names_of.setdefault(id(value), []).append(name)
    first = {names[0]: values[names[0]] for names in names_of.values()}
    chosen, (parts, data, met), reasons = best_graph(first, preferred, known or {})
    took = {label: (size, seconds) for label, size, _, seconds in parts}
    sent = {"data": data, "parts": [], "alone": []}
    names_of = {names[0]: names for names in names_of.values()}
    if preferred == "parallel_marshall":
        for label in list(took):
            try:
                started = time.perf_counter()
                blob = dump_in_parts(importlib.import_module(preferred), first[label])
            except Exception:  # the graph has it
                continue
            took[label] = len(blob), round(time.perf_counter() - started, 6)
            sent["alone"].append((names_of[label], blob))
    sent["parts"] = [(names_of[label], size, count) for label, size, count, _ in parts]
    alone, rows = {name for names, _ in sent["alone"] for name in names}, []
    for label, names in names_of.items():
        size, seconds = took.get(label, (None, 0.0))
        is_module = isinstance(first[label], types.ModuleType)
        by = "import" if is_module else preferred if label in alone else chosen
        rows += [
            {
                "name": name,
                "marshaller": by if size is not None else None,
                "bytes": size,
                "seconds": seconds,
                "reason": reasons.get(label),
            }
            for name in names
        ]
    return sent, rows, met


def receive(sent, into, definitions=()):
    """Loads what carry() has made into a namespace; {name: why it could not be loaded}, and the
    definitions that came with it."""
    got = {}
    try:
        failed, met = load_graph(Loader, sent, got, definitions)
    except Exception:
        got.clear()
        failed, met = load_graph(CarefulLoader, sent, got, definitions)
    for names, blob in sent["alone"]:
        try:
            value = load_parts(importlib.import_module("parallel_marshall"), blob)
            got.update(dict.fromkeys(names, value))
        except Exception:  # that of the graph is there
            continue
    into.update(got)
    return failed, met


def load_graph(kind, sent, into, definitions):
    file, failed, at = io.BytesIO(sent["data"]), {}, 0
    loader = kind(file)
    loader.definitions = definitions
    for names, size, count in sent["parts"]:
        try:
            into.update(dict.fromkeys(names, loader.load()))
        except Exception as error:
            if kind is Loader:
                raise
            failed.update(dict.fromkeys(names, reason_of(error)))
        at += size
        if kind is CarefulLoader:
            file.seek(at)
            loader.fill(count)
    try:
        return failed, loader.load()
    except Exception:
        if kind is Loader:
            raise
        return failed, []


# parallel_marshall has a format of its own, for one value.


def dump_in_parts(module, value):
    """It writes a dict into several files, whose names it writes into one."""
    with tempfile.TemporaryDirectory() as folder:
        index = os.path.join(folder, "index")
        with open(index, "wb") as f:
            module.dump({"value": value}, f)
        with open(index, "rb") as f:
            paths = f.read().splitlines()
        return pickle.dumps([open(path, "rb").read() for path in paths])


def load_parts(module, data):
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, f"index_{n}") for n, _ in enumerate(pickle.loads(data))]
        for path, part in zip(paths, pickle.loads(data)):
            with open(path, "wb") as f:
                f.write(part)
        return module.load(io.BytesIO("".join(p + "\n" for p in paths).encode()))["value"]


# ---- what has changed ---------------------------------------------------------------------------


class Digest:
    def __init__(self):
        self.sum = hashlib.blake2b(digest_size=16)

    def write(self, data):
        self.sum.update(data)
        return len(data)


def digest(value, marshaller, known):
    """Equal before and after if the value has not changed; None: it cannot be carried."""
    if isinstance(value, UNCHANGING):
        return id(value)
    if id(value) in known:
        return known[id(value)]
    out = Digest()
    try:
        pickler_class(marshaller)(out).begin(known).dump(value)
    except Exception:
        return None
    return out.sum.hexdigest()


def attributes(definition):
    """Those of a class or of a function that a cell may change."""
    if not isinstance(definition, type):
        return function_state(definition)
    skipped = ("__dict__", "__weakref__", "__doc__", "__module__", "_abc_impl")
    return {name: value for name, value in vars(definition).items() if name not in skipped}


class Snapshot:
    """The digests of a namespace and of its definitions, which are compared later."""

    def __init__(self, space, definitions, marshaller):
        graph = [m for m in MARSHALLERS if m != "parallel_marshall" and available(m)]
        self.marshaller = marshaller if marshaller in graph else graph[0]
        self.values, self.definitions = dict(space), definitions
        self.known = {id(d): ("definition", n) for n, d in enumerate(definitions)}
        self.digests = self.digests_of(space)
        self.attributes = [self.digests_of(attributes(d)) for d in definitions]

    def digests_of(self, values):
        return {n: digest(v, self.marshaller, self.known) for n, v in values.items()}

    def changed(self, space):
        """The variables that are new, or have another value, or share an object with those."""
        found = {
            name
            for name, value in space.items()
            if name not in self.values
            or self.values[name] is not value
            or digest(value, self.marshaller, self.known) != self.digests[name]
        }
        add_sharing(found, space)
        return {name: value for name, value in space.items() if name in found}

    def changed_definitions(self):
        """{label: (number, attribute)}, {label: value}, and [(number, attribute)] that are gone."""
        places, values, gone = {}, {}, []
        for n, (definition, before) in enumerate(zip(self.definitions, self.attributes)):
            now = attributes(definition)
            after = self.digests_of(now)
            for name in now:
                if name not in before or before[name] != after[name]:
                    label = f"{definition.__qualname__}.{name}"
                    label += f" ({n})" if label in places else ""
                    places[label], values[label] = (n, name), now[name]
            gone += [(n, name) for name in before if name not in now]
        return places, values, gone


def shared_parts(value):
    """The ids of the objects in a value that can change: itself, what plain containers, arrays
    and objects of the notebook's classes hold."""
    found, todo = set(), [value]
    numpy = sys.modules.get("numpy")
    while todo and len(found) < MAX_SHARED:
        one = todo.pop()
        if isinstance(one, UNCHANGING) or id(one) in found or handle_word(type(one)):
            continue
        if isinstance(one, types.FunctionType):
            state = [one.__defaults__, one.__kwdefaults__, one.__dict__]
            todo += [*state, *(c.cell_contents for c in one.__closure__ or () if filled(c))]
            continue
        if not isinstance(one, (tuple, frozenset)):
            found.add(id(one))
        if isinstance(one, CONTAINERS) or is_own_class(type(one)):
            todo += gc.get_referents(one)
        elif numpy and isinstance(one, numpy.ndarray) and one.base is not None:
            todo.append(one.base)
    return found


def add_sharing(names, space):
    """Adds the names of the variables that share an object that can change with those."""
    rest = {n: shared_parts(v) for n, v in space.items() if n not in names}
    parts = set().union(*(shared_parts(space[n]) for n in names if n in space))
    while more := [n for n, ids in rest.items() if ids & parts]:
        for name in more:
            names.add(name)
            parts |= rest.pop(name)


# ---- between processes ------------------------------------------------------------------------


class Files:
    """Where a cell's variables pass, on disk or in memory, for one process."""

    def __init__(self, mode, folder):
        self.folder, self.descriptors = None, ()
        if mode == "memory":
            self.descriptors = tuple(os.memfd_create(name, 0) for name in ("in", "out"))
            self.paths = [f"/proc/self/fd/{fd}" for fd in self.descriptors]
        else:
            self.folder = tempfile.mkdtemp(prefix="nbscope-cell-", dir=folder)
            self.paths = [os.path.join(self.folder, name) for name in ("in", "out")]

    def read_out(self):
        """None if the process has not come so far."""
        try:
            with open(self.paths[1], "rb") as f:
                return pickle.load(f)
        except (OSError, EOFError):
            return None

    def close(self):
        for fd in self.descriptors:
            os.close(fd)
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)


# ---- what a cell uses --------------------------------------------------------------------------


def names_of_code(code):
    """The global names that a code object and those within it may use."""
    found = set(code.co_names)
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            found |= names_of_code(const)
    return found


def names_of_value(value, depth=0):
    """The names that a value needs to work: those that functions of the notebook use."""
    if isinstance(value, types.FunctionType):
        found = names_of_code(value.__code__) if value.__module__ == "__main__" else set()
        inner = [value.__wrapped__] if hasattr(value, "__wrapped__") else []
        inner += [cell.cell_contents for cell in value.__closure__ or () if filled(cell)]
    elif isinstance(value, type):
        mine = value.__module__ == "__main__"
        found, inner = ({value.__name__}, list(vars(value).values())) if mine else (set(), [])
        inner += [base for base in value.__bases__ if base.__module__ == "__main__"]
    else:
        found, inner = set(), [type(value)] if type(value).__module__ == "__main__" else []
        if isinstance(value, (staticmethod, classmethod)):
            inner.append(value.__func__)
        elif isinstance(value, property):
            inner += [value.fget, value.fset]
        elif isinstance(value, dict):
            inner += list(value.values())[:MAX_ELEMENTS]
        elif isinstance(value, (list, tuple, set)):
            inner += list(value)[:MAX_ELEMENTS]
    for one in inner if depth < 4 else ():
        found |= names_of_value(one, depth + 1)
    return found


def filled(cell):
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def used_by(source, namespace, hidden=()):
    """The variables of a namespace that a cell uses, itself or by what it uses, and those that
    share objects with them."""
    tree = ast.parse(source)
    new = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names = set()
    own = {n: v for n, v in namespace.items() if n not in hidden and not n.startswith("_")}
    while new:
        name = new.pop()
        if name in names or name in hidden or name not in namespace or name.startswith("__"):
            continue
        names.add(name)
        new |= names_of_value(namespace[name])
    same = {id(namespace[name]) for name in names}
    own = {n: v for n, v in own.items() if n in names or id(v) not in same}
    sharing = set(names)
    add_sharing(sharing, {**own, **{n: namespace[n] for n in names}})
    return {name: value for name, value in namespace.items() if name in sharing}
