"""A proxy before an S3 service that fails on demand, or signs anew for a client whose clock is wrong.

    proxy = S3Proxy(server.url)
    with proxy.fault("503"): …      # one of FAULTS
    proxy.met["503"]                # methods of the requests that met it: {"GET": 3}
    proxy.end()

Requests and answers are held in memory.
"""

import asyncio
import collections
import contextlib
import datetime
import email.utils
import random
import threading
import time
import urllib.parse

import event_loops

KINDS = ("staging", "audio", "export")
"""Of objects: the first part of their names."""
FAULTS = {
    "500": "InternalError to every request",
    "503": "SlowDown to every request",
    "stall": "no answer for `stall_seconds`, then the end of the connection",
    "cut": "the end of the connection after half of an answer, or after half of what was sent",
    "wrong bytes": "one byte of an object is another one, another one in each answer",
    "error document": "200 with an error in its document to every PUT, POST and DELETE",
    "clock": "RequestTimeTooSkewed to every request, with a Date 20 minutes ahead",
}
SKEW = 1200
HOP = {"connection", "expect", "keep-alive"}
SIGNED_ANEW = {"authorization", "host", "x-amz-date", "x-amz-content-sha256"}


class Request:
    def __init__(self, head, body):
        first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
        self.method, self.target, _ = first.split(" ", 2)
        self.headers = [tuple(part.strip() for part in line.split(":", 1)) for line in lines]
        self.body = body

    def header(self, name):
        return next((value for key, value in self.headers if key.lower() == name), None)

    def bytes(self):
        headers = [(name, value) for name, value in self.headers if name.lower() not in HOP]
        lines = [f"{self.method} {self.target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers), "Connection: close"]
        return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + self.body


class S3Proxy:
    """`signer`: (access key, secret key, region) to sign every request with, now. One connection to the service for each request."""

    def __init__(self, url, signer=None, stall_seconds=3):
        address = urllib.parse.urlsplit(url)
        self.host, self.port = address.hostname, address.port
        self.signer, self.stall_seconds = signer, stall_seconds
        self.mode, self.met = None, collections.defaultdict(collections.Counter)
        self.random = random.Random(18)
        self.loop, ready = asyncio.new_event_loop(), threading.Event()
        self.thread = threading.Thread(target=self.run, args=(ready,), daemon=True)
        self.thread.start()
        assert ready.wait(5)
        self.url = f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}"

    @contextlib.contextmanager
    def fault(self, mode):
        assert mode in FAULTS
        self.mode = mode
        try:
            yield
        finally:
            self.mode = None

    def end(self):
        event_loops.end(self.server, self.loop, self.thread)
        self.loop.close()

    def run(self, ready):
        asyncio.set_event_loop(self.loop)

        async def begin():
            self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0, limit=1 << 20)
            ready.set()

        self.loop.create_task(begin())
        self.loop.run_forever()

    async def serve(self, reader, writer):
        with contextlib.suppress(OSError, EOFError, asyncio.CancelledError):
            head = await reader.readuntil(b"\r\n\r\n")
            request = Request(head, b"")
            if (request.header("expect") or "").lower() == "100-continue":
                writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            request.body = await reader.readexactly(int(request.header("content-length") or 0))
            writer.write(await self.answer(request))
            await writer.drain()
        writer.close()

    async def answer(self, request):
        """The bytes to answer with, before the connection ends."""
        mode = self.mode
        if mode == "wrong bytes":
            return self.altered(request, await self.forward(request))
        if mode == "cut" and request.body:
            self.meet(mode, request)
            await self.forward(request, half=True)
            return b""
        if mode == "cut":
            answer = await self.forward(request)
            head, _, body = answer.partition(b"\r\n\r\n")
            if not body:
                return answer
            self.meet(mode, request)
            return head + b"\r\n\r\n" + body[: len(body) // 2]
        if mode is None or (mode == "error document" and request.method not in ("PUT", "POST", "DELETE")):
            return await self.forward(request)
        self.meet(mode, request)
        if mode == "stall":
            await self.stall()
            return b""
        status, code, ahead = {
            "500": ("500 Internal Server Error", "InternalError", 0),
            "503": ("503 Service Unavailable", "SlowDown", 0),
            "error document": ("200 OK", "InternalError", 0),
            "clock": ("403 Forbidden", "RequestTimeTooSkewed", SKEW),
        }[mode]
        return self.refusal(request, status, code, ahead)

    async def stall(self):
        """Ends with the fault, too."""
        ends = time.monotonic() + self.stall_seconds
        while self.mode == "stall" and time.monotonic() < ends:
            await asyncio.sleep(0.05)

    def meet(self, mode, request):
        self.met[mode][request.method] += 1

    def altered(self, request, answer):
        head, _, body = answer.partition(b"\r\n\r\n")
        # Of recordings and zips: lists and the sweeper's mark are not sealed.
        if request.method != "GET" or not body or not any(f"/{kind}/" in request.target.split("?")[0] for kind in KINDS):
            return answer
        self.meet("wrong bytes", request)
        altered = bytearray(body)
        altered[self.random.randrange(len(altered))] ^= self.random.randrange(1, 256)
        return head + b"\r\n\r\n" + bytes(altered)

    @staticmethod
    def refusal(request, status, code, ahead):
        body = f'<?xml version="1.0" encoding="UTF-8"?><Error><Code>{code}</Code><Message></Message></Error>'.encode()
        date = email.utils.format_datetime(datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=ahead), usegmt=True)
        head = f"HTTP/1.1 {status}\r\nDate: {date}\r\nContent-Type: application/xml\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        return head.encode() + (b"" if request.method == "HEAD" else body)

    async def forward(self, request, half=False):
        """The service's answer; nothing when only half of the request is sent."""
        if self.signer:
            self.sign(request)
        reader, writer = await asyncio.open_connection(self.host, self.port)
        try:
            sent = request.bytes()
            if half:
                writer.write(sent[: len(sent) - len(request.body) // 2])
                await writer.drain()
                return b""
            writer.write(sent)
            return await reader.read()
        finally:
            writer.close()

    def sign(self, request):
        import botocore.auth
        import botocore.awsrequest
        import botocore.credentials

        access, secret, region = self.signer
        kept = {name: value for name, value in request.headers if name.lower() not in SIGNED_ANEW | HOP}
        length = kept.pop("Content-Length", None)
        url = f"http://{self.host}:{self.port}{request.target}"
        signed = botocore.awsrequest.AWSRequest(request.method, url, data=request.body, headers=kept)
        botocore.auth.S3SigV4Auth(botocore.credentials.Credentials(access, secret), "s3", region).add_auth(signed)
        request.headers = [*signed.headers.items(), ("Host", f"{self.host}:{self.port}")]
        if length is not None:
            request.headers.append(("Content-Length", length))
