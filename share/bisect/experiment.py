"""One comparison: `make env` installs a version, and `make ab` measures it and the good one."""

import json
import os
import pathlib
import subprocess

from search import NO_WORSE, NOT_INSTALLED, NOT_RUN, UNKNOWN, WORSE

# The error of each step, so that a search of ten is right in 95 % of cases.
ALPHA = "0.005"


class Ended(Exception):
    """make could not compare at all: what it said."""


def certainty(record):
    """How large a change is, in widths of its interval; 0: that has no bounds."""
    if record["shift_low"] is None or record["shift_high"] is None:
        return 0
    width = record["shift_high"] - record["shift_low"]
    return abs(record["shift"]) / width if width > 0 else float("inf")


def deciding_test(records):
    """Of what is worse, the test that the steps ask: a time, if there is one; the most certain."""
    worse = [r for r in records if r["gate"] and r["result"] == "worse"]
    return max(worse, key=lambda r: (r["unit"] == "s", certainty(r)), default=None)


def limits_of(record):
    """The deciding test for mk/metric/compare-labels.sh: a version is bad if more than half of
    the change is in it, so that both answers are equally far away.
    """
    half = abs(record["shift"]) / 2
    of = {k: record.get(k) for k in ("metric", "name", "cell_index", "interaction")}
    if record["base_median"]:
        of["share"] = half / abs(record["base_median"])
        # "No worse" rules out ten floors, too.
        of["floor"] = min(half, record["threshold"] or half) / 10
    else:
        of["floor"] = half
    return of


def said(record):
    """The change as a report has it."""
    where = f" cell {record['cell_index']}" if record["cell_index"] else ""
    where += f", {record['interaction']}" if record.get("interaction") else ""
    metric = record["metric"].replace("_execution_time_metric", " time").replace("_", " ")
    unit = f" {record['unit']}" if record["unit"] else ""
    return (
        f"{metric} of {record['name']}{where} {record['change']}, "
        f"from {record['base_median']:.4g} to {record['median']:.4g}{unit}"
    )


class Experiment:
    """The comparisons of one search. MAKE is the command, FOLDER the use case's."""

    def __init__(self, make, folder, say, alpha="", envs="build/envs"):
        self.make, self.folder, self.say, self.alpha = make, folder, say, alpha or ALPHA
        self.envs = pathlib.Path(envs).resolve()
        self.log = pathlib.Path(os.environ.get("NBSCOPE_SCRATCH", "/tmp"), f"log.{os.getpid()}")
        self.installed = {}
        self.test = None

    def run(self, *words, **more):
        """Runs make; passes on what `make ab` says of its progress. Returns its status."""
        # What make exports for a label of its own.
        own = "REPEAT", "LABEL", "BASE", "VENV"
        env = {k: v for k, v in os.environ.items() if k not in own}
        made = subprocess.Popen(
            [*self.make.split(), *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env={**env, **more},
        )
        with made, self.log.open("w") as log:
            for line in made.stdout:
                log.write(line)
                if line.startswith("ab: "):
                    self.say(f"    {line.strip()}")
        return made.returncode

    def last_words(self):
        lines = [x for x in self.log.read_text().splitlines() if not x.startswith("make")]
        return " ".join(lines[-1:]) or "make failed"

    def install(self, candidate):
        """Makes its environment, unless it is there. Returns whether that was possible."""
        if candidate.file not in self.installed:
            with_words = f"WITH={candidate.requirements}"
            status = self.run("env", f"LABEL={candidate.file}", with_words)
            self.installed[candidate.file] = status == 0
            if status:
                self.say(f"bisect: {candidate.name} does not install: {self.last_words()}")
        return self.installed[candidate.file]

    def labels(self, good, other):
        return f"{good.file}-vs-{other.file}"[:120], f"{other.file}-vs-{good.file}"[:120]

    def compare(self, good, other):
        """Compares OTHER with GOOD. Returns the result, and the record of the deciding test."""
        if not self.install(other):
            return NOT_INSTALLED, None
        a, b = self.labels(good, other)
        out = pathlib.Path(self.folder, "metrics", b, f"against-{a}")
        for old in ("verdict.json", "comparison.jsonl"):
            out.joinpath(old).unlink(missing_ok=True)
        words = ["ab", f"A={a}", f"B={b}", f"ALPHA={self.alpha}"]
        words.append("ALLOW=" + ",".join(filter(None, [os.environ.get("ALLOW"), "packages"])))
        decides = limits_of(self.test) if self.test else None
        if decides:
            words.append(f"GATE={self.test['metric']}")
        self.run(
            *words,
            VENV=f"{self.envs}/{good.file}",
            PREPARE_A=f"VENV={self.envs}/{good.file}",
            PREPARE_B=f"VENV={self.envs}/{other.file}",
            DECIDED_BY=json.dumps(decides) if decides else "",
        )
        try:
            verdict = json.loads(out.joinpath("verdict.json").read_text())
            lines = out.joinpath("comparison.jsonl").read_text().splitlines()
        except FileNotFoundError:
            raise Ended(self.last_words()) from None
        return self.judge(verdict, [json.loads(line) for line in lines])

    def judge(self, verdict, records):
        if any(f["failed"] == f["runs"] and not f["base_failed"] for f in verdict["failures"]):
            return NOT_RUN, None
        if verdict["verdict"] == "unknown" and verdict["reason"] not in ("runs", "busy"):
            raise Ended(verdict["line"])
        records = [r for r in records if r["type"] == "comparison"]
        if not self.test:
            decided = deciding_test(records)
            result = {"worse": WORSE, "no_worse": NO_WORSE}.get(verdict["verdict"], UNKNOWN)
            return (result if decided or result != WORSE else UNKNOWN), decided
        keys = ("cell_index", "interaction")
        of = [r for r in records if all(r.get(k) == self.test.get(k) for k in keys)]
        if not of:
            return NOT_RUN, None
        words = {"worse": WORSE, "no_worse": NO_WORSE, "better": NO_WORSE}
        return words.get(of[0]["result"], UNKNOWN), of[0]
