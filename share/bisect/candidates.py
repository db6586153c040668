"""What can be guilty: releases of an index, commits of a checkout, lines of two lock files.

A candidate has the name that people read, its name as a file, the requirements that pip installs,
and a date or nothing.
"""

import collections
import hashlib
import pathlib
import re
import subprocess

Candidate = collections.namedtuple("Candidate", "name file requirements date")


class Wrong(Exception):
    """The user's mistake, or something that cannot be read: the message, and a status."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def file_name(text):
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-._")


# ---- releases --------------------------------------------------------------------------


def dates(session, indexes, name):
    """When the files of a package were uploaded, by file name, where an index gives it."""
    found = {}
    for index in indexes:
        if not index.startswith("http"):
            continue
        answer = session.get(
            f"{index.rstrip('/')}/{name}/",
            headers={"Accept": "application/vnd.pypi.simple.v1+json"},
        )
        if answer.ok and "json" in answer.headers.get("content-type", ""):
            for file in answer.json()["files"]:
                found.setdefault(file["filename"], (file.get("upload-time") or "")[:10])
    return found


def listed(name):
    """Each version of the index, with its date and whether it is yanked; and whether pip's own
    configuration asks for pre-releases. It is pip that looks: its indexes, its session.
    """
    from pip._internal.cli.cmdoptions import make_target_python
    from pip._internal.commands import create_command
    from pip._vendor.packaging.version import Version

    command = create_command("index")
    options, _ = command.parse_args(["versions", name])
    with command.main_context(), command._build_session(options) as session:
        finder = command._build_package_finder(
            options, session, make_target_python(options), options.ignore_requires_python
        )
        finder._allow_yanked = True
        files = finder.find_all_candidates(name)
        date = dates(session, finder.search_scope.index_urls, name) if files else {}
    versions = {}
    for file in files:
        of = versions.setdefault(Version(str(file.version)), {"yanked": True, "dates": []})
        of["yanked"] &= file.link.is_yanked
        of["dates"].append(date.get(file.link.filename) or "")
    return versions, options.pre


def releases(package, good, bad, which):
    """The releases from GOOD to BAD in order, those of WHICH: final, pre, yanked or all."""
    from pip._vendor.packaging.version import InvalidVersion, Version

    name = re.match(r"[A-Za-z0-9._-]*", package)[0]
    canonical = re.sub(r"[-_.]+", "-", name).lower()
    if not name or re.search(r"[<>=!~;@ ]", package):
        raise Wrong(2, f"PACKAGE must be the name of a package, or a checkout, not '{package}'")
    versions, pre = listed(canonical)
    if not versions:
        raise Wrong(4, f"pip's index has no release of '{name}' for this Python")
    ends = []
    for variable, text in (("GOOD", good), ("BAD", bad)):
        try:
            ends.append(Version(text))
        except InvalidVersion:
            raise Wrong(2, f"{variable} must be a version, not '{text}'") from None
        if ends[-1] not in versions:
            newest = " ".join(map(str, sorted(versions)[-4:]))
            raise Wrong(2, f"there is no {name} {text}; the newest versions are {newest}")
    if ends[0] >= ends[1]:
        raise Wrong(2, f"GOOD={good} must come before BAD={bad}")
    return [
        Candidate(
            f"{name} {v}",
            file_name(f"{canonical}-{v}"),
            f"{package}=={v}",
            min((d for d in of["dates"] if d), default=""),
        )
        for v, of in sorted(versions.items())
        if v in ends
        or ends[0] < v < ends[1]
        and (pre or which in ("pre", "all") or not v.is_prerelease)
        and (which in ("yanked", "all") or not of["yanked"])
    ]


# ---- commits ---------------------------------------------------------------------------


def git(folder, *command):
    done = subprocess.run(
        ["git", "-C", folder, *command], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Wrong(2, f"git of '{folder}': {done.stderr.strip().splitlines()[-1]}")
    return done.stdout.strip()


def checkout_of(package):
    """The folder that requirements name, and what is written around it; or nothing."""
    found = re.fullmatch(r"(.*?)(\S+?)((?:\[[^\]]*\])?)", package.strip())
    if found and pathlib.Path(found[2]).is_dir():
        return found.groups()
    return None


def commits(checkout, good, bad, folder):
    """The first-parent commits from GOOD to BAD, each in a worktree below FOLDER once it is
    needed: worktree() makes it.
    """
    before, path, after = checkout
    first, last = (
        git(path, "rev-parse", "--verify", "--end-of-options", f"{x}^{{commit}}")
        for x in (good, bad)
    )
    lines = git(
        path, "log", "--first-parent", "--reverse", "--format=%H %cs %s", f"{first}..{last}"
    )
    hashes = git(path, "rev-list", "--first-parent", last).split()
    if first == last or first not in hashes:
        raise Wrong(2, f"GOOD={good} must be a first-parent ancestor of BAD={bad}")
    lines = [git(path, "log", "-1", "--format=%H %cs %s", first), *lines.splitlines()]
    name = pathlib.Path(path).resolve().name
    found = []
    for line in lines:
        commit, date, *subject = line.split(" ", 2)
        file = file_name(f"{name}-{commit[:12]}")
        found.append(
            Candidate(
                " ".join([f"commit {commit[:12]}", *(f"'{s}'" for s in subject)]),
                file,
                f"{before}{folder}/{file}.tree{after}",
                date,
            )
        )
    return found


def make_worktree(checkout, candidate, folder):
    """Checks the candidate's commit out, unless that was done."""
    tree = f"{folder}/{candidate.file}.tree"
    if not pathlib.Path(tree, ".git").exists():
        git(checkout[1], "worktree", "prune")
        git(checkout[1], "worktree", "add", "--detach", tree, candidate.file.rpartition("-")[2])


# ---- lock files ------------------------------------------------------------------------


def locked(path):
    """The requirements of a lock file by name; a line that ends in a backslash continues."""
    try:
        text = pathlib.Path(path).read_text().replace("\\\n", " ")
    except (OSError, UnicodeDecodeError) as e:
        raise Wrong(4, f"cannot read '{path}': {getattr(e, 'strerror', e)}") from None
    lines = {}
    for number, line in enumerate(text.splitlines(), 1):
        line = re.sub(r"(^|\s)#.*", "", line).strip()
        found = re.match(r"(?:-e\s+\S*#egg=)?([A-Za-z0-9][A-Za-z0-9._-]*)", line)
        if found:
            lines[re.sub(r"[-_.]+", "-", found[1]).lower()] = " ".join(line.split())
        elif line and not line.startswith("-"):
            raise Wrong(3, f"{path}:{number}: not a requirement: '{line}'")
    return lines


def changes_of(before, after):
    """The names whose lines differ."""
    return sorted(n for n in {*before, *after} if before.get(n) != after.get(n))


def change_text(before, after, name):
    def version(line):
        return re.sub(r"\s*(;|--hash).*|^.*?==", "", line) if line else "absent"

    return f"{name} {version(before.get(name))} -> {version(after.get(name))}"


def locked_set(before, after, changed, folder):
    """The lines BEFORE with those CHANGED as they are AFTER, in a file that pip reads."""
    lines = {**before, **{n: after.get(n) for n in changed}}
    text = "".join(f"{line}\n" for _, line in sorted(lines.items()) if line)
    name = f"locked-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    file = pathlib.Path(folder, f"{name}.txt")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return Candidate(" ".join(changed) or "none", name, f"--no-deps -r {file}", "")
