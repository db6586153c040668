# %% before
import io
import numpy
from PIL import Image
import IPython.display
def png(width, height):
    file = io.BytesIO()
    noise = numpy.random.default_rng(0).integers(0, 255, (height, width), "uint8")
    Image.fromarray(noise).save(file, "png")
    return file.getvalue()
large = png(2400, 1800)
# %% fires
IPython.display.Image(large, width=300)
# %% silent
IPython.display.Image(png(1200, 900), width=600)
