# imviz_images: 240 combinations of many, large images in Imviz, in a viewer of 600 to 4000 pixels.

# Five images in a viewer of 4000 pixels take minutes to align on two cores, 25 of them half an hour.
MAX_WAIT_TIME ?= 1800

# The picture of a 4000 pixel viewer is 8000 pixels a side (glue-jupyter draws half a viewer more on every side); decoding it keeps
# the page still for 0.7 s before the last change. The waiting itself is in no number: settle times are backdated.
SETTLE_MS ?= 1500

# What a combination needs, kernel and browser together, from measured peaks. An image is held once, as float32: 4 bytes a pixel. For
# each pixel of the viewer every image has 32 bytes of buffers, and the picture made of all has 350, in the kernel and in the page.
# JupyterLab, jdaviz and Chromium are 1.5 GB before there is any image.
MEMORY_BYTES ?= n_images * image_pixel_side * image_pixel_side * 4 + viewport_pixel_size * viewport_pixel_size * (n_images * 32 + 350) + 1.5e9
