"""A link between a client and the service that breaks after given numbers of bytes, and counts what was sent over it."""

import contextlib
import socket
import threading
import urllib.parse


class BrokenLink:
    def __init__(self, port, cuts):
        """`cuts`: totals of bytes sent by the client after which the connection at hand breaks."""
        self.port, self.cuts, self.sent, self.broken = port, sorted(cuts), 0, 0
        self.lock = threading.Lock()
        self.server = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.accept, daemon=True).start()

    def through(self, url):
        """The URL by way of the link."""
        return urllib.parse.urlsplit(url)._replace(netloc=f"127.0.0.1:{self.server.getsockname()[1]}").geturl()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.server.accept()
                service = socket.create_connection(("127.0.0.1", self.port))
                for pump in (self.up, self.down):
                    threading.Thread(target=pump, args=(client, service), daemon=True).start()

    def up(self, client, service):
        with contextlib.suppress(OSError):
            while data := client.recv(65536):
                with self.lock:
                    breaks = bool(self.cuts) and self.sent + len(data) >= self.cuts[0]
                    if breaks:
                        data = data[: self.cuts.pop(0) - self.sent]
                        self.broken += 1
                    self.sent += len(data)
                service.sendall(data)
                if breaks:
                    break
            else:
                service.shutdown(socket.SHUT_WR)
                return
        self.close(client, service)

    def down(self, client, service):
        with contextlib.suppress(OSError):
            while data := service.recv(65536):
                client.sendall(data)
        self.close(client, service)

    @staticmethod
    def close(*ends):
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def end(self):
        self.server.close()
