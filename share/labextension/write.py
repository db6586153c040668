"""write.py FOLDER: writes the labextension of nbscope, as JupyterLab finds it in FOLDER.

Nothing is compiled: entry.js is a container of the module federation as it is, and the scripts that
listen to a person are those that celllisten injects (share/page), in one file, with the line.
"""

import hashlib
import json
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
# share/page/README.md says what each of them is, and why in this order.
PAGE = (
    "watch moving usage message outputs evidence pending scheduled asking notebook kernel timing "
    "gesture listen"
).split()
# In front of the scripts; a kernel is asked nothing, so the functions of Python are left out.
CONSTANTS = "const RULES = {rules}, MODULE = '', TELL = '', LINE_CSS = {css};\n"


def read(name):
    return (HERE / name).read_text(encoding="utf-8")


def scripts():
    pieces = [
        read("../page/own.js"),
        CONSTANTS.format(
            rules=read("../page/rules.json").strip(), css=json.dumps(read("line.css"))
        ),
        *(read(f"../page/{name}.js") for name in PAGE),
        read("line.js"),
    ]
    return "{" + "".join(pieces) + "}//# sourceURL=nbscope.js\n"


def package(version, entry):
    return {
        "name": "nbscope",
        "version": version,
        "description": "What each cell took, as a line under it",
        "license": "BSD-3-Clause",
        "dependencies": {"@jupyterlab/apputils": "^4.0.0", "@jupyterlab/notebook": "^4.0.0"},
        "jupyterlab": {"extension": True, "_build": {"load": entry, "extension": "./extension"}},
    }


def main(folder):
    version = read("../../VERSION").strip()
    target = pathlib.Path(folder)
    (target / "static").mkdir(parents=True, exist_ok=True)
    for old in (target / "static").iterdir():
        old.unlink()

    def put(stem, text):
        """A browser keeps a file by its name."""
        name = f"{stem}.{hashlib.sha256(text.encode()).hexdigest()[:16]}.js"
        (target / "static" / name).write_text(text, encoding="utf-8")
        return name

    entry = read("entry.js").replace("@VERSION@", version)
    entry = put("remoteEntry", entry.replace("@SCRIPTS@", put("nbscope", scripts())))
    install = {"packageManager": "python", "packageName": "nbscope"}
    for name, value in (
        ("package.json", package(version, f"static/{entry}")),
        ("install.json", install),
    ):
        (target / name).write_text(json.dumps(value, indent=2) + os.linesep, encoding="utf-8")


main(*sys.argv[1:])
