#!/bin/sh
# check-venv.sh VENV: prints what keeps the Python environment VENV from running notebooks, and what
# mends it; nothing if it can.
[ -x "$1/bin/python" ] || {
	echo "VENV: '$1' is not a Python environment: it has no bin/python"
	exit
}
why=$("$1/bin/python" -Ic 'import importlib.util as u, sys
sys.exit(not any(u.find_spec(name) for name in ("ipykernel", "jupyterlab")))' 2>&1) && exit
[ -z "$why" ] || { echo "VENV: cannot use '$1/bin/python': $(echo "$why" | tail -n 1)" && exit; }
echo "VENV: '$1' has neither ipykernel nor jupyterlab; ipykernel is enough:" \
	"'$1/bin/python' -m pip install ipykernel"
