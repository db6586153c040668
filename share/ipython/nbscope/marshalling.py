"""Values of a notebook that are carried to another process and back, one variable at a time.

A value is carried by the first marshaller that can: the chosen one, else another. What none can
carry, such as a generator, a frame or a traceback, is left out, by name and with the reason.
"""

import ast
import importlib
import io
import os
import pickle
import shutil
import tempfile
import time
import types

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
    types.FunctionType,
    types.BuiltinFunctionType,
    types.ModuleType,
)
MAX_ELEMENTS = 1000  # of a container whose classes are looked for


def available(name):
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


# ---- one value ------------------------------------------------------------------------------


def dump_in_parts(module, value):
    """parallel_marshall writes a dict into several files, whose names it writes into one."""
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


def dump(name, value):
    module = importlib.import_module(name)
    return dump_in_parts(module, value) if name == "parallel_marshall" else module.dumps(value)


def load(name, data):
    if name == "import":
        return importlib.import_module(data.decode())
    module = importlib.import_module(name)
    return load_parts(module, data) if name == "parallel_marshall" else module.loads(data)


def carry_value(value, preferred):
    """(marshaller, bytes), or (None, why not)."""
    if isinstance(value, types.ModuleType):
        return "import", value.__name__.encode()
    why = None
    for name in (preferred, *(m for m in MARSHALLERS if m != preferred)):
        if name == "pickle" and getattr(value, "__module__", None) == "__main__":
            continue  # by name only, and the other process does not define it
        try:
            return name, dump(name, value)
        except ImportError:
            continue
        except Exception as error:  # of whatever kind: it is the reason
            why = why or f"{type(error).__name__}: {error}"[:300]
    return None, why or "there is no marshaller"


def carry(values, preferred):
    """What to send, [(names, marshaller, bytes)], and what that took, a row for each name.
    Names of the same object get the same object again."""
    sent, rows, names_of = [], [], {}
    for name, value in values.items():
        names_of.setdefault(id(value), []).append(name)
    for names in names_of.values():
        started = time.perf_counter()
        marshaller, data = carry_value(values[names[0]], preferred)
        row = {
            "marshaller": marshaller,
            "bytes": len(data) if marshaller else None,
            "seconds": round(time.perf_counter() - started, 6),
            "reason": None if marshaller else data,
        }
        rows += [{"name": name, **row} for name in names]
        if marshaller:
            sent.append((names, marshaller, data))
    return sent, rows


def receive(sent, into):
    """Loads what carry() has made into a namespace; {name: why it could not be loaded}."""
    failed = {}
    for names, marshaller, data in sent:
        try:
            value = load(marshaller, data)
        except Exception as error:
            failed.update(dict.fromkeys(names, f"{type(error).__name__}: {error}"[:300]))
            continue
        into.update(dict.fromkeys(names, value))
    return failed


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
    """The variables of a namespace that a cell uses, itself or by what it uses."""
    tree = ast.parse(source)
    new = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    used = {}
    while new:
        name = new.pop()
        if name in used or name in hidden or name not in namespace or name.startswith("__"):
            continue
        used[name] = namespace[name]
        new |= names_of_value(namespace[name])
    return used
