"""Starts a kernel under another command: labserve's kernelspecs run this (KERNEL_PREFIX).

kernel_prefix.py FILES FOLDER COUNT WORD... KERNEL...

The COUNT WORDs of the command come before those of the kernel. {run}, {notebook} and {pid} in them
are replaced. FILES has a file for each notebook's folder whose driver named a path for {run}, or
tags of the cells with options for Score-P; other runs write into FOLDER.
"""

import json
import os
import re
import resource
import sys

PYTHON_TOOLS = ("memray", "scalene", "viztracer")
MORE_TASKS = 4096  # than the machine has now: RLIMIT_NPROC counts threads, too


def noted(files):
    """What the driver has noted for this notebook: run and tags."""
    path = os.environ.get("JPY_SESSION_NAME") or ""
    try:
        with open(
            os.path.join(files, os.path.basename(os.path.dirname(path))), encoding="utf-8"
        ) as f:
            return json.load(f)
    except (OSError, ValueError):
        return {}


def names(run, folder):
    """What is filled in. The server names the kernel's notebook."""
    path = os.environ.get("JPY_SESSION_NAME") or "kernel.ipynb"
    notebook = os.path.splitext(os.path.basename(path))[0]
    return {
        "run": run or os.path.join(folder, notebook),
        "notebook": notebook,
        "pid": str(os.getpid()),
    }


def with_options(prefix, tags):
    """Score-P's command with the environment and the arguments that cells' tags add to it."""
    at = next(
        (n for n, word in enumerate(prefix) if prefix[n + 1 : n + 3] == ["-m", "scorep"]), None
    )
    words = [tag.partition(":")[2] for tag in tags]
    env = [word for word in words if re.match(r"[A-Za-z_]\w*=", word)]
    if at is None:
        return prefix
    end = next((n for n in range(at + 3, len(prefix)) if prefix[n][:1] != "-"), len(prefix))
    return [
        *prefix[:at],
        *(["env", *env] if env else []),
        *prefix[at:end],
        *(word for word in words if word.startswith("-")),
        *prefix[end:],
    ]


def limit_tasks():
    """A command that starts itself again and again ends at this limit, not with the machine."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NPROC)
    with open("/proc/loadavg", encoding="ascii") as f:
        limit = int(f.read().split()[3].split("/")[1]) + MORE_TASKS
    if soft == resource.RLIM_INFINITY or soft > limit:
        resource.setrlimit(resource.RLIMIT_NPROC, (limit, hard))


def is_python(word):
    return re.fullmatch(r"python[\d.]*", os.path.basename(word)) is not None


def whole(prefix, kernel):
    """The command line. Commands that are written in Python, such as memray run and python -m
    scorep, run a script or a module in their own interpreter, and not another program."""
    found = [n for n, word in enumerate(prefix) if is_python(word) and "-m" in prefix[n:]]
    tools = [n for n, word in enumerate(prefix) if os.path.basename(word) in PYTHON_TOOLS]
    if not (found or tools) or not is_python(kernel[0]) or "-m" not in kernel:
        return [*prefix, *kernel]
    prefix = [*prefix]
    for n in found:
        if "/" not in prefix[n]:
            prefix[n] = kernel[0]
    arguments = kernel[kernel.index("-m") + 1 :]
    return [
        *prefix,
        os.path.join(os.path.dirname(os.path.abspath(__file__)), "run_module.py"),
        *arguments,
    ]


def main(files, folder, count, *words):
    note = noted(files)
    known = names(note.get("run"), folder)

    def fill(word):
        return re.sub(r"\{(run|notebook|pid)\}", lambda match: known[match[1]], word)

    count = int(count)
    prefix = with_options([*map(fill, words[:count])], note.get("tags") or [])
    command = whole(prefix, [*words[count:]])
    limit_tasks()
    os.environ["NBSCOPE_RUN"] = known["run"]
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.exit(f"cannot run '{command[0]}' (KERNEL_PREFIX): {error.strerror}")


if __name__ == "__main__":
    main(*sys.argv[1:])
