# %% before
import numpy
numpy.save("frames.npy", numpy.zeros(500_000))
for i in range(8):
    numpy.save(f"frame{i}.npy", numpy.zeros(500_000))
# %% fires
total = 0
for i in range(6):
    total += numpy.load("frames.npy").sum()
# %% silent: each file once, and one file in parts
for i in range(8):
    total += numpy.load(f"frame{i}.npy").sum()
for i in range(8):
    with open("frame0.npy", "rb", buffering=0) as file:
        file.seek(1000 * i)
        total += len(file.read(1000))
# %% silent: it has changed in between
for i in range(6):
    numpy.save("other.npy", numpy.zeros(500_000))
    total += numpy.load("other.npy").sum()
