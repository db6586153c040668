"""profilers.py [options] CELL...: runs cells in a new kernel and profiles them as cellrun does.

Prints JSON lines: the records of the profiled cells, an `output` for each message of a cell, and
`after`, which the kernel answers at the end: history, In, Out, names and what is in sys.
"""

import argparse
import json
import os
import pathlib
import queue
import sys
import time

from jupyter_client.manager import KernelManager

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(ROOT, os.environ.get("NBSCOPE_BUILD") or "build")
MODULE = os.path.join(BUILD, "obj/profilers.py")
MIME = "application/vnd.nbscope.profile+jsonl"
LIMIT_S = 60
SETUP = """(lambda m, s: (s.modules.__setitem__("_nbscope_profile", m("types").ModuleType(
"_nbscope_profile")), exec(compile(%r, "<nbscope profile>", "exec"),
s.modules["_nbscope_profile"].__dict__), m("json").dumps(s.modules["_nbscope_profile"].setup(
m("json").loads(%r))))[-1])(__import__, __import__("sys"))"""
AFTER = """{"history": [list(h) for h in get_ipython().history_manager.get_range(output=True)],
"In": list(In), "Out": sorted(Out), "names": sorted(n for n in globals() if n[:2] != "__"),
"trace": str(__import__("sys").gettrace()), "profile": str(__import__("sys").getprofile()),
"last": str(getattr(__import__("sys"), "last_value", None)),
"count": get_ipython().execution_count}"""


class Kernel:
    def __init__(self, args):
        # Of a free port, another kernel may have become the owner.
        self.manager = KernelManager(transport="ipc")
        if args.python:
            self.manager.kernel_spec.argv[0] = args.python
        self.manager.start_kernel()
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=LIMIT_S)

    def request(self, code, interrupt_on=None, cell_id=None, **how):
        """Sends a request, prints nothing; returns (its outputs, its reply)."""
        content = {
            "code": code,
            "silent": False,
            "store_history": True,
            "user_expressions": {},
            "allow_stdin": False,
            "stop_on_error": False,
        }
        message = self.client.session.msg("execute_request", {**content, **how})
        message["metadata"] = {"cellId": cell_id} if cell_id else {}
        self.client.shell_channel.send(message)
        outputs, own = [], message["header"]["msg_id"]
        end = time.monotonic() + LIMIT_S
        while time.monotonic() < end:
            try:
                got = self.client.get_iopub_msg(timeout=1)
            except queue.Empty:
                continue
            if got["parent_header"].get("msg_id") != own:
                continue
            kind, content = got["msg_type"], got["content"]
            if kind == "status" and content["execution_state"] == "idle":
                break
            if kind not in ("status", "execute_input"):
                outputs.append({"kind": kind, **content})
            if interrupt_on and interrupt_on in content.get("text", ""):
                time.sleep(0.2)
                self.manager.interrupt_kernel()
        else:
            sys.exit("profilers.py: no end of: " + code)
        while True:
            reply = self.client.get_shell_msg(timeout=LIMIT_S)
            if reply["parent_header"].get("msg_id") == own:
                return outputs, reply["content"]

    def ask(self, expression):
        _, reply = self.request(
            "", silent=True, store_history=False, user_expressions={"nbscope": expression}
        )
        answer = reply["user_expressions"]["nbscope"]
        if answer["status"] != "ok":
            sys.exit("profilers.py: " + "\n".join(answer["traceback"]))
        return answer["data"]


def main():
    parser = argparse.ArgumentParser()
    add = parser.add_argument
    add("--python", help="of the kernel")
    add("--profilers", help="joined by +; without: the cells run unprofiled")
    add("--overlay", default=os.environ.get("OVERLAY"))
    add("--arm", help="numbers of cells, joined by commas; default all")
    add("--function", action="append", default=[])
    add("--tag", action="append", default=[], help="of all cells")
    add("--decorators", default="{}", help="of the settings, JSON")
    add("--more", default="{}", help="more of the settings, JSON")
    add("--interrupt", help="interrupt the cell when it has printed this")
    add("cells", nargs="+")
    args = parser.parse_args()
    kernel, records = Kernel(args), []
    ids = [f"id-{i}" for i, _ in enumerate(args.cells, 1)]
    armed = range(1, len(ids) + 1) if args.arm is None else [int(i) for i in args.arm.split(",")]
    try:
        if args.profilers:
            source = pathlib.Path(MODULE).read_text(encoding="utf-8")
            settings = {
                "profilers": args.profilers.split("+"),
                "overlay": args.overlay,
                "functions": args.function,
                "decorators": json.loads(args.decorators),
                **json.loads(args.more),
            }
            answer = kernel.ask(SETUP % (source, json.dumps(settings)))
            records.append({"type": "setup", **json.loads(eval(answer["text/plain"]))})
        for i, code in enumerate(args.cells, 1):
            if args.profilers:
                cell = {
                    "index": i,
                    "id": ids[i - 1],
                    "profile": i in armed,
                    "tags": args.tag,
                }
                kernel.ask(f"__import__('sys').modules['_nbscope_profile'].arm({cell!r})")
            outputs, reply = kernel.request(code, args.interrupt, ids[i - 1])
            for output in outputs:
                records.append({"type": "output", "cell": i, **output})
            records.append(
                {
                    "type": "reply",
                    "cell": i,
                    "status": reply["status"],
                    "execution_count": reply.get("execution_count"),
                }
            )
            text = ""
            while args.profilers:
                data = kernel.ask("__import__('sys').modules['_nbscope_profile'].take()")
                if not data[MIME]:
                    break
                text += data[MIME]
            records += [json.loads(line) for line in text.splitlines()]
        after = eval(kernel.ask(AFTER)["text/plain"])
        records.append({"type": "after", **after})
    finally:
        kernel.client.stop_channels()
        kernel.manager.shutdown_kernel(now=False)
    for record in records:
        print(json.dumps(record))


main()
