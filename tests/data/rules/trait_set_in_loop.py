# %% before
import time
import ipywidgets
progress = ipywidgets.IntProgress(max=2000)
# %% fires
for i in range(2000):
    progress.value = i
# %% silent
with progress.hold_sync():
    for i in range(2000):
        progress.value = 2000 - i
# %% silent: slowly
for i in range(60):
    progress.value = i + 1
    time.sleep(0.02)
