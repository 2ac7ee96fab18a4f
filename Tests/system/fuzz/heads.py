"""Request lines, fields and framings that no client should send. Each takes the dice of one request."""


def noise(dice, low, high):
    return dice.randbytes(dice.randint(low, high))


ODD = [
    b"\x00",
    b"\x01",
    b"\t",
    b"\x0b",
    b"\x0c",
    b"\r",
    b"\n",
    b"\r\n",
    b" ",
    b"\x7f",
    b"\x80",
    b"\xff",
    b"\xc0\xaf",
    b"\xe2\x80\xa8",
    b"%",
    b"%0",
    b"%00",
    b"%zz",
    b"%c0%ae",
    b"..",
    b"/../",
    b"//",
    b"\\",
    b"#",
    b";",
    b"'",
    b'"',
    b"<",
    b"{",
    b"|",
    b"^",
    b"`",
    b"?",
    b"&&",
    b"==",
    b"%25%32%65",
    b"\xf0\x9f\x98\x80",
]


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
    lambda d, l: [
        l[0],
        l[1],
        d.choice(
            [
                b"",
                b"*",
                b"x",
                b"http://",
                b"http://[::1",
                b"http://a@b:c/",
                b"//host/livez",
                b"localhost:80",
                b"/" * 300,
                b"/%",
                b"/\xff\xfe",
                b"/.",
                b"/..",
                b"/v1/entries/%2e%2e/me",
            ]
        ),
        l[3],
    ],
    lambda d, l: [l[0], l[1], l[2] + d.choice([b"?", b"&"]) + b"a" * d.choice([7000, 8100, 8192, 8193, 9000, 60000]), l[3]],
    lambda d, l: [l[0], l[1], l[2] + b"/a" * d.choice([10, 500, 4000]), l[3]],
    lambda d, l: [l[0], l[1], l[2] + b"%2f" * d.choice([10, 500, 2600]), l[3]],
    lambda d, l: [
        *l[:3],
        d.choice(
            [
                b"\r\n",
                b" HTTP/1.0\r\n",
                b" HTTP/0.9\r\n",
                b" HTTP/2.0\r\n",
                b" HTTP/3\r\n",
                b" HTTP/1.2\r\n",
                b" http/1.1\r\n",
                b" HTTP/1.1 \r\n",
                b" HTTP/11\r\n",
                b" HTTP/1.\r\n",
                b" HTTP/99999999999.1\r\n",
                b" HTTP/-1.1\r\n",
                b" HTTP /1.1\r\n",
                b" FTP/1.1\r\n",
            ]
        ),
    ],
    lambda d, l: [
        *l[:3],
        d.choice([b" HTTP/1.1\n", b" HTTP/1.1\r", b" HTTP/1.1\r\r\n", b" HTTP/1.1\n\r", b" HTTP/1.1\x00\r\n", b" HTTP/1.1\r\n\r"]),
    ],
    lambda d, l: [d.choice([b"\r\n", b"\n", b" ", b"\x00", b"\xef\xbb\xbf", b"\r\n" * 500, b"\r"]), *l],
    lambda d, l: [*l, b"".join(l)],
]

HEADERS = [
    lambda d: inserted(d, b"X-Probe", d.choice(ODD)) + b": a\r\n",
    lambda d: b"X-Probe: " + inserted(d, b"value", d.choice(ODD)) + b"\r\n",
    lambda d: d.choice(
        [
            b"X-Probe : a\r\n",
            b": a\r\n",
            b"X-Probe\r\n",
            b" X-Probe: a\r\n",
            b"\tX: a\r\n",
            b"X-Probe:\r\n",
            b"X-Probe:a\n",
            b"X-Probe: a\r",
            b"=\r\n",
        ]
    ),
    lambda d: b"X-Probe: a\r\n" + d.choice([b" ", b"\t", b"  \t"]) + b"folded\r\n",
    lambda d: b"X-Probe: " + b"a" * d.choice([8000, 16000, 16384, 20000, 70000, 300000]) + b"\r\n",
    lambda d: b"".join(b"X%d: a\r\n" % i for i in range(d.choice([90, 99, 100, 101, 500, 5000]))),
    lambda d: b"X" * d.choice([100, 5000, 20000]) + b": a\r\n",
    lambda d: b"Host: other\r\n" * d.randint(1, 3),
    lambda d: d.choice([b"Host:\r\n", b"Host: a b\r\n", b"Host: \x00\r\n", b"Host: a/b@c\r\n"]),
    lambda d: (
        b"Authorization: "
        + d.choice(
            [
                b"",
                b"Bearer",
                b"Bearer " + b"a." * 2000,
                b"Bearer \xff\xfe",
                b"Basic Og==",
                b"Bearer " + noise(d, 1, 200).replace(b"\n", b"").replace(b"\r", b""),
                b"Bearer ..",
                b"Digest x",
            ]
        )
        + b"\r\n"
    ),
    lambda d: (
        b"Range: "
        + d.choice(
            [
                b"bytes=",
                b"bytes=-",
                b"bytes=9-1",
                b"bytes=0-18446744073709551616",
                b"bytes=-99999999999999999999",
                b"bytes=0-0," * 500,
                b"lines=1-2",
                b"bytes=a-b",
                b"bytes=--1",
            ]
        )
        + b"\r\n"
    ),
    lambda d: (
        b"If-Match: "
        + d.choice([b"", b"x", b'"', b'"' * 99, b'W/"1"', b'"-1"', b'"99999999999999999999"', b"*, *", b'"1",' * 900, b'"\xff"'])
        + b"\r\n"
    ),
    lambda d: b"Idempotency-Key: " + d.choice([b"", b" ", b"a" * 256, b"a" * 10000, b"a b", b"\x7f", b"\xc3\xa9", b"a\x00b"]) + b"\r\n",
    lambda d: (
        b"Content-Type: "
        + d.choice(
            [
                b"",
                b"application/json; charset=utf-16",
                b"application/json;",
                b'application/json; charset="',
                b"multipart/form-data",
                b"text/plain",
                b"a/b/c",
                b"\xff",
                b"application/json, text/plain",
            ]
        )
        + b"\r\n"
    ),
    lambda d: b"Content-Encoding: " + d.choice([b"gzip", b"br", b"identity", b"gzip, gzip", b"", b"\x00"]) + b"\r\n",
    lambda d: (
        b"Accept: "
        + d.choice([b"", b"*", b"text/html;q=9", b"a/b;q=-1", b"," * 3000, b"text/html;q=" + b"0" * 3000, b"\xff/\xff"])
        + b"\r\n"
    ),
    lambda d: b"Expect: " + d.choice([b"100-continue", b"200-ok", b"", b"100-continue, x"]) + b"\r\n",
    lambda d: (
        b"Upgrade: "
        + d.choice([b"h2c", b"websocket", b"TLS/1.0", b""])
        + b"\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n"
    ),
    lambda d: b"Connection: " + d.choice([b"", b"keep-alive, close", b"Authorization", b"Content-Length", b"," * 2000, b"\x00"]) + b"\r\n",
    lambda d: (
        d.choice(
            [
                b"X-Forwarded-For",
                b"Forwarded",
                b"X-Request-Id",
                b"traceparent",
                b"Diary-App",
                b"X-HTTP-Method-Override",
                b"Cookie",
                b"Origin",
                b"If-None-Match",
                b"If-Modified-Since",
                b"Date",
            ]
        )
        + b": "
        + d.choice(
            [
                b"",
                b"a" * 9000,
                b"127.0.0.1, " * 300,
                b"\xff\xfe",
                b'for="[',
                b"00-" + b"0" * 32 + b"-" + b"0" * 16 + b"-00",
                b"DELETE",
                b"' or 1=1--",
                b"%s%n",
                b"${jndi:x}",
            ]
        )
        + b"\r\n"
    ),
]

FRAMING = [
    lambda d, n: (
        b"Content-Length: "
        + d.choice(
            [
                b"-1",
                b"+%d" % n,
                b"0x%x" % n,
                b"%d " % n,
                b"1e3",
                b"",
                b"a",
                b"%d,%d" % (n, n),
                b"%d, %d" % (n, n + 1),
                b"18446744073709551615",
                b"18446744073709551616",
                b"9223372036854775807",
                b"9" * 500,
                b"0%d" % n,
                b"%d;" % n,
                b"\xd9\xa3",
                b"%d\x00" % n,
            ]
        )
        + b"\r\n"
    ),
    lambda d, n: b"Content-Length: %d\r\n" % d.choice([n + 1, n + 1000, max(n - 1, 0), 262144, 262145, 10**9, 10**12]),
    lambda d, n: b"Content-Length: %d\r\nContent-Length: %d\r\n" % (n, d.choice([n, n + 1, 0])),
    lambda d, n: b"Content-Length: %d\r\nTransfer-Encoding: %s\r\n" % (n, d.choice([b"chunked", b"identity", b"gzip", b"xchunked"])),
    lambda d, n: b"Transfer-Encoding: %s\r\nContent-Length: %d\r\n" % (d.choice([b"chunked", b"CHUNKED", b"chunked,"]), n),
    lambda d, n: (
        b"Transfer-Encoding: "
        + d.choice(
            [
                b"",
                b"identity",
                b"gzip",
                b"gzip, chunked",
                b"chunked, gzip",
                b"chunked, chunked",
                b"x",
                b"chunked\x00",
                b"\x0bchunked",
                b'"chunked"',
                b"chunked;q=1",
                b"chun\xc3\xa7ked",
                b",",
            ]
        )
        + b"\r\n"
    ),
    lambda d, n: d.choice(
        [
            b"Transfer-Encoding : chunked\r\n",
            b" Transfer-Encoding: chunked\r\n",
            b"Transfer-Encoding:\r\n chunked\r\n",
            b"Transfer\tEncoding: chunked\r\n",
            b"TE: chunked\r\n",
            b"Transfer_Encoding: chunked\r\n",
            b"Content_Length: 5\r\n",
            b"Trailer: Content-Length\r\nTransfer-Encoding: chunked\r\n",
        ]
    ),
    lambda d, n: b"",
]
