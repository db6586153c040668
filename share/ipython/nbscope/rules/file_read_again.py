"""The same file is read several times."""

from .words import number, place, size, without_profiler

RULE = {
    "name": "file_read_again",
    "title": "The same file is read again",
    "saw": "a file that has not changed was opened and read several times, by lines of own code, "
    "in this cell or in an earlier one. Files of Python, of packages and of the system do not "
    "count, nor do parts of a file: each time, the whole of it was read.",
    "instead": "read it once, before the loop or in an earlier cell, and keep what was read",
    "least": {"s": 0.2, "bytes": 10_000_000},
    "means": "the time of the lines that read it again, or the bytes that they read again",
}
WHOLE = 0.9  # of a file's size
LEAST_BYTES = 200_000  # of a file whose lines take long for another reason


def find(evidence):
    files = {}
    for o in evidence.get("opens") or ():
        if o["read"] >= WHOLE * o["bytes"] * o["times"] and o["cell"] <= evidence["cell"]:
            files.setdefault((o["path"], str(o["version"])), []).append(o)
    for (path, _), opens in files.items():
        here = [o for o in opens if o["cell"] == evidence["cell"]]
        times = sum(o["times"] for o in opens)
        again = sum(o["times"] for o in here) - (len(here) == len(opens))
        if again < 1:
            continue
        most = max(here, key=lambda o: o["times"])
        earlier = max((o["cell"] for o in opens if o not in here), default=None)
        name = f"`{path.rsplit('/', 1)[-1]}` ({size(most['bytes'])})"
        what = f"reads {name} {number(times)} times"
        if earlier:
            what = f"reads {name} again, which cell {earlier} has read"
            if again > 1:
                what = f"reads {name} {number(again)} more times: cell {earlier} has read it"
        yield {
            "text": f"{place(most, evidence)} {what}",
            "file": most["file"],
            "line": most["line"],
            "saved_s": seconds(evidence, here, again),
            "saved_bytes": again * most["bytes"],
        }


def seconds(evidence, opens, again):
    """Of the lines that read it, by the times that they ran: what reading it again takes."""
    spent = times = 0
    for o in opens:
        rows = [
            r
            for r in evidence.get("lines") or ()
            if r["file"] == o["file"] and r["line"] == o["line"] and r["hits"]
        ]
        for row in rows[:1] if o["bytes"] >= LEAST_BYTES else ():
            spent += row["time_s"] * min(1.0, o["times"] / row["hits"])
            times += o["times"]
    return without_profiler(spent * again / times, evidence, "lines") if times else None
