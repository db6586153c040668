# collect.py: what a cell opens and sends, noted in the kernel: the members opens, replaced, sent
# and updates of the evidence that __init__.py describes. Also a part of the module that cellprofile
# sends, with the files of share/profile.
import os
import stat
import sys
import time

LEAST_SENT_BYTES = 64 << 10  # of data that are compared with what was sent before
SAMPLED_BYTES = 64 << 10  # of them, at equal distances
LEAST_UPDATES = 50  # of one trait
MOST_OPENS = 5000  # of a run
MOST_FRAMES = 200
NO_DATA = (".py", ".pyc", ".pyi", ".pyd", ".so", ".pth", ".ipynb", ".egg-link", ".mo", ".ttf")
SYSTEM = ("/proc/", "/sys/", "/dev/", "/etc/", "/usr/", "/lib", "/run/")
HIDDEN = os.sep + "."  # caches and settings
PARTS = (os.sep + "site-packages" + os.sep, os.sep + "dist-packages" + os.sep, HIDDEN)


class Evidence:
    """Of one kernel. begin() before a cell, end() after it; close() gives everything back.

    shell: IPython's; place: a function of a frame that returns the (file, line) of own code, with
    the line in the author's numbering, or None."""

    hooked = []  # audit hooks cannot be removed: the one there is asks who is active
    active = None

    def __init__(self, shell, place):
        self.shell, self.place = shell, place
        self.opens, self.cell = {}, 0
        self.before = {}  # (size, hash) of what was sent: the number of the cell
        self.session = getattr(getattr(shell, "kernel", None), "session", None)
        self.models = {}  # ids of widgets: their models' names
        self.io = self.last = None
        self.reset()

    def reset(self):
        self.sent, self.traits, self.shown, self.held = {}, {}, [], []
        self.displays = set()  # ids of what the cell has shown
        self.clearing = False

    def begin(self, cell):
        self.cell = cell
        self.reset()
        if self.io is None:
            self.io = open_io()
        if not Evidence.hooked:
            sys.addaudithook(on_audit)
            Evidence.hooked.append(True)
        self.last = None
        Evidence.active = self
        if self.session is not None:
            self.send = self.session.send
            self.session.send = self.noted

    def end(self):
        """The evidence of the cell."""
        if Evidence.active is self:
            Evidence.active = None
        if self.session is not None and self.session.__dict__.get("send") == self.noted:
            del self.session.send
        self.read_so_far()
        return {
            "opens": [o for o in self.opens.values() if self.is_again(o)],
            "replaced": self.replaced(),
            "sent": [s for s in self.sent.values() if s["times"] > 1],
            "updates": [
                {k: v for k, v in u.items() if k != "first"}
                for u in self.traits.values()
                if u["times"] >= LEAST_UPDATES
            ],
        }

    def close(self):
        self.end()
        if self.io is not None:
            os.close(self.io)
            self.io = None

    def own_place(self):
        """Of the innermost own code that runs."""
        frame = sys._getframe(2)
        for _ in range(MOST_FRAMES):
            if frame is None:
                break
            found = self.place(frame)
            if found:
                return found
            frame = frame.f_back
        return None, None

    # ---- files ----

    def opened(self, path, flags):
        if flags & os.O_ACCMODE != os.O_RDONLY or len(self.opens) >= MOST_OPENS:
            return
        path = os.path.abspath(os.fsdecode(path))
        if path.endswith(NO_DATA) or path.startswith(SYSTEM) or is_of_package(path):
            return
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode):
            return
        file, line = self.own_place()
        self.read_so_far()
        version = f"{found.st_ino} {found.st_size} {found.st_mtime_ns}"
        key = path, version, self.cell, file, line
        o = self.opens.setdefault(
            key,
            {
                "path": path,
                "version": version,
                "bytes": found.st_size,
                "times": 0,
                "read": 0,
                "cell": self.cell,
                "file": file,
                "line": line,
            },
        )
        o["times"] += 1
        self.last = o, self.bytes_read()

    def read_so_far(self):
        """What was read since a file was opened is of this file, at most all of it."""
        if self.last is not None:
            o, before = self.last
            o["read"] += min(o["bytes"], max(0, self.bytes_read() - before))
        self.last = None

    def bytes_read(self):
        """By all calls of this process; 0: not known, so nothing was read again."""
        if self.io is None:
            return 0
        text = os.pread(self.io, 32, 0)  # rchar: N
        return int(text.split(None, 2)[1])

    def is_again(self, o):
        """In this cell, or of a file that this cell has opened."""
        here = {k[:2] for k in self.opens if k[2] == self.cell}
        return (o["path"], o["version"]) in here

    # ---- messages ----

    def noted(self, stream, kind, content=None, *args, **options):
        try:
            self.note(kind, content, args, options)
        except Exception:  # what is no message of a known shape
            pass
        return self.send(stream, kind, content, *args, **options)

    def note(self, kind, content, args, options):
        if isinstance(kind, dict):
            content, kind = kind.get("content"), kind.get("msg_type")
        if kind in ("comm_msg", "comm_open"):
            buffers = options.get("buffers") or (args[2] if len(args) > 2 else None)
            self.note_comm(content, buffers or ())
        elif kind in ("display_data", "execute_result", "update_display_data"):
            self.note_output(kind, content)
        elif kind == "clear_output":
            self.clearing = bool(content.get("wait"))
            if not self.clearing:
                self.held = []

    def note_output(self, kind, content):
        data, identity = content["data"], (content.get("transient") or {}).get("display_id")
        figure = next((m for m in data if is_figure(m)), None)
        if kind != "update_display_data":
            self.displays.add(identity)
            if self.clearing:
                self.held, self.clearing = [], False
        if figure is None:
            return
        value = data[figure]
        place, size = self.own_place(), size_of(value)
        shown = {"bytes": size, "t": time.perf_counter(), "place": place, "id": identity}
        if kind == "update_display_data":
            if identity not in self.displays:
                return  # of another cell
            self.held = [s for s in self.held if s["id"] != identity]
        self.shown.append(shown)
        self.held.append(shown)
        if size >= LEAST_SENT_BYTES:
            self.note_sent(
                figure,
                size,
                hash(value if isinstance(value, (str, bytes)) else str(value)),
                place,
                False,
            )

    def replaced(self):
        """Figures that did not stay, or None."""
        stay = {id(s) for s in self.held}
        gone = [s for s in self.shown if id(s) not in stay]
        if not gone:
            return None
        places = [s["place"] for s in self.shown]
        file, line = max(places, key=places.count)
        return {
            "shown": len(self.shown),
            "times": len(gone),
            "bytes": sum(s["bytes"] for s in gone),
            "span_s": self.shown[-1]["t"] - self.shown[0]["t"],
            "file": file,
            "line": line,
        }

    def note_comm(self, content, buffers):
        data, identity = content.get("data") or {}, content.get("comm_id")
        state = data.get("state") or {}
        if "_model_name" in state:
            self.models[identity] = state["_model_name"]
        model = self.models.get(identity, "a widget")
        traits = [path[0] for path in data.get("buffer_paths") or () if path]
        place = None
        if data.get("method") == "update":
            place = self.own_place()
            for trait in state.keys() | set(traits):
                self.note_update(identity, model, trait, place)
        for i, buffer in enumerate(buffers):
            view = memoryview(buffer).cast("B")
            if view.nbytes < LEAST_SENT_BYTES:
                continue
            step = max(1, view.nbytes // SAMPLED_BYTES) | 1
            trait = f".{traits[i]}" if i < len(traits) else ""
            self.note_sent(
                model + trait,
                view.nbytes,
                hash(view[::step].tobytes()),
                place or self.own_place(),
                True,
            )

    def note_update(self, identity, model, trait, place):
        now = time.perf_counter()
        u = self.traits.setdefault(
            (identity, trait), {"model": model, "trait": trait, "times": 0, "first": now}
        )
        u["times"] += 1
        u.update(span_s=now - u["first"], file=place[0], line=place[1])

    def note_sent(self, what, size, digest, place, lasts):
        """lasts: the page still has it in later cells."""
        key = what.split(".")[0].startswith(("image/", "application/")), size, digest
        if key not in self.sent:
            known = 1 if key in self.before else 0
            self.sent[key] = {"what": what, "bytes": size, "times": known}
        self.sent[key]["times"] += 1
        self.sent[key].update(file=place[0], line=place[1])
        if lasts:
            self.before[key] = self.cell


def on_audit(event, args):
    if event != "open":
        return
    active = Evidence.active
    if active is None or not isinstance(args[0], (str, bytes)):
        return
    Evidence.active = None  # what this calls may open, too
    try:
        active.opened(args[0], args[2])
    except Exception:  # such as a file that does not exist
        pass
    finally:
        Evidence.active = active


def open_io():
    try:
        return os.open("/proc/self/io", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None


def is_of_package(path):
    return path.startswith((sys.prefix, sys.base_prefix + "/lib")) or any(
        part in path for part in PARTS
    )


def is_figure(mime):
    """What a person sees, not text."""
    return mime.startswith("image/") or (
        mime.startswith("application/")
        and not mime.endswith(("/javascript", "/json"))
        and not mime.startswith("application/vnd.nbscope")
    )


def size_of(value):
    return len(value) if isinstance(value, (str, bytes)) else len(str(value))
