"""Request `number` of a seed: a good one with one thing wrong with it."""

import json
import random
import uuid

from bodies import CHUNKS, GARBAGE, JSON_TARGETS, JSONS, QUERIES
from heads import FRAMING, HEADERS, LINE


class Malformed:
    """Request `number` of a seed is the same bytes on every run, but for the ids and the token of the run's user."""

    def __init__(self, seed, user, entry, upload):
        self.seed, self.bearer = seed, user.http.headers["Authorization"].encode()
        self.entry, self.upload = entry.encode(), upload.encode()
        self.tables = {
            "line": LINE,
            "header": HEADERS,
            "framing": FRAMING,
            "chunks": CHUNKS,
            "json": JSONS,
            "query": QUERIES,
            "bytes": None,
            "garbage": GARBAGE,
        }

    def make(self, number):
        """(what was done, bytes)"""
        dice = random.Random(f"{self.seed}/{number}")
        kind = dice.choice(list(self.tables))
        method, target, body = dice.choice(self.bases())
        line, fields = [method, b" ", target, b" HTTP/1.1\r\n"], [(b"Host", b"localhost"), (b"Connection", b"close")]
        if dice.random() < 0.8:
            fields.append((b"Authorization", self.bearer))
        if method == b"PATCH":
            fields.append((b"If-Match", b"*"))
        framing, payload, choice = None, body, ""
        if body:
            fields.append((b"Content-Type", b"audio/mp4" if method == b"PUT" else b"application/json"))
        if kind == "garbage":
            index = dice.randrange(len(GARBAGE))
            return f"garbage {index}", GARBAGE[index](dice)
        if kind == "line":
            choice = dice.randrange(len(LINE))
            line = LINE[choice](dice, line)
        elif kind == "header":
            choice = dice.randrange(len(HEADERS))
            extra = HEADERS[choice](dice)
        elif kind == "framing":
            choice = dice.randrange(len(FRAMING))
            framing = FRAMING[choice](dice, len(payload))
        elif kind == "chunks":
            choice = dice.randrange(len(CHUNKS))
            method, target, payload = b"POST", b"/v1/entries", b'{"kind":"text","text":"a"}'
            line[:3] = [method, b" ", target]
            fields = [f for f in fields if f[0] not in (b"Content-Type", b"If-Match")] + [(b"Content-Type", b"application/json")]
            framing, payload = b"Transfer-Encoding: chunked\r\n", CHUNKS[choice](dice, payload)
        elif kind == "json":
            choice = dice.randrange(len(JSONS))
            method, target = dice.choice(JSON_TARGETS)
            target = target.replace(b"{id}", self.entry)
            line[:3] = [method, b" ", target]
            fields = [f for f in fields if f[0] not in (b"Content-Type", b"If-Match")] + [
                (b"Content-Type", b"application/json"),
                (b"If-Match", b"*"),
            ]
            payload = JSONS[choice](dice)
        elif kind == "query":
            choice = dice.randrange(len(QUERIES))
            line = [
                b"GET ",
                dice.choice(
                    [
                        b"/v1/entries",
                        b"/v1/entries/" + self.entry + b"/transcript",
                        b"/audio/a/b/c/d",
                        b"/exports/x/file",
                        self.upload.split(b"?")[0],
                    ]
                ),
                b"?" + QUERIES[choice](dice),
                b" HTTP/1.1\r\n",
            ]
            fields, payload = [f for f in fields if f[0] != b"Content-Type"], b""
        head = b"".join(line) + b"".join(n + b": " + v + b"\r\n" for n, v in fields)
        if framing is None and payload:
            framing = b"Content-Length: %d\r\n" % len(payload)
        if kind == "header":
            head += extra
        message = head + (framing or b"") + b"\r\n" + payload
        if kind == "bytes":
            message, choice = mangled(dice, message)
        return f"{kind} {choice}", message

    def bases(self):
        entry = self.entry
        text = json.dumps(
            {"kind": "text", "text": "words", "tags": ["a", "b"], "recorded_at": "2026-03-01T12:00:00+01:00", "time_zone": "Europe/Berlin"}
        ).encode()
        return [
            (b"GET", b"/livez", b""),
            (b"GET", b"/v1/config", b""),
            (b"GET", b"/v1/me", b""),
            (b"GET", b"/v1/entries?limit=2", b""),
            (b"GET", b"/v1/entries?order=asc&limit=1", b""),
            (b"GET", b"/v1/entries/" + entry, b""),
            (b"GET", b"/v1/entries/" + entry + b"/transcript/file?format=md&layer=raw", b""),
            (b"POST", b"/v1/entries", text),
            (b"PATCH", b"/v1/entries/" + entry, b'{"title":"a"}'),
            (b"POST", b"/v1/uploads/" + entry + b"/complete", b""),
            (b"POST", b"/v1/auth/refresh", b'{"refresh_token":"x"}'),
            (b"POST", b"/v1/auth/codes", b'{"purpose":"sign_up","email":"a@example.org","request":"AAAAAAAAAAAAAAAAAAAAAA"}'),
            (b"PUT", self.upload, b"a" * 64),
            (b"GET", b"/exports/a.1.b", b""),
            (b"POST", b"/exports/a.1.b/download", b""),
            (b"GET", b"/audio/a/b/c/d?expires=1&signature=x", b""),
            (b"HEAD", b"/v1/entries/" + entry, b""),
            (b"OPTIONS", b"/v1/entries", b""),
            (b"DELETE", b"/v1/entries/" + str(uuid.UUID(int=7)).encode(), b""),
        ]


def mangled(dice, message):
    """One to six bytes changed, lost, doubled or moved; or the end cut off."""
    message = bytearray(message)
    how = []
    for _ in range(dice.randint(1, 6)):
        at = dice.randrange(max(len(message), 1))
        action = dice.choice(["flip", "set", "drop", "double", "swap", "cut", "span"])
        how.append(action)
        if not message:
            break
        if action == "flip":
            message[at] ^= 1 << dice.randrange(8)
        elif action == "set":
            message[at] = dice.choice(b'\x00\r\n :\xff\x7f\t,;%"{}[]/?#')
        elif action == "drop":
            del message[at]
        elif action == "double":
            message[at:at] = message[at : at + dice.randint(1, 30)]
        elif action == "swap":
            other = dice.randrange(len(message))
            message[at], message[other] = message[other], message[at]
        elif action == "cut" and dice.random() < 0.3:
            del message[at:]
        elif action == "span":
            del message[at : at + dice.randint(1, 30)]
    return bytes(message), "+".join(how)
