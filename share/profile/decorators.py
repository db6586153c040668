# decorators.py: the user's own decorators that profile functions, "decorators" of the settings:
# {"package.module:name": "dask" or "single_thread"}. Those of share/ipython/nbscope/tracing.py take
# their place when the module is imported, and the files that they write become a part of the run.
import inspect
import tempfile

KINDS = {"dask": (dask_profiler, "html"), "single_thread": (single_thread_profiler, "pstats")}


class Decorators:
    """A finder of modules, the first one: it changes only those that are named."""

    named = {}  # module: {name: kind}
    files = []  # (profiler, ending, name, content) that the current cell has written

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name not in cls.named:
            return None
        for finder in sys.meta_path:
            found = (
                finder is not cls
                and hasattr(finder, "find_spec")
                and finder.find_spec(name, path, target)
            )
            if found and found.loader:
                found.loader.exec_module = replacing(found.loader.exec_module)
                return found
        return None


def replacing(execute):
    def exec_module(module):
        execute(module)
        replace(module)

    return exec_module


def name_decorators(settings):
    Decorators.named.clear()
    for text, kind in (settings.get("decorators") or {}).items():
        module, _, name = text.rpartition(":")
        Decorators.named.setdefault(module, {})[name] = kind
        if module in sys.modules:
            replace(sys.modules[module])
    sys.meta_path[:] = [f for f in sys.meta_path if getattr(f, "__name__", "") != "Decorators"]
    if Decorators.named:
        sys.meta_path.insert(0, Decorators)


def replace(module):
    for name, kind in Decorators.named[module.__name__].items():
        if hasattr(module, name):
            setattr(module, name, recorded(*KINDS[kind]))


def recorded(maker, ending):
    """The decorator with the arguments that it knows; what it writes is noted, too."""
    signature = inspect.signature(maker)

    def named(*args, **kwargs):
        known = {k: v for k, v in kwargs.items() if k in signature.parameters}
        options = signature.bind(*args, **known)
        options.apply_defaults()
        options = options.arguments
        report = options["report_name"]

        def decorator(function):
            @functools.wraps(function)
            def call(*args, **kwargs):
                with tempfile.TemporaryDirectory(prefix="nbscope-profile.") as folder:
                    path = report or os.path.join(folder, "stats")
                    traced = maker(**dict(options, report_name=path))(function)
                    result = traced(*args, **kwargs)
                    if options["enable"] and State.current is not None:
                        note_report(ending, report or function.__qualname__, path)
                return result

            return call

        return decorator

    return named


def note_report(ending, name, path):
    with open(path, "rb") as file:
        content = file.read()
    stem = re.sub(r"\.(html|pstats)$", "", os.path.basename(os.fspath(name)))
    Decorators.files.append((ending, re.sub(r"[^\w.-]", "_", stem, flags=re.A), content))


def take_reports(profile, profiler, ending, more):
    """The records of the files with this ending that the cell's functions have written."""
    rows, seen = [], set()
    for kind, stem, content in Decorators.files:
        if kind != ending:
            continue
        name, n = stem, 1
        while name in seen:
            n += 1
            name = f"{stem}-{n}"
        seen.add(name)
        for row in file_record(profile, profiler, ending, content, more):
            rows.append(dict(row, name=f"cell-{profile.index:03d}-{name[:80]}.{ending}"))
    Decorators.files = [f for f in Decorators.files if f[0] != ending]
    return rows
