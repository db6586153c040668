# %% before
%matplotlib inline
import time
import numpy
import matplotlib.pyplot as plt
from IPython.display import clear_output
noise = numpy.random.default_rng(0).random((400, 400, 3))
# %% fires
for n in range(1, 6):
    clear_output(wait=True)
    plt.imshow(noise[n:])
    plt.show()
# %% silent: all of them stay
for n in range(1, 6):
    plt.imshow(noise[n:])
    plt.show()
# %% silent: somebody watches it
for n in range(1, 5):
    clear_output(wait=True)
    plt.imshow(noise[n:])
    plt.show()
    time.sleep(0.5)
