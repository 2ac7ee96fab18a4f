"""A server of TLS before Postgres that writes records of 16 KiB, as poolers and balancers do; Postgres 15 itself writes none over 8 KiB.

with LargeRecords(postgres, folder) as proxy: …          # `folder` has server.crt and server.key; `proxy.port`
"""

import contextlib
import select
import socket
import ssl
import threading
import time

from processes import free_port

PAUSE = 0.003
"""Seconds without another byte after which an answer counts as whole: it is sent at once, so that its records are as large as they may be."""


class LargeRecords:
    def __init__(self, postgres, folder):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(folder / "server.crt", folder / "server.key")
        self.path = f"{postgres.folder}/.s.PGSQL.5432"
        self.port = free_port()
        self.listener = socket.create_server(("127.0.0.1", self.port))
        self.longest = 0

    def __enter__(self):
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.close()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        with contextlib.suppress(OSError), client, socket.socket(socket.AF_UNIX) as server:
            # The request for TLS, which is of eight bytes.
            client.recv(8)
            client.sendall(b"S")
            server.connect(self.path)
            with self.context.wrap_socket(client, server_side=True) as sealed:
                self.pass_on(sealed, server)

    def pass_on(self, client, server):
        answer, last = b"", 0.0
        while True:
            ready = [client] if client.pending() else select.select([client, server], [], [], PAUSE if answer else None)[0]
            if client in ready:
                asked = client.recv(65_536)
                if not asked:
                    return
                server.sendall(asked)
            if server in ready:
                said = server.recv(262_144)
                if not said:
                    return
                answer, last = answer + said, time.monotonic()
            if answer and time.monotonic() - last >= PAUSE:
                client.sendall(answer)
                self.longest = max(self.longest, len(answer))
                answer = b""
