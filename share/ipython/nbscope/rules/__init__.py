"""Plain mistakes in cells, by name: judge(evidence) returns those that mending would pay for.

A rule is a module of this folder: RULE, its data, from which nbscope-rules(7) is written, and
find(evidence), which yields what the rule saw. judge() keeps what reaches a threshold of the rule.

The evidence is of one cell, a dict. Each member may be missing or None: not known, and rules that
need it are silent.

  cell      number of the code cell, from 1; its lines are of the file "<cell N>"
  source    of the cell
  kernel_s  seconds that the kernel worked on the cell without a profiler
  ready_s   seconds of them in which it did not wait: its CPU time and its run-queue wait
  opens     files that were opened for reading, in this cell or in earlier ones of the run, one for
            each file as it then was, cell and place: {path, version, bytes: its size, times,
            read: bytes that these times read in all, cell, file, line}
  replaced  figures that the cell showed and then removed or replaced: {shown: how many in all,
            times: how many did not stay, bytes: of these, span_s: from the first that was shown to
            the last}, and the place (file, line) that showed most of them
  sent      data that were sent to the page more than once: [{what: a MIME type, or the model and
            the trait of a widget, bytes: of one time, times, file, line: of the last time}]
  updates   traits of widgets that the kernel has set more than once: [{model, trait, times,
            span_s: from the first to the last, file, line}]
  pictures  images of the output that have more pixels than their place: [{width, height,
            shown_width, shown_height: in pixels of the screen, bytes: of the file}]
  lines     members of profile_line records, and
  lines_s   the time of their pass
  functions, functions_s  the same of profile_function records; sampled ones have calls None

replaced, sent, updates and pictures are what the page knows of any cell (members of its cell
record, page.evidence), without places. Collector in collect.py finds the first three, and opens,
inside the kernel, with places. A file is "<cell N>" or the path of own code; both file and line are
None where no own code was found.

A mistake is a dict: rule, text (what was seen: one sentence without a full stop), instead (what to
write), file and line (or None), saved_s and saved_bytes (what mending saves at least; None: not
known).
"""

import importlib
import os

NAMES = sorted(
    name[:-3]
    for name in os.listdir(os.path.dirname(os.path.abspath(__file__)))
    if name.endswith(".py") and not name.startswith("_") and name not in ("collect.py", "words.py")
)
MODULES = [importlib.import_module("." + name, __name__) for name in NAMES]


def judge(evidence):
    """The mistakes of a cell, those first that cost most time, then most bytes."""
    found = []
    for module in MODULES:
        for seen in module.find(evidence):
            if pays(module.RULE, seen):
                found.append(mistake(module.RULE, seen))
    return sorted(found, key=lambda m: (-(m["saved_s"] or 0), -(m["saved_bytes"] or 0)))


def pays(rule, seen):
    """Whether a threshold is reached: least_s, least_bytes ..., of what is saved."""
    return any((seen.get("saved_" + key) or 0) >= least for key, least in rule["least"].items())


def mistake(rule, seen):
    return {
        "rule": rule["name"],
        "text": seen["text"],
        "instead": seen.get("instead") or rule["instead"],
        "file": seen.get("file"),
        "line": seen.get("line"),
        "saved_s": seen.get("saved_s"),
        "saved_bytes": seen.get("saved_bytes"),
    }
