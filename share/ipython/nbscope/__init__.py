"""What each cell used, while one works: the IPython extension of nbscope.

%load_ext nbscope   records every cell from now on
%nbscope            what the last cell used; %nbscope? lists its options
nbscope.emissions() as a context, what a block of code used and emitted, also without the above

The magics of JUmPER work unchanged: nbscope-coming-from(7) lists them. Sampling and drawing are
done by nbscope's programs procsample and cellgraph; without them, cells have no curves.
"""

import atexit
import importlib
import importlib.util
import os
import sys

from . import energy_block
from .state import State

# Modules with a function register(shell, state), and the magics that come from them.
PARTS = {
    "magics": (
        "display_graph_for_last",
        "display_graph_for_index",
        "display_graph_for_all",
        "display_code_for_index",
        "display_code_history",
        "perfdata_to_variable",
        "perfdata_to_json",
        "nbscope",
    ),
    "scorep": (
        "scorep_env",
        "scorep_python_binding_arguments",
        "marshalling_settings",
        "serializer_settings",
        "execute_with_scorep",
        "enable_multicellmode",
        "finalize_multicellmode",
        "abort_multicellmode",
    ),
    "writefile": ("start_writefile", "end_writefile"),
}
RECORDED = {"execute_with_scorep", "finalize_multicellmode"}  # these run code
emissions = energy_block.Emissions
state = None  # of the loaded extension
tags = {}  # of the notebook's cells, by id and by source, where a driver of it knows them


def register_missing(shell, part, names):
    """Magics whose module is missing say so, and do not end a notebook."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), part + ".py")

    def missing(line="", cell=""):
        print(f"nbscope: this magic does nothing: there is no file {path}", file=sys.stderr)

    for name in names:
        shell.register_magic_function(missing, "line_cell", name)


def load_ipython_extension(shell):
    global state
    if state is not None:
        return
    state = State(shell)
    for part, names in PARTS.items():
        state.magics.update(names)
        state.quiet.update(set(names) - RECORDED)
        name = f"{__name__}.{part}"
        if importlib.util.find_spec(name) is None:
            register_missing(shell, part, names)
        else:
            importlib.import_module(name).register(shell, state)
    state.begin()
    atexit.register(unload_ipython_extension, shell)


def unload_ipython_extension(shell):
    global state
    if state is not None:
        state.end()
        for names in PARTS.values():
            for kind in shell.magics_manager.magics.values():
                for name in names:
                    kind.pop(name, None)
    state = None
    atexit.unregister(unload_ipython_extension)
