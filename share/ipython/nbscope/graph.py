"""Graphs of what cells used: SVG with a text alternative, and a menu where ipywidgets is there."""

import sys

from IPython.display import display

from . import programs, records

# The names in JUmPER's menu, then cellgraph's own; all of them may be given to a magic.
JUMPER_METRICS = {
    "cpu_agg": "cpu",
    "cpu_raw": "cpu",
    "mem": "memory",
    "io_ops": "read-calls,write-calls",
    "io_bytes": "io",
    "gpu_usage_agg": "gpu",
    "gpu_usage_raw": "gpu",
    "gpu_mem_agg": "gpu-memory",
    "gpu_mem_raw": "gpu-memory",
}
MENU = [
    ("CPU, memory, I/O, GPU", ""),
    ("CPU", "cpu"),
    ("memory", "memory"),
    ("I/O bytes", "io"),
    ("I/O calls", "read-calls,write-calls"),
    ("I/O through system calls", "syscall-io"),
    ("GPU", "gpu-all"),
    ("run-queue wait", "run-queue-wait"),
    ("threads and processes", "threads,processes"),
    ("page faults", "minor-faults,major-faults"),
    ("pressure of the machine", "pressure"),
    ("available memory of the machine", "available"),
    ("all", "all"),
]
ROLES = [("kernel", "kernel"), ("machine", "machine"), ("both", "kernel,machine")]


def metrics_of(words):
    """cellgraph's list of metrics for the words of a person."""
    names = [name for word in words for name in word.split(",") if name]
    return ",".join(JUMPER_METRICS.get(name, name) for name in names)


def draw(state, cells, metrics, roles):
    """The graph as data of a display: SVG, and the same as text."""
    chosen = ["--role", roles] + (["--metric", metrics] if metrics else [])
    lines = list(records.stream(state, cells))
    svg = programs.run("cellgraph", ["--format", "svg", *chosen], lines)
    text = programs.run(
        "cellgraph", ["--format", "text", "--glyphs", "block", "--width", "88", *chosen], lines
    )
    return {"image/svg+xml": svg.decode(), "text/plain": text.decode()}


def add_menu(redraw, metrics, roles):
    """A menu above a graph; redraw(metrics, roles) is called when a person chooses."""
    try:
        import ipywidgets
    except ImportError:
        return None
    values = [value for _, value in MENU]
    entries = MENU if metrics in values else [*MENU, (metrics, metrics)]
    what = ipywidgets.Dropdown(options=entries, value=metrics, description="Metric:")
    whose = ipywidgets.Dropdown(options=ROLES, value=roles, description="Of:")
    for menu in (what, whose):
        menu.observe(lambda change: redraw(what.value, whose.value), names="value")
    display(ipywidgets.HBox([what, whose]))
    return what, whose


def show(state, cells, words=()):
    """Displays a graph of these cells."""
    metrics, roles = metrics_of(words), "kernel"
    try:
        data = draw(state, cells, metrics, roles)
    except programs.ProgramError as error:
        print(f"nbscope: {error}", file=sys.stderr)
        return

    def redraw(metrics, roles):
        try:
            shown.update(draw(state, cells, metrics, roles), raw=True)
        except programs.ProgramError as error:
            shown.update({"text/plain": f"nbscope: {error}"}, raw=True)

    add_menu(redraw, metrics, roles)
    shown = display(data, raw=True, display_id=True)
