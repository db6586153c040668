"""Tags of a cell that say the environment and the arguments of Score-P."""

import re

BEGIN = "profile-scorep:"


def tag_options(tags):
    """The environment and the arguments that tags say: profile-scorep:NAME=VALUE, or
    :--ARGUMENT."""
    env, arguments = {}, []
    for word in (tag[len(BEGIN) :] for tag in tags if tag.startswith(BEGIN)):
        name, equals, value = word.partition("=")
        if equals and re.fullmatch(r"[A-Za-z_]\w*", name):
            env[name] = value
        elif word.startswith("-"):
            arguments.append(word)
    return env, arguments


def without_compiler(arguments):
    """Score-P's instrumentation of compilers would instrument each shell that its module starts."""
    known = any(a in ("--compiler", "--nocompiler") for a in arguments)
    return list(arguments) if known else ["--nocompiler", *arguments]
