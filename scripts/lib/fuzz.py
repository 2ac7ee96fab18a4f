"""Sends the service what no client should, and says whether it is the same process afterwards."""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import secrets
import socket
import subprocess
import sys
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import requests

from attack import INSIDE, Alive, statuses
from rig import ROOT, Rig

SLICE = 240
"""Seconds of one run of schemathesis: an access token lives for fifteen minutes."""


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32))
    parser.add_argument("--only", type=int)
    return parser.parse_args()


def megabytes(pid):
    return int(re.search(r"^VmRSS:\s+(\d+) kB", pathlib.Path(f"/proc/{pid}/status").read_text(), re.M)[1]) / 1024


class Malformed:
    """Request `number` of a seed is the same bytes on every run, but for the ids and the token of the run's user."""

    def __init__(self, seed, user, entry, upload):
        self.seed, self.bearer = seed, user.http.headers["Authorization"].encode()
        self.entry, self.upload = entry.encode(), upload.encode()
        self.tables = {"line": LINE, "header": HEADERS, "framing": FRAMING, "chunks": CHUNKS, "json": JSONS, "query": QUERIES, "bytes": None, "garbage": GARBAGE}

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
            fields = [f for f in fields if f[0] not in (b"Content-Type", b"If-Match")] + [(b"Content-Type", b"application/json"), (b"If-Match", b"*")]
            payload = JSONS[choice](dice)
        elif kind == "query":
            choice = dice.randrange(len(QUERIES))
            line = [b"GET ", dice.choice([b"/v1/entries", b"/v1/entries/" + self.entry + b"/transcript", b"/audio/a/b/c/d", b"/exports/x/file", self.upload.split(b"?")[0]]), b"?" + QUERIES[choice](dice), b" HTTP/1.1\r\n"]
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
        text = json.dumps({"kind": "text", "text": "words", "tags": ["a", "b"], "recorded_at": "2026-03-01T12:00:00+01:00", "time_zone": "Europe/Berlin"}).encode()
        return [
            (b"GET", b"/livez", b""), (b"GET", b"/v1/config", b""), (b"GET", b"/v1/me", b""), (b"GET", b"/v1/entries?limit=2", b""), (b"GET", b"/v1/entries?order=asc&limit=1", b""),
            (b"GET", b"/v1/entries/" + entry, b""), (b"GET", b"/v1/entries/" + entry + b"/transcript?format=txt", b""), (b"POST", b"/v1/entries", text), (b"PATCH", b"/v1/entries/" + entry, b'{"title":"a"}'),
            (b"POST", b"/v1/entries/" + entry + b"/complete", b""), (b"POST", b"/v1/auth/refresh", b'{"refresh_token":"x"}'), (b"POST", b"/v1/auth/email/verify/resend", b'{"email":"a@example.org","registration":"AAAAAAAAAAAAAAAAAAAAAA"}'),
            (b"PUT", self.upload, b"a" * 64), (b"GET", b"/exports/a.1.b", b""), (b"POST", b"/exports/a.1.b/download", b""), (b"GET", b"/audio/a/b/c/d?expires=1&signature=x", b""), (b"HEAD", b"/v1/entries/" + entry, b""),
            (b"OPTIONS", b"/v1/entries", b""), (b"DELETE", b"/v1/entries/" + str(uuid.UUID(int=7)).encode(), b""),
        ]


def noise(dice, low, high):
    return dice.randbytes(dice.randint(low, high))


ODD = [b"\x00", b"\x01", b"\t", b"\x0b", b"\x0c", b"\r", b"\n", b"\r\n", b" ", b"\x7f", b"\x80", b"\xff", b"\xc0\xaf", b"\xe2\x80\xa8", b"%", b"%0", b"%00", b"%zz", b"%c0%ae", b"..", b"/../", b"//", b"\\", b"#", b";", b"'", b'"', b"<", b"{", b"|", b"^", b"`", b"?", b"&&", b"==", b"%25%32%65", b"\xf0\x9f\x98\x80"]


def inserted(dice, text, odd):
    at = dice.randint(0, len(text))
    return text[:at] + odd + text[at:]


# line = [method, space, target, version and end]
LINE = [
    lambda d, l: [inserted(d, l[0], d.choice(ODD)), *l[1:]],
    lambda d, l: [l[0].swapcase(), *l[1:]],
    lambda d, l: [d.choice([b"", b"X" * 200, b"CONNECT", b"TRACE", b"PRI", b"M-SEARCH", b"GET\x00", b"*", noise(d, 1, 20)]), *l[1:]],
    lambda d, l: [l[0], d.choice([b"", b"  ", b"\t", b"\x0b", b"\xa0", b"\r", b"\n"]), *l[2:]],
    lambda d, l: [l[0], l[1], inserted(d, l[2], d.choice(ODD)), l[3]],
    lambda d, l: [l[0], l[1], d.choice([b"", b"*", b"x", b"http://", b"http://[::1", b"http://a@b:c/", b"//host/livez", b"localhost:80", b"/" * 300, b"/%", b"/\xff\xfe", b"/.", b"/..", b"/v1/entries/%2e%2e/me"]), l[3]],
    lambda d, l: [l[0], l[1], l[2] + d.choice([b"?", b"&"]) + b"a" * d.choice([7000, 8100, 8192, 8193, 9000, 60000]), l[3]],
    lambda d, l: [l[0], l[1], l[2] + b"/a" * d.choice([10, 500, 4000]), l[3]],
    lambda d, l: [l[0], l[1], l[2] + b"%2f" * d.choice([10, 500, 2600]), l[3]],
    lambda d, l: [*l[:3], d.choice([b"\r\n", b" HTTP/1.0\r\n", b" HTTP/0.9\r\n", b" HTTP/2.0\r\n", b" HTTP/3\r\n", b" HTTP/1.2\r\n", b" http/1.1\r\n", b" HTTP/1.1 \r\n", b" HTTP/11\r\n", b" HTTP/1.\r\n", b" HTTP/99999999999.1\r\n", b" HTTP/-1.1\r\n", b" HTTP /1.1\r\n", b" FTP/1.1\r\n"])],
    lambda d, l: [*l[:3], d.choice([b" HTTP/1.1\n", b" HTTP/1.1\r", b" HTTP/1.1\r\r\n", b" HTTP/1.1\n\r", b" HTTP/1.1\x00\r\n", b" HTTP/1.1\r\n\r"])],
    lambda d, l: [d.choice([b"\r\n", b"\n", b" ", b"\x00", b"\xef\xbb\xbf", b"\r\n" * 500, b"\r"]), *l],
    lambda d, l: [*l, b"".join(l)],
]

HEADERS = [
    lambda d: inserted(d, b"X-Probe", d.choice(ODD)) + b": a\r\n",
    lambda d: b"X-Probe: " + inserted(d, b"value", d.choice(ODD)) + b"\r\n",
    lambda d: d.choice([b"X-Probe : a\r\n", b": a\r\n", b"X-Probe\r\n", b" X-Probe: a\r\n", b"\tX: a\r\n", b"X-Probe:\r\n", b"X-Probe:a\n", b"X-Probe: a\r", b"=\r\n"]),
    lambda d: b"X-Probe: a\r\n" + d.choice([b" ", b"\t", b"  \t"]) + b"folded\r\n",
    lambda d: b"X-Probe: " + b"a" * d.choice([8000, 16000, 16384, 20000, 70000, 300000]) + b"\r\n",
    lambda d: b"".join(b"X%d: a\r\n" % i for i in range(d.choice([90, 99, 100, 101, 500, 5000]))),
    lambda d: b"X" * d.choice([100, 5000, 20000]) + b": a\r\n",
    lambda d: b"Host: other\r\n" * d.randint(1, 3),
    lambda d: d.choice([b"Host:\r\n", b"Host: a b\r\n", b"Host: \x00\r\n", b"Host: a/b@c\r\n"]),
    lambda d: b"Authorization: " + d.choice([b"", b"Bearer", b"Bearer " + b"a." * 2000, b"Bearer \xff\xfe", b"Basic Og==", b"Bearer " + noise(d, 1, 200).replace(b"\n", b"").replace(b"\r", b""), b"Bearer ..", b"Digest x"]) + b"\r\n",
    lambda d: b"Range: " + d.choice([b"bytes=", b"bytes=-", b"bytes=9-1", b"bytes=0-18446744073709551616", b"bytes=-99999999999999999999", b"bytes=0-0," * 500, b"lines=1-2", b"bytes=a-b", b"bytes=--1"]) + b"\r\n",
    lambda d: b"If-Match: " + d.choice([b"", b"x", b'"', b'"' * 99, b'W/"1"', b'"-1"', b'"99999999999999999999"', b"*, *", b'"1",' * 900, b'"\xff"']) + b"\r\n",
    lambda d: b"Idempotency-Key: " + d.choice([b"", b" ", b"a" * 256, b"a" * 10000, b"a b", b"\x7f", b"\xc3\xa9", b"a\x00b"]) + b"\r\n",
    lambda d: b"Content-Type: " + d.choice([b"", b"application/json; charset=utf-16", b"application/json;", b"application/json; charset=\"", b"multipart/form-data", b"text/plain", b"a/b/c", b"\xff", b"application/json, text/plain"]) + b"\r\n",
    lambda d: b"Content-Encoding: " + d.choice([b"gzip", b"br", b"identity", b"gzip, gzip", b"", b"\x00"]) + b"\r\n",
    lambda d: b"Accept: " + d.choice([b"", b"*", b"text/html;q=9", b"a/b;q=-1", b"," * 3000, b"text/html;q=" + b"0" * 3000, b"\xff/\xff"]) + b"\r\n",
    lambda d: b"Expect: " + d.choice([b"100-continue", b"200-ok", b"", b"100-continue, x"]) + b"\r\n",
    lambda d: b"Upgrade: " + d.choice([b"h2c", b"websocket", b"TLS/1.0", b""]) + b"\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n",
    lambda d: b"Connection: " + d.choice([b"", b"keep-alive, close", b"Authorization", b"Content-Length", b"," * 2000, b"\x00"]) + b"\r\n",
    lambda d: d.choice([b"X-Forwarded-For", b"Forwarded", b"X-Request-Id", b"traceparent", b"Diary-App", b"X-HTTP-Method-Override", b"Cookie", b"Origin", b"If-None-Match", b"If-Modified-Since", b"Date"]) + b": " + d.choice([b"", b"a" * 9000, b"127.0.0.1, " * 300, b"\xff\xfe", b"for=\"[", b"00-" + b"0" * 32 + b"-" + b"0" * 16 + b"-00", b"DELETE", b"' or 1=1--", b"%s%n", b"${jndi:x}"]) + b"\r\n",
]

FRAMING = [
    lambda d, n: b"Content-Length: " + d.choice([b"-1", b"+%d" % n, b"0x%x" % n, b"%d " % n, b"1e3", b"", b"a", b"%d,%d" % (n, n), b"%d, %d" % (n, n + 1), b"18446744073709551615", b"18446744073709551616", b"9223372036854775807", b"9" * 500, b"0%d" % n, b"%d;" % n, b"\xd9\xa3", b"%d\x00" % n]) + b"\r\n",
    lambda d, n: b"Content-Length: %d\r\n" % d.choice([n + 1, n + 1000, max(n - 1, 0), 262144, 262145, 10**9, 10**12]),
    lambda d, n: b"Content-Length: %d\r\nContent-Length: %d\r\n" % (n, d.choice([n, n + 1, 0])),
    lambda d, n: b"Content-Length: %d\r\nTransfer-Encoding: %s\r\n" % (n, d.choice([b"chunked", b"identity", b"gzip", b"xchunked"])),
    lambda d, n: b"Transfer-Encoding: %s\r\nContent-Length: %d\r\n" % (d.choice([b"chunked", b"CHUNKED", b"chunked,"]), n),
    lambda d, n: b"Transfer-Encoding: " + d.choice([b"", b"identity", b"gzip", b"gzip, chunked", b"chunked, gzip", b"chunked, chunked", b"x", b"chunked\x00", b"\x0bchunked", b'"chunked"', b"chunked;q=1", b"chun\xc3\xa7ked", b","]) + b"\r\n",
    lambda d, n: d.choice([b"Transfer-Encoding : chunked\r\n", b" Transfer-Encoding: chunked\r\n", b"Transfer-Encoding:\r\n chunked\r\n", b"Transfer\tEncoding: chunked\r\n", b"TE: chunked\r\n", b"Transfer_Encoding: chunked\r\n", b"Content_Length: 5\r\n", b"Trailer: Content-Length\r\nTransfer-Encoding: chunked\r\n"]),
    lambda d, n: b"",
]


def chunk(body):
    return b"%x\r\n%s\r\n" % (len(body), body)


CHUNKS = [
    lambda d, b: d.choice([b"-1", b"0x5", b"+5", b"g", b"", b" ", b"5 ", b"\t5", b"FFFFFFFFFFFFFFFF", b"FFFFFFFFFFFFFFFFF", b"7FFFFFFFFFFFFFFF", b"8000000000000000", b"0" * 400 + b"1", b"5\x00", b"1e1", b"\xd9\xa5"]) + b"\r\n" + b + b"\r\n0\r\n\r\n",
    lambda d, b: b"%x;" % len(b) + d.choice([b"a=b", b"a" * 20000, b'a="', b"\x00", b"\xff", b"a=\nb", b"a=\rb", b";" * 900]) + b"\r\n" + b + b"\r\n0\r\n\r\n",
    lambda d, b: chunk(b)[:-2] + d.choice([b"", b"\n", b"\r", b"XX", b"\r\r\n"]) + b"0\r\n\r\n",
    lambda d, b: b"%x\n" % len(b) + b + b"\n0\n\n",
    lambda d, b: chunk(b) + b"0\r\n" + d.choice([b"Content-Length: 5\r\n", b"X: " + b"a" * 30000 + b"\r\n", b"X\r\n", b" fold\r\n", b"A: \x00\r\n", b"".join(b"T%d: a\r\n" % i for i in range(300)), b"Authorization: Bearer x\r\n", b"Transfer-Encoding: chunked\r\n"]) + b"\r\n",
    lambda d, b: b"".join(chunk(b[i:i + 1]) for i in range(len(b))) + b"0\r\n\r\n",
    lambda d, b: b"".join(chunk(b" " * 40) for _ in range(d.choice([100, 3000, 8000]))) + b"0\r\n\r\n",
    lambda d, b: chunk(b)[:d.randint(0, len(b))],
    lambda d, b: chunk(b),
    lambda d, b: chunk(b) + b"00000\r\n\r\n" + chunk(b),
    lambda d, b: b"0\r\n\r\n",
    lambda d, b: noise(d, 1, 400),
]

JSON_TARGETS = [(b"POST", b"/v1/entries"), (b"PATCH", b"/v1/entries/{id}"), (b"POST", b"/v1/exports"), (b"POST", b"/v1/auth/refresh"), (b"POST", b"/v1/auth/email/verify"), (b"POST", b"/v1/auth/email/verify/resend")]
MEMBERS = ["kind", "text", "title", "tags", "mood", "id", "recorded_at", "time_zone", "language", "size_bytes", "content_type", "duration_s", "sha256", "from", "to", "email", "include_audio", "refresh_token", "code", "registration", "device", "x", ""]
VALUES = ["null", "true", "0", "-0", "-1", "1e999", "-1e-999", "9007199254740993", "18446744073709551616", "9" * 400, "0." + "1" * 400, "1E+2", '""', '"a"', '"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udc00\\ud800"', '"\\uD83D\\uDE00"', '"\\uFFFE"', '"\\u202e"', '"' + "a" * 250 + '"', '"' + "é" * 150000 + '"',
          '"' + "a" * 200001 + '"', "[]", "{}", "[[]]", '[""]', '[null]', "[" + ",".join(['"t"'] * 300) + "]", '{"a":{}}', '"2026-02-30"', '"0000-00-00"', '"9999-12-31T23:59:60Z"', '"2026-03-01T12:00:00+99:99"', '"-1-01-01"', '"Europe/Nowhere"', '"../../etc/passwd"', '"text"', '"voice"', '"a@example.org"', '"a@[::1]\\r\\nBcc: b@example.org"',
          '"\' or 1=1--"', '"%00"', '"\\\\"', '"\\u0009\\u000d\\u000a"', '"00000000-0000-0000-0000-000000000000"', '"AAAAAAAAAAAAAAAAAAAAAA"', '"000000"', '"audio/mp4"', "NaN", "Infinity", "01", "1.", ".5", "+1", "0x1", "'a'", "tru", "nul", '"\\x"', '"\\u12"', '"\n"', '"\t"', ""]


def document(dice, members=None):
    names = members or dice.sample(MEMBERS, dice.randint(1, 6))
    return ("{" + ",".join(f"{json.dumps(name)}:{dice.choice(VALUES)}" for name in names) + "}").encode()


GOOD = b'{"kind":"text","text":"a","tags":["b"],"recorded_at":"2026-03-01T12:00:00Z"}'
JSONS = [
    document, document, document,
    lambda d: document(d, ["kind", "text", "kind", "text"]),
    lambda d: GOOD[:d.randint(0, len(GOOD))],
    lambda d: inserted(d, GOOD, d.choice(ODD)),
    lambda d: inserted(d, GOOD, noise(d, 1, 8)),
    lambda d: d.choice([b"[", b'{"a":', b'[{"a":', b'{"text":[']) * d.choice([31, 32, 33, 1000, 60000]),
    lambda d: b"[" * 40 + b"]" * 40,
    lambda d: b'{"kind":"text","text":' + b"[" * d.choice([30, 31, 32, 33]) + b"1" + b"]" * d.choice([30, 31, 32, 33]) + b"}",
    lambda d: d.choice([b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b" " * 9000, b"//\n", b"/**/", b"\x00"]) + GOOD,
    lambda d: GOOD + d.choice([b"x", b"{}", b",", b"\x00", b"\n\n", b"]"]),
    lambda d: GOOD.decode().encode(d.choice(["utf-16", "utf-16-be", "utf-32", "utf-7"])),
    lambda d: b'{"kind":"text","text":"' + d.choice([b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xe2\x82", b"\x1f", b"\x7f"]) + b'"}',
    lambda d: b"{" + b",".join(b'"k%d":1' % i for i in range(d.choice([100, 10000]))) + b"}",
    lambda d: b"a" * d.choice([262144, 262145, 300000]),
    lambda d: d.choice([b"", b"null", b"1", b'"a"', b"[]", b"[{}]", b"{}", b"true", b"{,}", b'{"a"}', b'{"a":1,}', b"{'a':1}", b"{a:1}", b'{1:1}', b'{"a":1 "b":2}']),
]

QUERIES = [
    lambda d: b"&".join(d.choice([b"limit", b"since", b"from", b"to", b"order", b"cursor", b"format", b"expires", b"signature", b"x", b"X-Amz-Signature", b"X-Amz-Date", b"X-Amz-Expires", b"X-Amz-Credential"]) + b"=" + d.choice([b"", b"0", b"-1", b"201", b"9" * 30, b"1e3", b"asc", b"ASC", b"%00", b"%", b"%zz", b"%ff", b"a" * 65, b"2026-02-30", b"2026-03-01", b"0001-01-01", b"9999-12-31", b"AwAAAAAAAAAXAAAAAAAAAAA", b"Av" + b"_" * 32, b"A" * 34, b"Aw" + b"_" * 21, b"txt", b"'", b"\xff", b"+", b"%2b%20", b"[]", b"20260101T000000Z"]) for _ in range(d.randint(1, 5))),
    lambda d: d.choice([b"&", b"=", b"&&&&", b"a", b"=a", b"a=b=c", b"?", b"%3d", b"limit[]=1", b"limit=1;order=asc", b"limit=1#a", b"&" * 4000, b"a=1&" * 1500, b"limit=1&limit=2", b"%6cimit=1"]),
    lambda d: noise(d, 1, 60).replace(b"\r", b"").replace(b"\n", b"").replace(b" ", b""),
]

GARBAGE = [
    lambda d: noise(d, 1, 2000),
    lambda d: b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + noise(d, 10, 600),
    lambda d: b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + noise(d, 0, 300),
    lambda d: b"\x00" * d.choice([1, 100, 70000]),
    lambda d: d.choice([b"\r\n", b"\n", b"A", b" "]) * d.choice([1, 1000, 20000]),
    lambda d: b"*1\r\n$4\r\nPING\r\n",
    lambda d: b"\x00\x00\x00\x08\x04\xd2\x16\x2f",
    lambda d: b"PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\nGET /livez HTTP/1.1\r\nHost: a\r\n\r\n",
    lambda d: b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n" * d.choice([2, 50, 400]),
    lambda d: b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n" + noise(d, 1, 300),
    lambda d: b"GET /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabcdeGET /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\nabc",
    lambda d: b"",
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
            message[at] = dice.choice(b"\x00\r\n :\xff\x7f\t,;%\"{}[]/?#")
        elif action == "drop":
            del message[at]
        elif action == "double":
            message[at:at] = message[at:at + dice.randint(1, 30)]
        elif action == "swap":
            other = dice.randrange(len(message))
            message[at], message[other] = message[other], message[at]
        elif action == "cut" and dice.random() < 0.3:
            del message[at:]
        elif action == "span":
            del message[at:at + dice.randint(1, 30)]
    return bytes(message), "+".join(how)


def exchange(port, message, seconds=8):
    """Sends, ends its side, and reads what comes until the service ends its own. None: it did not within the time."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as s:
        answer = b""
        try:
            s.sendall(message)
            s.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # Refused before all of it was sent.
        try:
            while piece := s.recv(65536):
                answer += piece
        except TimeoutError:
            return None
        except ConnectionResetError:
            pass
        return answer


def faults(answer):
    """What must not be in an answer to anything."""
    if answer is None:
        return ["left open"]
    found = [f"status {code}" for code in statuses(answer) if code >= 500]
    for part in re.split(rb"(?=HTTP/1\.1 \d{3} )", answer):
        head, _, body = part.partition(b"\r\n\r\n")
        status = re.match(rb"HTTP/1\.1 (\d{3})", head)
        if not status or int(status[1]) < 400 or not body:
            continue
        if b"application/problem+json" not in head.lower() and b"text/html" not in head.lower():
            found.append("an error of another shape")
        elif b"application/problem+json" in head.lower():
            try:
                problem = json.loads(body)
                if not {"type", "title", "status", "code", "request_id", "retryable", "errors"} <= set(problem) or problem["status"] != int(status[1]):
                    found.append("a problem of another shape")
            except ValueError:
                found.append("a problem that is not JSON")
        if INSIDE.search(body.decode(errors="replace")):
            found.append("words of the inside")
    return found


def malformed(rig, options):
    user = rig.user()
    entry = user.create_text("words")["entry_id"]
    upload = "/" + user.create_voice()["upload"]["url"].split("/", 3)[3]
    source = Malformed(options.seed, user, entry, upload)
    if options.only is not None:
        what, message = source.make(options.only)
        answer = exchange(rig.port, message)
        print(f"{what}\n> {message[:3000]!r}\n< {answer!r}\nfaults: {faults(answer)}")
        return not faults(answer)
    for _ in range(200):
        user.http.get(rig.url + "/v1/entries", timeout=10)
    pid = rig.processes["serve"].pid
    before, began, lock = megabytes(pid), time.monotonic(), threading.Lock()
    codes, kinds, bad, done = collections.Counter(), collections.Counter(), [], 0

    def one(number):
        nonlocal done
        what, message = source.make(number)
        try:
            answer = exchange(rig.port, message)
            found = faults(answer)
        except OSError as error:
            answer, found = b"", [f"no connection: {error}"]
        with lock:
            done += 1
            kinds[what.split()[0]] += 1
            codes[(statuses(answer) or ["closed"])[0] if answer is not None else "left open"] += 1
            if found:
                bad.append((number, what, sorted(set(found)), message[:160]))
            if done % max(options.requests // 10, 100) == 0:
                print(f"  {done} requests, {len(bad)} faults, {megabytes(pid):.0f} MB, {time.monotonic() - began:.0f} s", flush=True)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(one, range(options.requests)))
    after = megabytes(pid)
    print(f"malformed requests, seed {options.seed}: {done} in {time.monotonic() - began:.0f} s; by kind {dict(kinds)}")
    print(f"  first answers {dict(sorted(codes.items(), key=str))}; memory {before:.1f} -> {after:.1f} MB ({(after / before - 1) * 100:+.0f} %)")
    for number, what, found, message in sorted(bad)[:20]:
        print(f"  FAULT {', '.join(found)}: number {number}, {what}: {message!r}")
    if bad:
        print(f"{len(bad)} faults; scripts/fuzz --seed {options.seed} --only NUMBER shows one")
    user.http.close()
    return not bad


# All checks are on unless said here. Statuses that a request may get that the schema allows, for reasons a schema cannot say: another state, version, day or name than there is.
SETTINGS = """
[checks]
positive_data_acceptance.expected-statuses = ["2xx", "302", "303", "400", "401", "403", "404", "409", "410", "412", "416", "422", "429"]
missing_required_header.expected-statuses = ["400", "401", "403", "406", "415", "422", "428"]

# The contract is served as text; the check parses YAML and finds an object.
[[operations]]
include-operation-id = "getContract"
checks.response_schema_conformance.enabled = false

# A revoked export stays readable: its link is what ends.
[[operations]]
include-path = "/v1/exports/{id}"
checks.use_after_free.enabled = false
"""

# A recording is bytes of no schema.
HOOKS = """
import schemathesis


@schemathesis.serializer("audio/*", "audio/mp4")
def recording(context, value):
    return value if isinstance(value, bytes) else str(value).encode()
"""


def schemathesis(rig, options):
    """Slices of both kinds until the time is used up."""
    folder = rig.folder / "schemathesis"
    folder.mkdir()
    (folder / "schemathesis.toml").write_text(SETTINGS)
    (folder / "recordings.py").write_text(HOOKS)
    total, fine, number = options.minutes * 60, True, 0
    plan = []
    while total > 0:
        seconds = min(total, 2 * SLICE)
        plan += [("signed in", seconds / 2, ["--exclude-operation-id", "signOut"]), ("anonymous", seconds / 2, [])]
        total -= seconds
    plan.append(("signing out", 5, ["--include-operation-id", "signOut"]))
    for kind, seconds, filters in plan:
        number += 1
        headers = []
        if kind != "anonymous":
            headers = ["-H", "Authorization: " + rig.user().http.headers["Authorization"]]
        print(f"schemathesis, {kind}, {seconds:.0f} s, seed {options.seed + number}", flush=True)
        line = [ROOT / ".venv/bin/schemathesis", "--config-file", folder / "schemathesis.toml", "run", ROOT / "openapi.yaml", "--url", rig.url, "--mode", "all",
                "--max-time", str(max(int(seconds), 1)), "--seed", str(options.seed + number), "--continue-on-failure", "--suppress-health-check", "all", "--workers", "1", *filters, *headers]
        with open(folder / f"{number}.log", "w") as log:
            ended = subprocess.run(line, stdout=log, stderr=subprocess.STDOUT, cwd=folder,
                                   env={**os.environ, "SCHEMATHESIS_HOOKS": "recordings", "PYTHONPATH": str(folder)}).returncode
        text = (folder / f"{number}.log").read_text()
        cases = re.findall(r"([\d,]+) generated", text)
        print(f"  {'passed' if ended == 0 else 'FAILED'}, {cases[-1] if cases else 'no'} cases", flush=True)
        if ended:
            fine = False
            starts = [at for at in (text.find("= ERRORS ="), text.find("= FAILURES =")) if at >= 0]
            shown = text[min(starts):] if starts else text[-8000:]
            print("\n".join(line[:400] for line in shown.splitlines()[:250]))
    return fine


def main():
    options = arguments()
    print(f"seed {options.seed}", flush=True)
    rig = Rig()
    try:
        alive, pid = Alive(rig), rig.processes["serve"].pid
        fine = True
        if options.requests:
            fine &= malformed(rig, options)
        if options.minutes and options.only is None:
            before = megabytes(pid)
            fine &= schemathesis(rig, options)
            print(f"memory after schemathesis {before:.1f} -> {megabytes(pid):.1f} MB")
        alive.check()
        assert requests.get(rig.url + "/readyz", timeout=10).status_code == 200
        print(f"the same processes as at the start ({', '.join(f'{n} {p}' for n, p in alive.pids.items())}); {'passed' if fine else 'FAILED'}")
        return 0 if fine else 1
    except AssertionError as error:
        print(f"FAILED: {error}")
        return 1
    finally:
        rig.end()


if __name__ == "__main__":
    sys.exit(main())
