# %% before
import numpy
import pandas
frame = pandas.DataFrame(numpy.arange(30_000.).reshape(15_000, 2), columns=["a", "b"])
# %% fires
total = 0
for i, row in frame.iterrows():
    total += row["a"] * row["b"]
# %% fires: apply
product = pandas.concat([frame] * 4).apply(lambda row: row["a"] * row["b"], axis=1)
# %% fires: loc
total = 0
for i in range(len(frame)):
    total += frame.loc[i]["a"]
# %% fires: a table of astropy
from astropy.table import Table
table = Table({"a": numpy.arange(60_000.), "b": numpy.arange(60_000.)})
total = 0
for row in table:
    total += row["a"] * row["b"]
# %% silent
total = (frame.a * frame.b).sum()
for a, b in zip(frame.a, frame.b):
    total += a * b
# %% silent: few rows, whose work takes long
def work(row):
    return row["a"] * sum(range(300_000))
worked = frame.head(100).apply(work, axis=1)
for i, row in frame.head(50).iterrows():
    work(row)
