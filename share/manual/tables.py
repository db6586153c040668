"""tables.py [--check] PAGE MAKEFILE...: the tables of nbscope-make(7).

Writes the sections TARGETS and VARIABLES of PAGE: targets are those with a text after "##" in a
MAKEFILE, variables the rows of share/settings and share/tasks/settings. With --check, nothing is
written: the exit status is 1 if PAGE has other tables.
"""

import pathlib
import re
import sys
import textwrap

SHARE = pathlib.Path(__file__).resolve().parent.parent
HEAD = r".\" Written by make manual-tables."


def mdoc(text):
    """TEXT as lines of mdoc, of which none is taken for a macro."""
    text = text.replace("\\", r"\e")
    lines = textwrap.wrap(text, 96, break_long_words=False, break_on_hyphens=False)
    return [r"\&" + line if line.startswith((".", "'")) else line for line in lines]


def listed(rows):
    yield ".Bl -tag -width Ds -compact"
    for item, text in rows:
        yield item
        yield from mdoc(text)
    yield ".El"


def targets(makefiles):
    found = {}
    for name in makefiles:
        for line in pathlib.Path(name).read_text().splitlines():
            if match := re.match(r"([a-z][a-z-]*):.*## (.*)", line):
                found[match[1]] = match[2]
    for name in sorted(found):
        yield f".It Ic {name}", found[name]


def variables(table):
    for line in table.read_text().splitlines():
        if match := re.match(r"([A-Z_]+) \?=", line):
            given, _kind, _run, text = re.split(r"  +(?:# )?", line, maxsplit=3)
            default = given[match.end() :].strip()
            yield f".It Ev {match[1]}" + (f" Pq {default}" if default else ""), text


def section(lines, title, text):
    """LINES with TEXT after the heading TITLE."""
    begin = lines.index(f".Sh {title}") + 1
    end = next(i for i in range(begin, len(lines)) if lines[i].startswith(".Sh "))
    return [*lines[:begin], HEAD, *text, *lines[end:]]


def main(page, *makefiles):
    old = page.read_text()
    lines = section(old.splitlines(), "TARGETS", listed(targets(makefiles)))
    text = ["Defaults are in parentheses; where there are none, the variable is empty."]
    text += listed(variables(SHARE / "settings"))
    text += ["The following can be in", ".Pa DATA/campaign.mk , No too:"]
    text += listed(variables(SHARE / "tasks/settings"))
    new = "\n".join(section(lines, "VARIABLES", text)) + "\n"
    if sys.argv[1] == "--check":
        return new != old
    page.write_text(new)
    return 0


given = [word for word in sys.argv[1:] if word != "--check"]
sys.exit(main(pathlib.Path(given[0]), *given[1:]))
