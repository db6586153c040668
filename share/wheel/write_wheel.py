# write_wheel.py: writes the wheel of an installed tree.
# write_wheel.py TREE ARCH FOLDER: TREE is what `make install` wrote, with programs for ARCH.
# Programs become scripts, all else is data, which pip installs below the same folder. The same tree
# gives the same bytes. In the environment:
#   SOURCE_DATE_EPOCH  the date of all files in it (default 1980, the first that a zip file knows)
import base64
import hashlib
import os
import sys
import time
import zipfile

PACKAGE = "share/nbscope/share/ipython/nbscope/"  # what %load_ext imports
DAY_1980 = 315532800
METADATA = """\
Metadata-Version: 2.1
Name: nbscope
Version: {version}
Summary: What each cell of a notebook costs the person in front of the browser
License: BSD-3-Clause
Requires-Python: >=3.9
Provides-Extra: lab
Requires-Dist: jupyterlab; extra == "lab"
Requires-Dist: ipykernel; extra == "lab"
Description-Content-Type: text/markdown

{readme}"""
WHEEL = """\
Wheel-Version: 1.0
Generator: nbscope
Root-Is-Purelib: false
Tag: py3-none-manylinux_2_17_{arch}
Tag: py3-none-manylinux2014_{arch}
"""


def files_below(tree):
    """(path in the tree, path) of every file, sorted."""
    found = []
    for folder, _, names in os.walk(tree):
        paths = [os.path.join(folder, name) for name in names]
        found += [(os.path.relpath(path, tree), path) for path in paths]
    return sorted(found)


def places(name, stem):
    """Where a file of the tree is in the wheel."""
    if name.startswith(PACKAGE):
        yield "nbscope/" + name[len(PACKAGE) :]
    if name.startswith("bin/"):
        yield f"{stem}.data/scripts/{name[4:]}"
    else:
        yield f"{stem}.data/data/{name}"


def content_of(tree, arch, version, readme):
    """(name in the wheel, bytes, mode), without the record of them."""
    stem = f"nbscope-{version}"
    for name, path in files_below(tree):
        with open(path, "rb") as file:
            data = file.read()
        mode = 0o755 if os.access(path, os.X_OK) else 0o644
        for place in places(name, stem):
            yield place, data, mode
    for name, text in (
        ("METADATA", METADATA.format(version=version, readme=readme)),
        ("WHEEL", WHEEL.format(arch=arch)),
    ):
        yield f"{stem}.dist-info/{name}", text.encode(), 0o644


def record_of(files, name):
    lines = []
    for place, data, _ in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{place},sha256={digest},{len(data)}\n")
    return "".join(lines) + f"{name},,\n"


def main(tree, arch, folder):
    with open(os.path.join(tree, "share/nbscope/VERSION"), encoding="utf-8") as file:
        version = file.read().strip()
    with open("README.md", encoding="utf-8") as file:
        readme = file.read()
    files = sorted(content_of(tree, arch, version, readme))
    record = f"nbscope-{version}.dist-info/RECORD"
    files.append((record, record_of(files, record).encode(), 0o644))
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or DAY_1980)
    date = time.gmtime(max(seconds, DAY_1980))[:6]
    path = os.path.join(
        folder, f"nbscope-{version}-py3-none-manylinux_2_17_{arch}.manylinux2014_{arch}.whl"
    )
    with zipfile.ZipFile(path + ".new", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for place, data, mode in files:
            info = zipfile.ZipInfo(place, date)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (0o100000 | mode) << 16
            info.create_system = 3
            wheel.writestr(info, data)
    os.replace(path + ".new", path)
    size = os.path.getsize(path) / 1e6
    whole = sum(len(data) for _, data, _ in files) / 1e6
    print(f"{path}: {size:.1f} MB, {whole:.1f} MB installed")


main(*sys.argv[1:])
