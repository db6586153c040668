"""kernel.py CODE [KERNELSPEC]: runs CODE in a new kernel of JUPYTERLAB_URL, which stays.

Prints what CODE prints. If CODE kills the kernel, prints how many ms after its last output the
server said so.
"""

import json
import os
import sys
import time
import urllib.request
import uuid

import websocket

url, token = os.environ["JUPYTERLAB_URL"], os.environ["JUPYTERLAB_TOKEN"]
auth = {"Authorization": "token " + token}


def rest(method, path, body):
    data = json.dumps(body).encode()
    request = urllib.request.Request(
        url + path, data, {**auth, "Content-Type": "application/json"}, method=method
    )
    return json.load(urllib.request.urlopen(request))


kernel = rest("POST", "api/kernels", {"name": sys.argv[2] if len(sys.argv) > 2 else "python3"})
ws = websocket.create_connection(
    url.replace("http", "ws", 1) + f"api/kernels/{kernel['id']}/channels",
    header=[f"{k}: {v}" for k, v in auth.items()],
    timeout=30,
)
ws.send(
    json.dumps(
        {
            "channel": "shell",
            "parent_header": {},
            "metadata": {},
            "header": {
                "msg_id": uuid.uuid4().hex,
                "msg_type": "execute_request",
                "username": "",
                "session": "t",
                "version": "5.3",
            },
            "content": {
                "code": sys.argv[1],
                "silent": False,
                "store_history": False,
                "user_expressions": {},
                "allow_stdin": False,
            },
        }
    )
)
last, idle, replied = time.monotonic(), False, False
while not (idle and replied):
    message = json.loads(ws.recv())
    kind, content = message["msg_type"], message["content"]
    mine = message["parent_header"].get("session") == "t"
    if kind == "stream":
        sys.stdout.write(content["text"])
        last = time.monotonic()
    elif kind == "error":
        print(content["ename"], content["evalue"])
    elif kind == "status" and content["execution_state"] in ("restarting", "dead"):
        print(round((time.monotonic() - last) * 1000))
        break
    elif mine and kind == "execute_reply":
        replied = True
    elif mine and kind == "status":
        idle = content["execution_state"] == "idle"
