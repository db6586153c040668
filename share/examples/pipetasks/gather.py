#!/usr/bin/env python3
"""gather.py DATA FILE.csv: writes the campaign's Parquet files as one table.

metricstat and metricplot can read the folder themselves; for forty tables and figures it is faster
to read it once. Columns that a task does not have are empty in its rows; step and task come from
the names of the folders.
"""
import pathlib
import sys

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

tables = []
for path in sorted(pathlib.Path(sys.argv[1]).glob("step_*/*_resource_usage/*.parquet")):
    table = pq.read_table(path, partitioning=None)
    step, task = path.parts[-3].removeprefix("step_"), path.parts[-2].removesuffix("_resource_usage")
    for name, word in (("task", task), ("step", step)):
        table = table.add_column(0, name, pa.array([word] * len(table)))
    tables.append(table)
pyarrow.csv.write_csv(pa.concat_tables(tables, promote_options="default"), sys.argv[2])
