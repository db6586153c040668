"""person.py PORT URL-PART < ACTIONS: simulates a person at a browser with a debugging port.

Performs the actions, one per line, in the tab whose address contains URL-PART, with trusted input:
  wait EXPRESSION        until it is true in the page
  heard FILE TYPE N      waits until the file has N records of the type
  key [Shift+]Enter      presses a key
  type TEXT              key by key
  click SELECTOR         the middle of the first matching element
  wheel SELECTOR N DY    turns the wheel N times over it
  drag SELECTOR DX DY    from its middle
  hover SELECTOR DX DY   from its middle, in half a second
  double SELECTOR        a double click on its middle
  place FILE             prints where the element of each line of gestures is: after a colon its
                         status, and what it is
  js EXPRESSION          prints its value
  picture FILE           a PNG of what the tab shows
  front                  shows the tab
  close                  closes the tab
"""

import base64
import itertools
import json
import sys
import time
import urllib.request

import websocket

DEADLINE_S = 60
STEP_S = 0.02
MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}
KEYS = {
    "Enter": ("Enter", 13, "\r"),
    "Escape": ("Escape", 27, None),
    "Shift": ("ShiftLeft", 16, None),
    "Control": ("ControlLeft", 17, None),
}


class Tab:
    def __init__(self, port, part):
        tabs = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json"))
        url = next(
            t["webSocketDebuggerUrl"] for t in tabs if t["type"] == "page" and part in t["url"]
        )
        self.socket = websocket.create_connection(url, suppress_origin=True, timeout=DEADLINE_S)
        self.ids = itertools.count(1)

    def call(self, method, **params):
        number = next(self.ids)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == number:
                return answer.get("result", {})

    def js(self, expression):
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        return answer.get("result", {}).get("value")

    def until(self, test, what):
        end = time.monotonic() + DEADLINE_S
        while not test():
            if time.monotonic() > end:
                sys.exit(f"person.py: timed out: {what}")
            time.sleep(STEP_S)

    def wait(self, expression):
        self.until(lambda: self.js(f"!!({expression})"), expression)

    def heard(self, rest):
        name, kind, count = rest.split()

        def test():
            with open(name) as f:
                return f.read().count(f'"type":"{kind}"') >= int(count)

        self.until(test, rest)

    def stroke(self, key, modifiers, kind):
        code, number, text = KEYS.get(key, (f"Key{key.upper()}", ord(key.upper()[0]), key))
        more = {"text": text} if text and kind == "keyDown" and not modifiers & 7 else {}
        self.call(
            "Input.dispatchKeyEvent",
            type=kind,
            key=key,
            code=code,
            windowsVirtualKeyCode=number,
            modifiers=modifiers,
            **more,
        )

    def key(self, names):
        *held, key = names.split("+")
        modifiers = 0
        for name in held:
            modifiers |= MODIFIERS[name]
            self.stroke(name, modifiers, "keyDown")
        self.stroke(key, modifiers, "keyDown")
        self.stroke(key, modifiers, "keyUp")
        for name in reversed(held):
            modifiers &= ~MODIFIERS[name]
            self.stroke(name, modifiers, "keyUp")

    def type(self, text):
        for letter in text:
            self.key(letter)

    def middle(self, selector):
        where = f"document.querySelector({json.dumps(selector)})"
        self.wait(where)
        self.js(f"{where}.scrollIntoView({{block: 'center'}})")
        return self.js(
            f"(r => [r.x + r.width / 2, r.y + r.height / 2])({where}.getBoundingClientRect())"
        )

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, selector):
        self.drag(f"{selector} 0 0")

    def drag(self, rest):
        selector, dx, dy = rest.rsplit(" ", 2)
        x, y = self.middle(selector)
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        for i in range(1, 6 if dx != "0" or dy != "0" else 1):
            self.mouse(
                "mouseMoved", x + int(dx) * i / 5, y + int(dy) * i / 5, button="left", buttons=1
            )
        self.mouse("mouseReleased", x + int(dx), y + int(dy), button="left", clickCount=1)

    def hover(self, rest):
        selector, dx, dy = rest.rsplit(" ", 2)
        x, y = self.middle(selector)
        for i in range(26):
            self.mouse("mouseMoved", x + int(dx) * i / 25, y + int(dy) * i / 25)
            time.sleep(STEP_S)

    def double(self, selector):
        x, y = self.middle(selector)
        for count in 1, 2:
            for kind in "mousePressed", "mouseReleased":
                self.mouse(kind, x, y, button="left", clickCount=count)

    def place(self, name):
        with open(name) as f:
            for line in map(json.loads, f):
                at = self.js(
                    "(all => __nbscopeElement.place("
                    f"{json.dumps(line['on'])}, all.indexOf(all.filter(c => "
                    f"c.matches('.jp-CodeCell'))[{line['after_cell'] - 1}])))"
                    "([...document.querySelectorAll('.jp-Cell')])"
                )
                print(f"{line['gesture']}: {at['status']} {at.get('element')}", flush=True)

    def picture(self, name):
        with open(name, "wb") as f:
            f.write(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def wheel(self, rest):
        selector, times, dy = rest.rsplit(" ", 2)
        x, y = self.middle(selector)
        self.mouse("mouseMoved", x, y)
        for _ in range(int(times)):
            self.mouse("mouseWheel", x, y, deltaX=0, deltaY=int(dy))


tab = Tab(sys.argv[1], sys.argv[2])
for line in sys.stdin:
    what, _, rest = line.strip().partition(" ")
    if what in ("close", "front"):
        tab.call("Page.close" if what == "close" else "Page.bringToFront")
    elif what == "js":
        print(json.dumps(tab.js(rest)), flush=True)
    elif what:
        getattr(tab, what)(rest)
