"""A figure is drawn several times, of which one stays visible."""

import re

from .words import number, place, size, without_profiler

RULE = {
    "name": "figure_replaced",
    "title": "Figures are drawn and replaced at once",
    "saw": "a cell showed several figures, and cleared or replaced all of them but the last. "
    "Progress that a person watches is no mistake: the rule is silent if the cell sleeps or pauses "
    "between the figures, or if the kernel waited more than it worked.",
    "instead": "show the figure once, after the loop; for progress, every tenth time or once a "
    "second",
    "least": {"s": 0.2, "bytes": 1_000_000},
    "means": "the time of the lines that drew what was replaced (without lines: a share of the "
    "time in which they were shown one after the other, if that is less than 0.3 s for each), or "
    "the bytes of what was replaced",
}
LEAST_TIMES = 3
WATCHED_S = 0.3  # a figure that stays this long is seen
IDLE_SHARE = 0.5
PAUSE = re.compile(r"\b(sleep|pause)\(")
UNKNOWN_SHARE = 0.5  # of the time between two figures, for drawing one


def find(evidence):
    seen = evidence.get("replaced")
    if not seen or seen["times"] < LEAST_TIMES or is_watched(evidence):
        return
    stay = seen["shown"] - seen["times"]
    yield {
        "text": f"{place(seen, evidence)} draws {number(seen['shown'])} figures "
        f"({size(seen['bytes'])}), of which "
        + (f"{number(stay)} stays visible" if stay == 1 else f"{number(stay)} stay visible"),
        "file": seen.get("file"),
        "line": seen.get("line"),
        "saved_s": seconds(evidence, seen),
        "saved_bytes": seen["bytes"],
    }


def is_watched(evidence):
    lines = [r["source"] or "" for r in evidence.get("lines") or () if r["hits"]]
    if any(PAUSE.search(line) for line in [*lines, evidence.get("source") or ""]):
        return True
    kernel_s, ready_s = evidence.get("kernel_s"), evidence.get("ready_s")
    return kernel_s and ready_s is not None and ready_s < IDLE_SHARE * kernel_s


def seconds(evidence, seen):
    rows = [
        r
        for r in evidence.get("lines") or ()
        if seen.get("file") == r["file"] and seen.get("line") == r["line"]
    ]
    if rows:
        return without_profiler(
            rows[0]["time_s"] * seen["times"] / seen["shown"], evidence, "lines"
        )
    each = seen["span_s"] / seen["times"]
    return UNKNOWN_SHARE * seen["span_s"] if each < WATCHED_S else None
