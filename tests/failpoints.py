"""Allocations and writes that fail, one in each run of a program: what faults-input and
faults-holders share."""

import functools
import pathlib
import shutil
import subprocess
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent
WRITES = [
    "write",
    "pwrite64",
    "writev",
    "fsync",
    "fdatasync",
    "ftruncate",
    "rename",
    "renameat",
    "renameat2",
]


def built_library(folder):
    """The library that a program is started with (tests/failmalloc.c), compiled into a folder."""
    library = pathlib.Path(folder) / "failmalloc.so"
    subprocess.run(
        ["cc", "-std=c11", "-O2", "-shared", "-fPIC", "-o", library, TESTS / "failmalloc.c"],
        check=True,
    )
    return library


def each_allocation(attempt, tool, library, told, stride=1, first=1):
    """(n, what attempt(environment) gives) for each nth allocation of the tool that fails, until
    none fails."""
    n = first
    while True:
        got = attempt(
            {"LD_PRELOAD": str(library), "FAIL_AT": str(n), "FAIL_IN": tool, "FAIL_TOLD": str(told)}
        )
        if not told.exists():
            return
        told.unlink()
        yield n, got
        n += stride


@functools.cache
def can_trace():
    """Whether strace is here and may trace."""
    return (
        bool(shutil.which("strace"))
        and subprocess.run(
            ["strace", "-o", "/dev/null", "true"], capture_output=True, check=False
        ).returncode
        == 0
    )


def each_write(attempt, follow):
    """("write 3", strace's line of it, what attempt(before=words) gives) for each write, flush to
    the disk and rename that meets a full disk; the children's too where they are followed."""
    with tempfile.TemporaryDirectory(prefix="nbscope-strace-") as d:
        log = pathlib.Path(d) / "log"
        for call in WRITES:
            n = 1
            while True:
                got = attempt(
                    before=[
                        "strace",
                        *(["-f"] if follow else []),
                        "-o",
                        str(log),
                        "-e",
                        f"trace={call}",
                        "-e",
                        "signal=none",
                        "-e",
                        f"inject={call}:error=ENOSPC:when={n}",
                    ]
                )
                hit = [
                    line
                    for line in log.read_text(errors="replace").splitlines()
                    if "(INJECTED)" in line
                ]
                if not hit:
                    break
                yield f"{call} {n}", hit[0], got
                n += 1
