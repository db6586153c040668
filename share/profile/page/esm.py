# esm.py: runs in the kernel: whose the modules of JavaScript are that its widgets have as text
# (anywidget).
import importlib.metadata
import json
import os
import sys

MIME = "application/vnd.nbscope.profile+jsonl"


def package_of(module):
    """What a module was installed with, its name and version; None: the notebook's own."""
    metadata, top = importlib.metadata, module.partition(".")[0]
    names = [] if top == "__main__" else [top]
    if names and hasattr(metadata, "packages_distributions"):
        names += metadata.packages_distributions().get(top, [])
    for name in names:
        try:
            return name + " " + metadata.version(name)
        except (metadata.PackageNotFoundError, ValueError):
            continue
    return None


def owner_of(widget):
    """The file of its module, or the class that has its text; and the package."""
    classes = [c for c in type(widget).__mro__ if "_esm" in vars(c)]
    # A class that only has the trait was made by anywidget of one that has the text.
    given = [c for c in classes if not hasattr(vars(c)["_esm"], "default_value")]
    owner = (given or classes or [type(widget)])[0]
    path = getattr(vars(owner).get("_esm"), "_path", None)
    if path and os.path.commonpath([os.getcwd(), str(path)]) == os.getcwd():
        path = os.path.relpath(path)
    inside = "" if owner.__module__ == "__main__" else owner.__module__ + "."
    return [str(path or inside + owner.__qualname__ + "._esm"), package_of(owner.__module__)]


class Modules:
    """As the value of an expression: {text: [file, package]}."""

    def _repr_mimebundle_(self, include=None, exclude=None):
        module = sys.modules.get("ipywidgets.widgets.widget")
        widgets = getattr(module, "_instances", None) or getattr(
            getattr(module, "Widget", None), "widgets", {}
        )
        found, known = {}, {}
        for widget in list(widgets.values()):
            text = getattr(widget, "_esm", None)
            if isinstance(text, str) and text not in found:
                found[text] = known.setdefault(type(widget).__qualname__, owner_of(widget))
        return {MIME: json.dumps(found), "text/plain": ""}
