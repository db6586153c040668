# profiled.py SETTINGS NOTEBOOK: runs a notebook in a real kernel as cellrun --profile does, without
# a browser. Writes the profilers' records, then for each cell a line {"type": "outputs"}.
# SETTINGS: a JSON text; null: without profilers. An "interrupt": {cell: seconds} interrupts a cell.
import json
import sys
import threading

from jupyter_client.manager import start_new_kernel

settings, notebook = json.loads(sys.argv[1]), json.load(open(sys.argv[2]))
source = "".join(open("share/profile/%s.py" % name).read()
                 for name in ("profile", "functions", "lines", "memory", "dask")
                 if name in ("profile", "functions", "lines"))
MODULE, MIME = "_nbscope_profile", "application/vnd.nbscope.profile+jsonl"
manager, client = start_new_kernel(kernel_name="python3")


def ask(expression):
    reply = client.execute("", silent=True, store_history=False, allow_stdin=False,
                           user_expressions={"nbscope": expression}, reply=True, timeout=60)
    value = reply["content"]["user_expressions"]["nbscope"]
    assert value["status"] == "ok", value
    return value["data"].get(MIME, "")


def call(text):
    return ask("__import__('sys').modules['%s'].%s" % (MODULE, text))


def run(index, cell):
    outputs = []

    def output(message):
        kind, content = message["header"]["msg_type"], message["content"]
        if kind in ("stream", "execute_result", "display_data", "error"):
            content.pop("traceback", None)
            outputs.append([kind, content])
    after = (settings or {}).get("interrupt", {}).get(str(index))
    if after:
        threading.Timer(after, manager.interrupt_kernel).start()
    reply = client.execute_interactive("".join(cell["source"]), timeout=120, output_hook=output,
                                       stop_on_error=False, allow_stdin=False)
    return {"type": "outputs", "cell_index": index, "outputs": outputs,
            "count": reply["content"]["execution_count"], "status": reply["content"]["status"]}


try:
    if settings:
        ask("(lambda m, s: (s.modules.__setitem__('%s', m('types').ModuleType('%s')), "
            "exec(compile(%r, '<nbscope profile>', 'exec'), s.modules['%s'].__dict__), "
            "s.modules['%s'].setup(m('json').loads(%r)))[-1])(__import__, __import__('sys'))" % (
                MODULE, MODULE, source, MODULE, MODULE, json.dumps(settings)))
    lines, cells = [], [c for c in notebook["cells"] if c["cell_type"] == "code"]
    for index, cell in enumerate(cells, 1):
        selected = bool(settings) and index in (settings.get("cells") or [index])
        if settings:
            call("arm(%r)" % {"index": index, "id": cell.get("id", ""), "profile": selected,
                              "options": {}})
        outputs = run(index, cell)
        part = selected
        while part:
            part = call("take()")
            sys.stdout.write(part)
        lines.append(outputs)
    for line in lines:
        print(json.dumps(line))
finally:
    manager.shutdown_kernel(now=True)
