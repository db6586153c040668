# dask.py: dask's performance report of a cell: of the notebook's own Client if there is one, else
# of a LocalCluster that is made before the cell's code and closed after it. Options, "dask" of the
# settings or of the cell: n_workers, threads_per_worker, report_name, enable, display.
import os
import re
import tempfile

OPTIONS = "n_workers", "threads_per_worker", "report_name", "enable", "display"
MAX_TASKS = 20000  # of one cell; the shortest are left out


class Dask(Profiler):
    name = "dask"

    @classmethod
    def load(cls, settings):
        import bokeh
        import distributed

        cls.version = (
            f"distributed {distributed.__version__}, bokeh {bokeh.__version__}, "
            f"Python {platform.python_version()}"
        )

    def __init__(self, profile, settings):
        super().__init__(profile, settings)
        self.options = dict(settings.get("dask") or {}, **profile.options.get("dask") or {})
        self.cluster = self.client = self.report = self.folder = None
        self.dashboard, self.workers, self.tasks, self.earlier = None, {}, [], set()
        self.targets = {"scheduler": None, "workers": []}

    def begin(self):
        import distributed

        unknown = set(self.options) - set(OPTIONS)
        if unknown:
            raise Reason(
                f"there is no option {', '.join(sorted(unknown))}: "
                f"the options are {', '.join(OPTIONS)}"
            )
        if not self.options.get("enable", True):
            raise Reason("switched off by the option enable")
        try:
            self.client = distributed.default_client()
        except ValueError:
            self.cluster = distributed.LocalCluster(
                n_workers=self.options.get("n_workers"),
                threads_per_worker=self.options.get("threads_per_worker"),
                dashboard_address="127.0.0.1:0",
            )
            self.client = distributed.Client(self.cluster)
        if self.client.asynchronous:
            raise Reason("the notebook's Client is asynchronous")
        self.find_workers()
        self.folder = tempfile.mkdtemp(prefix="nbscope-profile.")
        self.path = os.path.join(self.folder, "report.html")

    def find_workers(self):
        """Where the scheduler and the workers show their dashboards and metrics."""
        self.dashboard = (self.client.dashboard_link or "").split("?")[0] or None
        if self.dashboard:
            self.targets["scheduler"] = self.dashboard.split("/")[2]
        for address, worker in self.client.scheduler_info(n_workers=-1)["workers"].items():
            self.workers[address] = str(worker.get("name", address))
            port = (worker.get("services") or {}).get("dashboard")
            if port:
                self.targets["workers"].append(f"{worker['host']}:{port}")

    def start(self):
        """Not for each statement: the cell is one, from its first statement to its end."""
        import distributed

        if self.report is None:
            report = distributed.performance_report(filename=self.path, mode="inline")
            report.__enter__()
            self.earlier = {task_identity(task) for task in self.client.get_task_stream()}
            self.report = report

    def end(self):
        try:
            if self.report is not None:
                self.end_report()
        finally:
            if self.cluster is not None:
                self.client.close()
                self.cluster.close()

    def add_tasks(self):
        """By identity and not by time: the scheduler's idea of a worker's clock may be off by more
        than a task takes."""
        self.tasks = [
            task_row(self.workers, task, part)
            for task in self.client.get_task_stream()
            if task_identity(task) not in self.earlier
            for part in task["startstops"]
        ]

    def end_report(self):
        import distributed

        try:
            own = distributed.default_client() is self.client
        except ValueError:
            own = False
        if not own:
            raise Reason("the cell made or closed a Client: profile the next cell")
        self.client.sync(self.report.__aexit__, None, None, None, code=self.profile.info.raw_cell)
        self.add_tasks()
        if self.options.get("display"):
            with open(self.path, encoding="utf-8") as file:
                sys.modules["IPython"].display.display(
                    sys.modules["IPython"].display.HTML(file.read())
                )

    def records(self, more):
        more["dashboard"], more["prometheus_targets"] = self.dashboard, self.targets
        reports = take_reports(self.profile, self.name, "html", more)
        try:
            if not os.path.exists(self.path):
                return reports
            with open(self.path, "rb") as file:
                report = re.sub(
                    rb'<link rel="shortcut icon"[^>]*>', b"", file.read()
                )  # a website's
            rows = file_record(self.profile, self.name, "html", report, more)
            tasks = sorted(self.tasks, key=lambda task: -task["duration_s"])[:MAX_TASKS]
            more["left_out"] = len(self.tasks) - len(tasks)
        finally:
            if os.path.exists(self.path):
                os.unlink(self.path)
            os.rmdir(self.folder)
        name = re.sub(r"[^\w.-]", "_", str(self.options.get("report_name") or ""))
        for row in rows:
            row["name"] = f"{row['name'][:-5]}-{name}.html" if name else row["name"]
        return rows + reports + sorted(tasks, key=lambda task: task["t"])


def task_identity(task):
    return str(task["key"]), task["worker"], task["thread"], str(task["startstops"])


def task_row(workers, task, part):
    worker = workers.get(task["worker"], task["worker"])
    key = str(task["key"])
    return {
        "type": "profile_task",
        "t": part["start"],
        "duration_s": max(part["stop"] - part["start"], 0),
        "action": part["action"],
        "function": re.sub(r"-[0-9a-f-]{6,}$", "", str(task.get("name") or key)),
        "key": key,
        "worker": f"worker {worker}, thread {task['thread']}",
        "status": task["status"],
        "bytes": task.get("nbytes"),
    }


PROFILERS["dask"] = Dask
