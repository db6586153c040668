"""A kernel for Jupyter whose notebooks have the magics of nbscope without a first cell.

Usage: python -m nbscope.kernel install --user|--sys-prefix|--prefix FOLDER [--name NAME]
                                        [--display-name TEXT]
       python -m nbscope.kernel remove [--user|--sys-prefix|--prefix FOLDER] [--name NAME]

It is the kernel of the Python that runs this, which loads this module as an extension.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

from . import driven, programs

NAME, DISPLAY_NAME = "nbscope", "Python 3 (nbscope)"
OURS = "nbscope"  # in the metadata of our kernelspecs
LIMIT_S = 60


def load_ipython_extension(shell):
    """A driver loads what the notebook needs, and samples the kernel itself."""
    if not driven.driven:
        shell.extension_manager.load_extension("nbscope")


class Refused(Exception):
    """The text says why nothing was installed or removed."""


def is_ours(folder):
    try:
        with open(os.path.join(folder, "kernel.json"), encoding="utf-8") as f:
            return OURS in json.load(f).get("metadata", {})
    except (OSError, ValueError, AttributeError):
        return False


def folder_of(manager, options):
    """Where the kernelspec is or will be; None: nowhere."""
    if options.user:
        return os.path.join(manager.user_kernel_dir, options.name)
    if options.prefix:
        return os.path.join(options.prefix, "share", "jupyter", "kernels", options.name)
    return manager.find_kernel_specs().get(options.name)


def check_import():
    """A kernel starts in another folder, and not with the paths of this process."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-c", "import nbscope.kernel"],
        cwd="/",
        env=env,
        capture_output=True,
        timeout=LIMIT_S,
        check=False,
    )
    if done.returncode:
        raise Refused(
            f"'{sys.executable}' finds no module nbscope: install it with pip install share/ipython"
        )


def install(manager, options):
    from ipykernel.kernelspec import get_kernel_dict, write_kernel_spec

    check_import()
    # Jupyter takes the first kernelspec of a name, so another one would hide ours or be hidden.
    for folder in {folder_of(manager, options), manager.find_kernel_specs().get(options.name)}:
        if folder and os.path.lexists(folder) and not is_ours(folder):
            raise Refused(f"'{folder}' is a kernel of something else: choose another --name")
    with tempfile.TemporaryDirectory() as staged:
        source = os.path.join(staged, options.name)
        metadata = get_kernel_dict().get("metadata", {})
        overrides = {
            "display_name": options.display_name,
            "metadata": {**metadata, OURS: True},
        }
        write_kernel_spec(source, overrides, extra_arguments=["--ext=nbscope.kernel"])
        folder = manager.install_kernel_spec(
            source, options.name, user=options.user, prefix=options.prefix
        )
    print(f"nbscope: installed the kernel '{options.display_name}' in {folder}")
    if programs.find("procsample") is None:
        print(
            "nbscope: procsample is not on PATH: without it cells have no samples", file=sys.stderr
        )


def remove(manager, options):
    folder = folder_of(manager, options)
    if not folder or not os.path.lexists(folder):
        raise Refused(f"there is no kernel '{options.name}'" + (f" in {folder}" if folder else ""))
    if not is_ours(folder):
        raise Refused(f"'{folder}' is a kernel of something else: it stays")
    if os.path.islink(folder):
        os.remove(folder)
    else:
        shutil.rmtree(folder)
    print(f"nbscope: removed {folder}")


def options_of(arguments):
    parser = argparse.ArgumentParser(
        prog="python -m nbscope.kernel", description=__doc__.splitlines()[0]
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="install|remove")
    for name, text in (("install", "install the kernel"), ("remove", "remove it again")):
        action = actions.add_parser(name, help=text, description=text)
        where = action.add_mutually_exclusive_group(required=name == "install")
        where.add_argument("--user", action="store_true", help="for this user")
        where.add_argument(
            "--sys-prefix",
            action="store_const",
            dest="prefix",
            const=sys.prefix,
            help="in the environment of this Python",
        )
        where.add_argument("--prefix", metavar="FOLDER", help="below this folder")
        action.add_argument(
            "--name", default=NAME, type=str.lower, help="of the kernelspec (default: %(default)s)"
        )
        if name == "install":
            action.add_argument(
                "--display-name",
                default=DISPLAY_NAME,
                metavar="TEXT",
                help="what Jupyter shows (default: %(default)s)",
            )
    return parser.parse_args(arguments)


def main(arguments):
    options = options_of(arguments)
    try:
        from ipykernel.kernelspec import KernelSpecManager

        action = install if options.action == "install" else remove
        action(KernelSpecManager(), options)
    except ImportError:
        return f"nbscope: '{sys.executable}' has no ipykernel: install it with pip"
    except (Refused, OSError, ValueError) as error:
        return f"nbscope: {error}"
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
