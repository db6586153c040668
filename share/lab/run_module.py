"""Runs a module as python -m does, for commands that only run scripts: kernel_prefix.py names it."""
import runpy
import sys

sys.path[0] = ""
del sys.argv[0]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
