"""environment.py [NAMED]: prints the `environment` record of the Python that runs it.

NAMED is a file of the packages that WITH names. In the environment: LABEL, WITH, CHECKOUTS.
"""

import importlib.metadata
import json
import os
import platform
import sys
import time

names = {d.metadata["Name"]: d.version for d in importlib.metadata.distributions()}
try:
    with open(sys.argv[1], encoding="utf-8") as file:
        named = file.read().split()
except OSError:
    named = []
record = {
    "type": "environment",
    "t": time.time(),
    "label": os.environ.get("LABEL") or "current",
    "with": os.environ.get("WITH") or None,
    "named": named,
    "checkouts": os.environ.get("CHECKOUTS") or None,
    "python": platform.python_version(),
    "packages": {n.lower().replace("_", "-").replace(".", "-"): v for n, v in names.items() if n},
    "reason": None,
}
print(json.dumps(record, ensure_ascii=False, separators=(",", ":")))
