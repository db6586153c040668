"""Cells under Score-P, each in a process of its own: the magics of JUmPER.

%%execute_with_scorep               runs the cell under `python -m scorep`
%%scorep_env                        lines NAME=VALUE for that process
%%scorep_python_binding_arguments   its further arguments
%%marshalling_settings              MARSHALLER=dill|cloudpickle|parallel_marshall, MODE=disk|memory
%%enable_multicellmode              marks the next cells, to run together
%%finalize_multicellmode            runs them; %%abort_multicellmode forgets them

Without Score-P such a cell is not run, and fails. Each has a scorep_cell record, apart from its
own: what was carried, how long that took, or why nothing ran. nbscope-scorep(7) says what differs
from JUmPER.
"""

import importlib.util
import os
import pickle
import re
import selectors
import shlex
import shutil
import subprocess
import sys
import time

from . import marshalling, scorep_record
from .process_limit import Bounded
from .scorep_source import Part, has_code
from .scorep_tags import tag_options, with_defaults

FOLDER = os.path.dirname(os.path.abspath(__file__))
PERSISTENCE = ("SCOREP_KERNEL_PERSISTENCE_DIR", "SCOREP_JUPYTER_PERSISTENCE_DIR")
EXPERIMENT = "SCOREP_EXPERIMENT_DIRECTORY"
LOADED = ("SCOREP_PYTHON_BINDINGS_", "SCOREP_LD_PRELOAD_BACKUP")
RUN = "NBSCOPE_RUN"  # where files of a driven run belong: labserve --kernel-prefix
MODES = ("disk", "memory")
POLL_S = 0.2
# In multi-cell mode all other cells are marked.
UNMARKED = (
    "enable_multicellmode",
    "finalize_multicellmode",
    "abort_multicellmode",
    "scorep_env",
    "scorep_python_binding_arguments",
    "marshalling_settings",
    "serializer_settings",
)


class ScorePMissing(RuntimeError):
    """There is no Score-P: nothing was run."""


class TooManyProcesses(RuntimeError):
    """The cell's processes were killed."""


class CellFailed(Exception):
    """The process has shown the traceback."""

    def _render_traceback_(self):
        return [f"{type(self).__name__}: {self}"]


def why_missing():
    if not shutil.which("scorep-config"):
        return "there is no scorep-config on PATH"
    if importlib.util.find_spec("scorep") is None:
        return "there is no Python module scorep"
    return None


def setting(text, name):
    found = re.search(rf"^\s*{name}\s*=\s*([\w-]+)", text, re.MULTILINE)
    return found and found[1]


def forward(child):
    """What the process prints belongs to the cell, as it comes; not what it leaves running."""
    with selectors.DefaultSelector() as selector:
        for pipe, stream in ((child.stdout, sys.stdout), (child.stderr, sys.stderr)):
            selector.register(pipe, selectors.EVENT_READ, stream)
        while selector.get_map():
            ended = child.poll() is not None
            ready = selector.select(0 if ended else POLL_S)
            if ended and not ready:
                return
            for key, _ in ready:
                data = os.read(key.fd, 1 << 16)
                if data:
                    key.data.write(data.decode("utf-8", "replace"))
                    key.data.flush()
                else:
                    selector.unregister(key.fileobj)


class Instrumented:
    def __init__(self, shell, state):
        self.shell, self.state = shell, state
        self.env, self.arguments = {}, []
        self.tags = []  # of the cell that runs, as far as a driver knows them
        self.marked_tags = []
        self.marshaller, self.mode = "dill", "memory"
        self.marked = None  # sources in multi-cell mode
        self.records = []

    def tags_of(self, source, identity=None):
        known = sys.modules[__package__].tags
        return known.get(identity) or known.get(source) or []

    def before_cell(self, info):
        self.tags = self.tags_of(info.raw_cell, getattr(info, "cell_id", None))

    # ---- settings ----

    def scorep_env(self, line, cell):
        for text in [line, *cell.splitlines()]:
            name, equals, value = text.strip().removeprefix("export ").partition("=")
            if equals and re.fullmatch(r"\w+", name.strip()):
                self.env[name.strip()] = " ".join(shlex.split(value, comments=True))
            elif text.strip() and not text.strip().startswith("#"):
                print(f"nbscope: not NAME=VALUE: {text}", file=sys.stderr)
        print("Score-P environment: " + " ".join(f"{n}={v}" for n, v in self.env.items()))

    def scorep_python_binding_arguments(self, line, cell):
        self.arguments = shlex.split(f"{line}\n{cell}", comments=True)
        print("Score-P Python binding arguments: " + shlex.join(self.arguments))

    def marshalling_settings(self, line, cell):
        text = f"{line}\n{cell}"
        marshaller, mode = setting(text, "MARSHALLER"), setting(text, "MODE")
        if (
            marshaller
            and marshaller in marshalling.MARSHALLERS
            and marshalling.available(marshaller)
        ):
            self.marshaller = marshaller
        elif marshaller:
            print(f"nbscope: there is no marshaller '{marshaller}'", file=sys.stderr)
        if mode in MODES:
            self.mode = mode
        elif mode:
            print(f"nbscope: MODE is disk or memory, not '{mode}'", file=sys.stderr)
        print(f"Variables are carried by {self.marshaller}, in {self.mode}.")

    # ---- one cell ----

    def execute_with_scorep(self, line, cell):
        self.execute([cell], f"<cell {self.shell.execution_count}>")

    def parts_of(self, cells):
        """Says what is left out of them."""
        manager, many = self.shell.input_transformer_manager, len(cells) > 1
        parts = [
            Part(manager, cell, f"marked cell {n}, " if many else "")
            for n, cell in enumerate(cells, 1)
        ]
        left_out = [note for part in parts for note in part.left_out]
        if left_out:
            print(
                "nbscope: left out, because magics and shell commands do not run in a process of "
                f"their own: {'; '.join(left_out)}",
                file=sys.stderr,
            )
        for name, value in (pair for part in parts for pair in part.env.items()):
            print(f"env: {name}={value}")
        return parts

    def execute(self, cells, name):
        env, arguments = tag_options(self.tags)
        record = scorep_record.new(self.marshaller, self.mode, [*self.arguments, *arguments], {})
        missing = why_missing()
        parts = [] if missing else self.parts_of(cells)
        for source in (self.env, *(part.env for part in parts), env):
            record["env"].update(source)
        if missing:
            record.update(status="not_run", reason=missing)
            scorep_record.show(self.state, record)
            raise ScorePMissing(f"not run: {missing}")
        source = "".join(part.text for part in parts)
        if any(part.left_out or part.env for part in parts) and not has_code(source):
            print("nbscope: there is nothing to run under Score-P", file=sys.stderr)
            return
        used = marshalling.used_by(source, self.shell.user_ns, self.shell.user_ns_hidden)
        sent, record["carried_in"], definitions = marshalling.carry(used, self.marshaller)
        self.warn_not_carried(record["carried_in"], "into")
        out, status = self.run_process(sent, source, name, record)
        self.records.append(record)
        if out:
            self.take_back(out, record, definitions)
        error = self.error_of(out, status)
        record["status"] = "failed" if error else "completed"
        record["reason"] = str(error) if error else None
        scorep_record.show(self.state, record)
        if error:
            raise error

    @staticmethod
    def error_of(out, status):
        if status.exceeded:
            return TooManyProcesses(
                f"killed with {status.exceeded} processes, of at most {status.limit}"
            )
        if not out:
            return CellFailed(
                f"its process ended with status {status.returncode} before the "
                "variables could be carried back"
            )
        return type(out["error"][0], (CellFailed,), {})(out["error"][1]) if out["error"] else None

    def run_process(self, sent, source, name, record):
        env = {**self.environment(), **record["env"], "PYTHONUNBUFFERED": "1"}
        if env.get(RUN):
            env.setdefault(EXPERIMENT, f"{env[RUN]}.scorep-{len(self.records) + 1}")
        folder = next(filter(None, map(env.get, PERSISTENCE)), None)
        files, before = marshalling.Files(self.mode, folder), self.experiments(env)
        try:
            with open(files.paths[0], "wb") as f:
                pickle.dump(
                    {
                        "sent": sent,
                        "source": source,
                        "name": name,
                        "path": sys.path,
                        "marshaller": self.marshaller,
                    },
                    f,
                )
            arguments = with_defaults(record["arguments"])
            arguments = [a for a in arguments if a != "--noinstrumenter"]
            started = time.perf_counter()
            child = Bounded(
                [
                    sys.executable,
                    "-m",
                    "scorep",
                    "--noinstrumenter",
                    *arguments,
                    os.path.join(FOLDER, "scorep_cell.py"),
                    FOLDER,
                    *files.paths,
                ],
                env=env,
                pass_fds=files.descriptors,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            try:
                forward(child)
                child.wait()
            finally:
                child.ended.set()
                child.end()
                child.wait()
            record["process_s"] = round(time.perf_counter() - started, 6)
            record["exit_status"] = child.returncode
            record["results"] = [path for path, _ in sorted(self.experiments(env) - before)]
            return files.read_out(), child
        finally:
            files.close()

    @staticmethod
    def environment():
        """Without what says that Score-P has been loaded, as in a kernel that runs under it: it
        would not be loaded into the process. The results of the kernel have their own folder."""
        env = {name: v for name, v in os.environ.items() if not name.startswith(LOADED)}
        if len(env) < len(os.environ):
            env.pop(EXPERIMENT, None)
        return env

    @staticmethod
    def experiments(env):
        """Folders of results of Score-P, with their times: it renames an earlier one."""
        where = env.get(EXPERIMENT)
        folders = [where] if where else [f for f in os.listdir() if f.startswith("scorep-")]
        return {(os.path.abspath(f), os.stat(f).st_ctime) for f in folders if os.path.isdir(f)}

    def take_back(self, out, record, definitions):
        space, hidden, got = self.shell.user_ns, self.shell.user_ns_hidden, {}
        failed, _ = marshalling.receive(out["sent"], got, definitions)
        for label, (number, name) in out["places"].items():
            if label in got:
                setattr(definitions[number], name, got.pop(label))
        for number, name in out["gone"]:
            delattr(definitions[number], name)
        before = {id(space[name]): (space[name], name) for name in got if name in space}
        space.update(got)
        # Other names of an object that the cell has changed.
        for name, value in space.items():
            old, carried = before.get(id(value), (None, None))
            if old is value and carried and name not in hidden:
                space[name] = space[carried]
        for row in out["rows"]:
            row["reason"] = row["reason"] or failed.get(row["name"])
        for name in out["deleted"]:
            space.pop(name, None)
        record.update({key: round(out[key], 6) for key in ("load_s", "run_s", "dump_s")})
        for row in record["carried_in"]:
            row["reason"] = row["reason"] or out["not_loaded"].get(row["name"])
        record["carried_out"] = out["rows"]
        self.warn_not_carried(out["rows"], "out of")

    @staticmethod
    def warn_not_carried(rows, way):
        for row in rows:
            if row["reason"]:
                print(
                    f"nbscope: '{row['name']}' was not carried {way} the process: {row['reason']}",
                    file=sys.stderr,
                )

    # ---- multi-cell mode ----

    def mark(self, source):
        """A hook: cells are marked, in this order, each as often as it is run."""
        magic = re.match(r"\s*%%(\w+)", source)
        if not source.strip() or (magic and magic[1] in UNMARKED):
            return source
        self.marked_tags += self.tags_of(source)
        if magic and magic[1] == "execute_with_scorep":
            source = source.lstrip().partition("\n")[2]
        self.marked.append(source)
        print(f"Cell {len(self.marked)} is marked for %%finalize_multicellmode.")
        return None

    def enable_multicellmode(self, line, cell):
        if self.marked is not None:
            print("nbscope: multi-cell mode is on already", file=sys.stderr)
            return
        self.marked, self.marked_tags = [], []
        self.state.hooks.append(self.mark)
        print("Multi-cell mode: the next cells are marked, not executed.")

    def end_marking(self):
        marked, self.marked = self.marked, None
        if marked is None:
            print("nbscope: %%enable_multicellmode comes first", file=sys.stderr)
        else:
            self.state.hooks.remove(self.mark)
        return marked

    def finalize_multicellmode(self, line, cell):
        marked = self.end_marking()
        if marked:
            self.tags = [*self.marked_tags, *self.tags]
            self.execute(marked, "<marked cells>")

    def abort_multicellmode(self, line, cell):
        if self.end_marking() is not None:
            print("Multi-cell mode aborted: the marks are gone.")


def magic_of(method):
    return lambda line, cell="": method(line, cell or "")


def register(shell, state):
    cells = Instrumented(shell, state)
    state.scorep = cells
    state.events.append(("pre_run_cell", cells.before_cell))
    for name in (
        "scorep_env",
        "scorep_python_binding_arguments",
        "marshalling_settings",
        "execute_with_scorep",
        "enable_multicellmode",
        "finalize_multicellmode",
        "abort_multicellmode",
    ):
        shell.register_magic_function(magic_of(getattr(cells, name)), "line_cell", name)
    shell.register_magic_function(
        magic_of(cells.marshalling_settings), "line_cell", "serializer_settings"
    )
