# imviz_images: 240 combinations of many large images in Imviz, in a viewer of 600 to 4000 pixels.

# To align five images in a viewer of 4000 pixels takes minutes on two processors, 25 images half
# an hour.
MAX_WAIT_TIME ?= 1800

# The memory of kernel and browser together, from measured peaks. An image is in memory once, as
# float32: 4 bytes per pixel. For each pixel of the viewer, every image has buffers of 32 bytes, and
# the combined picture has 350 bytes in kernel and page. JupyterLab, jdaviz and Chromium need 1.5 GB
# without any image.
MEMORY_BYTES ?= n_images * image_pixel_side * image_pixel_side * 4 + \
	viewport_pixel_size * viewport_pixel_size * (n_images * 32 + 350) + 1.5e9

# What it imports that nbscope's own Python environment has, and another one may lack.
own_packages := jdaviz
