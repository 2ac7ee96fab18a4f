"""The smallest HTTP/1.1 client that keeps its connection: the sync act needs its processor time for the service."""

import json
import re
import socket
from urllib.parse import urlsplit

LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


class Connection:
    """One thread's connection to one of several API processes; changes over when one is gone."""

    def __init__(self, urls, headers, random, timeout=20):
        self.places = [(urlsplit(url).hostname, urlsplit(url).port) for url in urls]
        self.random, self.timeout, self.socket = random, timeout, None
        self.head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())

    def ask(self, method, path, body=None, hang_up=False, host="diary", head=None, **headers):
        """(status, content), or None when there was no answer. `hang_up` closes without waiting for it."""
        content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        if body is not None and not isinstance(body, bytes):
            lines += "content-type: application/json\r\n"
        text = f"{method} {path} HTTP/1.1\r\nhost: {host}\r\n{self.head if head is None else head}{lines}content-length: {len(content)}\r\n\r\n"
        try:
            if self.socket is None:
                self.socket = socket.create_connection(self.random.choice(self.places), self.timeout)
                self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.socket.sendall(text.encode() + content)
            if hang_up:
                self.close()
                return None
            return self.answer()
        except (OSError, ValueError):
            self.close()
            return None

    def answer(self):
        data = b""
        while (end := data.find(b"\r\n\r\n")) < 0:
            data += self.more()
        head, rest = data[: end + 2], [data[end + 4 :]]
        found = LENGTH.search(head)
        length = int(found[1]) if found else 0
        have = len(rest[0])
        while have < length:
            rest.append(self.more())
            have += len(rest[-1])
        if b"\r\nconnection: close" in head.lower():
            self.close()
        return int(head[9:12]), b"".join(rest)

    def more(self):
        data = self.socket.recv(262_144)
        if not data:
            raise OSError("closed")
        return data

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket = None
