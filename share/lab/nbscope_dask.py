"""Reports to Prometheus where a dask cluster serves its metrics, as long as it lives: a preload of
the schedulers that a notebook starts, which nbscope_kernels.py names to them.

NBSCOPE_DASK_FILES is the begin of the names of the files of targets (file_sd_configs), one for each
scheduler. They are removed with the scheduler, or by nbscope_kernels.py when the kernel has ended.
"""

import json
import os

from distributed.diagnostics.plugin import SchedulerPlugin


def targets(info):
    """The scheduler and the workers of what the scheduler says of itself."""
    kind, _, address = info["address"].partition("://")
    host = "localhost" if kind == "inproc" else address.rpartition(":")[0]
    places = {"scheduler": [(host, info)], "worker": []}
    for worker in info["workers"].values():
        host = worker["host"]
        places["worker"].append((f"[{host}]" if ":" in host else host, worker))
    groups = []
    for role, servers in places.items():
        ports = [(at, (server.get("services") or {}).get("dashboard")) for at, server in servers]
        found = [f"{at}:{port}" for at, port in ports if port]
        groups += [{"targets": found, "labels": {"role": role}}] if found else []
    return groups


class Targets(SchedulerPlugin):
    """Keeps the file of a scheduler up to date."""

    name = "nbscope-targets"

    def __init__(self, scheduler):
        self.path = f"{os.environ['NBSCOPE_DASK_FILES']}{scheduler.id}.json"
        self.write(scheduler)

    def write(self, scheduler):
        partial = f"{self.path}.tmp"
        with open(partial, "w", encoding="utf-8") as file:
            json.dump(targets(scheduler.identity()), file)
        os.replace(partial, self.path)

    def add_worker(self, scheduler, worker):
        if self.path:
            self.write(scheduler)

    def remove_worker(self, scheduler, worker, **more):
        self.add_worker(scheduler, worker)


def dask_setup(scheduler):
    scheduler.add_plugin(Targets(scheduler))


def dask_teardown(scheduler):
    plugin = scheduler.plugins[Targets.name]
    path, plugin.path = plugin.path, None
    os.unlink(path)
