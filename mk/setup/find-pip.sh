#!/bin/sh
# find-pip.sh PYTHON: prints the path of the pip that this Python brings, a wheel.
set -eu
exec "$1" -c 'import ensurepip, glob, os
own = os.path.join(os.path.dirname(ensurepip.__file__), "_bundled")
print(glob.glob(os.path.join(getattr(ensurepip, "_WHEEL_PKG_DIR", None) or own, "pip-*.whl"))[0])'
