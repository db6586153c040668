"""The same data are sent to the browser more than once."""

from .words import number, place, size

RULE = {
    "name": "data_sent_again",
    "title": "Data are sent to the browser twice",
    "saw": "data of at least 64 kB were sent to the page that it had received before: by a widget, "
    "in the same notebook; in an output, by the same cell.",
    "instead": "send it once: let the widgets share one model (the same mark, scale or layer), "
    "set a trait only if its value has changed, show an output once",
    "least": {"bytes": 1_000_000},
    "means": "the bytes that were sent again",
}


def find(evidence):
    for s in evidence.get("sent") or ():
        again = s["times"] - 1
        if again > 0:
            yield {
                "text": f"{place(s, evidence)} sends the same {size(s['bytes'])} of {s['what']} "
                f"{number(s['times'])} times",
                "file": s.get("file"),
                "line": s.get("line"),
                "saved_bytes": again * s["bytes"],
            }
