"""Each notebook is a test: it runs without an error, within nbscope/NAME/budgets.yaml.

NBSCOPE in the environment is the command, by default nbscope; NBSCOPE_SETTINGS are more settings.
"""

import os
import shlex
import subprocess

import pytest

COMMAND = shlex.split(os.environ.get("NBSCOPE", "nbscope"))
SETTINGS = shlex.split(os.environ.get("NBSCOPE_SETTINGS", "BROWSER=none"))
collect_ignore_glob = ["nbscope/*", "*/nbscope/*"]  # results


def pytest_collect_file(file_path, parent):
    if file_path.suffix == ".ipynb":
        return NotebookFile.from_parent(parent, path=file_path)


class NotebookFile(pytest.File):
    def collect(self):
        yield Notebook.from_parent(self, name="within_budget")


class Notebook(pytest.Item):
    def runtest(self):
        self.make("profile-notebook")
        if (self.path.parent / "nbscope" / self.path.stem / "budgets.yaml").exists():
            self.make("check")

    def make(self, target):
        call = [*COMMAND, target, f"NOTEBOOK={self.path}", *SETTINGS]
        made = subprocess.run(call, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if made.returncode:
            pytest.fail(f"{shlex.join(call)}\n{made.stdout}", pytrace=False)

    def reportinfo(self):
        return self.path, None, self.path.name
