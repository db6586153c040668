# %% before
import os
import ipywidgets
pictures = [os.urandom(600_000) for i in range(3)]
shown = [ipywidgets.Image(value=b"") for i in range(3)]
# %% fires
for widget in shown:
    widget.value = pictures[0]
# %% silent
for widget, picture in zip(shown, [os.urandom(600_000) for i in range(3)]):
    widget.value = picture
