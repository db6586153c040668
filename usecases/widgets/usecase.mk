# widgets: a gallery of outputs whose last change is known; `make calibrate CALIBRATE=widgets` runs
# it.

# Many kinds count, and not each of them often.
REPEAT ?= 3

# No cell takes long: a change that has not come by then will not come.
MAX_WAIT_TIME ?= 60

# Each picture of the page is compared, which takes less time for a small one. All outputs fit in.
WINDOW ?= 900x1300

# The page captures itself, which a browser otherwise asks a person about.
BROWSER ?= $(CURDIR)/usecases/widgets/files/capturing-chromium

# Only times are compared, and the processors are busy enough.
SAMPLE_INTERVAL ?= 0
