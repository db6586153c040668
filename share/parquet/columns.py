"""Columns of Parquet files, as CSV.

Reads from standard input one request a line, {"path", "requested": {name: keep}, "others": keep}
with keep "number", "word", "guess" or "not", and answers each on standard output with parts of CSV,
each after its length: a uint32 in the machine's byte order. A length of 0 ends the file, and the
largest one means that the rest is the reason why it cannot be read.
"""

import json
import struct
import sys

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pv
import pyarrow.parquet as pq

BATCH_ROWS = 1 << 16


def is_number(kind):
    t = pa.types
    return any(
        f(kind) for f in (t.is_integer, t.is_floating, t.is_decimal, t.is_temporal, t.is_boolean)
    ) and not t.is_interval(kind)


def as_seconds(column, kind):
    parts = column.cast(kind, safe=False).cast(pa.int64()).cast(pa.float64(), safe=False)
    return pc.divide(parts, 1e6)


def as_numbers(column):
    """Doubles; moments are unix seconds, durations seconds, truths 1 and 0."""
    kind = column.type
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        return as_seconds(column, pa.timestamp("us"))
    if pa.types.is_duration(kind):
        return as_seconds(column, pa.duration("us"))
    if pa.types.is_time(kind):
        return as_seconds(column, pa.time64("us"))
    if pa.types.is_boolean(kind):
        column = column.cast(pa.int8())
    return column.cast(pa.float64(), safe=False)


def as_words(column):
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_duration(column.type):  # whose own text is a count of its unit, whatever that is
        return pa.array(
            [None if v is None else repr(v) for v in as_numbers(column).to_pylist()], pa.string()
        )
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        return column
    try:
        return column.cast(pa.string())
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        return pa.array(
            [None if v is None else json.dumps(v, default=str) for v in column.to_pylist()],
            pa.string(),
        )


def kind_of(keep, kind):
    """The type in which a column is sent; requested numbers may be text too."""
    as_told = (
        pa.types.is_temporal(kind) and not pa.types.is_duration(kind)
    ) or pa.types.is_boolean(kind)
    return (
        "n" if is_number(kind) and (keep == "number" or (keep == "guess" and not as_told)) else "w"
    )


def flat(schema):
    while any(pa.types.is_struct(f.type) for f in schema):
        schema = pa.schema(
            [g for f in schema for g in (f.flatten() if pa.types.is_struct(f.type) else [f])]
        )
    return schema


def flat_batch(batch):
    table = pa.table(batch)
    while any(pa.types.is_struct(f.type) for f in table.schema):
        table = table.flatten()
    return table


def answer(out, request):
    with pq.ParquetFile(request["path"]) as f:
        fields = [(g.name, g.type) for g in flat(f.schema_arrow)]
        # pandas keeps its index so.
        others = {
            name: "not" if name.startswith("__index_level_") else request["others"]
            for name, _ in fields
        }
        keeps = {name: request["requested"].get(name, others[name]) for name, _ in fields}
        names = [name for name, _ in fields]
        if len(set(names)) < len(names):
            raise ValueError("two columns of the same name")
        kept = [(name, kind_of(keeps[name], kind)) for name, kind in fields if keeps[name] != "not"]
        # Rows count, whatever is in them.
        kept = kept or [(name, "w") for name in names[:1]]
        schema = pa.schema([(n, pa.float64() if k == "n" else pa.string()) for n, k in kept])
        top = [
            c.name
            for c in f.schema_arrow
            if any(n == c.name or n.startswith(c.name + ".") for n, _ in kept)
        ]
        alone = len(kept) == 1
        # An empty line would be no row.
        options = pv.WriteOptions(quoting_style="all_valid" if alone else "needed")
        if alone:
            schema = pa.schema([(kept[0][0], pa.string())])
        with pv.CSVWriter(pa.PythonFile(out, mode="w"), schema, write_options=options) as writer:
            for batch in f.iter_batches(BATCH_ROWS, columns=top):
                table = flat_batch(batch)
                columns = [
                    (as_numbers if kind == "n" else as_words)(table.column(name))
                    for name, kind in kept
                ]
                if alone:
                    columns = [pc.fill_null(columns[0].cast(pa.string()), "")]
                writer.write(pa.table(columns, schema=schema))


class Parts:
    """Writes what it gets as parts of an answer."""

    closed = False

    def __init__(self, out):
        self.out = out

    def write(self, part):
        part = memoryview(part)
        if part.nbytes:
            self.out.write(struct.pack("=I", part.nbytes))
            self.out.write(part)
        return part.nbytes

    def flush(self):
        pass

    def close(self):
        pass


def main():
    out = sys.stdout.buffer
    for line in sys.stdin.buffer:
        try:
            answer(Parts(out), json.loads(line))
            out.write(struct.pack("=I", 0))
        except BrokenPipeError:
            raise
        except Exception as e:  # an error in a file is reported for that file
            text = " ".join(str(e).split()) or type(e).__name__
            out.write(struct.pack("=I", 0xFFFFFFFF) + text.encode())
            return
        out.flush()


try:
    main()
except BrokenPipeError:  # the reader left
    sys.stderr.close()
    sys.exit(4)
