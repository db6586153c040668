"""shown.py NOTEBOOK: the text that an executed notebook shows, without what went to stderr.

Each output is printed as a terminal shows it, so that a script's output can be compared with it.
"""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    notebook = json.load(file)
for cell in notebook["cells"]:
    for output in cell.get("outputs", ()):
        if output["output_type"] == "stream" and output["name"] == "stdout":
            print("".join(output["text"]).replace("\r\n", "\n"), end="")
        elif "data" in output and "text/plain" in output["data"]:
            print("".join(output["data"]["text/plain"]))
