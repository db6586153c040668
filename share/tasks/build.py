#!/usr/bin/env -S python3 -B
"""build.py OUT PLAN KEY TITLE: makes those tables and figures of a campaign again that are stale,
two processes at a time, and then its report.

PLAN has the records of plan.jq. OUT/.work/made.json has what was made from what: KEY (what the rows
were made from), the commands, and the sizes and checksums of programs and outputs. Each message of
the programs is printed once.
"""

import concurrent.futures
import glob
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import zlib

SHARE = pathlib.Path(__file__).resolve().parent
PROCESSES = 2
# A summary that differs, or cannot be compared, and figures without data are no failures.
FINE = 0, 1, 6
# Nor is one that does not fit: it is skipped.
SKIPPED = 2, 3


def state(path):
    """What is in a file; None: there is none."""
    try:
        content = pathlib.Path(path).read_bytes()
    except OSError:
        return None
    return [len(content), zlib.crc32(content)]


def version(name):
    """Of a program, or of what is in a folder: it is not read each time."""
    found = pathlib.Path(shutil.which(name) or name)
    files = sorted(found.rglob("*")) if found.is_dir() else [found]
    return [[str(f), f.stat().st_size, f.stat().st_mtime_ns] for f in files if f.is_file()]


def digest(*what):
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()


class Refused(Exception):
    """What a program said that made nothing."""


class Build:
    def __init__(self, out, plan, key):
        self.out, self.work = pathlib.Path(out), pathlib.Path(out, ".work")
        lines = [json.loads(line) for line in pathlib.Path(plan).read_text("utf-8").splitlines()]
        self.settings = lines[0]
        self.jobs = {job["name"]: job for job in lines[1:]}
        self.made_file = self.work / "made.json"
        try:
            self.made = json.loads(self.made_file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            self.made = {}
        programs = {
            "table": digest(version("metricstat")),
            "figure": digest(version("metricplot"), version(SHARE.parent / "figure")),
        }
        self.keys = {
            name: digest(job, key, programs[job["type"]], self.settings["common"])
            for name, job in self.jobs.items()
        }
        self.stale = [n for n in self.jobs if self.is_stale(n, self.keys[n])]
        self.failed = []

    def is_stale(self, name, key):
        made = self.made.get(name, {})
        return made.get("key") != key or any(state(p) != s for p, s in made["outputs"].items())

    def set_made(self, name, key, outputs, messages=()):
        self.made[name] = {
            "key": key,
            "outputs": {p: state(p) for p in outputs},
            "messages": list(messages),
        }

    def forget(self):
        """Removes what an earlier plan made and this one does not make."""
        kept = {p for job in self.jobs.values() for p in job["output"]}
        for name in [n for n in self.made if n not in self.jobs and n != "report"]:
            for path in self.made.pop(name)["outputs"]:
                if path not in kept:
                    pathlib.Path(path).unlink(missing_ok=True)

    def run(self, command, output=None, must=False):
        """Runs a command, with its output in a file that appears whole; returns its messages."""
        with open(f"{output}.new" if output else os.devnull, "wb") as to:
            done = subprocess.run(command, stdout=to, stderr=subprocess.PIPE, check=False)
        messages = done.stderr.decode(errors="replace").splitlines()
        if done.returncode not in FINE:
            if output:
                os.unlink(to.name)
            if must or done.returncode not in SKIPPED:
                self.failed.append((command[0], done.returncode, messages))
            raise Refused(messages[-1] if messages else f"{command[0]} failed")
        if output:
            os.replace(to.name, output)
        return messages

    def skip(self, name, why):
        """Nothing is made, until something changes."""
        what = name.split(",")[0]
        text = f"tasks: skipped {what}: {why}; see {self.jobs[name]['setting']}"
        for path in self.jobs[name]["output"]:
            pathlib.Path(path).unlink(missing_ok=True)
        self.set_made(name, self.keys[name], self.jobs[name]["output"], [text])

    def make_table(self, name):
        job = self.jobs[name]
        try:
            messages = self.run(job["command"], job["output"][0], job.get("must", False))
            self.set_made(name, self.keys[name], job["output"], messages)
        except Refused as why:
            self.skip(name, why)

    def draw(self, number, names):
        """Draws figures with one process, which reads the rows once."""
        figures = self.work / f"figures.{number}"
        figures.write_text("".join(json.dumps(self.jobs[n]["record"]) + "\n" for n in names))
        rows = str(self.work / "rows.csv")
        command = ["metricplot", *self.settings["common"], "--figures", str(figures), rows]
        try:
            messages = self.run(command)
        except Refused as why:
            # The others are drawn without the one that does not fit.
            if len(names) == 1:
                self.skip(names[0], why)
            for name in names if len(names) > 1 else ():
                self.draw(number, [name])
            return
        for name in names:
            about = [m for m in messages if f": {name}: " in m]
            self.set_made(name, self.keys[name], self.jobs[name]["output"], about)

    def make(self):
        figures = [n for n in self.stale if self.jobs[n]["type"] == "figure"]
        for name in figures:
            for path in self.jobs[name]["output"]:
                pathlib.Path(path).unlink(missing_ok=True)
        # Those of one kind by one process, which is faster the second time; the hulls, which have
        # the most points, take about as long as all others.
        hulls = [n for n in figures if self.jobs[n]["record"]["kind"] == "hulls"]
        parts = [hulls, [n for n in figures if n not in hulls]]
        with concurrent.futures.ThreadPoolExecutor(PROCESSES) as pool:
            running = [pool.submit(self.draw, i, p) for i, p in enumerate(parts) if p]
            running += [
                pool.submit(self.make_table, n)
                for n in self.stale
                if self.jobs[n]["type"] == "table"
            ]
            self.show_progress(running, figures)
            for each in running:
                each.result()

    def show_progress(self, running, figures):
        """On a terminal, one line that is replaced."""
        while sys.stderr.isatty() and not all(r.done() for r in running):
            drawn = sum(os.path.exists(self.jobs[n]["output"][-1]) for n in figures)
            tables = len([r for r in running if r.done()])
            done = len(self.jobs) - len(self.stale) + drawn + tables
            text = f"tasks: {min(done, len(self.jobs))} of {len(self.jobs)} tables and figures"
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
            time.sleep(0.2)
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr)

    def records(self, data):
        """All that the report shows, in the order of the plan, with findings first."""
        found = [
            job["output"][0]
            for job in self.jobs.values()
            if job["output"][0].startswith(str(self.work)) and os.path.exists(job["output"][0])
        ]
        command = ["jq", "-cn", "-L", str(SHARE.parent / "jq"), "-f", str(SHARE / "findings.jq")]
        command += ["--arg", "data", data]
        command += ["--arg", "last", self.settings["last"]]
        command += [*found, str(self.work / "executions")]
        self.run(command, str(self.work / "report.jsonl"))

    def report(self, title, data):
        self.records(data)
        named = [(n, p) for n, j in self.jobs.items() for p in j["output"] if os.path.exists(p)]
        shown = [p for n, p in named if self.jobs[n]["type"] == "figure" and p.endswith(".svg")]
        made = [p for _, p in named if not p.startswith(str(self.work))]
        if "requests" in self.jobs:
            made += glob.glob(f"{glob.escape(str(self.out))}/requests/*")
        links = sorted(os.path.relpath(p, self.out) for p in made)
        template = os.environ.get("REPORT_TEMPLATE")
        command = ["metricreport", "--as", "tables", "--title", title]
        command += ["--record", str(self.out / "report.json")]
        command += ["--template", template] if template else []
        command += [w for p in shown for w in ("--figure", p)]
        command += [w for p in links for w in ("--link", p)]
        command += ["--output", str(self.out / "index.html"), str(self.work / "report.jsonl")]
        # That with another campaign which was made last.
        compared = sorted(self.out.glob("against-*/comparison.jsonl"), key=os.path.getmtime)
        comparison = str(compared[-1]) if compared else None
        command += [comparison] if comparison else []
        key = digest(
            command,
            [
                state(p)
                for p in (*shown, self.work / "report.jsonl", template or "", comparison or "")
            ],
            version("metricreport"),
        )
        if self.is_stale("report", key):
            messages = self.run(command)
            self.name_record(title)
            outputs = [str(self.out / f) for f in ("index.html", "report.json")]
            self.set_made("report", key, outputs, messages)

    def name_record(self, title):
        """In an index of reports, a campaign has its title."""
        path = self.out / "report.json"
        record = json.loads(path.read_text("utf-8")) | {"usecase": "campaign", "label": title}
        path.write_text(json.dumps(record, ensure_ascii=False) + "\n", encoding="utf-8")

    def say(self):
        messages = [m for made in self.made.values() for m in made["messages"]]
        for message in dict.fromkeys((*self.settings["skipped"], *messages)):
            print(message, file=sys.stderr)


def main():
    out, plan, key, title, data = sys.argv[1:]
    build = Build(out, plan, key)
    build.forget()
    build.make()
    if not build.failed:
        try:
            build.report(title, data)
        except Refused as why:
            build.failed.append(("the report", 3, [str(why)]))
    build.made_file.write_text(json.dumps(build.made, indent=0) + "\n", encoding="utf-8")
    build.say()
    for program, status, messages in build.failed:
        print(*messages, sep="\n", file=sys.stderr)
        print(f"tasks: no report: {program} failed, status {status}", file=sys.stderr)
    counts = [
        sum(
            1
            for j in build.jobs.values()
            for p in j["output"]
            if f"/{k}/" in p and os.path.exists(p)
        )
        for k in ("tables", "figures")
    ]
    if build.failed:
        sys.exit(min(status if status > 1 else 4 for _, status, _ in build.failed))
    print(
        f"tasks: {counts[0]} tables in {out}/tables, {counts[1]} figures in {out}/figures; "
        f"{len(build.stale)} made now; the report: {out}/index.html"
    )


if __name__ == "__main__":
    main()
