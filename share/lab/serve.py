"""Runs an environment's JupyterLab with labserve's settings.

serve.py probe                   reports what this environment has, a JSON object on stdout
serve.py own DIR/settings.json   runs JupyterLab with labserve's settings only
serve.py env DIR/settings.json   ... overriding those that the environment's packages bring

Everything that the server writes is below DIR. The settings of the user (~/.jupyter) and of
the machine (/etc/jupyter) are never used.
"""

import functools
import glob
import importlib.metadata
import json
import os
import shlex
import shutil
import site
import socket
import sys
import sysconfig
import tempfile

FOLDERS = {
    "JUPYTER_CONFIG_DIR": "config",
    "JUPYTER_RUNTIME_DIR": "runtime",
    "JUPYTERLAB_SETTINGS_DIR": "user-settings",
    "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
    "IPYTHONDIR": "ipython",
}
PREFIX_END_S = 60
REMOVED = (
    "JUPYTER_NO_CONFIG",
    "JUPYTER_CONFIG_PATH",
    "JUPYTERLAB_DIR",
    "JUPYTER_GATEWAY_URL",
    "MAKEFLAGS",
    "MFLAGS",
    "MAKELEVEL",
)


def version(package):
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def prefixes():
    """Where this Python's packages put their share/ and etc/, in order of precedence."""
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


def load(*names):
    with open(os.path.join(*names), encoding="utf-8") as f:
        return json.load(f)


def environment_settings(name):
    """What the environment's packages put into etc/jupyter/NAME.d and NAME.json."""
    merged = {}
    for prefix in reversed(prefixes()):
        base = os.path.join(prefix, "etc", "jupyter", name)
        for path in sorted(glob.glob(base + ".d/*.json")) + glob.glob(base + ".json"):
            try:
                merge(merged, load(path))
            except (OSError, ValueError) as error:
                print(f"{path}: {error}", file=sys.stderr)
    return merged


def used_packages(folders):
    """What the page's extensions in these folders are made from, as they say. None: one of them
    does not say."""
    used = set()
    paths = [
        os.path.join(folder, below, "package.json")
        for folder in folders
        for below in ("*", os.path.join("@*", "*"))
    ]
    for path in (found for pattern in paths for found in glob.glob(pattern)):
        try:
            package = load(path)
        except (OSError, ValueError):
            return None
        used.update(package.get("dependencies", {}), package.get("peerDependencies", {}))
    return used


def disable_unused(page, folders, unused):
    """Switches off the parts of JupyterLab's page that do nothing while a notebook runs, because
    each page would load and start them. What an extension in the folders uses stays, with what
    that needs. unused: a package of JupyterLab, whose extension is meant, or one part of an
    extension -> those that it needs"""
    used = used_packages(folders)
    stay, more = set(), set(unused) if used is None else used & unused.keys()
    while more:
        stay |= more
        more = {need for name in more for need in unused[name]} - stay
    disabled = page.setdefault("disabledExtensions", {})
    for name in unused.keys() - stay:
        disabled.setdefault(name if ":" in name else name + "-extension", True)


def write(value, *names):
    """With mode 600: one of these files has the token."""
    path = os.path.join(*names)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(
        os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8"
    ) as f:
        json.dump(value, f)


def check_once(validator):
    """Makes its check_schema check each schema once: those of JupyterLab, which every page
    requests and waits for, take the server a second."""
    check, valid = validator.check_schema, set()

    def check_schema(schema):
        text = json.dumps(schema, sort_keys=True)
        if text not in valid:
            check(schema)
            valid.add(text)

    validator.check_schema = staticmethod(check_schema)


def remember(handler):
    """Makes the handler of settings compute each answer once: all of them, which every page
    requests and waits for, take the server a third of a second."""
    compute, save, known = handler.get_settings, handler.save_settings, {}

    def get_settings(*args, schema_name="", translator=None, ids_only=False, **kwargs):
        key = (handler.translator._LOCALE, schema_name, ids_only)
        if key not in known:
            known[key] = compute(
                *args, schema_name=schema_name, translator=translator, ids_only=ids_only, **kwargs
            )
        return known[key]

    def save_settings(*args, **kwargs):
        known.clear()
        return save(*args, **kwargs)

    handler.get_settings, handler.save_settings = get_settings, save_settings


def list_once(translations):
    """Makes its search through the metadata of all installed packages happen once for each kind:
    two of them, which every page requests and waits for, take the server 60 ms."""
    translations.entry_points = functools.cache(translations.entry_points)


def ask_no_node(commands):
    """Makes it take the usual registry of packages, of which none is built here: JupyterLab asks
    node for it when it is imported, which takes 0.4 s where there is one."""
    commands._yarn_config = lambda logger: {"yarn config": {}, "npm config": {}}


def probe():
    print(
        json.dumps(
            {
                "jupyterlab": version("jupyterlab"),
                "ipykernel": version("ipykernel"),
                "data": [os.path.join(p, "share", "jupyter") for p in prefixes()],
            }
        )
    )


def put_kernel(folder, name, given, display_name):
    """A kernelspec for the environment's Python, which precedes all others of that name."""
    python = os.path.join(given["environment"], "bin", "python")
    write(
        {
            "argv": [python, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
            "display_name": display_name,
            "language": "python",
            "metadata": {"debugger": True},
        },
        folder,
        "data",
        "kernels",
        name,
        "kernel.json",
    )


def prepare_environment(folder, given):
    """As if the environment was activated, with the server's own folders."""
    for name in REMOVED:
        os.environ.pop(name, None)
    for variable, name in FOLDERS.items():
        os.environ[variable] = os.path.join(folder, name)
    for name in (*FOLDERS.values(), "app", "root"):
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    # Where it keeps checkpoints of a notebook whose folder is gone; kernels have their own.
    tempfile.tempdir = folder
    # The environment's kernelspecs precede the user's, which stay usable.
    data = [os.path.join(folder, "data"), *given["data"], os.environ.get("JUPYTER_PATH")]
    os.environ["JUPYTER_PATH"] = os.pathsep.join(filter(None, data))
    python = os.path.join(given["environment"], "bin", "python")
    path = [os.path.dirname(python), os.environ.get("PATH", "/usr/bin:/bin")]
    os.environ["PATH"] = os.pathsep.join(path)
    os.environ["VIRTUAL_ENV"] = given["environment"]
    if given["borrowed"]:
        # This JupyterLab is not the environment's: its kernel gets a kernelspec that precedes
        # all others of that name.
        put_kernel(folder, "python3", given, "Python 3 (ipykernel)")
        # jupyter_client replaces "python" in the kernelspecs of packages by this.
        sys.executable = python


def put_own_kernel(folder, given):
    """Notebooks for the kernel of `python -m nbscope.kernel install` run where there is none, too:
    drivers load its magics."""
    from jupyter_client.kernelspec import KernelSpecManager

    if "nbscope" not in KernelSpecManager().find_kernel_specs():
        put_kernel(folder, "nbscope", given, "Python 3 (nbscope)")


def put_prefix(folder, given):
    """KERNEL_PREFIX: kernelspecs that precede all others, with the same names, whose kernels run
    under this command."""
    from jupyter_client.kernelspec import KernelSpecManager

    try:
        prefix = shlex.split(given["kernel_prefix"])
    except ValueError as error:
        sys.exit(f"--kernel-prefix: {error}: {given['kernel_prefix']}")
    if not prefix or not shutil.which(prefix[0]):
        sys.exit(f"--kernel-prefix: there is no command '{' '.join(prefix[:1])}' on PATH")
    python = os.path.join(given["environment"], "bin", "python")
    launcher = [
        sys.executable,
        "-I",
        "-S",
        os.path.join(folder, "kernel_prefix.py"),
        given["kernel_files"],
        given["run_folder"],
        str(len(prefix)),
        *prefix,
    ]
    for name, found in KernelSpecManager().get_all_specs().items():
        spec, where = found["spec"], found["resource_dir"]
        command = [word.replace("{resource_dir}", where) for word in spec["argv"]]
        # jupyter_client would replace the first word.
        if os.path.basename(command[0]).startswith("python") and "/" not in command[0]:
            command[0] = python
        write({**spec, "argv": launcher + command}, folder, "data", "kernels", name, "kernel.json")


def check_address(elsewhere):
    # JupyterLab would end with a traceback. A name may have addresses of which one is usable.
    host, failure = elsewhere["ip"], None
    try:
        for family, kind, _, _, address in socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM):
            with socket.socket(family, kind) as s:
                try:
                    return s.bind(address)
                except OSError as error:
                    failure = error
    except OSError as error:
        failure = error
    sys.exit(f"'{host}' (LAB_HOST) is no address or name of this machine: {failure.strerror}")


def given_settings(folder, given):
    # Browsers of other machines name this host; a certificate and the token protect it.
    elsewhere = given["elsewhere"] or {}
    return {
        "IdentityProvider": {"token": given["token"]},
        "ServerApp": {"port": given["port"], "root_dir": os.path.join(folder, "root"), **elsewhere},
        "NotebookNotary": {"secret_file": os.path.join(folder, "notebook_secret")},
        # A profiler writes its file when the kernel has ended.
        "KernelManager": {"shutdown_wait_time": PREFIX_END_S} if given["kernel_prefix"] else {},
        "LabApp": {
            "app_settings_dir": os.path.join(folder, "app"),
            # Only extensions of the environment to profile.
            "labextensions_path": [os.path.join(d, "labextensions") for d in given["data"]],
        },
    }


def serve(own, path):
    folder, given = os.path.dirname(path), load(path)
    if given["elsewhere"]:
        check_address(given["elsewhere"])
    prepare_environment(folder, given)
    # jsonschema's check of IRIs, which is not used here, would take longer than the rest of
    # the start: it compiles its grammar when it is imported.
    sys.modules["rfc3987_syntax"] = None

    from jupyter_core import paths

    # Before it is imported by name elsewhere: only our folder is searched.
    paths.jupyter_config_path = lambda: [paths.jupyter_config_dir()]
    put_own_kernel(folder, given)
    if given["kernel_prefix"]:
        put_prefix(folder, given)
    settings, page = {"ServerApp": {"jpserver_extensions": {"jupyterlab": True}}}, {}
    if not own:
        merge(settings, environment_settings("jupyter_server_config"))
        merge(settings, environment_settings("jupyter_lab_config"))
        merge(page, environment_settings(os.path.join("labconfig", "page_config")))
    merge(settings, load(folder, "server.json"))
    merge(settings, given_settings(folder, given))
    merge(page, settings.pop("page_config", {}))
    disable_unused(page, settings["LabApp"]["labextensions_path"], settings.pop("unused"))
    write(settings.pop("overrides"), folder, "app", "overrides.json")
    # Next to this file; without it, only how kernels end remains unknown.
    try:
        import nbscope_kernels

        nbscope_kernels.limit_bytes = given["kernel_memory_bytes"]
        nbscope_kernels.prefixed = bool(given["kernel_prefix"])
        settings["ServerApp"]["jpserver_extensions"]["nbscope_kernels"] = True
    except ImportError as error:
        if given["kernel_memory_bytes"]:
            sys.exit(f"--kernel-memory: {error}")
    write(settings, paths.jupyter_config_dir(), "jupyter_server_config.json")
    write(page, paths.jupyter_config_dir(), "labconfig", "page_config.json")

    from jupyterlab import commands

    if hasattr(commands, "_yarn_config"):
        ask_no_node(commands)
    from jupyter_server.serverapp import ServerApp
    from jupyterlab.labapp import main
    from jupyterlab_server import settings_handler, settings_utils, translation_utils

    # This file would be readable for all, with the token in it, and no setting prevents it.
    ServerApp.write_browser_open_files = lambda self: None
    if hasattr(settings_utils, "Validator"):
        check_once(settings_utils.Validator)
    if hasattr(getattr(settings_handler, "translator", None), "_LOCALE"):
        remember(settings_handler)
    if hasattr(translation_utils, "entry_points"):
        list_once(translation_utils)
    sys.argv = ["jupyter-lab"]
    # cellrun finds the folder of its files by where the server works.
    os.chdir(settings["ServerApp"]["root_dir"])
    main()


if __name__ == "__main__":
    if sys.argv[1] == "probe":
        probe()
    else:
        serve(sys.argv[1] == "own", sys.argv[2])
