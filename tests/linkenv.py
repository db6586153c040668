"""linkenv.py DIR PACKAGE...: a virtual environment that has PACKAGEs, what they need, and no other.

They are links into the environment that runs this, so it takes no download. What a server hands
out (share/) is copied: it would not follow a link to a file elsewhere.
"""

import importlib.metadata
import os
import re
import shutil
import sys
import venv

target, todo, done = sys.argv[1], sys.argv[2:], set()
venv.create(target, symlinks=True)
site = os.path.join(
    target, "lib", f"python{sys.version_info[0]}.{sys.version_info[1]}", "site-packages"
)
while todo:
    name = re.sub(r"[-_.]+", "-", todo.pop()).lower()
    if name in done:
        continue
    done.add(name)
    try:
        package = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        continue
    todo += [re.match(r"[\w.-]+", r)[0] for r in package.requires or [] if "extra ==" not in r]
    for file in package.files:
        if file.parts[0] == "..":
            # share/ and etc/ of the environment.
            path = os.path.join(site, str(file))
            if file.parts[3] in ("share", "etc") and not os.path.lexists(path):
                os.makedirs(os.path.dirname(path), exist_ok=True)
                shutil.copy(package.locate_file(file), path)
        elif not os.path.lexists(os.path.join(site, file.parts[0])):
            os.symlink(package.locate_file(file.parts[0]), os.path.join(site, file.parts[0]))
# What is compiled of modules that are a file each.
compiled = importlib.metadata.distribution(sys.argv[2]).locate_file("__pycache__")
if not os.path.lexists(os.path.join(site, "__pycache__")):
    os.symlink(compiled, os.path.join(site, "__pycache__"))
