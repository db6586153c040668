"""Columns of Parquet files, as bytes.

Reads from standard input one request a line, {"path", "requested": {name: keep}, "others": keep}
with keep "number", "word", "guess" or "not", and answers each on standard output, in
the machine's byte order:
  C uint32 n, then n times: 'n' or 'w', uint32 length, name     the columns that follow
  B uint32 rows, then each column's: 'n': doubles; 'w': uint32 words, each uint32
    length and UTF-8, then int32 indices, -1 where there is no value
  E uint32 length, text                                          instead: it cannot be read
  Z                                                              the file's end
"""

import json
import struct
import sys

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

BATCH_ROWS = 1 << 16


def is_number(kind):
    t = pa.types
    return any(
        f(kind) for f in (t.is_integer, t.is_floating, t.is_decimal, t.is_temporal, t.is_boolean)
    ) and not t.is_interval(kind)


def as_numbers(column):
    """Doubles, NaN for null; moments are unix seconds, durations seconds, truths 1 and 0."""
    kind = column.type
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        column = pc.divide(
            column.cast(pa.timestamp("us"), safe=False)
            .cast(pa.int64())
            .cast(pa.float64(), safe=False),
            1e6,
        )
    elif pa.types.is_duration(kind):
        column = pc.divide(
            column.cast(pa.duration("us"), safe=False)
            .cast(pa.int64())
            .cast(pa.float64(), safe=False),
            1e6,
        )
    elif pa.types.is_time(kind):
        column = pc.divide(
            column.cast(pa.time64("us"), safe=False)
            .cast(pa.int64())
            .cast(pa.float64(), safe=False),
            1e6,
        )
    elif pa.types.is_boolean(kind):
        column = column.cast(pa.int8()).cast(pa.float64())
    elif pa.types.is_decimal(kind):
        column = column.cast(pa.float64(), safe=False)
    else:
        column = column.cast(pa.float64(), safe=False)
    return pc.fill_null(column, float("nan"))


def as_words(column):
    """Text with its different values once."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_duration(column.type):  # whose own text is a count of its unit, whatever that is
        column = pa.array(
            [
                None if v is None else repr(v)
                for v in pc.if_else(column.is_valid(), as_numbers(column), None).to_pylist()
            ],
            pa.string(),
        )
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        try:
            column = column.cast(pa.string())
        except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
            column = pa.array(
                [None if v is None else json.dumps(v, default=str) for v in column.to_pylist()],
                pa.string(),
            )
    return column.dictionary_encode()


def raw(array, size):
    """The array's own memory, from its first value on."""
    return array.buffers()[1].slice(array.offset * size, len(array) * size) if len(array) else b""


def words_parts(column):
    texts = [w.encode() for w in column.dictionary.to_pylist()]
    yield struct.pack("=I", len(texts))
    for text in texts:
        yield struct.pack("=I", len(text)) + text
    yield raw(pc.fill_null(column.indices.cast(pa.int32()), -1), 4)


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
        out.write(b"C" + struct.pack("=I", len(kept)))
        for name, kind in kept:
            out.write(kind.encode() + struct.pack("=I", len(name.encode())) + name.encode())
        top = [
            c.name
            for c in f.schema_arrow
            if any(n == c.name or n.startswith(c.name + ".") for n, _ in kept)
        ]
        if not kept:  # rows count, with nothing in them
            out.write(b"B" + struct.pack("=I", f.metadata.num_rows))
        for batch in f.iter_batches(BATCH_ROWS, columns=top) if kept else ():
            table = flat_batch(batch)
            parts = [b"B" + struct.pack("=I", table.num_rows)]
            for name, kind in kept:
                column = table.column(name).combine_chunks()
                if isinstance(column, pa.ChunkedArray):
                    column = (
                        pa.concat_arrays(column.chunks)
                        if column.num_chunks
                        else pa.array([], column.type)
                    )
                if kind == "n":
                    parts.append(raw(as_numbers(column), 8))
                else:
                    parts.extend(words_parts(as_words(column)))
            # Whole or not at all: errors are reported between batches.
            for part in parts:
                out.write(part)
    out.write(b"Z")


def main():
    out = sys.stdout.buffer
    for line in sys.stdin.buffer:
        try:
            answer(out, json.loads(line))
        except BrokenPipeError:
            raise
        except Exception as e:  # an error in a file is reported for that file
            text = " ".join(str(e).split()).encode() or type(e).__name__.encode()
            out.write(b"E" + struct.pack("=I", len(text)) + text)
        out.flush()


try:
    main()
except BrokenPipeError:  # the reader left
    sys.stderr.close()
    sys.exit(4)
