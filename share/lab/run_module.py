"""Runs a module as python -m does, for commands that run scripts only: see kernel_prefix.py."""

import runpy
import sys

sys.path[0] = ""
del sys.argv[0]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
