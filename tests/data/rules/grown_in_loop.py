# %% before
import numpy
import pandas
# %% fires
frame = pandas.DataFrame({"a": [0]})
for i in range(2500):
    frame = pandas.concat([frame, pandas.DataFrame({"a": [i]})])
# %% fires: an array
values = numpy.zeros(100_000)
for i in range(5000):
    values = numpy.append(values, i)
# %% fires: a row after the last
rows = pandas.DataFrame({"a": [0.0], "b": [0.0]})
for i in range(800):
    rows.loc[len(rows)] = [i, i]
# %% silent
parts = [pandas.DataFrame({"a": [0]})]
for i in range(1500):
    parts.append(pandas.DataFrame({"a": [i]}))
joined = pandas.concat(parts)
# %% silent: what makes the parts takes the time
def part(i):
    return pandas.DataFrame({"a": [sum(range(400_000))]})
frame = pandas.DataFrame({"a": [0]})
for i in range(25):
    frame = pandas.concat([frame, part(i)])
