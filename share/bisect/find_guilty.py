#!/usr/bin/env python3
"""find_guilty: which release, which commit or which dependency made a notebook worse.

In:  --package, --good and --bad: a package of pip's index, or a checkout; or --from and --to: two
     lock files; the settings of make, by which runs are made
Out: UC/runs, UC/metrics: two labels for each comparison; --envs: an environment for each
     version; the last line names the guilty one
Status: 1 found, 0 none, 6 cannot tell; 2 wrong usage, 3 and 4: the input cannot be used or read.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

import candidates
from candidates import Wrong
from experiment import Ended, Experiment, said
from search import (
    MOST_UNKNOWN,
    NO_WORSE,
    NOT_INSTALLED,
    NOT_RUN,
    UNKNOWN,
    WORSE,
    first_bad,
    guilty_changes,
    is_least,
    most_tests,
)

FOUND, NONE, CANNOT_TELL = 1, 0, 6
LIST_USABLE = str(pathlib.Path(__file__).parents[2] / "mk/run/list-usable.sh")


def say(text):
    """Prints a line without what controls a terminal."""
    print(re.sub(r"[\x00-\x1f\x7f-\x9f]", "?", text), flush=True)


def duration(seconds):
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def longest(comparisons):
    """How long they take at most."""
    if not os.environ.get("MAX_SECONDS"):
        return "the number of runs is given, so no comparison ends before it"
    seconds = int(os.environ["MAX_SECONDS"])
    return f"each in MAX_TIME={os.environ['MAX_TIME']}, all in {duration(comparisons * seconds)}"


def with_date(candidate):
    return f"{candidate.name} ({candidate.date})" if candidate.date else candidate.name


def names(of):
    return ", ".join(of[:8]) + (f" and {len(of) - 8} more" if len(of) > 8 else "")


class Search:
    """The comparisons with the good one; each is announced and counted."""

    def __init__(self, experiment, good, most):
        self.experiment, self.good, self.most = experiment, good, most
        self.count, self.changes = 0, {}

    def compare(self, other, what=""):
        if self.experiment.install(other):
            self.count += 1
            of_most = f" of at most {self.most}" if self.count <= self.most else ""
            say(f"bisect: comparison {self.count}{of_most}: {what or other.name}")
        result, record = self.experiment.compare(self.good, other)
        if result != NOT_INSTALLED:
            change = f": {said(record)}" if record else ""
            say(f"bisect: {what or other.name}: {result}{change}")
        self.changes[other.file] = record
        return result

    def begin(self, bad, what):
        """Compares the bad one. Returns a status, if the search is over."""
        if not self.experiment.install(self.good):
            say(f"bisect: cannot tell: GOOD does not install: {self.good.name}")
            return CANNOT_TELL
        result = self.compare(bad, what)
        if result == WORSE:
            self.experiment.test = self.changes[bad.file]
            return None
        if result == NO_WORSE:
            say(f"bisect: none: {what} is no worse than {self.good.name}")
            return NONE
        say(f"bisect: cannot tell: {what}: {result}")
        return CANNOT_TELL


def stepped_over(found, results):
    """Names what decided nothing, and why."""
    for why in (NOT_INSTALLED, NOT_RUN, UNKNOWN):
        of = [found[i].name for i in sorted(results) if results[i] == why]
        if of:
            say(f"bisect: stepped over, {why}: {names(of)}")


def explain(make, folder, experiment, good, before, after):
    """The difference of the profiles of two versions, which are profiled for it."""
    labels = []
    for version in (before, after):
        a, b = experiment.labels(good, after if version is good else version)
        labels.append(a if version is good else b)
        venv = f"VENV={experiment.envs}/{version.file}"
        if experiment.run("explain", f"LABEL={labels[-1]}", venv):
            say(f"bisect: no profile of {version.name}: {experiment.last_words()}")
            return
    # The plans have the new profile runs only then.
    experiment.run("compare", f"BASE={labels[0]}", f"LABEL={labels[1]}", "ALLOW=all")
    plans = [f"{folder}/runs/{label}/plan" for label in labels]
    base, now = (
        subprocess.run(
            [LIST_USABLE, "--profile", plan],
            capture_output=True,
            text=True,
            check=False,
        ).stdout.splitlines()
        for plan in plans
    )
    if base and now:
        subprocess.run(["runprofile", *(f"--base={b}" for b in base), *now], check=False)
    else:
        say(f"bisect: no profiles of {before.name} and {after.name}")


def find_version(args, found, prepare):
    """Over versions in their order."""
    good, bad = found[0], found[-1]
    most = 1 + most_tests(len(found))
    say(f"bisect: {len(found)} versions: {names([c.name for c in found])}")
    say(
        f"bisect: first {bad.name} against {good.name}, then at most {most - 1} between them, and"
        f" one more for each that decides nothing; {longest(most + MOST_UNKNOWN)};"
        f" environments are kept in {args.envs}"
    )
    experiment = Experiment(args.make, args.folder, say, args.alpha, args.envs)
    search = Search(experiment, good, most)

    def test(i):
        prepare(found[i])
        return search.compare(found[i])

    prepare(good)
    prepare(bad)
    status = search.begin(bad, bad.name)
    if status is not None:
        return status
    low, high, results = first_bad(len(found), test)
    stepped_over(found, results)
    between = found[low + 1 : high]
    change = said(search.changes[found[high].file])
    if args.explain:
        explain(args.make, args.folder, experiment, good, found[low], found[high])
    if any(results.get(i, UNKNOWN) == UNKNOWN for i in range(low + 1, high)):
        say(
            f"bisect: cannot tell which: after {found[low].name}, up to {with_date(found[high])}:"
            f" {change}"
        )
        return CANNOT_TELL
    untested = f", or one before it that was not measured: {names([c.name for c in between])}"
    say(
        f"bisect: the first bad version is {with_date(found[high])}"
        f"{untested if between else ''}: {change}, against {good.name}"
    )
    return FOUND


def find_dependency(args):
    """Over the lines in which two lock files differ."""
    before, after = (candidates.locked(path) for path in (args.from_file, args.to))
    changed = candidates.changes_of(before, after)
    if not changed:
        raise Wrong(2, f"'{args.from_file}' and '{args.to}' have the same requirements")
    texts = {n: candidates.change_text(before, after, n) for n in changed}
    least = 1 + 2 * most_tests(len(changed) + 1)
    most = 1 + len(changed) ** 2 + 3 * len(changed)
    say(f"bisect: {len(changed)} dependencies differ: {names(list(texts.values()))}")
    say(
        f"bisect: first all of them, then about {least} comparisons if one is guilty, {most} at"
        f" most; {longest(most)}, about {longest(least).rpartition(' in ')[2]} for one;"
        f" environments are kept in {args.envs}"
    )
    experiment = Experiment(args.make, args.folder, say, args.alpha, args.envs)

    def of(changes):
        return candidates.locked_set(before, after, changes, experiment.envs)

    search = Search(experiment, of([])._replace(name=args.from_file), most)
    status = search.begin(of(changed), args.to)
    if status is not None:
        return status
    guilty, results = guilty_changes(
        changed, lambda some: search.compare(of(some), f"with the new {names(some)}")
    )
    for why in (NOT_INSTALLED, NOT_RUN, UNKNOWN):
        sets = [names(sorted(s)) for s in results if results[s] == why]
        if sets:
            say(f"bisect: sets stepped over, {why}: {'; '.join(sets)}")
    change = said(search.changes[of(guilty).file])
    text = ", ".join(texts[n] for n in guilty)
    if not is_least(guilty, results):
        say(f"bisect: cannot tell which of these: {text}: {change}")
        return CANNOT_TELL
    together = " together" if len(guilty) > 1 else ""
    say(f"bisect: guilty{together}: {text}: {change}, against {args.from_file}")
    return FOUND


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    for name in ("make", "package", "good", "bad", "from", "to", "releases", "alpha", "explain"):
        parser.add_argument(f"--{name}", default="", dest="from_file" if name == "from" else name)
    parser.add_argument("--envs", default="build/envs")
    parser.add_argument("folder")
    args = parser.parse_args()
    args.explain = args.explain == "1"
    for name in ("WITH", "JUPYTERLAB_URL"):
        if os.environ.get(name):
            raise Wrong(2, f"{name} is for one environment, and each version has its own")
    if bool(args.from_file or args.to) == bool(args.package or args.good or args.bad):
        raise Wrong(2, "either PACKAGE, GOOD and BAD, or FROM and TO are required")
    if args.from_file or args.to:
        if not (args.from_file and args.to):
            raise Wrong(2, "FROM and TO are two lock files")
        return find_dependency(args)
    if not (args.package and args.good and args.bad):
        raise Wrong(2, "PACKAGE, GOOD and BAD are required: PACKAGE=jdaviz GOOD=4.2 BAD=5.0")
    checkout = candidates.checkout_of(args.package)
    if not checkout:
        found = candidates.releases(args.package, args.good, args.bad, args.releases)
        return find_version(args, found, lambda _: None)
    envs = os.path.abspath(args.envs)
    found = candidates.commits(checkout, args.good, args.bad, envs)
    return find_version(
        args, found, lambda candidate: candidates.make_worktree(checkout, candidate, envs)
    )


try:
    sys.exit(main())
except Wrong as e:
    print(f"bisect: {e}", file=sys.stderr)
    sys.exit(e.status)
except KeyboardInterrupt:
    sys.exit(130)
except Ended as e:
    say(f"bisect: cannot tell: {e}")
    sys.exit(CANNOT_TELL)
