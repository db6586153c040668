"""performing.py GESTURES COMMAND...: runs a driver, and performs gestures after its cells.

Each line of GESTURES is JSON: after (a cell's index), kind (of gesture.js), on (a CSS selector; in a
frame: FRAME >>> SELECTOR; in a shadow root: HOST ::: SELECTOR), path ([[ms, x, y], ...]: shares of the
element), turns ([[ms, dy], ...]) or keys. Records are written by the driver, as its hook asks.
"""

import itertools
import json
import os
import pathlib
import socket
import subprocess
import sys
import time
import urllib.request

import websocket

FIND = """(on => {
    let root = document;
    for (const [, how, part] of on.matchAll(/(>>>|:::|^)\\s*((?:(?!>>>|:::).)+?)\\s*(?=>>>|:::|$)/g)) {
        if (how) root = how === '>>>' ? root.contentDocument : root.shadowRoot;
        root = root.querySelector(part);
    }
    root.scrollIntoView({block: 'center', behavior: 'instant'});
    let r = root.getBoundingClientRect(), {x, y, width, height} = r;
    for (let w = root.ownerDocument.defaultView; w !== window; w = w.parent) {
        const f = w.frameElement.getBoundingClientRect();
        x += f.x + w.frameElement.clientLeft; y += f.y + w.frameElement.clientTop;
    }
    return [x, y, width, height];
})"""


class Page:
    def __init__(self):
        (port,) = pathlib.Path(os.environ["TMPDIR"]).glob("nbscope-browser*/profile/DevToolsActivePort")
        address = f"http://127.0.0.1:{port.read_text().split()[0]}/json"
        tabs = json.load(urllib.request.urlopen(address))
        url = next(t["webSocketDebuggerUrl"] for t in tabs if "/lab" in t["url"])
        self.socket = websocket.create_connection(url, suppress_origin=True, timeout=60)
        self.ids = itertools.count(1)

    def send(self, method, **params):
        number = next(self.ids)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        return number

    def js(self, expression):
        number = self.send(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == number:
                if "exceptionDetails" in answer["result"]:
                    sys.exit(f"performing.py: {answer}")
                return answer["result"]["result"].get("value")

    def mouse(self, kind, x, y, **more):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def key(self, name):
        more = {"key": name, "code": name if len(name) > 1 else f"Key{name.upper()}"}
        codes = {"ArrowRight": 39, "ArrowLeft": 37, "Enter": 13, "Tab": 9}
        more["windowsVirtualKeyCode"] = codes.get(name, ord(name[0].upper()))
        if len(name) == 1:
            more["text"] = name
        self.send("Input.dispatchKeyEvent", type="keyDown" if len(name) == 1 else "rawKeyDown", **more)
        more.pop("text", None)
        self.send("Input.dispatchKeyEvent", type="keyUp", **more)

    def perform(self, g):
        x, y, width, height = self.js(f"{FIND}({json.dumps(g['on'])})")
        at = lambda fx, fy: (x + width * fx, y + height * fy)
        kind, held = g["kind"], {"button": "left", "buttons": 1}
        self.mouse("mouseMoved", *at(0.5, 0.5))
        self.js("new Promise(requestAnimationFrame).then(() => { window.truth = []; return 1 })")
        self.js(f"__nbscopeGesture.begin({{settleMs: 300, kind: {json.dumps(kind)}}})")
        start, n = time.monotonic(), 0

        def wait(ms):
            left = start + ms / 1000 - time.monotonic()
            if left > 0:
                time.sleep(left)

        path = g.get("path") or ([[0, 0.5, 0.5]] if "click" in kind else [])
        for i, (ms, fx, fy) in enumerate(path):
            wait(ms)
            if kind != "hover" and i == 0:
                self.mouse("mousePressed", *at(fx, fy), clickCount=1, **held)
            else:
                self.mouse("mouseMoved", *at(fx, fy), **({} if kind == "hover" else held))
            n += 1
        if path and kind != "hover":
            self.mouse("mouseReleased", *at(*path[-1][1:]), button="left", clickCount=1)
        for ms, dy in g.get("turns", []):
            wait(ms)
            self.mouse("mouseWheel", *at(0.5, 0.5), deltaX=0, deltaY=dy)
            n += 1
        for i, key in enumerate(g.get("keys", [])):
            wait(i * g.get("every", 100))
            self.key(key)
            n += 1
        answer = self.js(f"__nbscopeGesture.end({{inputs: {n}}})")
        answer["record"].update(name=g["name"], truth=self.js("window.truth"))
        return answer


gestures = [json.loads(line) for line in pathlib.Path(sys.argv[1]).read_text().splitlines() if line]
ours, theirs = socket.socketpair()
os.set_inheritable(theirs.fileno(), True)
driver = subprocess.Popen(
    sys.argv[2:], pass_fds=[theirs.fileno()], env={**os.environ, "CELL_HOOK": str(theirs.fileno())}
)
theirs.close()
hook = ours.makefile("rw")
page = None
for line in hook:
    question = json.loads(line)
    for number, g in enumerate(gestures if question["type"] == "recorded" else [], 1):
        if g["after"] != question["cell"]:
            continue
        page = page or Page()
        answer = page.perform(g)
        records = [{"type": "interaction_step", **step} for step in answer["steps"]]
        records.append({"type": "interaction", **answer["record"]})
        for record in records:
            record = {"type": record["type"], "t": record["t"], "number": number, **record}
            print(json.dumps({"type": "record", "record": record}), file=hook, flush=True)
    print(json.dumps({"type": "done"}), file=hook, flush=True)
sys.exit(driver.wait())
