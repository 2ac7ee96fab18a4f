"""An HTTP server that misbehaves as its path asks. Prints one JSON line with its ports, then one line per request; ends with its stdin;
a line of it is answered with a mark.

    http_fake.py [CERTIFICATE KEY]
"""

import json
import socket
import ssl
import sys
import threading
import time
import warnings

warnings.simplefilter("ignore")
lock = threading.Lock()


def say(**fields):
    with lock:
        sys.stdout.write(json.dumps(fields) + "\n")
        sys.stdout.flush()


def read_head(reader):
    line = reader.readline()
    if not line:
        return None
    method, path, _ = line.decode("latin-1").split(" ", 2)
    headers = {}
    while (line := reader.readline()) not in (b"\r\n", b""):
        name, _, value = line.decode("latin-1").partition(":")
        headers.setdefault(name.lower(), []).append(value.strip())
    return method, path, headers


def read_body(reader, headers, chunk_delay=0.0):
    if "chunked" in headers.get("transfer-encoding", []):
        body = b""
        while (size := int(reader.readline(), 16)) > 0:
            body += reader.read(size)
            reader.readline()
            time.sleep(chunk_delay)
        reader.readline()
        return body
    return reader.read(int(headers.get("content-length", ["0"])[0]))


def answer(out, status, body=b"", *headers, length=None):
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body) if length is None else length}", *headers]
    out.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body)


def serve(out):
    reader = out.makefile("rb")
    try:
        while (head := read_head(reader)) is not None:
            method, path, headers = head
            say(event="request", method=method, path=path, headers=headers)
            if not respond(out, reader, method, path, headers):
                break
    except (OSError, ValueError):
        pass
    finally:
        say(event="closed")
        try:
            out.close()
        except OSError:
            pass


def respond(out, reader, method, path, headers):
    name, _, rest = path.lstrip("/").partition("?")
    if name == "echo":
        body = read_body(reader, headers)
        answer(out, 200, body, "X-Method: " + method, f"X-Length: {len(body)}")
    elif name == "count":  # how much arrived, not what
        answer(out, 200, str(len(read_body(reader, headers))).encode())
    elif name == "redirect":
        answer(out, 302, b"", "Location: " + rest)
    elif name == "bytes":
        answer(out, 200, b"x" * int(rest))
    elif name == "head":
        answer(out, 200, b"", length=int(rest))
    elif name == "lying":  # less than promised
        answer(out, 200, b"x", length=int(rest))
        return False
    elif name == "endless":  # without a length, until the other side has enough
        out.sendall(b"HTTP/1.1 200 X\r\nConnection: close\r\n\r\n")
        sent = 0
        try:
            while True:
                out.sendall(b"y" * 65536)
                sent += 65536
                say(event="sent", bytes=sent)
        finally:
            say(event="stopped", bytes=sent)
    elif name == "hang":
        reader.read(1)
        return False
    elif name == "deaf":  # reads nothing more
        threading.Event().wait()
    elif name == "drip":  # a head, some bytes, then nothing
        out.sendall(b"HTTP/1.1 200 X\r\nContent-Length: 100\r\n\r\nabc")
        reader.read(1)
        return False
    elif name == "slow":  # a byte at a time
        out.sendall(b"HTTP/1.1 200 X\r\nContent-Length: 1000\r\n\r\n")
        for _ in range(1000):
            out.sendall(b"z")
            time.sleep(0.1)
    elif name == "headers":
        out.sendall(b"HTTP/1.1 200 X\r\n")
        for number in range(100_000):
            out.sendall(b"X-%d: %s\r\n" % (number, b"v" * 100))
    elif name == "continue":
        out.sendall(b"HTTP/1.1 103 Early\r\nX-Early: 1\r\n\r\n")
        answer(out, 200, b"late", "X-Late: 1", "Set-Cookie: a=b")
    elif name == "trailers":
        out.sendall(b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Trailer: 1\r\n\r\n")
    elif name == "early":  # an answer before the body was read
        answer(out, 413, b"no", "Connection: close")
        return False
    elif name == "garbage":
        out.sendall(b"hello\r\n\r\n")
        return False
    elif name == "status":
        read_body(reader, headers)
        answer(out, int(rest), b"")
    elif name == "once":  # answers, then drops the kept connection
        read_body(reader, headers)
        answer(out, 200, b"ok")
        return False
    else:
        answer(out, 404, b"")
    return True


def listen(wrap):
    server = socket.create_server(("127.0.0.1", 0), backlog=128)

    def accept():
        while True:
            connection, _ = server.accept()
            say(event="accepted")
            threading.Thread(target=start, args=(connection,), daemon=True).start()

    def start(connection):
        try:
            serve(wrap(connection))
        except (ssl.SSLError, OSError):
            say(event="tls failed")

    threading.Thread(target=accept, daemon=True).start()
    return server.getsockname()[1]


def main():
    ports = {"http": listen(lambda connection: connection)}
    if len(sys.argv) > 2:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        ports["https"] = listen(lambda connection: context.wrap_socket(connection, server_side=True))
        old = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        old.set_ciphers("ALL:@SECLEVEL=0")
        old.minimum_version = ssl.TLSVersion.TLSv1
        old.maximum_version = ssl.TLSVersion.TLSv1_1
        old.load_cert_chain(sys.argv[1], sys.argv[2])
        ports["tls11"] = listen(lambda connection: old.wrap_socket(connection, server_side=True))
    ports["silent"] = socket_that_never_answers()
    say(event="ready", **ports)
    for _ in sys.stdin:
        say(event="mark")


def socket_that_never_answers():
    """Listens with a full backlog, so that connecting hangs."""
    server = socket.create_server(("127.0.0.1", 0), backlog=0)
    kept.append(server)
    for _ in range(4):
        filler = socket.socket()
        filler.setblocking(False)
        filler.connect_ex(server.getsockname())
        kept.append(filler)
    return server.getsockname()[1]


kept = []
main()
