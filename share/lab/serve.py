"""Runs an environment's JupyterLab with labserve's settings alone.

serve.py --probe         what this environment has, one JSON object on stdout
serve.py SETTINGS.json   JupyterLab with those settings over the environment's own

The settings of a user (~/.jupyter) and of the machine (/etc/jupyter) do not
count; those that lie in the environment, put there by its packages, do.
"""
import glob
import importlib.metadata
import json
import os
import site
import sys
import sysconfig


def version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def prefixes():
    """Where this Python's packages put their share/ and etc/."""
    found = [sys.prefix, sysconfig.get_path("data")]
    if site.ENABLE_USER_SITE:
        found.insert(0, site.getuserbase())
    return list(dict.fromkeys(found))


def merge(into, more):
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            merge(into[key], value)
        else:
            into[key] = value


def environment_settings(name):
    """What the environment's packages put into etc/jupyter/NAME.d and NAME.json."""
    merged = {}
    for prefix in reversed(prefixes()):
        base = os.path.join(prefix, "etc", "jupyter", name)
        for path in sorted(glob.glob(base + ".d/*.json")) + [base + ".json"]:
            try:
                with open(path, encoding="utf-8") as f:
                    merge(merged, json.load(f))
            except FileNotFoundError:
                continue
            except (OSError, ValueError) as error:
                print(f"{path}: {error}", file=sys.stderr)
    return merged


def probe():
    print(json.dumps({
        "jupyterlab": version("jupyterlab"),
        "ipykernel": version("ipykernel"),
        "data": [os.path.join(p, "share", "jupyter") for p in prefixes()],
    }))


def serve(path):
    from jupyter_core import paths

    # Before anything imports it by name: no folder but ours is looked into.
    paths.jupyter_config_path = lambda: [paths.jupyter_config_dir()]
    settings = environment_settings("jupyter_server_config")
    merge(settings, environment_settings("jupyter_lab_config"))
    with open(path, encoding="utf-8") as f:
        merge(settings, json.load(f))
    config_dir = paths.jupyter_config_dir()
    with open(os.path.join(config_dir, "jupyter_server_config.json"), "w", encoding="utf-8") as f:
        json.dump(settings, f)
    page = environment_settings("labconfig/page_config")
    os.makedirs(os.path.join(config_dir, "labconfig"))
    with open(os.path.join(config_dir, "labconfig", "page_config.json"), "w", encoding="utf-8") as f:
        json.dump(page, f)

    from jupyterlab.labapp import main

    sys.argv = ["jupyter-lab"]
    main()


if __name__ == "__main__":
    if sys.argv[1] == "--probe":
        probe()
    else:
        serve(sys.argv[1])
