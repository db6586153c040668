#!/usr/bin/env python3
"""format-schemas.py [--check] FILE...: writes JSON schemas with one member of a record a line.

A member that has members of its own takes more lines. With --check the files stay as they are;
those in another layout are named, with the command that mends them, and the exit status is 1.
format-schemas.py --add FILE: prints the schema with the members on standard input added to it.
"""

import json
import sys

# Schemas whose members are described on lines of their own.
NAMED = "properties", "$defs"


def has_members(value):
    if isinstance(value, dict):
        return any(key in NAMED or has_members(v) for key, v in value.items())
    return isinstance(value, list) and any(map(has_members, value))


def laid_out(value, indent="", on_lines=True):
    if not on_lines and not has_members(value):
        return json.dumps(value, ensure_ascii=False)
    inner = indent + "\t"
    if isinstance(value, dict):
        rows = [f"{json.dumps(k)}: {laid_out(v, inner, k in NAMED)}" for k, v in value.items()]
    else:
        rows = [laid_out(v, inner, False) for v in value]
    begin, end = "{}" if isinstance(value, dict) else "[]"
    return begin + ",".join(f"\n{inner}{row}" for row in rows) + f"\n{indent}{end}"


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def with_members(path, members):
    schema = json.loads(read(path))
    twice = schema["properties"].keys() & members.keys()
    if twice:
        sys.exit(f"format-schemas.py: {path}: {min(twice)} is already in the catalogue of metrics")
    schema["properties"].update(members)
    return schema


def main(args):
    if args[:1] == ["--add"]:
        print(laid_out(with_members(args[1], json.load(sys.stdin))))
        return 0
    check = args[:1] == ["--check"]
    differ = []
    for path in args[check:]:
        old = read(path)
        new = laid_out(json.loads(old)) + "\n"
        if old != new and check:
            differ.append(path)
        elif old != new:
            with open(path, "w", encoding="utf-8") as f:
                f.write(new)
    if differ:
        print(f"not one member a line; to mend it: {sys.argv[0]} {' '.join(differ)}")
    return 1 if differ else 0


sys.exit(main(sys.argv[1:]))
