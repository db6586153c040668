# The shell of a real kernel, in a process of its own, with the extension of nbscope.

# cells: those on stdin, between lines "##", in a kernel's shell with the extension; "!" marks errors.
cells() {
	IPYTHONDIR=$PWD/ipython PYTHONPATH=$ROOT/share/ipython:${PYTHONPATH-} "$ROOT/build/venv/bin/python" -c '
import sys
from ipykernel.zmqshell import ZMQInteractiveShell
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
sys.modules["__main__"] = shell.user_module
shell.run_cell("%load_ext nbscope")
for source in sys.stdin.read().split("##\n"):
    result = shell.run_cell(source, store_history=True)
    error = result.error_in_exec or result.error_before_exec
    if error is not None:
        print("!", type(error).__name__, error)
' 2>&1
}
