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


def with_defaults(arguments):
    """Score-P's instrumentation of compilers would instrument each shell that its module starts;
    without that of threads, it aborts the process if two of them run functions at once."""
    known = [a.partition("=")[0].replace("--no", "--") for a in arguments]
    defaults = {"--compiler": "--nocompiler", "--thread": "--thread=pthread"}
    return [*(a for name, a in defaults.items() if name not in known), *arguments]
