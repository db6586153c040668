"""nbscope's programs: where they are, and what they print."""

import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
# Built together with this file, installed with it (share/nbscope/share/ipython/nbscope), or in the
# same environment of Python; else the user's PATH.
FOLDERS = (
    os.path.join(HERE, "../../../build/bin"),
    os.path.join(HERE, "../../../../../bin"),
    os.path.dirname(sys.executable),
)
LIMIT_S = 60


class ProgramError(Exception):
    """A program is missing or failed; the text says which and why."""


def find(name):
    """Its path, or None."""
    for folder in FOLDERS:
        path = os.path.normpath(os.path.join(folder, name))
        if os.access(path, os.X_OK):
            return path
    return shutil.which(name)


def version():
    """That of the programs; None: there are none."""
    try:
        return run("procsample", ["--version"], []).decode().split()[-1]
    except (ProgramError, IndexError):
        return None


def run(name, arguments, lines):
    """What it prints for these lines on its standard input, as bytes."""
    path = find(name)
    if path is None:
        raise ProgramError(
            f"there is no program {name} on PATH: install nbscope, or build it with 'make setup'"
        )
    try:
        done = subprocess.run(
            [path, *arguments],
            input=b"".join(lines),
            capture_output=True,
            timeout=LIMIT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ProgramError(f"{name}: {error}") from None
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise ProgramError(said or f"{name} ended with status {done.returncode}")
    return done.stdout
