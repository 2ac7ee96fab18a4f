#!/usr/bin/env python3
"""Hears speech: OpenAI's POST /v1/audio/transcriptions on a Unix socket, by faster-whisper. Logs no word of what it hears."""

import argparse
import contextlib
import ctypes
import fcntl
import json
import logging
import math
import os
import pathlib
import resource
import select
import signal
import socket
import socketserver
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler

LIBC = ctypes.CDLL(None)
# The name of the process (PR_SET_NAME), before anything takes long: `diary dev` looks for it.
LIBC.prctl(15, b"diary-speech")

from form import RATE, Form, Refused  # noqa: E402
from turns import Full, Gone, Turns  # noqa: E402

STUCK = 300
"""Seconds for one window. Beyond it the model hangs, and the process ends so that it is started again."""


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, path, hearing, turns):
        self.hearing, self.turns = hearing, turns
        super().__init__(path, Handler)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "diary-speech", ""
    timeout = 60
    routes = {
        ("GET", "/health"): lambda self: self.health(),
        ("GET", "/v1/models"): lambda self: self.models(),
        ("POST", "/v1/audio/transcriptions"): lambda self: self.transcriptions(),
        ("POST", "/v1/audio/voice"): lambda self: self.voice(),
    }

    def do_GET(self):
        self.answer_route()

    do_POST = do_GET

    def answer_route(self):
        path = self.path.split("?")[0]
        try:
            route = self.routes.get((self.command, path))
            if not route:
                raise Refused(404, "unknown_url", f"{self.command} {path} is not known here")
            route(self)
        except Refused as refusal:
            # What was not read of the body would be taken for the next request.
            self.close_connection = True
            self.refuse(refusal.status, refusal.code, str(refusal), refusal.parameter)
        except Full as full:
            self.refuse(503, "busy", "as many recordings wait as may", headers={"Retry-After": str(max(1, math.ceil(full.seconds)))})
        except (Gone, TimeoutError, ConnectionError):
            self.close_connection = True
        except Exception as error:  # noqa: BLE001  One bad recording must not end the others.
            print(f"diary-speech: {type(error).__name__} while a recording was heard", file=sys.stderr, flush=True)
            self.refuse(500, "failed", "the recording could not be heard")

    def health(self):
        state = self.server.turns.state()
        is_stuck = state["window_s"] > STUCK
        self.reply(
            503 if is_stuck else 200,
            {
                "status": "stuck" if is_stuck else "ok",
                "model": self.server.hearing.name,
                "compute_type": self.server.hearing.compute_type,
                **state,
            },
        )

    def models(self):
        self.reply(
            200, {"object": "list", "data": [{"id": self.server.hearing.name, "object": "model", "created": 0, "owned_by": "local"}]}
        )

    def voice(self):
        form = Form(self.headers, self.rfile)
        seconds = form.samples.size / RATE

        def work():
            yield
            return {"duration": seconds, "voice": self.server.hearing.voice(form.samples)}

        self.reply(200, self.server.turns.run(work(), seconds / 50, self.is_wanted))

    def transcriptions(self):
        form = Form(self.headers, self.rfile)
        shape = form.text("response_format") or "json"
        if shape not in ("json", "text", "verbose_json"):
            raise Refused(400, "unsupported_value", "response_format is json, text or verbose_json", "response_format")
        named = form.text("language")
        offered = [named] if named else form.texts("languages")
        work = self.server.hearing.transcribe(
            form.samples, [code.lower() for code in offered], hotwords=form.text("hotwords"), prompt=form.text("prompt")
        )
        answer = self.server.turns.run(work, form.samples.size / RATE, self.is_wanted)
        if shape == "text":
            return self.write(200, (answer["text"] + "\n").encode(), "text/plain; charset=utf-8")
        if shape == "json":
            return self.reply(200, {"text": answer["text"]})
        return self.reply(200, {"task": "transcribe", "model": self.server.hearing.name, **answer})

    def is_wanted(self):
        """Whether the client still waits for its answer."""
        readable, _, _ = select.select([self.connection], [], [], 0)
        return not readable or self.connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) != b""

    def refuse(self, status, code, message, parameter=None, headers=None):
        kind = "invalid_request_error" if status < 500 else "server_error"
        self.reply(status, {"error": {"message": message, "type": kind, "param": parameter, "code": code}}, headers)

    def reply(self, status, value, headers=None):
        self.write(status, json.dumps(value, ensure_ascii=False).encode(), "application/json", headers)

    def write(self, status, body, kind, headers=None):
        with contextlib.suppress(ConnectionError, TimeoutError):
            self.send_response(status)
            for name, text in {"Content-Type": kind, "Content-Length": str(len(body)), **(headers or {})}.items():
                self.send_header(name, text)
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *_):
        """Nothing of a request is logged."""


def watch(turns):
    while True:
        time.sleep(5)
        if turns.state()["window_s"] > STUCK:
            print("diary-speech: the model hangs; ending", file=sys.stderr, flush=True)
            os._exit(70)


def listen(path, hearing, turns):
    pathlib.Path(path).unlink(missing_ok=True)
    # The worker may be another user of the same group.
    mask = os.umask(0o117)
    server = Server(path, hearing, turns)
    os.umask(mask)
    return server


def owned(path):
    """The lock of a socket, kept while the process lives; None when another server has it."""
    lock = open(path + ".lock", "w")  # noqa: SIM115
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return None
    return lock


def arguments():
    parser = argparse.ArgumentParser(prog="diary-speech", description=__doc__)
    parser.add_argument("--socket", required=True, help="path of the Unix socket, at most 107 bytes")
    parser.add_argument(
        "--model",
        default=os.environ.get("DIARY_WHISPER_MODEL"),
        help="folder of a CTranslate2 Whisper model (default: DIARY_WHISPER_MODEL)",
    )
    parser.add_argument(
        "--threads", type=int, default=max(1, min(4, os.cpu_count() or 1)), help="of the model (default: processors, at most 4)"
    )
    parser.add_argument("--waiting", type=int, default=8, help="recordings that may wait; more are answered 503 (default: 8)")
    given = parser.parse_args()
    if not given.model or not os.path.isfile(os.path.join(given.model, "model.bin")):
        parser.exit(78, f"diary-speech: no model in {given.model or '(DIARY_WHISPER_MODEL is not set)'}: scripts/speech fetches one\n")
    return given


def main():
    given = arguments()
    # One heap: with one for each thread the memory of the process only rises (M_ARENA_MAX).
    LIBC.mallopt(-8, 2)
    # A core would hold plain speech.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Libraries would log what they were sent.
    logging.disable(logging.CRITICAL)
    lock = owned(given.socket)
    if not lock:
        print(f"diary-speech: another server has {given.socket}", file=sys.stderr)
        return 75
    began = time.monotonic()
    from hearing import Hearing

    try:
        hearing = Hearing(given.model, given.threads)
        hearing.warm_up()
    except (RuntimeError, ValueError) as error:
        print(f"diary-speech: the model does not load: {error}", file=sys.stderr)
        return 78
    turns = Turns(given.waiting)
    server = listen(given.socket, hearing, turns)
    threading.Thread(target=watch, args=(turns,), daemon=True).start()
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown).start())
    signal.signal(signal.SIGINT, signal.getsignal(signal.SIGTERM))
    print(
        f"diary-speech: ready after {time.monotonic() - began:.1f} s: model {hearing.name}, {hearing.compute_type}, {given.threads} threads",
        file=sys.stderr,
        flush=True,
    )
    server.serve_forever(poll_interval=0.2)
    pathlib.Path(given.socket).unlink(missing_ok=True)
    # Without the model's own end, which aborts while a window is heard.
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
