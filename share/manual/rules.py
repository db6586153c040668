"""rules.py [--check] PAGE: the section RULES of nbscope-rules(7), from the rules' own data.

With --check, nothing is written: the exit status is 1 if PAGE says something else.
"""

import pathlib
import re
import sys
import textwrap

SHARE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SHARE / "ipython/nbscope"))
import rules  # noqa: E402  pylint: disable=wrong-import-position

HEAD = r".\" Written by make manual-tables."
UNITS = {"s": "{:g} s", "bytes": "{:,} bytes", "pixels": "{:,} pixels", "messages": "{:,} messages"}


def wrapped(text):
    """Each sentence begins a line."""
    for sentence in re.split(r"(?<=[.;:]) (?=[A-Z])", text.strip()):
        yield from textwrap.wrap(sentence, 96, break_long_words=False)


def lines_of(text):
    """TEXT as lines of mdoc: what is in backquotes is literal, and carries the punctuation after it
    and the bracket before it."""
    found = []
    for i, part in enumerate(text.replace("\\", r"\e").split("`")):
        if i % 2:
            opening = "( " if found and found[-1].endswith("(") else ""
            if opening:
                found[-1] = found[-1][:-1].rstrip()
            found.append(f'.Ql {opening}"{part}"')
            continue
        closing = re.match(r"[.,;:)]*", part)[0] if found else ""
        if closing:
            found[-1] += " " + " ".join(closing)
        found += wrapped(part[len(closing) :])
    lines = [line for line in found if line]
    return [r"\&" + line if re.match(r"\.(?!Ql )|'", line) else line for line in lines]


def entries():
    for module in rules.MODULES:
        rule = module.RULE
        least = " or ".join(UNITS[unit].format(n) for unit, n in rule["least"].items())
        yield f".Ss {rule['title']}"
        yield f".Cm {rule['name']}"
        yield ".Bl -tag -width instead"
        for item, text in (
            ("saw", rule["saw"]),
            ("instead", rule["instead"][:1].upper() + rule["instead"][1:] + "."),
            ("least", f"{least}: {rule['means']}."),
        ):
            yield f".It {item}"
            yield from lines_of(text[:1].upper() + text[1:])
        yield ".El"


def main(page):
    old = page.read_text()
    lines = old.splitlines()
    begin = lines.index(".Sh RULES") + 1
    end = next(i for i in range(begin, len(lines)) if lines[i].startswith(".Sh "))
    new = "\n".join([*lines[:begin], HEAD, *entries(), *lines[end:]]) + "\n"
    if sys.argv[1] == "--check":
        return new != old
    page.write_text(new)
    return 0


given = [word for word in sys.argv[1:] if word != "--check"]
sys.exit(main(pathlib.Path(given[0])))
