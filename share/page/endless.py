# endless.py: whether a callback or a loop in a kernel goes on for ever, by its instructions.
# pending.js sends it together with pending.py. Read by Python 3.8 and later.
import asyncio
import collections.abc
import dis
import inspect
import sys
import threading
import types

# Their callbacks and threads are Jupyter's and the debugger's own.
OWN = (
    "_nbscope",
    "ipykernel",
    "zmq",
    "jupyter_client",
    "jupyter_core",
    "IPython.core",
    "debugpy",
    "tornado.platform",
    "tqdm._monitor",
)
DISPLAYS = "IPython.core.display"  # what these modules offer is for the user
DEBUGGER = ("pydevd", "_pydev")
LIB = tuple({sys.prefix, sys.base_prefix, sys.exec_prefix})
BLOCKING = ("accept", "acquire", "get", "join", "receive", "recv", "wait")
METHODS = ("LOAD_ATTR", "LOAD_METHOD")
CALLS = ("CALL", "CALL_FUNCTION", "CALL_METHOD")
NAMED_CALLS = ("CALL_KW", "CALL_FUNCTION_KW")  # another instruction loads the names
LOCALS = ("LOAD_FAST", "LOAD_FAST_BORROW", "LOAD_FAST_CHECK", "LOAD_DEREF", "LOAD_CLASSDEREF")
SKIPPED = (
    "CACHE",
    "COPY_FREE_VARS",
    "EXTENDED_ARG",
    "KW_NAMES",
    "NOP",
    "NOT_TAKEN",
    "PRECALL",
    "PUSH_NULL",
    "RESUME",
    "TO_BOOL",
)
MAX_CODES = 60  # that one question reads
MAX_DEPTH = 3  # of functions that call each other
budget = [0]


def is_own(name):
    return (
        name.startswith(DEBUGGER)
        or not name.startswith(DISPLAYS)
        and any(name == o or name.startswith(o + ".") for o in OWN)
    )


def module(frame):
    return str(frame.f_globals.get("__name__"))


def is_installed(code):
    return code.co_filename.startswith(LIB + ("<frozen",))


def is_users(frame):
    name = module(frame)
    return name == "__main__" or not is_own(name) and not is_installed(frame.f_code)


class Code:
    """The instructions of a function, and the values of its names, without running anything."""

    def __init__(self, code, names, names_global):
        self.code, self.names, self.names_global = code, names, names_global
        self.ops, self.at = [], {}
        budget[0] -= 1
        for op in dis.get_instructions(code) if budget[0] > 0 else ():
            self.at[op.offset] = len(self.ops)
            if op.opname not in SKIPPED:
                self.ops.append(op)

    @classmethod
    def of(cls, function, owner=None):
        """None: it is not written in Python."""
        owner = getattr(function, "__self__", owner)
        function = getattr(function, "__func__", function)
        if not isinstance(function, types.FunctionType):
            return None
        code, names = function.__code__, {}
        for name, cell in zip(code.co_freevars, function.__closure__ or ()):
            try:
                names[name] = cell.cell_contents
            except ValueError:  # not set yet
                pass
        if owner is not None and code.co_argcount:
            names[code.co_varnames[0]] = owner
        return cls(code, names, function.__globals__)

    def position(self, offset):
        return self.at[max((o for o in self.at if o <= offset), default=0)]

    def value(self, n):
        """What the instructions that end at n load. Raises LookupError if it is unknown."""
        word, name = (self.ops[n].opname, self.ops[n].argval) if n >= 0 else ("", None)
        if word == "LOAD_GLOBAL" or word == "LOAD_NAME" and name not in self.names:
            return self.names_global[name]
        if word in LOCALS or word == "LOAD_NAME":
            return self.names[name]
        if word in METHODS:
            try:
                return inspect.getattr_static(self.value(n - 1), name)
            except (AttributeError, TypeError):
                pass
        raise LookupError

    def function(self, n):
        """The code of the user's function that the instruction at n loads, or None."""
        op, owner = self.ops[n], None
        if isinstance(op.argval, types.CodeType):
            return Code(op.argval, self.names, self.names_global)
        if not op.opname.startswith("LOAD_"):
            return None
        try:
            value = self.value(n)
            if op.opname in METHODS:
                owner = self.value(n - 1)
        except LookupError:
            return None
        loaded = getattr(getattr(value, "__func__", value), "__code__", None)
        if not loaded or loaded is not self.code and is_installed(loaded):
            return None
        return Code.of(value, None if isinstance(owner, (type, types.ModuleType)) else owner)

    def has(self, test, depth=MAX_DEPTH):
        """Whether test() is true of an instruction, here or in what it calls."""
        return (
            any(map(test, self.ops))
            or depth > 0
            and any(
                f.code is not self.code and f.has(test, depth - 1)
                for f in map(self.function, range(len(self.ops)))
                if f
            )
        )

    def condition(self, n):
        """Whether what the jump at n tests is true and remains so; None: it is unknown."""
        n, result = n - 1, True
        while n > 0 and self.ops[n].opname == "UNARY_NOT":
            n, result = n - 1, not result
        op = self.ops[n]
        try:
            if op.opname in CALLS + NAMED_CALLS:
                n -= 1 + op.arg + (op.opname in NAMED_CALLS)
                event = self.value(n - 1)
                known = (
                    type(event) in (threading.Event, asyncio.Event)
                    and self.ops[n].argval in ("is_set", "wait")
                    and not self.has(
                        lambda op: op.opname in METHODS and op.argval in ("set", "clear")
                    )
                )
                return event.is_set() is result if known else None
            value, name = self.value(n), op.argval
        except LookupError:
            return None
        if not isinstance(value, bool) or self.has(
            lambda op: (
                op.opname.startswith("STORE_")
                and (name in op.argval if isinstance(op.argval, tuple) else name == op.argval)
            )
        ):
            return None
        return value is result

    def returns(self, n, stops):
        """Whether a return can be reached from n, but not by way of an instruction of which stops()
        is true; and the instructions that were met."""
        todo, seen, found = [n], set(), False
        while todo:
            n = todo.pop()
            if n is None or n >= len(self.ops):  # not understood
                found = True
            if n is None or n >= len(self.ops) or n in seen:
                continue
            seen.add(n)
            op = self.ops[n]
            if stops(n) or op.opname in ("RAISE_VARARGS", "RERAISE"):
                continue
            if op.opname in ("RETURN_VALUE", "RETURN_CONST", "GET_ANEXT"):
                found = True
                continue
            todo += self.following(n, op)
        return found, seen

    def following(self, n, op):
        jumps = op.opcode in dis.hasjrel or op.opcode in dis.hasjabs
        if not jumps or op.opname.startswith("SETUP_"):
            return [n + 1]
        there = self.at.get(op.argval)
        if op.opname.startswith(("JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_ABSOLUTE")):
            return [there]
        known = None
        if op.opname.startswith("POP_JUMP") and op.opname.endswith(("IF_TRUE", "IF_FALSE")):
            known = self.condition(n)
        if known is None:
            return [there, n + 1]
        return [there if known is op.opname.endswith("IF_TRUE") else n + 1]

    def repeats(self, code, n=0, depth=MAX_DEPTH):
        """Whether all its ways from n to a return load a function with this code (None: there is
        none), or one that does so in turn."""

        def stops(n):
            f = self.function(n)
            return bool(f) and (
                f.code is code
                or depth > 0
                and f.code is not self.code
                and f.repeats(code, 0, depth - 1)
            )

        return bool(self.ops) and not self.returns(n, stops)[0]

    def blocks(self, n):
        """Whether the instruction at n calls a method that waits for others, without a limit."""
        op, following = self.ops[n], self.ops[n + 1 : n + 2]
        if op.opname not in METHODS or op.argval not in BLOCKING or not following:
            return False
        try:
            if isinstance(self.value(n - 1), (collections.abc.Mapping, types.ModuleType)):
                return False
        except LookupError:
            pass
        return op.argval != "wait" or following[0].opname in CALLS and following[0].arg == 0


def endless(frame):
    """'loop': it never returns, and its loop is not a worker's, which waits for something to do;
    'again': it always starts a function like itself before it returns; else ''."""
    code = Code(frame.f_code, frame.f_locals, frame.f_globals)
    at = code.position(frame.f_lasti)
    if code.repeats(None, at):
        met = code.returns(at, lambda n: False)[1]
        return "" if any(map(code.blocks, met)) else "loop"
    return "again" if code.repeats(frame.f_code, at) else ""


def is_for(frame):
    """Whether it is in a for loop, which has an end."""
    return any(
        op.opname == "FOR_ITER" and op.offset < frame.f_lasti < op.argval
        for op in dis.get_instructions(frame.f_code)
    )


def repetition(frames):
    if any(is_for(f) for f in frames if is_users(f)):
        return ""
    return ".".join(f"{id(f.f_code):x}.{f.f_lasti:x}" for f in frames)


def callback(f):
    """Its repetition, and whether it always schedules itself again."""
    code = Code.of(f)
    if not code:
        return f"{id(getattr(f, '__self__', None) or f):x}", False
    used = [getattr(v, "__code__", v) for v in code.names.values() if callable(v)]
    used += [code.code, getattr(f, "__self__", None)]
    return ".".join(f"{id(v):x}" for v in used), code.repeats(code.code)
