"""A trait of a widget is set in a loop, faster than a person can see."""

from .words import number, place

RULE = {
    "name": "trait_set_in_loop",
    "title": "A widget's trait is set in a loop",
    "saw": "the kernel set a trait of a widget again and again, more often than 60 times a second: "
    "each value is a message that the page handles, and most were replaced before the next frame.",
    "instead": "set it once after the loop, or put the loop into `with widget.hold_sync():`; for "
    "progress, set it every hundredth time",
    "least": {"messages": 200},
    "means": "the messages in excess of one for each frame of the screen",
}
FRAME_S = 1 / 60


def find(evidence):
    for u in evidence.get("updates") or ():
        hidden = u["times"] - 1 - u["span_s"] / FRAME_S
        if hidden > 0:
            yield {
                "text": f"{place(u, evidence)} sets `{u['trait']}` of {u['model']} "
                f"{number(u['times'])} times in {u['span_s']:.2g} s, each in a message of its own",
                "file": u.get("file"),
                "line": u.get("line"),
                "saved_messages": int(hidden),
            }
