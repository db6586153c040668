"""hooked.py NOTEBOOK ANSWERS: a driver without a kernel, for the tests of cellprofile.

Asks its hook what a driver asks around the first code cell, replies to requests with the lines of
ANSWERS, and prints all that the hook sends.
"""

import json
import os
import pathlib
import socket
import sys

notebook = sys.argv[1]
answers = iter(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8").splitlines(keepends=True))
hook = socket.socket(fileno=int(os.environ["CELL_HOOK"])).makefile("rw")
for question in (
    {"type": "settings"},
    {"type": "open", "notebook": notebook, "kernel_id": "none", "browser": None},
    {"type": "before", "cell": 1},
    {"type": "ended", "cell": 1, "status": "completed", "usage": None},
    {"type": "recorded", "cell": 1, "status": "completed"},
):
    print(json.dumps(question), file=hook, flush=True)
    for line in hook:
        message = json.loads(line)
        message.pop("expression", None)
        print(json.dumps(message), flush=True)
        if message["type"] == "done":
            break
        if message["type"] != "record":
            hook.write(next(answers))
            hook.flush()
