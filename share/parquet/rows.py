"""Rows as a Parquet file.

Reads from standard input {"columns": [[name, type], ...], "rest_at": k}, then an object a line, and
an empty line at the end. A type is "double", "int64", "bool", "string", or null: that of the
values. Columns that are not named are inserted at rest_at, in the order in which they appear;
without rest_at they are left out. Answers on standard output, in the machine's byte order: "P"
uint64 length and the file, or "E" uint64 length and why it cannot be made.
"""

import io
import json
import struct
import sys

import pyarrow as pa
import pyarrow.parquet as pq

TYPES = {"double": pa.float64(), "int64": pa.int64(), "bool": pa.bool_(), "string": pa.string()}


def type_of(values):
    """The narrowest type that holds all values as they are; None: their JSON."""
    kinds = {type(v) for v in values} - {type(None)}
    if kinds <= {str}:
        return pa.string()
    if kinds == {bool}:
        return pa.bool_()
    if kinds == {int} and all(v is None or -(2**63) <= v < 2**63 for v in values):
        return pa.int64()
    if kinds <= {int, float}:
        return pa.float64()
    if kinds == {list} and all(isinstance(w, str) for v in values if v for w in v):
        return pa.list_(pa.string())
    return None


def array_of(values, told):
    kind = TYPES.get(told)
    if kind:
        try:
            return pa.array(
                [float(v) if v is not None else None for v in values]
                if told == "double"
                else values,
                kind,
            )
        except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError, ValueError, OverflowError):
            pass  # another type than the column has as a rule
    kind = type_of(values)
    if kind is None:
        values, kind = (
            [
                v if v is None or isinstance(v, str) else json.dumps(v, ensure_ascii=False)
                for v in values
            ],
            pa.string(),
        )
    elif kind == pa.float64():
        values = [None if v is None else float(v) for v in values]
    return pa.array(values, kind)


def parquet_of(lines):
    head = json.loads(next(lines))
    told = dict(head["columns"])
    columns, rest = {name: [] for name in told}, []
    for n, line in enumerate(lines):
        if line == b"\n":
            break
        row = json.loads(line)
        for name in row.keys() - columns.keys() if "rest_at" in head else ():
            columns[name] = [None] * n
        for name in row if "rest_at" in head else ():
            if name not in told and name not in rest:
                rest.append(name)
        for name, values in columns.items():
            values.append(row.get(name))
    names = list(told)
    at = head.get("rest_at", 0)
    names[at:at] = rest
    out = io.BytesIO()
    pq.write_table(pa.table({name: array_of(columns[name], told.get(name)) for name in names}), out)
    return out.getvalue()


def main():
    out = sys.stdout.buffer
    try:
        answer, tag = parquet_of(iter(sys.stdin.buffer)), b"P"
    except Exception as e:  # reported by the program that asked
        answer, tag = " ".join(str(e).split()).encode() or type(e).__name__.encode(), b"E"
    out.write(tag + struct.pack("=Q", len(answer)) + answer)
    out.flush()


main()
