#!/usr/bin/env -S python3 -B
"""executions.py [--status COLUMN] [--attempt COLUMN] [--id COLUMNS] [--kind COLUMN] FAILED COUNTS:
counts each execution once.

Reads a CSV table of tasks from standard input and writes those that completed to standard output,
those that failed to the file FAILED (with a column "outcome": failed, or repeated if another
attempt completed), and how many did not run, failed or were listed twice, as a record, to COUNTS.
The steps of a job of Slurm (JobID.batch) belong to the job, which has the largest of their values
where it has none. A value of --kind without a tag becomes the column "task".
"""

import argparse
import csv
import json
import re
import sys

NOT_RUN = set(
    "CACHED STORED SKIPPED PENDING SUBMITTED QUEUED NEW RUNNING SUSPENDED RESIZING IDLE HELD "
    "WAITING READY UNREADY PRUNED CONFIGURING COMPLETING NOT_RUN".split()
)
FAILED = set(
    "FAILED FAILURE FAIL ABORTED ERROR CRASHED KILLED TIMEOUT TIMED_OUT OUT_OF_MEMORY OOM "
    "CANCELLED CANCELED NODE_FAIL BOOT_FAIL DEADLINE PREEMPTED REVOKED UPSTREAM_FAILED EVICTED "
    "BROKEN".split()
)
REPEATED = {"REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "RESTARTED", "RETRIED", "UP_FOR_RETRY"}
COMPLETED = set("COMPLETED COMPLETE SUCCEEDED SUCCESS SUCCESSFUL OK DONE PASSED FINISHED".split())
STEP = re.compile(r"(.+)\.(?:batch|extern|interactive|\d+)")


def outcome_of(word):
    """What a state or an exit code says; "": nothing that is known, which counts as completed."""
    text = word.strip().upper()
    # "CANCELLED by 1000", "OUT OF MEMORY", "TIMEOUT (true)"
    names = {text.replace(" ", "_"), *(text.split(" ")[:1])}
    for outcome, words in (
        ("not run", NOT_RUN),
        ("failed", FAILED),
        ("repeated", REPEATED),
        ("completed", COMPLETED),
    ):
        if names & words:
            return outcome
    code = re.fullmatch(r"(-?\d+)(?:\.0)?(?::(\d+))?", text)
    if code:
        return "completed" if int(code[1]) == 0 and int(code[2] or 0) == 0 else "failed"
    return ""


def kind_of(name):
    """'ALIGN (sample 1)', 'align_07' and 'align[3]' are ALIGN and align."""
    shorter = re.sub(r"\s*[(\[].*[)\]]$", "", name)
    if shorter == name:
        shorter = re.sub(r"[-_. #]*\d+$", "", name)
    return shorter or name


def number(text):
    """Also a size, 469838K; what is none is less than all others."""
    size = re.fullmatch(r"([\d.]+(?:e[+-]?\d+)?)([KMGTP]?)(?:i?B)?", text)
    try:
        return float(size[1]) * 1024 ** " KMGTP".index(size[2] or " ") if size else float(text)
    except ValueError:
        return float("-inf")


def jobs_of(rows, at, counts):
    """Jobs with what only their steps have; of a job that ran again, each time."""
    jobs, last = [], {}
    for row in rows:
        step = STEP.fullmatch(row[at])
        name = step[1] if step else row[at]
        job = last.get(name)
        if job is None or not step:
            row[at] = name
            last[name] = row
            jobs.append((row, [bool(v) for v in row]))
            last[name] = jobs[-1]
            continue
        counts["steps"] += 1
        own, known = job
        for i, value in enumerate(row):
            if value and not known[i] and number(value) >= number(own[i] or "-inf"):
                own[i] = value
    return (job for job, _ in jobs)


class Outcomes:
    """Sorts rows into those that completed, failed or did not run."""

    def __init__(self, head, options, counts):
        self.head, self.options, self.counts = head, options, counts
        self.status = head.index(options.status) if options.status in head else None
        self.attempt = head.index(options.attempt) if options.attempt in head else None
        self.key = [head.index(c) for c in options.id.split() if c in head]
        self.own = [i for i, name in enumerate(head) if not name.startswith("source_")]
        self.words, self.seen, self.completed, self.failed = {}, set(), set(), []
        self.again = False  # whether ids are those of tasks: most that completed are different
        self.n_completed = 0

    def key_of(self, row):
        return hash(tuple(row[i] for i in self.key)) if self.key else None

    def is_listed(self, row):
        if not self.key:
            return False
        same = hash(tuple(row[i] for i in self.own))
        if same in self.seen:
            return True
        self.seen.add(same)
        return False

    def sort(self, rows):
        """Yields those that completed."""
        counts = self.counts
        for row in rows:
            word = row[self.status] if self.status is not None else ""
            outcome = self.words.get(word)
            if outcome is None:
                outcome = self.words[word] = outcome_of(word)
            if self.is_listed(row):
                counts["twice"] += 1
            elif outcome == "not run":
                counts["not_run"][word] = counts["not_run"].get(word, 0) + 1
            elif outcome in ("failed", "repeated"):
                self.failed.append((row, outcome))
            else:
                self.n_completed += 1
                self.completed.add(self.key_of(row))
                yield row

    def put_failed(self, path):
        """Those whose task completed in another attempt ran again."""
        # Names that many tasks share do not tell which one ran again.
        unique = self.key and len(self.completed) >= 0.9 * self.n_completed
        last = {}
        for row, _ in self.failed:
            last[self.key_of(row)] = id(row)
        with open(path, "w", newline="", encoding="utf-8") as to:
            out = csv.writer(to)
            out.writerow([*self.head, "outcome"])
            for row, outcome in self.failed:
                key = self.key_of(row)
                if unique and (key in self.completed or last[key] != id(row)):
                    outcome = "repeated"
                self.counts[outcome] += 1
                out.writerow([*row, outcome])


def last_attempts(rows, outcomes):
    """Without a status, the last attempt of a task is the one that completed."""
    last = {}
    for row in rows:
        key, at = outcomes.key_of(row), number(row[outcomes.attempt])
        if key in last and at <= number(last[key][outcomes.attempt]):
            outcomes.failed.append((row, "repeated"))
            continue
        if key in last:
            outcomes.failed.append((last[key], "repeated"))
        last[key] = row
    return last.values()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("--status", "--attempt", "--id", "--kind"):
        parser.add_argument(option, default="")
    parser.add_argument("failed")
    parser.add_argument("counts")
    options = parser.parse_args()
    csv.field_size_limit(sys.maxsize)
    rows = csv.reader(sys.stdin)
    head = next(rows)
    counts = {"type": "executions", "completed": 0, "failed": 0, "repeated": 0, "twice": 0}
    counts |= {"steps": 0, "not_run": {}}
    jobs = next((i for i, n in enumerate(head) if n.lower() in ("jobid", "jobidraw")), None)
    if jobs is not None:
        rows = jobs_of(rows, jobs, counts)
    if options.kind in head:
        at = head.index(options.kind)
        head.append("task")
        rows = ([*row, kind_of(row[at])] for row in rows)
    outcomes = Outcomes(head, options, counts)
    if outcomes.attempt is not None and outcomes.status is None and outcomes.key:
        rows = last_attempts(rows, outcomes)
    out = csv.writer(sys.stdout)
    out.writerow(head)
    out.writerows(outcomes.sort(rows))
    outcomes.put_failed(options.failed)
    counts["completed"] = outcomes.n_completed
    with open(options.counts, "w", encoding="utf-8") as to:
        json.dump(counts, to)
        to.write("\n")


if __name__ == "__main__":
    sys.stdin.reconfigure(newline="", encoding="utf-8", errors="surrogateescape")
    sys.stdout.reconfigure(newline="", encoding="utf-8", errors="surrogateescape")
    main()
