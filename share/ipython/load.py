"""Loads the IPython extension for a notebook in which lines begin with magics that its kernel does
not have. A driver of a run evaluates this in the kernel, by a silent request."""

import importlib
import importlib.util
import os
import sys

from IPython import get_ipython

MIME = "application/vnd.nbscope.extension+json"


class Answer:
    def __init__(self, magics=(), loaded=False, reason=None):
        self.data = {"magics": sorted(magics), "loaded": loaded, "reason": reason}

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {MIME: self.data, "text/plain": ""}


def handles_magics(kernel):
    """Whether a kernel has cells executed by a method of its own, as JUmPER's has."""
    home = getattr(type(kernel).do_execute, "__module__", "") if kernel else "ipykernel"
    return not home.startswith("ipykernel")


def unknown_magics(shell, words):
    """The names of the magics that the shell does not have."""
    find = {"%%": shell.find_cell_magic, "%": shell.find_line_magic}
    names = {(word[: len(word) - len(word.lstrip("%"))], word.lstrip("%")) for word in words}
    return {name for signs, name in names if signs in find and find[signs](name) is None}


def load(folder, words, named, tags):
    """load_extension, which writes nothing into the folder of an installed nbscope."""
    before = sys.dont_write_bytecode
    if folder and not os.path.exists(os.path.join(folder, "../../mk/build.mk")):
        sys.dont_write_bytecode = True
    try:
        return load_extension(folder, words, named, tags)
    finally:
        sys.dont_write_bytecode = before


def load_extension(folder, words, named, tags):
    """folder: where the extension is, if Python does not find it; words: the magics that lines
    of cells begin with; named: a cell names the extension itself; tags: those of cells that are
    options of Score-P, by the id and by the source of the cell."""
    shell = get_ipython()
    unknown = unknown_magics(shell, words)
    if not unknown and not named or handles_magics(getattr(shell, "kernel", None)):
        return Answer()
    found, added = importlib.util.find_spec("nbscope"), None
    if found is None and folder:
        added = folder
        sys.path.append(folder)
        found = importlib.util.find_spec("nbscope")
    if found is None:
        sys.path.remove(folder) if added else None
        return Answer(reason="there is no module nbscope for the kernel's Python")
    extension = importlib.import_module("nbscope")
    extension.tags, parts = tags, extension.PARTS.values()
    importlib.import_module("nbscope.driven").driven = True
    magics = unknown & {name for names in parts for name in names}
    if not magics:
        if added and not named:
            sys.path.remove(folder)
            sys.modules.pop("nbscope", None)
        return Answer()
    try:
        shell.extension_manager.load_extension("nbscope")
    except Exception as error:  # pylint: disable=broad-except
        return Answer(magics, reason=f"{type(error).__name__}: {error}")
    return Answer(magics, loaded=True)
