"""A substitute for the Python module of Score-P, which no package index has: the same contract.

It notes its arguments and its environment, and writes the calls of what is instrumented as a real
OTF2 archive, by otf2_calls.
"""

__version__ = "substitute"
