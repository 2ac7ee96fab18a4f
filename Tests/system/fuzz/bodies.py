"""Chunks, JSON, queries and bytes that are no request at all."""

import json

from heads import ODD, inserted, noise


def chunk(body):
    return b"%x\r\n%s\r\n" % (len(body), body)


CHUNKS = [
    lambda d, b: (
        d.choice(
            [
                b"-1",
                b"0x5",
                b"+5",
                b"g",
                b"",
                b" ",
                b"5 ",
                b"\t5",
                b"FFFFFFFFFFFFFFFF",
                b"FFFFFFFFFFFFFFFFF",
                b"7FFFFFFFFFFFFFFF",
                b"8000000000000000",
                b"0" * 400 + b"1",
                b"5\x00",
                b"1e1",
                b"\xd9\xa5",
            ]
        )
        + b"\r\n"
        + b
        + b"\r\n0\r\n\r\n"
    ),
    lambda d, b: (
        b"%x;" % len(b)
        + d.choice([b"a=b", b"a" * 20000, b'a="', b"\x00", b"\xff", b"a=\nb", b"a=\rb", b";" * 900])
        + b"\r\n"
        + b
        + b"\r\n0\r\n\r\n"
    ),
    lambda d, b: chunk(b)[:-2] + d.choice([b"", b"\n", b"\r", b"XX", b"\r\r\n"]) + b"0\r\n\r\n",
    lambda d, b: b"%x\n" % len(b) + b + b"\n0\n\n",
    lambda d, b: (
        chunk(b)
        + b"0\r\n"
        + d.choice(
            [
                b"Content-Length: 5\r\n",
                b"X: " + b"a" * 30000 + b"\r\n",
                b"X\r\n",
                b" fold\r\n",
                b"A: \x00\r\n",
                b"".join(b"T%d: a\r\n" % i for i in range(300)),
                b"Authorization: Bearer x\r\n",
                b"Transfer-Encoding: chunked\r\n",
            ]
        )
        + b"\r\n"
    ),
    lambda d, b: b"".join(chunk(b[i : i + 1]) for i in range(len(b))) + b"0\r\n\r\n",
    lambda d, b: b"".join(chunk(b" " * 40) for _ in range(d.choice([100, 3000, 8000]))) + b"0\r\n\r\n",
    lambda d, b: chunk(b)[: d.randint(0, len(b))],
    lambda d, b: chunk(b),
    lambda d, b: chunk(b) + b"00000\r\n\r\n" + chunk(b),
    lambda d, b: b"0\r\n\r\n",
    lambda d, b: noise(d, 1, 400),
]

JSON_TARGETS = [
    (b"POST", b"/v1/entries"),
    (b"PATCH", b"/v1/entries/{id}"),
    (b"PATCH", b"/v1/entries/{id}/segments/1"),
    (b"PATCH", b"/v1/entries/{id}/segments"),
    (b"POST", b"/v1/entries/{id}/notes"),
    (b"POST", b"/v1/exports"),
    (b"POST", b"/v1/auth/refresh"),
    (b"POST", b"/v1/auth/email/verify"),
    (b"POST", b"/v1/auth/codes"),
    (b"POST", b"/v1/auth/email/reset/confirm"),
    (b"PATCH", b"/v1/me"),
]
MEMBERS = [
    "kind",
    "text",
    "speaker",
    "segments",
    "at_s",
    "title",
    "tags",
    "mood",
    "id",
    "recorded_at",
    "time_zone",
    "language",
    "favorite",
    "keep_audio",
    "size_bytes",
    "content_type",
    "duration_s",
    "sha256",
    "allow_duplicate",
    "parts",
    "transcript",
    "recognise",
    "audio",
    "source",
    "from",
    "to",
    "email",
    "include_audio",
    "refresh_token",
    "code",
    "request",
    "purpose",
    "device",
    "x",
    "",
]
VALUES = [
    "null",
    "true",
    "0",
    "-0",
    "-1",
    "1e999",
    "-1e-999",
    "9007199254740993",
    "18446744073709551616",
    "9" * 400,
    "0." + "1" * 400,
    "1E+2",
    '""',
    '"a"',
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\uD83D\\uDE00"',
    '"\\uFFFE"',
    '"\\u202e"',
    '"' + "a" * 250 + '"',
    '"' + "é" * 150000 + '"',
    '"' + "a" * 200001 + '"',
    "[]",
    "{}",
    "[[]]",
    '[""]',
    "[null]",
    "[" + ",".join(['"t"'] * 300) + "]",
    '{"a":{}}',
    '"2026-02-30"',
    '"0000-00-00"',
    '"9999-12-31T23:59:60Z"',
    '"2026-03-01T12:00:00+99:99"',
    '"-1-01-01"',
    '"Europe/Nowhere"',
    '"../../etc/passwd"',
    '"text"',
    '"voice"',
    '"a@example.org"',
    '"a@[::1]\\r\\nBcc: b@example.org"',
    '"\' or 1=1--"',
    '"%00"',
    '"\\\\"',
    '"\\u0009\\u000d\\u000a"',
    '"00000000-0000-0000-0000-000000000000"',
    '"AAAAAAAAAAAAAAAAAAAAAA"',
    '"000000"',
    '"audio/mp4"',
    "NaN",
    "Infinity",
    "01",
    "1.",
    ".5",
    "+1",
    "0x1",
    "'a'",
    "tru",
    "nul",
    '"\\x"',
    '"\\u12"',
    '"\n"',
    '"\t"',
    "",
]


def document(dice, members=None):
    names = members or dice.sample(MEMBERS, dice.randint(1, 6))
    return ("{" + ",".join(f"{json.dumps(name)}:{dice.choice(VALUES)}" for name in names) + "}").encode()


GOOD = b'{"kind":"text","text":"a","tags":["b"],"recorded_at":"2026-03-01T12:00:00Z"}'
JSONS = [
    document,
    document,
    document,
    lambda d: document(d, ["kind", "text", "kind", "text"]),
    lambda d: GOOD[: d.randint(0, len(GOOD))],
    lambda d: inserted(d, GOOD, d.choice(ODD)),
    lambda d: inserted(d, GOOD, noise(d, 1, 8)),
    lambda d: d.choice([b"[", b'{"a":', b'[{"a":', b'{"text":[']) * d.choice([31, 32, 33, 1000, 60000]),
    lambda d: b"[" * 40 + b"]" * 40,
    lambda d: b'{"kind":"text","text":' + b"[" * d.choice([30, 31, 32, 33]) + b"1" + b"]" * d.choice([30, 31, 32, 33]) + b"}",
    lambda d: d.choice([b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b" " * 9000, b"//\n", b"/**/", b"\x00"]) + GOOD,
    lambda d: GOOD + d.choice([b"x", b"{}", b",", b"\x00", b"\n\n", b"]"]),
    lambda d: GOOD.decode().encode(d.choice(["utf-16", "utf-16-be", "utf-32", "utf-7"])),
    lambda d: (
        b'{"kind":"text","text":"'
        + d.choice([b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xe2\x82", b"\x1f", b"\x7f"])
        + b'"}'
    ),
    lambda d: b"{" + b",".join(b'"k%d":1' % i for i in range(d.choice([100, 10000]))) + b"}",
    lambda d: b"a" * d.choice([262144, 262145, 300000]),
    lambda d: d.choice(
        [
            b"",
            b"null",
            b"1",
            b'"a"',
            b"[]",
            b"[{}]",
            b"{}",
            b"true",
            b"{,}",
            b'{"a"}',
            b'{"a":1,}',
            b"{'a':1}",
            b"{a:1}",
            b"{1:1}",
            b'{"a":1 "b":2}',
        ]
    ),
]

QUERIES = [
    lambda d: b"&".join(
        d.choice(
            [
                b"limit",
                b"since",
                b"from",
                b"to",
                b"order",
                b"cursor",
                b"tag",
                b"favorite",
                b"view",
                b"month",
                b"format",
                b"expires",
                b"signature",
                b"x",
                b"X-Amz-Signature",
                b"X-Amz-Date",
                b"X-Amz-Expires",
                b"X-Amz-Credential",
            ]
        )
        + b"="
        + d.choice(
            [
                b"",
                b"0",
                b"-1",
                b"201",
                b"9" * 30,
                b"1e3",
                b"asc",
                b"ASC",
                b"%00",
                b"%",
                b"%zz",
                b"%ff",
                b"a" * 65,
                b"2026-02-30",
                b"2026-03-01",
                b"0001-01-01",
                b"9999-12-31",
                b"AwAAAAAAAAAXAAAAAAAAAAAAAAAAAAAAAA",
                b"Av" + b"_" * 32,
                b"A" * 34,
                b"Aw" + b"_" * 32,
                b"txt",
                b"'",
                b"\xff",
                b"+",
                b"%2b%20",
                b"[]",
                b"20260101T000000Z",
            ]
        )
        for _ in range(d.randint(1, 5))
    ),
    lambda d: d.choice(
        [
            b"&",
            b"=",
            b"&&&&",
            b"a",
            b"=a",
            b"a=b=c",
            b"?",
            b"%3d",
            b"limit[]=1",
            b"limit=1;order=asc",
            b"limit=1#a",
            b"&" * 4000,
            b"a=1&" * 1500,
            b"limit=1&limit=2",
            b"%6cimit=1",
        ]
    ),
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
    lambda d: (
        b"GET /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabcdeGET /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\nabc"
    ),
    lambda d: b"",
]
