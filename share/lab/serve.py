"""Runs an environment's JupyterLab with labserve's settings.

serve.py probe               what this environment has, a JSON object on stdout
serve.py own SETTINGS.json   JupyterLab with these settings alone
serve.py env SETTINGS.json   ... over those that the environment's packages bring

The settings of a user (~/.jupyter) and of the machine (/etc/jupyter) never count.
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
    """Where this Python's packages put their share/ and etc/, the strongest first."""
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
        for path in sorted(glob.glob(base + ".d/*.json")) + glob.glob(base + ".json"):
            try:
                with open(path, encoding="utf-8") as f:
                    merge(merged, json.load(f))
            except (OSError, ValueError) as error:
                print(f"{path}: {error}", file=sys.stderr)
    return merged


def write(value, *names):
    """Mode 600: one of them holds the token."""
    path = os.path.join(*names)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as f:
        json.dump(value, f)


def check_once(validator):
    """Its check_schema checks each schema once: all of JupyterLab's, which each page
    asks for and waits for, take the server a second."""
    check, sound = validator.check_schema, set()

    def check_schema(schema):
        text = json.dumps(schema, sort_keys=True)
        if text not in sound:
            check(schema)
            sound.add(text)

    validator.check_schema = staticmethod(check_schema)


def probe():
    print(json.dumps({
        "jupyterlab": version("jupyterlab"),
        "ipykernel": version("ipykernel"),
        "data": [os.path.join(p, "share", "jupyter") for p in prefixes()],
    }))


def serve(own, path):
    # jsonschema's check of IRIs, which nothing here uses, would take longer
    # than all the rest of the start: it compiles its grammar at import.
    sys.modules["rfc3987_syntax"] = None

    from jupyter_core import paths

    # Before anything imports it by name: no folder but ours is looked into.
    paths.jupyter_config_path = lambda: [paths.jupyter_config_dir()]
    settings, page = {"ServerApp": {"jpserver_extensions": {"jupyterlab": True}}}, {}
    if not own:
        merge(settings, environment_settings("jupyter_server_config"))
        merge(settings, environment_settings("jupyter_lab_config"))
        merge(page, environment_settings(os.path.join("labconfig", "page_config")))
    with open(path, encoding="utf-8") as f:
        merge(settings, json.load(f))
    merge(page, settings.pop("page_config", {}))
    # What a kernelspec means by "python", as its package writes it: jupyter_client takes this.
    sys.executable = settings.pop("kernel_python", sys.executable)
    # Beside this file; without it all but what a kernel ended by is as before.
    try:
        import nbscope_kernels

        nbscope_kernels.limit_bytes = settings.pop("kernel_memory_bytes", 0)
        settings["ServerApp"]["jpserver_extensions"]["nbscope_kernels"] = True
    except ImportError as error:
        if settings.pop("kernel_memory_bytes", 0):
            sys.exit(f"--kernel-memory: {error}")
    write(settings, paths.jupyter_config_dir(), "jupyter_server_config.json")
    write(page, paths.jupyter_config_dir(), "labconfig", "page_config.json")

    from jupyter_server.serverapp import ServerApp
    from jupyterlab.labapp import main
    from jupyterlab_server import settings_utils

    # A file for all to read, with the token in it; and no setting against it.
    ServerApp.write_browser_open_files = lambda self: None
    if hasattr(settings_utils, "Validator"):
        check_once(settings_utils.Validator)
    sys.argv = ["jupyter-lab"]
    main()


if __name__ == "__main__":
    if sys.argv[1] == "probe":
        probe()
    else:
        serve(sys.argv[1] == "own", sys.argv[2])
