"""A mail server that misbehaves as told. Prints one JSON line with its ports, then one per command and message; ends with its stdin;
a line of it is answered with a mark.

    smtp_fake.py CERTIFICATE KEY MODE [MODE ...]

Each mode is a port of its own, by its name: see `Session`. `+tls` at a mode's end means TLS from the first byte.
"""

import base64
import json
import socket
import ssl
import sys
import threading

lock = threading.Lock()


def say(**fields):
    with lock:
        sys.stdout.write(json.dumps(fields) + "\n")
        sys.stdout.flush()


class Session:
    """plain: no TLS. starttls: offers it. login: wants PLAIN first. badlogin: refuses it. stripped: should offer TLS and does not.
    inject: plain text behind the 220 of STARTTLS. refusetls: 454 to STARTTLS. greet554, mail4xx, mail5xx, rcpt4xx, rcpt5xx, data4xx,
    data5xx, end4xx, end5xx: that reply at that place; mailsender, rcptrelay, endbig, enddmarc: one with an enhanced status code. noquit: never answers QUIT. silent: never greets. hangdata: never answers the
    message. drop: closes after DATA. lines: replies of many lines and odd texts."""

    def __init__(self, connection, mode, context):
        self.connection = connection
        self.mode = mode
        self.context = context
        self.tls = isinstance(connection, ssl.SSLSocket)
        self.buffer = b""

    def send(self, text):
        self.connection.sendall(text.encode("latin-1") + b"\r\n")

    def line(self):
        while b"\r\n" not in self.buffer:
            more = self.connection.recv(65536)
            if not more:
                return None
            self.buffer += more
        line, self.buffer = self.buffer.split(b"\r\n", 1)
        return line.decode("latin-1")

    def hang(self):
        while self.connection.recv(4096):
            pass

    def offers(self):
        lines = ["fake", "SIZE 10485760"]
        if self.mode in ("starttls", "login", "badlogin", "inject", "refusetls") and not self.tls:
            lines.append("STARTTLS")
        if self.mode in ("login", "badlogin") and self.tls:
            lines.append("AUTH NTLM CRAM-MD5 PLAIN")
        for line in lines[:-1]:
            self.send("250-" + line)
        self.send("250 " + lines[-1])

    def run(self):
        if self.mode == "silent":
            return self.hang()
        if self.mode == "greet554":
            return self.send("554 no mail here")
        self.send("220 fake ESMTP")
        while (line := self.line()) is not None:
            say(event="command", mode=self.mode, text=line, tls=self.tls)
            verb = line.split(" ", 1)[0].upper()
            if self.command(verb, line) is False:
                return

    def command(self, verb, line):
        mode = self.mode
        if verb in ("EHLO", "HELO"):
            self.offers()
        elif verb == "STARTTLS":
            if mode == "refusetls":
                self.send("454 not now")
                return
            if mode == "inject":
                self.connection.sendall(b"220 go\r\n250-injected\r\n250 AUTH PLAIN\r\n")
            else:
                self.send("220 go")
            self.connection = self.context.wrap_socket(self.connection, server_side=True)
            self.tls, self.buffer = True, b""
        elif verb == "AUTH":
            words = line.split(" ")
            if len(words) == 2:
                self.send("334 ")
                words.append(self.line() or "")
            say(event="login", mechanism=words[1], text=base64.b64decode(words[2]).decode("utf-8", "replace"), tls=self.tls)
            self.send("535 5.7.8 wrong" if mode == "badlogin" else "235 ok")
        elif verb == "MAIL":
            replies = {
                "mail4xx": "451 later",
                "mail5xx": "550 never",
                "mail530": "530 5.7.0 login first",
                "mailsender": "553-5.1.8 this\r\n553 5.1.8 sender",
            }
            self.send(replies.get(mode, "250 2.1.0 ok"))
        elif verb == "RCPT":
            replies = {"rcpt4xx": "450 later", "rcpt5xx": "550 5.1.1 unknown\u00e9", "rcptrelay": "550-5.7.64 no relay\r\n550 see our page"}
            self.send(replies.get(mode, "250 2.1.5 ok"))
        elif verb == "DATA":
            if mode in ("data4xx", "data5xx"):
                self.send({"data4xx": "452 full", "data5xx": "554 no"}[mode])
                return
            self.send("354 go")
            if mode == "drop":
                return False
            self.message()
        elif verb == "QUIT":
            if mode == "noquit":
                return self.hang()
            self.send("221 bye")
            return False
        else:
            self.send("250 ok")

    def message(self):
        while b"\r\n.\r\n" not in b"\r\n" + self.buffer:
            more = self.connection.recv(65536)
            if not more:
                return
            self.buffer += more
        raw, self.buffer = (b"\r\n" + self.buffer).split(b"\r\n.\r\n", 1)
        say(event="message", mode=self.mode, tls=self.tls, raw=raw[2:].decode("latin-1"), after=len(self.buffer))
        if self.mode == "hangdata":
            return self.hang()
        if self.mode == "lines":
            self.connection.sendall(b"250-one\r\n250-" + b"x" * 400 + b"\r\n250 done\r\n")
            return
        self.send(
            {"end4xx": "451 later", "end5xx": "554 spam", "endbig": "552 5.3.4 big", "enddmarc": "550 5.7.26 no"}.get(
                self.mode, "250 taken"
            )
        )


def listen(mode, context):
    server = socket.create_server(("127.0.0.1", 0), backlog=128)
    name, _, implicit = mode.partition("+")

    def serve(connection):
        try:
            if implicit:
                connection = context.wrap_socket(connection, server_side=True)
            session = Session(connection, name, context)
            session.run()
            session.connection.close()
        except (ssl.SSLError, OSError, ValueError) as error:
            say(event="broken", mode=name, text=type(error).__name__)

    def accept():
        while True:
            connection, _ = server.accept()
            say(event="accepted", mode=name)
            threading.Thread(target=serve, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return server.getsockname()[1]


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1], sys.argv[2])
say(event="ready", **{mode: listen(mode, context) for mode in sys.argv[3:]})
for _ in sys.stdin:
    say(event="mark")
