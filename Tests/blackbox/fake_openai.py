"""A server that answers like OpenAI's `/v1/audio/transcriptions` and `/v1/chat/completions`, and fails as it is told.

    fake = FakeOpenAI(key="sk-test")               # until `fake.end()`, or the end of `with`
    fake.next("429", "html")                       # the next two requests of any kind; then it works
    fake.hears = lambda request: "What was said."  # or {"text": …, "language": …, "segments": […]}, or a `Reply`
    fake.writes = lambda request: "The answer."    # the content of the message, or a `Reply`
    fake.url                                       # the base URL; `fake.url_of("503")` always fails with that

Each request is kept with its raw bytes. As a program it prints one JSON line with its port, then one for each request, and ends with its
stdin; a line of that is answered with a mark:

    fake_openai.py
"""

import collections
import contextlib
import json
import re
import select
import socket
import sys
import threading
import time

from openai_answers import completion, echo, transcription, words_of_file
from openai_replies import error, fault
from openai_request import Request

OPTIONAL = {
    "hints": "prompt",
    "voices": "known_speaker_references",
    "unknown-voices": "known_speaker_references",
    "second-language": "language",
}
"""Faults that end without a field of the form."""


def is_open(connection):
    """Whether the client has closed neither its end nor the connection."""
    poll = select.poll()
    poll.register(connection, select.POLLRDHUP)
    return not poll.poll(0)


class FakeOpenAI:
    """One server on a free port of the loopback address.

    - requests: all so far, in the order in which they came.
    - most: the largest number of calls at once: from a request that is whole to the last byte of its answer, while the client's end is open.
    """

    def __init__(self, key=None, port=0, log=None):
        self.key, self.log = key, log
        self.requests, self.scripted = [], collections.deque()
        self.hears, self.writes = words_of_file, echo
        self.delay, self.seconds = 0.0, 3.0
        self.calls, self.most = set(), 0
        self.lock, self.ended = threading.RLock(), threading.Event()
        self.listener = socket.create_server(("127.0.0.1", port), backlog=512)
        self.port = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/v1"
        threading.Thread(target=self.accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def url_of(self, name):
        """A base URL of which every request fails so."""
        return f"http://127.0.0.1:{self.port}/fault/{name}/v1"

    def next(self, *replies):
        """What the next requests get: names of faults, or replies; None works."""
        with self.lock:
            self.scripted.extend(replies)

    def reset(self):
        with self.lock:
            self.requests, self.most = [], 0
            self.scripted.clear()
            self.hears, self.writes, self.delay = words_of_file, echo, 0.0

    def end(self):
        self.ended.set()
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def accept(self):
        while not self.ended.is_set():
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with connection, contextlib.suppress(OSError):
            connection.settimeout(600)
            request = self.read(connection)
            if request is None:
                return
            with self.lock:
                self.requests.append(request)
                self.calls.add(connection)
                self.most = max(self.most, self.under_way())
            try:
                if self.log:
                    self.log({"event": "request", "path": request.path, "bytes": len(request.body)})
                if self.delay:
                    time.sleep(self.delay)
                self.send(connection, self.reply(request), request)
            finally:
                self.ends(connection)

    def under_way(self):
        """Calls whose client is there. One that was killed, or has given up, has closed its end: its next call is not counted beside this one."""
        with self.lock:
            return sum(is_open(connection) for connection in self.calls)

    def ends(self, connection, request=None):
        """Before the client can have read the answer to its end. `request` is noted as answered if its client is still there."""
        with self.lock:
            self.calls.discard(connection)
            if request and is_open(connection):
                request.answered = time.time()

    def read(self, connection):
        raw = b""
        while b"\r\n\r\n" not in raw:
            received = connection.recv(65536)
            if not received:
                return None
            raw += received
        head, _, body = raw.partition(b"\r\n\r\n")
        if b"-early/v1/" in head:
            return self.refuse_early(connection, head)
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines)]
        length = int(next((value for name, value in headers if name.lower() == "content-length"), 0))
        pieces, count = [body], len(body)
        while count < length:
            received = connection.recv(1 << 20)
            if not received:
                return None
            pieces.append(received)
            count += len(received)
        body = b"".join(pieces)
        method, path, _ = first.split(" ", 2)
        return Request(head + b"\r\n\r\n" + body, method, path, headers, body, time.time())

    def refuse_early(self, connection, head):
        """Answers before the body was sent, as proxies with a limit do; then takes it and throws it away, so that the answer arrives."""
        method, path, _ = head.decode("latin-1").split(" ", 2)
        with self.lock:
            self.requests.append(Request(head, method, path, [], b"", time.time()))
        if self.log:
            self.log({"event": "request", "path": path, "bytes": 0})
        self.send(connection, fault(re.match(r"/fault/([a-z0-9]+)-early/", path)[1]))
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(1 << 20):
            pass

    def reply(self, request):
        path = request.path
        if found := re.match(r"/fault/([a-z0-9-]+)(/.*)", path):
            if found[1] in OPTIONAL and OPTIONAL[found[1]] not in request.fields:
                return transcription(self.hears(request), request, self.seconds)
            return fault(found[1])
        with self.lock:
            scripted = self.scripted.popleft() if self.scripted else None
        if scripted is not None:
            return fault(scripted) if isinstance(scripted, str) else scripted
        if self.key and request.header("authorization") != f"Bearer {self.key}":
            return fault("401")
        if request.method == "POST" and path == "/v1/audio/transcriptions":
            return transcription(self.hears(request), request, self.seconds)
        if request.method == "POST" and path == "/v1/chat/completions":
            return completion(self.writes(request), request)
        return error(404, "unknown_url")

    def send(self, connection, reply, request=None):
        if reply.hang:
            self.ended.wait(600)
            return
        body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
        given = {name.lower() for name, _ in reply.headers}
        headers = [*reply.headers, ("Content-Length", str(len(body))), ("Connection", "close")]
        if "content-type" not in given:
            headers.append(("Content-Type", "application/json"))
        head = f"HTTP/1.1 {reply.status} X\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers) + "\r\n"
        if reply.cut:
            body = body[: len(body) // 2]
        if not reply.drip:
            self.ends(connection, request)
            connection.sendall(head.encode() + body)
        else:
            connection.sendall(head.encode())
            for byte in body:
                if self.ended.wait(reply.drip):
                    return
                connection.sendall(bytes([byte]))


def main():
    lock = threading.Lock()

    def say(fields):
        with lock:
            print(json.dumps(fields), flush=True)

    fake = FakeOpenAI(log=say)
    say({"http": fake.port})
    for _ in sys.stdin:
        say({"event": "mark"})
    fake.end()


if __name__ == "__main__":
    main()
