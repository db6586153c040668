"""What pyproject.toml cannot say: the labextension is written from files next to this folder."""

import glob
import os
import subprocess
import sys

from setuptools import setup

HERE = os.path.dirname(os.path.abspath(__file__))
WRITER = os.path.join(HERE, "..", "labextension", "write.py")
MADE, INSTALLED = "build/labextension", "share/jupyter/labextensions/nbscope"

data = []
os.chdir(HERE)
if os.path.exists(WRITER):
    subprocess.run([sys.executable, WRITER, MADE], check=True)
    data = [(INSTALLED + below, glob.glob(f"{MADE}{below}/*.js*")) for below in ("", "/static")]
setup(data_files=data)
