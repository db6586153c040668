"""spark_log.py FOLDER: prints the stages in the event logs of Spark that are in FOLDER.

A `spark_application` record for each application, and a `spark_stage` record for each attempt of a
stage. Events that are not about jobs or stages are skipped by how they begin, since a log can have
several GB. An application that has not ended, and logs in several files, are read.
"""

import json
import os
import re
import subprocess
import sys
import time

MAX_STAGES = 10000  # of an application; the others are counted
BLOCK_BYTES = 1 << 20
PAUSE_S = 0.05
# How events begin that are parsed.
EVENTS = tuple(
    b'{"Event":"%s"' % name
    for name in (
        b"SparkListenerLogStart",
        b"SparkListenerApplicationStart",
        b"SparkListenerApplicationEnd",
        b"SparkListenerJobStart",
        b"SparkListenerJobEnd",
        b"SparkListenerStageSubmitted",
        b"SparkListenerStageCompleted",
        b"org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart",
    )
)
# A member of spark_stage, the accumulables of Spark that it is the sum of, and their unit in ours.
SUMS = (
    ("rows_read", ("input.recordsRead", "shuffle.read.recordsRead"), 1),
    ("rows_written", ("output.recordsWritten", "shuffle.write.recordsWritten"), 1),
    ("read_bytes", ("input.bytesRead",), 1),
    ("written_bytes", ("output.bytesWritten",), 1),
    ("shuffle_read_bytes", ("shuffle.read.localBytesRead", "shuffle.read.remoteBytesRead"), 1),
    ("shuffle_written_bytes", ("shuffle.write.bytesWritten",), 1),
    ("task_ms", ("executorRunTime",), 1),
    ("jvm_cpu_ms", ("executorCpuTime",), 1e-6),
    ("gc_ms", ("jvmGCTime",), 1),
)
PYTHON_MS, PYTHON_DATA = "time to run Python workers", "data sent to Python workers"


class Unreadable(Exception):
    """A log that cannot be read, and why."""


# ---- files -----------------------------------------------------------------------------------


def logs(folder):
    """The files of each application in this folder: [APPLICATION, [path, ...]], oldest first."""
    found = []
    for entry in sorted(os.scandir(folder), key=lambda e: (e.stat().st_ctime, e.name)):
        if entry.is_dir() and entry.name.startswith("eventlog_v2_"):
            parts = [re.match(r"events_(\d+)_", name) for name in os.listdir(entry.path)]
            parts = sorted((int(part[1]), part.string) for part in parts if part)
            paths = [os.path.join(entry.path, name) for _, name in parts]
            found.append([entry.name[len("eventlog_v2_") :], paths])
        elif entry.is_file() and not entry.name.startswith("."):
            name = entry.name.removesuffix(".inprogress")
            found.append([re.sub(r"\.(zstd|lz4|lzf|snappy)$", "", name), [entry.path]])
    return found


def compression(path):
    found = re.search(r"\.(zstd|lz4|lzf|snappy)(\.compact)?(\.inprogress)?$", path)
    return found[1] if found else None


def zstd_lines(path):
    try:
        with subprocess.Popen(
            ["zstd", "-dcq", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as process:
            yield from process.stdout
    except OSError:
        raise Unreadable("it is compressed, and there is no command zstd: install zstd") from None
    if process.returncode and not path.endswith(".inprogress"):
        raise Unreadable("its compressed text is damaged")


def plain_lines(path, wait):
    """Its whole lines; at the end of the file as long as wait() those that are added."""
    with open(path, "rb") as file:
        rest = b""
        while True:
            line = file.readline(BLOCK_BYTES)
            if line.endswith(b"\n"):
                yield rest + line
                rest = b""
            elif line:
                rest += line
            elif not wait():
                return
            else:
                time.sleep(PAUSE_S)


def lines(paths, wait):
    for path in paths:
        how = compression(path)
        if how == "zstd":
            yield from zstd_lines(path)
        elif how:
            raise Unreadable(
                f"it is compressed by {how}, in a format of Spark's own:"
                " set spark.eventLog.compress=false, or its codec to zstd"
            )
        else:
            yield from plain_lines(path, wait if path == paths[-1] else lambda: False)


# ---- stages ----------------------------------------------------------------------------------


def number(value):
    """Spark writes the numbers of SQL as text."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return 0.0


def why_failed(text):
    """The error of Python that failed a stage, otherwise the first line of what Spark says."""
    text = (text or "").partition("\n\tat ")[0]  # the stack of the JVM follows
    found = [line.strip() for line in text.split("\n")]
    found = [line for line in found if line and not line.startswith("SQLSTATE")]
    if not found:
        return None
    return (found[-1] if found[0].endswith("(most recent call last):") else found[0])[:300]


def operators(info):
    """What its RDDs are for, in the order in which they were made: Exchange, ArrowEvalPython."""
    names = []
    for rdd in sorted(info.get("RDD Info") or [], key=lambda rdd: rdd.get("RDD ID", 0)):
        try:
            name = json.loads(rdd["Scope"])["name"].strip()
        except (KeyError, TypeError, ValueError):
            name = rdd.get("Name") or ""
        if name and name not in names:
            names.append(name)
    return names


def python_ms(sums, names, version, failed):
    """How long Python ran, and otherwise why that is not known."""
    if PYTHON_MS in sums:
        return sums[PYTHON_MS], None
    if PYTHON_DATA in sums:
        return None, f"Spark {version} does not record how long Python runs; newer versions do"
    if "PythonRDD" in names:
        return None, "Spark records how long Python runs for DataFrames, not for RDDs"
    if failed and any(re.search("Python|Pandas|Arrow", name) for name in names):
        return None, "Spark records how long Python runs when its tasks complete"
    return 0.0, None


def whole(value):
    return int(value) if value is not None and value == int(value) else value


def stage(info, application, version, ended):
    """The record of an attempt of a stage; its numbers come with its end."""
    begin, end = info.get("Submission Time"), info.get("Completion Time")
    failed, names = why_failed(info.get("Failure Reason")), operators(info)
    sums = {}
    for one in info.get("Accumulables") or []:
        name = str(one.get("Name")).removeprefix("internal.metrics.")
        sums[name] = sums.get(name, 0.0) + number(one.get("Value"))
    record = {
        "type": "spark_stage",
        "t": begin / 1000 if begin else None,
        "cell_index": None,
        "application": application,
        "stage": info.get("Stage ID"),
        "stage_attempt": info.get("Stage Attempt ID", 0),
        "stage_name": "",
        "operators": names,
        "status": "failed" if failed else "completed" if ended else "unfinished",
        "reason": failed,
        "duration_ms": end - begin if ended and begin and end else None,
        "tasks": info.get("Number of Tasks"),
    }
    why = "the log of Spark does not have its end"
    for member, sources, unit in SUMS:
        total = sum(sums.get(source, 0) for source in sources) * unit
        record[member] = whole(round(total, 3)) if ended else None
    time_ms, unknown = python_ms(sums, names, version, failed) if ended else (None, why)
    record["python_ms"] = whole(time_ms)
    record["reasons"] = {"python_ms": unknown} if ended and unknown else {}
    if not ended:
        members = ["duration_ms", *(member for member, _, _ in SUMS), "python_ms"]
        record["reasons"] = dict.fromkeys(members, why)
    return record


def set_lanes(stages):
    """Stages that overlap are in different lanes, as in a trace."""
    ends = []
    for record in stages:
        lane = next((n for n, end in enumerate(ends) if end <= record["t"]), len(ends))
        ends[lane : lane + 1] = [record["t"] + (record["duration_ms"] or 0) / 1000]
        record["lane"] = f"stages {lane + 1}"


class Application:
    """What one log says."""

    def __init__(self, name, paths):
        self.id, self.paths, self.version = name, paths, "unknown"
        self.name = self.t = self.reason = None
        self.ended = False
        self.jobs, self.stages, self.queries, self.names = set(), {}, {}, {}

    def take(self, event):
        kind = event["Event"].rpartition(".SparkListener")[2].removeprefix("SparkListener")
        if kind == "LogStart":
            self.version = event.get("Spark Version") or self.version
        elif kind == "ApplicationStart":
            self.id = event.get("App ID") or self.id
            self.name, self.t = event.get("App Name"), event.get("Timestamp", 0) / 1000
        elif kind == "ApplicationEnd":
            self.ended = True
        elif kind == "JobStart":
            self.jobs.add(event.get("Job ID"))
        elif kind == "JobEnd":
            self.jobs.discard(event.get("Job ID"))
        elif kind == "SQLExecutionStart":
            self.queries[str(event.get("executionId"))] = event.get("description")
        else:
            self.take_stage(event["Stage Info"], event.get("Properties"), kind == "StageCompleted")

    def take_stage(self, info, properties, ended):
        """A stage is named as Spark names its query: where user's code asked for it."""
        key = info.get("Stage ID"), info.get("Stage Attempt ID")
        if properties:
            query = self.queries.get(properties.get("spark.sql.execution.id"))
            self.names[key] = properties.get("spark.job.description") or query
        self.stages[key] = stage(info, self.id, self.version, ended)
        self.stages[key]["stage_name"] = self.names.get(key) or info.get("Stage Name") or ""

    def read(self, until):
        """Waits for the end of jobs until then: their events come a moment after their results."""
        damaged = 0
        try:
            for line in lines(self.paths, lambda: self.jobs and time.monotonic() < until):
                if not line.startswith(EVENTS):
                    continue
                try:
                    self.take(json.loads(line))
                except (KeyError, TypeError, ValueError):
                    damaged += 1
        except (PermissionError, Unreadable) as error:
            self.reason = str(error)
        if damaged:
            self.reason = f"{damaged} of its events cannot be read"

    def records(self):
        stages = [record for record in self.stages.values() if record["t"]]
        stages.sort(key=lambda record: (record["t"], record["stage"]))
        set_lanes(stages)
        if len(stages) > MAX_STAGES:
            self.reason = f"only {MAX_STAGES} of its {len(stages)} stages are listed"
        return [
            {
                "type": "spark_application",
                "t": self.t or os.stat(self.paths[0]).st_ctime,
                "cell_index": None,
                "application": self.id,
                "application_name": self.name,
                "spark_version": self.version,
                "ended": self.ended,
                "stages": len(stages),
                "log_bytes": sum(os.stat(path).st_size for path in self.paths),
                "reason": self.reason,
            },
            *stages[:MAX_STAGES],
        ]


def records(folder, wait_s=0.0):
    """The records of all applications; waits up to wait_s for jobs that are being logged."""
    until = time.monotonic() + wait_s
    while True:
        found = []
        try:
            for name, paths in logs(folder):
                application = Application(name, paths)
                application.read(until)
                found += application.records()
            return found
        except FileNotFoundError:  # a log is renamed when its application ends
            if not os.path.isdir(folder):
                return []


if __name__ == "__main__":
    for record in records(sys.argv[1]):
        print(json.dumps(record, ensure_ascii=False, separators=(",", ":")))
