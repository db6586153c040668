"""faultproxy.py PORT MODEFILE: a proxy to a server on 127.0.0.1:PORT that damages what it passes.

Prints its own port. MODEFILE holds how: pass, 500 (every request gets that answer), or
nocookie (no request keeps its cookies, as when a session has expired). Each connection
reads it again for each request; a WebSocket that is open stays.
"""

import asyncio
import sys

port, mode_file = int(sys.argv[1]), sys.argv[2]


def mode():
    with open(mode_file) as f:
        return f.read().strip()


async def pipe(reader, writer):
    try:
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
    except (ConnectionError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


async def serve(reader, writer):
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        how = mode()
        if how == "500":
            writer.write(
                b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\nConnection: close\r\n"
                b"\r\n"
            )
            await writer.drain()
            return
        lines = head.split(b"\r\n")
        upgrade = any(line.lower().startswith(b"upgrade:") for line in lines)
        keep = [
            line
            for line in lines
            if not (how == "nocookie" and line.lower().startswith((b"cookie:", b"authorization:")))
        ]
        if not upgrade:  # one request a connection, so that each asks for the mode
            keep = [line for line in keep if not line.lower().startswith(b"connection:")]
            keep.insert(1, b"Connection: close")
        to_reader, to_writer = await asyncio.open_connection("127.0.0.1", port)
        to_writer.write(b"\r\n".join(keep))
        up = asyncio.create_task(pipe(reader, to_writer))
        await pipe(to_reader, writer)
        up.cancel()
    except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        pass
    finally:
        writer.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=1 << 20)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
