# %% before
%matplotlib inline
import time
import matplotlib.pyplot as plt
from IPython.display import clear_output
# %% fires
for n in range(1, 9):
    clear_output(wait=True)
    plt.plot(range(n))
    plt.show()
# %% silent: all of them stay
for n in range(1, 9):
    plt.plot(range(n))
    plt.show()
# %% silent: somebody watches it
for n in range(1, 5):
    clear_output(wait=True)
    plt.plot(range(n))
    plt.show()
    time.sleep(0.5)
