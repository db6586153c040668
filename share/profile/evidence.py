# evidence.py: in any pass, the evidence of each cell for the rules of plain mistakes, as a record
# profile_evidence after those of its profilers. What earlier cells have opened and sent counts,
# also of cells that are not profiled.


class CellEvidence:
    kernels = None  # the Evidence of this kernel

    @classmethod
    def begin(cls, cell):
        try:
            if cls.kernels is None:
                cls.kernels = Evidence(State.shell, own_place)
            cls.kernels.begin(cell["index"])
        except Exception:  # the internals of another version of ipykernel may differ
            cls.kernels = None

    @classmethod
    def end(cls):
        """The record, or None."""
        try:
            found = cls.kernels.end() if cls.kernels else None
        except Exception:
            found = None
        if found is None:
            return None
        for o in found["opens"]:
            o["path"] = file_name(o["path"])
        return {"type": "profile_evidence", "cell_index": cls.kernels.cell, **found}


def own_place(frame):
    code = frame.f_code
    if code.co_filename == OWN or not own_code(code.co_filename):
        return None
    return file_name(code.co_filename), line_in_file(code, frame.f_lineno)
