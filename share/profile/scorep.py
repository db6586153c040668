# scorep.py: Score-P around a cell, in a kernel that runs under it (KERNEL_PREFIX): its instrumenter
# is on for the cell's own statements alone. Score-P writes its results when the kernel ends.
import shutil

# Whether Score-P's module has started itself again, as its releases before and since 4.5 spell it.
STARTED = ("SCOREP_PYTHON_BINDINGS_INITALISED", "SCOREP_PYTHON_BINDINGS_INITIALISED")


class ScoreP(Profiler):
    name = "scorep"
    instrumenter = None

    @classmethod
    def load(cls, settings):
        if not shutil.which("scorep-config"):
            raise Reason("there is no Score-P: no scorep-config on PATH")
        if not any(os.environ.get(name) == "true" for name in STARTED):
            raise Reason(
                "the kernel does not run under Score-P: KERNEL_PREFIX="
                "'python -m scorep --noinstrumenter --nocompiler --thread=pthread'"
            )
        cls.instrumenter = importlib.import_module("scorep.instrumenter")
        version = getattr(sys.modules["scorep"], "__version__", None)
        cls.version = f"scorep {version or ''}, Python {platform.python_version()}"

    def __init__(self, profile, settings):
        super().__init__(profile, settings)
        self.displayhook = None

    def around(self):
        """Score-P aborts the kernel if a function ends whose begin it has not seen: while it is on,
        no function of ours may begin or end, but those of its own module, which it leaves out."""
        return self.instrumenter.enable()

    def start(self):
        """What a cell shows is IPython's work."""
        self.displayhook = sys.displayhook
        sys.displayhook = self.instrumenter.disable()(sys.displayhook)

    def stop(self):
        if self.displayhook is not None:
            sys.displayhook, self.displayhook = self.displayhook, None


PROFILERS["scorep"] = ScoreP
