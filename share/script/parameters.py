#!/usr/bin/env python3
"""parameters.py NAME: the combination of a single notebook, from NBSCOPE_PARAMS in the environment.

They are words NAME=VALUE, quoted as in a shell. A VALUE is JSON, a number, True, False or None of
Python, or else text. Prints the `combination` record, for nbpatch.
"""

import json
import os
import re
import shlex
import sys

WORDS = {"True": True, "False": False, "None": None}
NUMBER = re.compile(r"[-+]?(\d+|(\d+\.\d*|\.\d+)([eE][-+]?\d+)?|\d+[eE][-+]?\d+)")


def value_of(text):
    if text in WORDS:
        return WORDS[text]
    number = NUMBER.fullmatch(text)
    if number:
        return int(text) if number[1].isdigit() else float(text)
    try:
        return json.loads(text, parse_constant=lambda word: word)
    except ValueError:
        return text


def parameters():
    found = {}
    for word in shlex.split(os.environ.get("NBSCOPE_PARAMS", "")):
        name, equals, text = word.partition("=")
        if not equals or not name.isidentifier():
            raise ValueError(f"NAME=VALUE is expected, not {word!r}")
        if name in found:
            raise ValueError(f"{name!r} is given twice")
        found[name] = value_of(text)
    return found


def main():
    name = sys.argv[1]
    try:
        params = parameters()
    except ValueError as error:
        sys.exit(f"profile-notebook: PARAMS: {error}")
    print(json.dumps({"type": "combination", "usecase": name, "name": name, "params": params}))


if __name__ == "__main__":
    main()
