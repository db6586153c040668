"""A server for tests: HTTP/1.1 and WebSockets, with the standard library only.

usage: ws_server.py [HOST]   prints its port, serves until it is killed

GET  /N       N bytes of 'x'               GET /peer  the client's port
GET  /page    an empty HTML page           any other method: its name and body size
GET  /ws      a WebSocket: a text "N" brings a binary message of N bytes; a
              binary message brings its size as a text
"""

import base64
import hashlib
import http.server
import socket
import struct
import sys

BLOCK = b"x" * (1 << 20)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *args):
        pass

    def answer(self, body, kind="text/plain"):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def send_bytes(self, n):
        while n > 0:
            n -= self.connection.send(BLOCK[:n])

    def do_GET(self):
        what = self.path.strip("/")
        if self.headers.get("Upgrade", "").lower() == "websocket":
            self.websocket()
        elif what == "peer":
            self.answer(str(self.client_address[1]).encode())
        elif what.isdigit():
            self.send_response(200)
            self.send_header("Content-Length", what)
            self.end_headers()
            self.send_bytes(int(what))
        else:
            self.answer(b"<!doctype html><title>page</title>", "text/html")

    def body_size(self):
        size = 0
        if self.headers.get("Transfer-Encoding", "") == "chunked":
            while n := int(self.rfile.readline().split(b";")[0], 16):
                size += len(self.rfile.read(n))
                self.rfile.readline()
            while self.rfile.readline().strip():
                pass
        left = int(self.headers.get("Content-Length", 0))
        while left and (piece := self.rfile.read1(left)):
            left -= len(piece)
            size += len(piece)
        return size

    def other(self):
        self.answer(f"{self.command} {self.body_size()}\n".encode())

    def __getattr__(self, name):
        if name.startswith("do_"):
            return self.other
        raise AttributeError(name)

    def websocket(self):
        key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header(
            "Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        )
        self.end_headers()
        self.close_connection = True
        whole = b""
        kind = 0
        while (frame := self.frame()) and frame[1] != 8:
            final, opcode, data = frame
            kind = opcode or kind
            whole += data
            if not final:
                continue
            if kind == 1:
                n = int(whole)
                self.wfile.write(struct.pack("!BBQ", 0x82, 127, n))
                self.send_bytes(n)
            else:
                text = str(len(whole)).encode()
                self.wfile.write(struct.pack("!BB", 0x81, len(text)) + text)
            whole = b""

    def frame(self):
        head = self.rfile.read(2)
        if len(head) < 2:
            return None
        n = head[1] & 127
        if n > 125:
            n = int.from_bytes(self.rfile.read(2 if n == 126 else 8), "big")
        mask = self.rfile.read(4) if head[1] & 128 else bytes(4)
        data = self.rfile.read(n)
        whole = (mask * (n // 4 + 1))[:n]
        data = (int.from_bytes(data, "big") ^ int.from_bytes(whole, "big")).to_bytes(n, "big")
        return head[0] & 128, head[0] & 15, data


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 256

    def handle_error(self, request, address):
        pass


host = sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1"
if ":" in host:
    Server.address_family = socket.AF_INET6
server = Server((host, 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
