"""F3: heads and framings that two servers could read differently."""

SECOND = b'{"kind":"text","text":"smuggled"}'


def inner(bearer):
    """The request that must never run: it hides where one reader sees a body and the other the next request."""
    return (
        b"POST /v1/entries HTTP/1.1\r\nHost: localhost\r\nAuthorization: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
        % (bearer, len(SECOND))
    ) + SECOND


def cases(hidden):
    """name -> what follows `POST /v1/auth/refresh HTTP/1.1` and its Host; the hidden request comes after, or inside."""
    n = b"%d" % len(hidden)
    chunk = b"%x\r\n%s\r\n0\r\n\r\n" % (len(hidden), hidden)
    te, end = b"Transfer-Encoding: chunked\r\n", b"\r\n"
    return {
        # A length and a coding.
        "CL.TE": b"Content-Length: 0\r\n" + te + end + hidden,
        "TE.CL": te + b"Content-Length: " + n + b"\r\n\r\n0\r\n\r\n" + hidden,
        "CL covers, TE ends": b"Content-Length: %d\r\n" % (len(hidden) + 5) + te + end + b"0\r\n\r\n" + hidden,
        "TE twice": te + b"Transfer-Encoding: identity\r\n\r\n0\r\n\r\n" + hidden,
        "TE identity.CL": b"Transfer-Encoding: identity\r\nContent-Length: 0\r\n\r\n" + hidden,
        "TE x.CL": b"Transfer-Encoding: x\r\nContent-Length: 0\r\n\r\n" + hidden,
        # Two lengths, or one that is none.
        "CL 0, CL n": b"Content-Length: 0\r\nContent-Length: " + n + b"\r\n\r\n" + hidden,
        "CL n, CL 0": b"Content-Length: " + n + b"\r\nContent-Length: 0\r\n\r\n" + hidden,
        "CL list": b"Content-Length: 0, " + n + b"\r\n\r\n" + hidden,
        "CL same list": b"Content-Length: 0, 0\r\n\r\n" + hidden,
        "CL +0": b"Content-Length: +0\r\n\r\n" + hidden,
        "CL -0": b"Content-Length: -0\r\n\r\n" + hidden,
        "CL 0x0": b"Content-Length: 0x0\r\n\r\n" + hidden,
        "CL 0 0": b"Content-Length: 0 0\r\n\r\n" + hidden,
        "CL empty": b"Content-Length:\r\n\r\n" + hidden,
        "CL words": b"Content-Length: zero\r\n\r\n" + hidden,
        "CL beyond Int64": b"Content-Length: 9223372036854775808\r\n\r\n" + hidden,
        "CL beyond UInt64": b"Content-Length: 18446744073709551616\r\n\r\n" + hidden,
        "CL many zeros": b"Content-Length: " + b"0" * 40 + b"\r\n\r\n" + hidden,
        "CL decimal": b"Content-Length: 0.0\r\n\r\n" + hidden,
        "CL vertical tab": b"Content-Length:\x0b0\r\n\r\n" + hidden,
        "CL then NUL": b"Content-Length: 0\x00\r\n\r\n" + hidden,
        # Codings.
        "TE xchunked": b"Transfer-Encoding: xchunked\r\n\r\n" + hidden,
        "TE chunked twice": b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n" + hidden,
        "TE gzip, chunked": b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" + hidden,
        "TE chunked, identity": b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + hidden,
        "TE quoted": b'Transfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n' + hidden,
        "TE vertical tab": b"Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n" + hidden,
        "TE parameter": b"Transfer-Encoding: chunked;q=1\r\n\r\n0\r\n\r\n" + hidden,
        "TE empty": b"Transfer-Encoding:\r\n\r\n" + hidden,
        "TE in HTTP/1.0": None,
        # Fields and line ends.
        "space before colon": b"Content-Length : 0\r\n\r\n" + hidden,
        "tab before colon": b"Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n" + hidden,
        "folded first": b" Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
        "folded": b"X: a\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
        "folded value": b"Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n" + hidden,
        "bare LF": b"X: a\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
        "bare CR": b"X: a\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
        "bare LF at the end": b"X: a\r\n\n" + hidden,
        "NUL in name": b"Transfer-Encoding\x00: chunked\r\n\r\n0\r\n\r\n" + hidden,
        "NUL in value": b"X: \x00\r\n\r\n" + hidden,
        "no name": b": x\r\n\r\n" + hidden,
        "no colon": b"X\r\n\r\n" + hidden,
        "second host": b"Host: other\r\n\r\n" + hidden,
        "underscore": b"Transfer_Encoding: chunked\r\nX\r\n\r\n" + hidden,
        # Chunks.
        "chunk 0x0": te + end + b"0x0\r\n\r\n" + hidden,
        "chunk -1": te + end + b"-1\r\n\r\n" + hidden,
        "chunk overflow": te + end + b"FFFFFFFFFFFFFFFFF\r\n\r\n" + hidden,
        "chunk wraps": te + end + b"10000000000000000\r\n\r\n" + hidden,
        "chunk without CRLF": te + end + b"1\r\naXX0\r\n\r\n" + hidden,
        "chunk only extension": te + end + b";\r\n\r\n" + hidden,
        "chunk bare LF": te + end + b"1\na\n0\n\n" + hidden,
        "chunk size and space": te + end + b"0 0\r\n\r\n" + hidden,
        "chunk extension LF": te + end + b"1;a\nb\r\na\r\n0\r\n\r\n" + hidden,
        "trailer with length": te + end + b"0\r\nContent-Length: " + n + b"\r\n\r\n" + hidden,
        "inside a chunk": te + end + chunk,
        "letters before": b"\r\nX" + hidden,
    }


def request(name, rest, hidden):
    line = b"POST /v1/auth/refresh HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    if name == "TE in HTTP/1.0":
        return line.replace(b"1.1", b"1.0") + b"Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden
    return line + rest
