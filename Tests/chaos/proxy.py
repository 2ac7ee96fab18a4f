"""A fault proxy in front of Postgres: on demand it lets a transaction commit and swallows the server's answer."""

import asyncio
import os
import pathlib
import shutil
import struct
import tempfile
import threading

import event_loops


class Messages:
    """Cuts a byte stream into protocol messages (type, payload); the client's first messages have no type."""

    def __init__(self, startup):
        self.buffer, self.startup = b"", startup

    def feed(self, data):
        self.buffer += data
        found = []
        while True:
            head = 4 if self.startup else 5
            if len(self.buffer) < head:
                return found
            length = struct.unpack("!I", self.buffer[head - 4 : head])[0] + head - 4
            if len(self.buffer) < length:
                return found
            kind = b"" if self.startup else self.buffer[:1]
            payload = self.buffer[head:length]
            # SSLRequest and GSSENCRequest are followed by another start-up packet.
            if self.startup and payload[:4] not in (struct.pack("!I", 80877103), struct.pack("!I", 80877104)):
                self.startup = False
            found.append((kind, payload))
            self.buffer = self.buffer[length:]


class Connection:
    def __init__(self, proxy):
        self.proxy = proxy
        self.statements = {}
        self.asked = Messages(startup=True)
        self.answered = Messages(startup=False)
        self.sealed = False  # the watched statement is under way: nothing of its answer passes before we know
        self.held = b""
        self.plain = True

    def from_client(self, data):
        for kind, payload in self.asked.feed(data):
            if kind == b"P":
                name, _, rest = payload.partition(b"\0")
                self.statements[name] = rest.partition(b"\0")[0].lower()
            elif kind == b"B":
                name = payload.split(b"\0", 2)[1]
                if self.proxy.watched in self.statements.get(name, b"") and self.proxy.take():
                    self.sealed = True
            elif kind == b"Q" and self.proxy.watched in payload.lower() and self.proxy.take():
                self.sealed = True

    def from_server(self, data):
        """What to pass on; None: close both sides."""
        if self.plain and data[:1] in (b"N", b"S") and len(data) == 1:
            return data
        self.plain = False
        was_sealed = self.sealed
        for kind, payload in self.answered.feed(data):
            if kind == b"Z" and self.sealed:
                if payload == b"I":
                    self.proxy.count()
                    return None
                # Still inside the transaction: its answer may pass, the commit's will not.
                data, self.held = self.held + data, b""
                return data
        if was_sealed:
            self.held += data
            return b""
        return data


class PostgresProxy:
    def __init__(self, target, watched=b"insert into entries"):
        self.folder = tempfile.mkdtemp(prefix="diary-px-", dir="/tmp")
        os.chmod(self.folder, 0o755)
        self.target = str(pathlib.Path(target) / ".s.PGSQL.5432")
        self.watched = watched
        self.armed, self.dropped = 0, 0
        self.lock = threading.Lock()
        self.loop = asyncio.new_event_loop()
        self.ready = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()
        assert self.ready.wait(5)

    def arm(self):
        with self.lock:
            self.armed += 1

    def disarm(self):
        with self.lock:
            self.armed = 0

    def take(self):
        with self.lock:
            taken = self.armed > 0
            self.armed -= taken
            return taken

    def count(self):
        with self.lock:
            self.dropped += 1

    def run(self):
        asyncio.set_event_loop(self.loop)

        async def begin():
            self.server = await asyncio.start_unix_server(self.serve, self.folder + "/.s.PGSQL.5432")
            self.ready.set()

        self.loop.create_task(begin())
        self.loop.run_forever()

    async def serve(self, reader, writer):
        try:
            server_reader, server_writer = await asyncio.open_unix_connection(self.target)
        except OSError:
            writer.close()
            return
        connection = Connection(self)

        async def pump(source, sink, look):
            try:
                while data := await source.read(65536):
                    passed = look(data)
                    if passed is None:
                        break
                    if passed:
                        sink.write(passed)
                        await sink.drain()
            except (ConnectionError, OSError):
                pass
            writer.close()
            server_writer.close()

        def asked(data):
            connection.from_client(data)
            return data

        try:
            await asyncio.gather(pump(reader, server_writer, asked), pump(server_reader, writer, connection.from_server))
        except asyncio.CancelledError:
            return  # the act is over

    def end(self):
        event_loops.end(self.server, self.loop, self.thread)
        shutil.rmtree(self.folder, ignore_errors=True)
