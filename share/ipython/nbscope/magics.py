"""%nbscope, and JUmPER's magics that show and export what cells used."""

import datetime
import html
import json
import sys

from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring
from IPython.display import display

from . import graph, jumper, programs, records, summary


def complain(text):
    print(f"nbscope: {text}", file=sys.stderr)


def when(cell):
    return datetime.datetime.fromtimestamp(cell.start).isoformat(" ", "milliseconds")


class JumperMagics:
    """Each has the name and the arguments of JUmPER's; cells have its index, from 0."""

    def __init__(self, state):
        self.state = state

    def monitored(self):
        cells = self.state.monitored()
        if not cells:
            complain(
                f"no cell has had {self.state.reports_needed():g} reports yet, one every "
                f"{self.state.interval():g} s: %nbscope shows shorter cells"
            )
        return cells

    def at_index(self, line, magic):
        """(cell or None, the other words)"""
        words = line.split()
        cells = self.monitored()
        if not cells:
            return None, []
        if not words or not words[0].isdigit():
            complain(f"no index was given: use %%{magic} index")
            return None, []
        if int(words[0]) >= len(cells):
            complain(f"there are only {len(cells)} cells, with index 0 to {len(cells) - 1}")
            return None, []
        return cells[int(words[0])], words[1:]

    def display_graph_for_last(self, line="", cell=""):
        """Graph of the last monitored cell: %%display_graph_for_last [METRIC]..."""
        cells = self.monitored()
        if cells:
            graph.show(self.state, cells[-1:], line.split())

    def display_graph_for_index(self, line="", cell=""):
        """Graph of one monitored cell: %%display_graph_for_index INDEX [METRIC]..."""
        chosen, words = self.at_index(line, "display_graph_for_index")
        if chosen:
            graph.show(self.state, [chosen], words)

    def display_graph_for_all(self, line="", cell=""):
        """Graph of all monitored cells: %%display_graph_for_all [METRIC]..."""
        cells = self.monitored()
        if cells:
            graph.show(self.state, cells, line.split())

    def display_code_for_index(self, line="", cell=""):
        """Time and code of one monitored cell: %%display_code_for_index INDEX"""
        chosen, _ = self.at_index(line, "display_code_for_index")
        if chosen:
            print(f"Cell timestamp: {when(chosen)}\n--\n{chosen.source}")

    def display_code_history(self, line="", cell=""):
        """Table of the monitored cells: index, time and code."""
        cells = self.monitored()
        if not cells:
            return
        text = "\n".join(
            f"{i:5}  {when(c)}  {c.source.splitlines()[0] if c.source else ''}"
            for i, c in enumerate(cells)
        )
        rows = "".join(
            f"<tr><td>{i}</td><td>{when(c)}</td><td style='text-align: left'><pre>"
            f"{html.escape(c.source)}</pre></td></tr>"
            for i, c in enumerate(cells)
        )
        display(
            {
                "text/html": "<table><thead><tr><th>index</th><th>timestamp</th><th>code</th></tr>"
                f"</thead><tbody>{rows}</tbody></table>",
                "text/plain": f"index  timestamp                code\n{text}",
            },
            raw=True,
        )

    def perfdata_to_variable(self, line="", cell=""):
        """The samples of the monitored cells: %%perfdata_to_variable NAME"""
        name = line.strip()
        if not name.isidentifier():
            complain("no variable was given: use %%perfdata_to_variable name")
            return
        self.state.shell.user_ns[name] = jumper.perfdata(self.state)
        print(f"Exported performance data to {name} variable.")

    def perfdata_to_json(self, line="", cell=""):
        """The samples and the code as files: %%perfdata_to_json NAME"""
        name = line.strip()
        if not name:
            complain("no file name was given: use %%perfdata_to_json name")
            return
        code = [[when(c), c.source] for c in self.state.monitored()]
        for path, data in (
            (f"{name}_perfdata.json", jumper.perfdata(self.state)),
            (f"{name}_code.json", code),
        ):
            with open(path, "w", encoding="utf-8") as f:
                json.dump(data, f)
        print(f"Exported performance data to {name}_perfdata.json and {name}_code.json")


@magic_arguments("nbscope")
@argument("--cell", type=int, metavar="N", help="show cell N instead of the last one")
@argument("--graph", action="store_true", help="draw the cell, too")
@argument("--metric", metavar="LIST", default="", help="what to draw: names of cellgraph(1)")
@argument("--history", action="store_true", help="list all recorded cells")
@argument("--rate", type=float, metavar="HZ", help="take so many samples a second from now on")
@argument(
    "--reports", type=int, metavar="N", help="JUmPER's magics show cells with at least N samples"
)
@argument(
    "--save",
    metavar="FILE",
    help="write all cells: FILE.jsonl the records, FILE.csv the samples, FILE.json both",
)
def nbscope_magic(state, line):
    """What the last cell used, and what it used the time before."""
    options = parse_argstring(nbscope_magic, line)
    if options.rate is not None:
        if not options.rate > 0:
            complain("--rate must be a positive number of samples a second")
            return
        state.interval_s = 1 / options.rate
    if options.reports is not None:
        state.min_reports = options.reports
    if not state.cells:
        if options.rate is None and options.reports is None:
            complain("no cell has been recorded yet")
        return
    chosen = state.cells[-1]
    if options.cell is not None:
        if not 1 <= options.cell <= len(state.cells):
            complain(f"there are cells 1 to {len(state.cells)}, not {options.cell}")
            return
        chosen = state.cells[options.cell - 1]
    if options.history:
        print(records.run_program(state, "runhistory", []).decode(), end="")
    elif options.save:
        save(state, options.save)
    elif options.rate is None and options.reports is None or options.cell is not None:
        print(summary.text_of(state, chosen))
    if options.graph or options.metric:
        graph.show(state, [chosen], [options.metric])


def save(state, path):
    """Writes all cells; what the file is, its extension says."""
    kind = path.rsplit(".", 1)[-1]
    if kind not in ("jsonl", "csv", "json"):
        complain(f"--save writes .jsonl, .csv or .json, not '{path}'")
        return
    lines = list(records.stream(state, state.cells))
    data = (
        b"".join(lines)
        if kind == "jsonl"
        else programs.run("runexport", ["--json"] if kind == "json" else [], lines)
    )
    with open(path, "wb") as f:
        f.write(data)


def register(shell, state):
    magics = JumperMagics(state)
    for name in (
        "display_graph_for_last",
        "display_graph_for_index",
        "display_graph_for_all",
        "display_code_for_index",
        "display_code_history",
        "perfdata_to_variable",
        "perfdata_to_json",
    ):
        shell.register_magic_function(getattr(magics, name), "line_cell", name)

    def nbscope(line="", cell=""):
        try:
            nbscope_magic(state, line)
        except (programs.ProgramError, OSError) as error:
            complain(error)

    nbscope.__doc__ = nbscope_magic.__doc__
    shell.register_magic_function(nbscope, "line_cell", "nbscope")
