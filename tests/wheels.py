"""wheels FOLDER NAME VERSION... <CODE: writes a wheel of each version of a package to FOLDER.

The package is one module with CODE, in which VERSION is the version.
"""

import pathlib
import sys
import zipfile

folder, name, *versions = sys.argv[1:]
code = sys.stdin.read()
for version in versions:
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(pathlib.Path(folder, f"{name}-{version}-py3-none-any.whl"), "w") as wheel:
        wheel.writestr(f"{name}.py", f"VERSION = {version!r}\n{code}")
        wheel.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        )
        wheel.writestr(
            f"{info}/WHEEL",
            "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        wheel.writestr(f"{info}/RECORD", "")
