"""Decorators that profile a function where it is called, in a notebook, a script or a pipeline.

dask_profiler writes dask's performance report of each call. single_thread_profiler runs dask in
one thread and returns the pstats.Stats of the call. Both at once: single_thread_profiler first.
profile changes nothing; `make explain` times the lines of the function.
"""

import builtins
import contextlib
import cProfile
import functools
import json
import logging
import os
import pstats
import sys

log = logging.getLogger("nbscope.tracing")


def profile(function):
    """Marks a function whose lines `make explain` or kernprof times."""
    collector = getattr(builtins, "profile", None)
    return function if collector in (None, profile) else collector(function)


def dask_profiler(
    n_workers=None,
    threads_per_worker=None,
    report_name="dask-report.html",
    display_report=True,
    enable=True,
    targets=None,
):
    """Writes dask's performance report of each call to the file report_name.

    The call uses the Client that there is. If there is none, or with n_workers or
    threads_per_worker, it has a LocalCluster of its own. In a notebook, display_report shows the
    report. The address of the dashboard is logged at level INFO. targets, or NBSCOPE_DASK_TARGETS
    in the environment, is a file to which the addresses for Prometheus are written
    (file_sd_configs).
    """

    def decorator(function):
        @functools.wraps(function)
        def traced(*args, **kwargs):
            if not enable:
                return function(*args, **kwargs)
            from distributed import performance_report

            sizes = {"n_workers": n_workers, "threads_per_worker": threads_per_worker}
            with client_of(**sizes) as client:
                note_dashboard(client, targets or os.environ.get("NBSCOPE_DASK_TARGETS"))
                with performance_report(filename=os.fspath(report_name), mode="inline"):
                    result = function(*args, **kwargs)
            if display_report and in_notebook():
                show_report(report_name)
            return result

        return traced

    return decorator


def single_thread_profiler(report_name=None, enable=True):
    """Returns the pstats.Stats of the call, sorted by the number of calls, instead of its result.

    dask's tasks run in one thread, whose functions are included. The statistics are printed and,
    with report_name, written to that file.
    """

    def decorator(function):
        @functools.wraps(function)
        def traced(*args, **kwargs):
            if not enable:
                return function(*args, **kwargs)
            with one_thread() as profiles:
                profiles[0].enable()
                try:
                    function(*args, **kwargs)
                finally:
                    profiles[0].disable()
            stats = pstats.Stats(profiles[0])
            for other in profiles[1:]:
                other.create_stats()
                if other.stats:
                    stats.add(other)
            stats.sort_stats("ncalls")
            if report_name:
                stats.dump_stats(report_name)
            stats.print_stats()
            return stats

        return traced

    return decorator


@contextlib.contextmanager
def client_of(n_workers=None, threads_per_worker=None, **options):
    """The Client that there is, unless a size is given; otherwise one of a new LocalCluster."""
    import distributed

    client = None
    if not n_workers and not threads_per_worker and not options:
        with contextlib.suppress(ValueError):
            client = distributed.default_client()
    if client is not None:
        yield client
        return
    with distributed.LocalCluster(
        n_workers=n_workers or None,
        threads_per_worker=threads_per_worker or None,
        dashboard_address="127.0.0.1:0",
        **options,
    ) as cluster, distributed.Client(cluster) as client:
        yield client


@contextlib.contextmanager
def one_thread():
    """Profiles of this thread and, where dask has one, of the thread that runs its tasks."""
    own = cProfile.Profile()
    try:
        import distributed  # noqa: F401
    except ImportError:
        with without_threads():
            yield [own]
        return
    with client_of(1, 1, processes=False) as client:
        # From Python 3.12 on, one profile sees all threads.
        if sys.version_info >= (3, 12):
            yield [own]
            return
        tasks = cProfile.Profile()
        # Submitted to the worker itself: a task would be pickled.
        executor = next(iter(client.cluster.workers.values())).executors["default"]
        executor.submit(tasks.enable).result()
        try:
            yield [own, tasks]
        finally:
            executor.submit(tasks.disable).result()


def without_threads():
    try:
        import dask
    except ImportError:
        return contextlib.nullcontext()
    return dask.config.set(scheduler="synchronous")


def note_dashboard(client, targets):
    if client.dashboard_link:
        log.info("dashboard of dask: %s", client.dashboard_link)
    if targets:
        partial = f"{targets}.{os.getpid()}.tmp"
        with open(partial, "w", encoding="utf-8") as file:
            json.dump(prometheus_targets(client), file)
        os.replace(partial, targets)


def prometheus_targets(client):
    """What share/prometheus/prometheus.yml reads: the scheduler and the workers."""
    scheduler = [client.dashboard_link.split("/")[2]] if client.dashboard_link else []
    workers = []
    for worker in client.scheduler_info(n_workers=-1)["workers"].values():
        port = (worker.get("services") or {}).get("dashboard")
        if port:
            workers.append(f"{worker['host']}:{port}")
    groups = {"scheduler": scheduler, "worker": workers}
    return [{"targets": found, "labels": {"role": role}} for role, found in groups.items() if found]


def in_notebook():
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and "IPKernelApp" in shell.config


def show_report(path):
    from IPython.display import HTML, display

    with open(path, encoding="utf-8") as file:
        display(HTML(file.read()))
