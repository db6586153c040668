"""python -m scorep [ARGUMENT...] SCRIPT [ARGUMENT...]: starts itself again, as Score-P's does, to
run under its libraries."""

import atexit
import json
import os
import resource
import runpy
import subprocess
import sys
import time

import scorep.instrumenter

STARTED = "SCOREP_PYTHON_BINDINGS_INITIALISED"
YES = ("1", "yes", "true", "on")


def write(folder, arguments):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "started.json"), "w", encoding="utf-8") as f:
        json.dump(
            {
                "arguments": arguments,
                "processes": resource.getrlimit(resource.RLIMIT_NPROC)[0],
                "env": {k: v for k, v in os.environ.items() if k.startswith("SCOREP_")},
            },
            f,
        )
    sys.setprofile(None)
    lines = "".join(f"{kind} {t} {name}\n" for kind, t, name in scorep.instrumenter.balanced())
    writer = os.environ.get("OTF2_CALLS")
    if writer and lines and os.environ.get("SCOREP_ENABLE_TRACING", "").lower() in YES:
        subprocess.run([writer, folder], input=lines, text=True, check=True)


def main():
    # Without it, each shell that Score-P's module starts is instrumented again.
    if "--nocompiler" not in sys.argv:
        while True:
            subprocess.Popen([sys.executable, "-m", "scorep", *sys.argv[1:]])
    if os.environ.get(STARTED) != "true":
        os.environ.update({STARTED: "true", "LD_PRELOAD": "", "SCOREP_LD_PRELOAD_BACKUP": ""})
        os.execve(sys.executable, [sys.executable, "-m", "scorep", *sys.argv[1:]], os.environ)
    # In a process that one under Score-P starts with this environment, it is not there.
    del os.environ["LD_PRELOAD"]
    arguments = sys.argv[1:]
    count = next((n for n, word in enumerate(arguments) if not word.startswith("-")), 0)
    own, sys.argv = arguments[:count], arguments[count:]
    scorep.instrumenter.per_thread = "--thread=pthread" in own
    folder = os.path.abspath(
        os.environ.get("SCOREP_EXPERIMENT_DIRECTORY")
        or time.strftime("scorep-%Y%m%d_%H%M_") + str(time.time_ns())
    )
    atexit.register(write, folder, own)
    if "--noinstrumenter" in own:
        runpy.run_path(sys.argv[0], run_name="__main__")
    else:
        with scorep.instrumenter.enable():
            runpy.run_path(sys.argv[0], run_name="__main__")


main()
