"""Runs one cell in a process of its own, instrumented by Score-P: scorep.py starts this as

python -m scorep --noinstrumenter [ARGUMENT...] scorep_cell.py FOLDER IN OUT

IN has the cell and the variables that it uses, OUT gets those that it changed. Only the cell
itself is instrumented, not what carries them.
"""

import ast
import importlib.util
import os
import pickle
import sys
import time
import traceback
import types


def load_marshalling(folder):
    """Without its folder on sys.path, where its other files would hide the user's modules."""
    spec = importlib.util.spec_from_file_location(
        "nbscope_marshalling", os.path.join(folder, "marshalling.py")
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(source, name, namespace):
    """Shows the value of the last expression, as a notebook does. None, or the exception."""
    tree, last = ast.parse(source, name), None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";"):
        last = ast.Expression(tree.body.pop().value)
    code = compile(tree, name, "exec")
    show = compile(last, name, "eval") if last else None
    import scorep.instrumenter

    try:
        with scorep.instrumenter.enable():
            exec(code, namespace)
            value = eval(show, namespace) if show else None
        if value is not None:
            print(repr(value))
    except BaseException as error:
        frames = traceback.extract_tb(error.__traceback__)
        own = [f for f in frames if f.filename != __file__]
        lines = source.splitlines()
        for f in own:
            if f.filename == name and f.lineno and f.lineno <= len(lines):
                f._line = lines[f.lineno - 1].strip()
        print(
            "Traceback (most recent call last):",
            *traceback.format_list(own),
            *traceback.format_exception_only(type(error), error),
            sep="\n",
            file=sys.stderr,
        )
        return error
    return None


def main(folder, path_in, path_out):
    marshalling = load_marshalling(folder)
    with open(path_in, "rb") as f:
        given = pickle.load(f)
    sys.path[:] = given["path"]
    main_module = types.ModuleType("__main__")
    sys.modules["__main__"] = main_module
    namespace, marshaller = vars(main_module), given["marshaller"]
    own = set(namespace)
    started = time.perf_counter()
    not_loaded, definitions = marshalling.receive(given["sent"], namespace)
    before = marshalling.Snapshot(variables(namespace, own), definitions, marshaller)
    loaded = time.perf_counter()
    for name, why in not_loaded.items():
        print(f"nbscope: '{name}' could not be carried into the process: {why}", file=sys.stderr)
    error = run(given["source"], given["name"], namespace)
    ran = time.perf_counter()
    after = variables(namespace, own)
    places, values, gone = before.changed_definitions()
    sent, rows, _ = marshalling.carry({**before.changed(after), **values}, marshaller, before.known)
    with open(path_out, "wb") as f:
        pickle.dump(
            {
                "sent": sent,
                "rows": rows,
                "places": places,
                "gone": gone,
                "not_loaded": not_loaded,
                "deleted": [name for name in before.values if name not in after],
                "error": None if error is None else (type(error).__name__, str(error)),
                "load_s": loaded - started,
                "run_s": ran - loaded,
                "dump_s": time.perf_counter() - ran,
            },
            f,
        )
    sys.stdout.flush()


def variables(namespace, own):
    return {n: v for n, v in namespace.items() if n not in own and not n.startswith("__")}


if __name__ == "__main__":
    main(*sys.argv[1:])
