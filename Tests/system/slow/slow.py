"""Slow clients beside an honest one: heads that do not end, bodies that drip, answers that are not taken. Each comes back when it is cut.

Prints one JSON object; exit 1 when the honest client fared worse than row F4 allows.
"""

import argparse
import asyncio
import collections
import json
import multiprocessing
import os
import pathlib
import re
import resource
import socket
import statistics
import sys
import threading
import time
import urllib.parse

SILENCE = 2.0
"""Seconds between two bytes of a slow client."""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", required=True, help="http://address:port")
    for kind in ("heads", "bodies", "reads"):
        parser.add_argument(f"--{kind}", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=float, default=500, help="new connections of slow clients per second, those that come back included")
    parser.add_argument("--pid", type=int, help="the service's process, to see its memory and processor time")
    parser.add_argument("--probes", type=float, default=10, help="honest requests per second")
    parser.add_argument("--probe-path", default="/readyz")
    parser.add_argument("--body-path", default="/v1/auth/refresh")
    parser.add_argument("--read-path", default="/openapi.yaml")
    parser.add_argument("--authorization", help="sent with the probe and with what the slow readers ask for")
    return parser.parse_args()


class Memory:
    """Megabytes and processor seconds of a process; None when no process is given."""

    def __init__(self, pid):
        self.pid, self.peak, self.most_descriptors = pid, 0, 0

    def now(self):
        if not self.pid:
            return None
        text = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        value = round(int(re.search(r"^VmRSS:\s+(\d+) kB", text, re.M)[1]) / 1024, 1)
        self.peak = max(self.peak, value)
        return value

    def descriptors(self):
        if not self.pid:
            return None
        value = len(os.listdir(f"/proc/{self.pid}/fd"))
        self.most_descriptors = max(self.most_descriptors, value)
        return value

    def processor(self):
        if not self.pid:
            return None
        fields = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / 100


class Slow:
    """One slow client; `play` is one connection of it, from connect to the end."""

    def __init__(self, crowd, kind):
        self.crowd, self.kind = crowd, kind

    async def live(self):
        while not self.crowd.over:
            await self.crowd.turn()
            try:
                await self.play()
            except OSError:
                self.crowd.ends[self.kind] += 1

    async def play(self):
        crowd, loop = self.crowd, asyncio.get_running_loop()
        s = socket.socket(crowd.family, socket.SOCK_STREAM)
        s.setblocking(False)
        if self.kind == "reads":
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        try:
            async with asyncio.timeout(30):
                await loop.sock_connect(s, crowd.address)
            crowd.open[self.kind] += 1
            try:
                await getattr(self, self.kind)(s, loop)
            finally:
                crowd.open[self.kind] -= 1
        finally:
            s.close()

    async def drip(self, s, loop, first, piece):
        await loop.sock_sendall(s, first)
        while True:
            try:
                async with asyncio.timeout(SILENCE):
                    # An answer or an end: the service has had enough.
                    await loop.sock_recv(s, 4096)
                    raise ConnectionResetError
            except TimeoutError:
                await loop.sock_sendall(s, piece)

    async def heads(self, s, loop):
        await self.drip(s, loop, b"GET /livez HTTP/1.1\r\nHost: a\r\n", b"X-A: b\r\n")

    async def bodies(self, s, loop):
        first = b"POST %s HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n\r\n{" % self.crowd.body_path
        await self.drip(s, loop, first, b" ")

    async def reads(self, s, loop):
        # Many answers on one connection, so that what the kernel keeps for us is soon full.
        await loop.sock_sendall(s, self.crowd.read_request * 40)
        while True:
            await asyncio.sleep(SILENCE)
            if not await loop.sock_recv(s, 1):
                raise ConnectionResetError


class Crowd:
    def __init__(self, options, address, family):
        self.address, self.family = address, family
        self.body_path = options.body_path.encode()
        authorization = f"Authorization: {options.authorization}\r\n" if options.authorization else ""
        self.read_request = f"GET {options.read_path} HTTP/1.1\r\nHost: a\r\n{authorization}\r\n".encode()
        self.pause = 1 / options.rate
        self.next, self.over = 0.0, False
        self.open, self.ends, self.most = collections.Counter(), collections.Counter(), collections.Counter()

    async def turn(self):
        """New connections come at the rate asked for."""
        now = time.monotonic()
        self.next = max(self.next + self.pause, now)
        await asyncio.sleep(self.next - now)

    async def run(self, options, memory):
        tasks = [
            asyncio.ensure_future(Slow(self, kind).live()) for kind in ("heads", "bodies", "reads") for _ in range(getattr(options, kind))
        ]
        end = time.monotonic() + options.seconds
        while (left := end - time.monotonic()) > 0:
            await asyncio.sleep(min(0.5, left))
            memory.now(), memory.descriptors()
            for kind, count in self.open.items():
                self.most[kind] = max(self.most[kind], count)
        self.over = True
        while tasks:
            for task in tasks:
                task.cancel()
            _, tasks = await asyncio.wait(tasks, timeout=2)


class Probe:
    """Asks at its times, on a new connection each, whatever became of the question before."""

    def __init__(self, options, address, family):
        self.address, self.family, self.options = address, family, options
        authorization = f"Authorization: {options.authorization}\r\n" if options.authorization else ""
        self.request = f"GET {options.probe_path} HTTP/1.1\r\nHost: a\r\n{authorization}"
        self.lock, self.times, self.failures = threading.Lock(), [], collections.Counter()

    def ask(self):
        began = time.monotonic()
        try:
            with socket.socket(self.family, socket.SOCK_STREAM) as s:
                s.settimeout(10)
                s.connect(self.address)
                s.sendall((self.request + "Connection: close\r\n\r\n").encode())
                answer = b""
                while piece := s.recv(65536):
                    answer += piece
            status = answer[9:12].decode() or "nothing"
        except OSError as error:
            status = type(error).__name__
        took = time.monotonic() - began
        with self.lock:
            self.times.append(took)
            if status != "200":
                self.failures[status] += 1

    def run(self, seconds, results):
        threads, began, count = [], time.monotonic(), round(seconds * self.options.probes)
        for number in range(count):
            time.sleep(max(0, began + number / self.options.probes - time.monotonic()))
            thread = threading.Thread(target=self.ask)
            thread.start()
            threads.append(thread)
        for thread in threads:
            thread.join()
        results.put((self.times, dict(self.failures)))


def summary(times, failures):
    bad, milliseconds = sum(failures.values()), sorted(1000 * t for t in times)
    return {
        "sent": len(times),
        "ok": len(times) - bad,
        "share_ok": round((len(times) - bad) / max(1, len(times)), 5),
        "failures": failures,
        "p50_ms": round(statistics.median(milliseconds), 1),
        "p99_ms": round(milliseconds[max(0, -(-len(milliseconds) * 99 // 100) - 1)], 1),
        "max_ms": round(milliseconds[-1], 1),
    }


def main():
    options = arguments()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    url = urllib.parse.urlsplit(options.url)
    family, *_, address = socket.getaddrinfo(url.hostname, url.port or 80, type=socket.SOCK_STREAM)[0]
    memory, crowd = Memory(options.pid), Crowd(options, address, family)
    before, worked = memory.now(), memory.processor()
    # A process of its own: the crowd's work must not count as the service's slowness.
    results = multiprocessing.Queue()
    probe = multiprocessing.Process(target=Probe(options, address, family).run, args=(options.seconds, results))
    probe.start()
    asyncio.run(crowd.run(options, memory))
    times, failures = results.get(timeout=60)
    probe.join()
    if crowd.most:
        # Until the service has seen that the crowd is gone.
        time.sleep(4)
    report = {
        "asked": {kind: getattr(options, kind) for kind in ("heads", "bodies", "reads")},
        "seconds": options.seconds,
        "most_open": dict(crowd.most),
        "cut_and_back": dict(crowd.ends),
        "probe": summary(times, failures),
        "memory_mb": {"before": before, "peak": memory.peak, "after": memory.now()} if options.pid else None,
        "processor_s": round(memory.processor() - worked, 1) if options.pid else None,
        "descriptors": {"most": memory.most_descriptors, "after": memory.descriptors()} if options.pid else None,
    }
    print(json.dumps(report))
    return 0 if report["probe"]["share_ok"] >= 0.999 and report["probe"]["p99_ms"] < 500 else 1


if __name__ == "__main__":
    sys.exit(main())
