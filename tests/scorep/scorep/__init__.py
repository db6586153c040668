"""A substitute for the Python module of Score-P, which needs an installed Score-P to be built: the
same contract, as the sources of release 4.5.1 have it.

It notes its arguments and its environment, and writes the calls of what is instrumented as a real
OTF2 archive, by otf2_calls.
"""

__version__ = "substitute"
