"""renderer.py FOLDER: draws in one process, where metricplot and cellgraph start one each.

The library that draws takes 0.4 s of CPU time to begin. FOLDER becomes an environment for
NBSCOPE_FIGURE_VENV: its bin/python hands a script, with its standard input and output, to this
process, and what is not a script to the Python of this one.
"""

import builtins
import ctypes
import functools
import os
import signal
import socket
import sys
import threading
import types

CLIENT = """#!/usr/bin/python3 -IS
import os, socket, sys
if len(sys.argv) != 4 or sys.argv[1:3] != ["-I", "-c"]:
    os.execv({python!r}, [{python!r}] + sys.argv[1:])
server = socket.socket(socket.AF_UNIX)
server.connect({address!r})
socket.send_fds(server, [b"."], [0, 1])
server.sendall(sys.argv[3].encode())
server.shutdown(socket.SHUT_WR)
sys.exit((server.recv(1) or b"\\1")[0])
"""


@functools.cache
def compiled(script):
    return compile(script, "<string>", "exec")


def run(script, stdin, stdout):
    """Returns the status of a script that has these files, and is the only one that it knows of."""
    own = types.ModuleType("sys")
    own.__dict__.update(sys.__dict__, stdin=stdin, stdout=stdout, argv=["-c"])
    names = dict(vars(builtins))
    names["__import__"] = lambda name, *more: own if name == "sys" else __import__(name, *more)
    try:
        exec(compiled(script), {"__name__": "__main__", "__builtins__": names})
        stdout.close()
    except SystemExit as end:
        return end.code or 0
    except Exception:
        return 1
    return 0


def answer(connection):
    with connection:
        _, files, _, _ = socket.recv_fds(connection, 1, 2)
        with connection.makefile("rb") as text, open(files[0]) as stdin, open(
            files[1], "w"
        ) as stdout:
            status = run(text.read().decode(), stdin, stdout)
        try:
            connection.sendall(bytes([status]))
        except OSError:
            pass  # the one that asked was killed


def main():
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG: at the end of the shell
    folder = os.path.realpath(sys.argv[1])
    address = os.path.join(folder, "socket")
    os.makedirs(os.path.join(folder, "bin"))
    server = socket.socket(socket.AF_UNIX)
    server.bind(address)
    server.listen(64)
    new = os.path.join(folder, "new")
    with open(new, "w") as f:
        f.write(CLIENT.format(python=sys.executable, address=address))
    os.chmod(new, 0o755)
    os.replace(new, os.path.join(folder, "bin", "python"))
    while True:
        threading.Thread(target=answer, args=(server.accept()[0],), daemon=True).start()


main()
