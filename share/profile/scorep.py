# scorep.py: Score-P around a cell, in a kernel that runs under it (KERNEL_PREFIX): its instrumenter
# is on for the cell's own statements alone. Score-P writes its results when the kernel ends.
import shutil


class ScoreP(Profiler):
    name = "scorep"
    instrumenter = None

    @classmethod
    def load(cls, settings):
        if not shutil.which("scorep-config"):
            raise Reason("there is no Score-P: no scorep-config on PATH")
        if os.environ.get("SCOREP_PYTHON_BINDINGS_INITALISED") != "true":
            raise Reason(
                "the kernel does not run under Score-P: KERNEL_PREFIX="
                "'python -m scorep --noinstrumenter'"
            )
        cls.instrumenter = importlib.import_module("scorep.instrumenter")
        version = getattr(sys.modules["scorep"], "__version__", None)
        cls.version = f"scorep {version or ''}, Python {platform.python_version()}"

    def __init__(self, profile, settings):
        super().__init__(profile, settings)
        self.context = None

    def start(self):
        self.context = self.instrumenter.enable()
        self.context.__enter__()

    def stop(self):
        context, self.context = self.context, None
        if context is not None:
            context.__exit__(None, None, None)


PROFILERS["scorep"] = ScoreP
