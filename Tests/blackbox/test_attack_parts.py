"""D1: the signed PUT of one part of a recording under every kind of tampering, on a running service.

A table: each row is one change to a genuine request, and none may be taken. Rows of the signature alone, and of time, are in
`TamperedParts.swift`; those of the PUT of a whole recording in `test_attack_uploads.py`."""

import secrets
import urllib.parse
import uuid

import pytest

from attack import Alive, raw, statuses

MIB = 1_048_576
REFUSED = (400, 403, 404, 405, 411, 412, 414, 501)


class Request:
    """A PUT of a part as the service signed it."""

    def __init__(self, part, body):
        self.path, query = ("/" + part["url"].split("/", 3)[3]).split("?")
        # As in the URL, still percent-encoded.
        self.pairs = [tuple(pair.split("=", 1)) for pair in query.split("&")]
        self.method, self.body = part["method"] if "method" in part else "PUT", body
        self.headers = [*part["headers"].items(), ("Content-Length", str(len(body)))]
        self.host = None

    def value(self, name):
        return dict(self.pairs)[name]

    def set(self, name, value):
        self.pairs = [(k, value if k == name else v) for k, v in self.pairs]

    def drop(self, *names):
        self.pairs = [(k, v) for k, v in self.pairs if k not in names]

    def add(self, *pairs, first=False):
        self.pairs = [*pairs, *self.pairs] if first else [*self.pairs, *pairs]

    def header(self, name, value):
        self.headers = [(k, v) for k, v in self.headers if k.lower() != name.lower()]
        if value is not None:
            self.headers.append((name, value))

    def send(self, rig):
        query = "&".join(f"{k}={v}" if v is not None else k for k, v in self.pairs)
        lines = "".join(f"{k}: {v}\r\n" for k, v in self.headers)
        host = self.host or f"127.0.0.1:{rig.port}"
        head = f"{self.method} {self.path}?{query} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{lines}\r\n"
        return statuses(raw(rig, head.encode() + self.body, 5))


class Scene:
    """An entry whose third part is asked for, and others whose URLs could be mixed with its own."""

    def __init__(self, rig):
        self.rig, self.user, self.other = rig, rig.user(), rig.user()
        self.audio = secrets.token_bytes(2 * MIB + 777)
        made = [self.make(owner) for owner in (self.user, self.user, self.other)]
        self.entries = [(owner, entry) for owner, entry in zip((self.user, self.user, self.other), made)]
        # Cancelled and opened again: the URLs of the first set have ended.
        self.ended = self.offered(self.user, made[0])
        self.user.call("DELETE", f"/v1/uploads/{made[0]}/parts", 204)
        self.own, self.second, self.foreign = (self.offered(*entry) for entry in self.entries)
        fresh = self.user.call("POST", f"/v1/uploads/{made[0]}/url", 200).json()["upload"]
        self.whole = Request(fresh, b"")

    def make(self, user):
        return user.create_voice(self.audio, parts=True)["entry_id"]

    @staticmethod
    def offered(user, entry):
        return user.call("POST", f"/v1/uploads/{entry}/parts", 200).json()["parts"]

    def request(self, parts=None, number=3):
        part = (parts or self.own)[number - 1]
        return Request(part, self.audio[(number - 1) * MIB :][: part["size_bytes"]])

    def received(self):
        return [
            part["number"] for user, entry in self.entries for part in user.call("GET", f"/v1/uploads/{entry}/parts", 200).json()["items"]
        ]


NAMES = (
    "partNumber",
    "uploadId",
    "X-Amz-Algorithm",
    "X-Amz-Credential",
    "X-Amz-Date",
    "X-Amz-Expires",
    "X-Amz-SignedHeaders",
    "X-Amz-Signature",
)


def of_each_parameter():
    for name in NAMES:
        escaped = f"%{ord(name[0]):02X}{name[1:]}"
        yield f"{name} dropped", lambda r, s, n=name: r.drop(n)
        yield f"{name} twice", lambda r, s, n=name: r.add((n, r.value(n)))
        yield f"{name} twice, another first", lambda r, s, n=name: r.add((n, "1"), first=True)
        yield f"{name} twice, another last", lambda r, s, n=name: r.add((n, "1"))
        yield f"{name} empty", lambda r, s, n=name: r.set(n, "")
        yield f"{name} without a value", lambda r, s, n=name: r.set(n, None)
        yield f"{name} in other letters", lambda r, s, n=name: (r.add((n.swapcase(), r.value(n))), r.drop(n))
        yield f"{name} with its name escaped", lambda r, s, n=name, e=escaped: (r.add((e, r.value(n))), r.drop(n))
        yield f"{name} with a space", lambda r, s, n=name: r.set(n, r.value(n) + "%20")
        yield f"{name} with a zero byte", lambda r, s, n=name: r.set(n, r.value(n) + "%00")
        yield f"{name} escaped twice", lambda r, s, n=name: r.set(n, f"%25{ord(r.value(n)[0]):02X}{r.value(n)[1:]}")
        yield f"{name} with its end changed", lambda r, s, n=name: r.set(n, r.value(n)[:-1] + ("1" if r.value(n)[-1] != "1" else "2"))


def of_values():
    digits = {"fullwidth": "%EF%BC%93", "Arabic": "%D9%A3", "Devanagari": "%E0%A5%A9", "superscript": "%C2%B3"}
    numbers = ["1", "2", "0", "4", "10001", "-3", "%2B3", "03", "3.0", "3e0", "0x3", "3%2C1", "3%3B1", "1..3", "9223372036854775808"]
    for value in [*numbers, *digits.values()]:
        yield f"partNumber={value}", lambda r, s, v=value: r.set("partNumber", v)
    for name, value in {
        "a random set": str(uuid.uuid4()),
        "a set of dots": "..",
        "a set by a path": "..%2F..%2Fstaging",
        "no UUID": "x",
    }.items():
        yield name, lambda r, s, v=value: r.set("uploadId", v)
    yield "the set in upper case", lambda r, s: r.set("uploadId", r.value("uploadId").upper())
    for name, value in {"a second longer": "901", "a day": "86400", "a week": "604800", "for ever": "99999999999", "less": "60"}.items():
        yield f"valid {name}", lambda r, s, v=value: r.set("X-Amz-Expires", v)
    for name, value in {"yesterday": "20200101T000000Z", "to come": "20990101T000000Z", "no date": "20200231T000000Z"}.items():
        yield f"signed {name}", lambda r, s, v=value: r.set("X-Amz-Date", v)
    yield "another service", lambda r, s: r.set("X-Amz-Credential", r.value("X-Amz-Credential").replace("%2Fs3%2F", "%2Fsqs%2F"))
    yield "another day", lambda r, s: r.set("X-Amz-Credential", r.value("X-Amz-Credential").replace("%2F2", "%2F3", 1))
    yield "another algorithm", lambda r, s: r.set("X-Amz-Algorithm", "AWS4-HMAC-SHA1")
    yield "host alone signed", lambda r, s: r.set("X-Amz-SignedHeaders", "host")
    yield "length not signed", lambda r, s: r.set("X-Amz-SignedHeaders", "content-type%3Bhost")
    yield "signature in upper case", lambda r, s: r.set("X-Amz-Signature", r.value("X-Amz-Signature").upper())
    yield "signature of zeros", lambda r, s: r.set("X-Amz-Signature", "0" * 64)
    for extra in (
        "a=b",
        "X-Amz-Security-Token=t",
        "acl",
        "uploads",
        "versionId=1",
        "x-id=UploadPart",
        "=",
        "X-Amz-Content-Sha256=UNSIGNED-PAYLOAD",
    ):
        yield f"extra {extra}", lambda r, s, e=extra: r.add((*e.split("=", 1), None)[:2])


def of_others():
    """Values of one URL in another."""

    def take(request, other, *names):
        for name in names:
            request.set(name, other.value(name))

    sources = {
        "another part": lambda s: s.request(number=1),
        "another entry": lambda s: s.request(s.second),
        "another user": lambda s: s.request(s.foreign),
        "the set that ended": lambda s: s.request(s.ended),
    }
    for name, source in sources.items():
        yield f"the signature of {name}", lambda r, s, f=source: take(r, f(s), "X-Amz-Signature")
        if name != "another part":
            yield f"the set of {name}", lambda r, s, f=source: take(r, f(s), "uploadId")
            yield f"the set and the signature of {name}", lambda r, s, f=source: take(r, f(s), "uploadId", "X-Amz-Signature")
    for name in ("another entry", "another user"):
        yield f"the query of {name}", lambda r, s, f=sources[name]: setattr(r, "pairs", f(s).pairs)
        yield f"the object of {name}", lambda r, s, f=sources[name]: setattr(r, "path", f(s).path)
    yield "the URL of the set that ended", lambda r, s: setattr(r, "pairs", s.request(s.ended).pairs)
    yield (
        "the query of another part, with this number",
        lambda r, s: (setattr(r, "pairs", s.request(number=1).pairs), r.set("partNumber", "3")),
    )
    yield "the URL of another part", lambda r, s: setattr(r, "pairs", s.request(number=1).pairs)
    yield "the signature of the whole", lambda r, s: take(r, s.whole, "X-Amz-Signature")
    yield "the whole's URL", lambda r, s: setattr(r, "pairs", s.whole.pairs)
    yield "the whole's URL with this part", lambda r, s: setattr(r, "pairs", [*r.pairs[:2], *s.whole.pairs])
    yield "without number and set", lambda r, s: r.drop("partNumber", "uploadId")


def of_paths():
    def owned(path, place):
        pieces = path.split("/")
        pieces[place] = str(uuid.uuid4())
        return "/".join(pieces)

    for name, change in {
        "the final key": lambda p: p.replace("/staging/", "/audio/"),
        "an export": lambda p: p.replace("/staging/", "/export/"),
        "the parts' folder": lambda p: p.replace("/staging/", "/parts/"),
        "another app": lambda p: owned(p, 3),
        "another account": lambda p: owned(p, 4),
        "another object": lambda p: owned(p, 5),
        "upper case": lambda p: "/objects" + p.removeprefix("/objects").upper(),
        "a slash more": lambda p: p + "/",
        "two slashes": lambda p: p.replace("/staging/", "//staging/"),
        "a dot": lambda p: p.replace("/staging/", "/./staging/"),
        "dots": lambda p: p.replace("/staging/", "/x/../staging/"),
        "escaped dots": lambda p: p.replace("/staging/", "/%2e%2e/objects/staging/"),
        "an escaped slash": lambda p: p.replace("/staging/", "/staging%2f"),
        "an escaped letter": lambda p: p.replace("/staging/", "/%73taging/"),
        "a zero byte": lambda p: p + "%00",
        "the number in the path": lambda p: p + "/3",
        "a parameter of the path": lambda p: p + ";partNumber=3",
    }.items():
        yield f"path: {name}", lambda r, s, c=change: setattr(r, "path", c(r.path))


def of_headers():
    digest = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    for name, value in {
        "of another kind": "audio/mpeg",
        "of a page": "text/html",
        "in upper case": "AUDIO/MP4",
        "longer": "audio/mp4; a=b",
        "empty": "",
    }.items():
        yield f"a type {name}", lambda r, s, v=value: r.header("Content-Type", v)
    yield "no type", lambda r, s: r.header("Content-Type", None)
    yield "two types", lambda r, s: r.headers.append(("Content-Type", "audio/mp4"))
    for header, value in {
        "x-amz-checksum-sha256": digest,
        "x-amz-content-sha256": "UNSIGNED-PAYLOAD",
        "x-amz-acl": "public-read",
        "x-amz-copy-source": "/objects/x",
        "x-amz-copy-source-range": "bytes=0-9",
        "x-amz-server-side-encryption": "AES256",
        "x-amz-security-token": "t",
        "x-amz-meta-a": "b",
        "Content-Encoding": "gzip",
        "Content-Range": "bytes 0-9/777",
        "X-HTTP-Method-Override": "DELETE",
    }.items():
        yield f"with {header}", lambda r, s, h=header, v=value: r.headers.append((h, v))

    def body(request, changed):
        request.body = changed
        request.header("Content-Length", str(len(changed)))

    yield "a byte less", lambda r, s: body(r, r.body[:-1])
    yield "a byte more", lambda r, s: body(r, r.body + b"x")
    yield "no byte", lambda r, s: body(r, b"")
    yield "a whole part's bytes", lambda r, s: body(r, s.audio[: 8 * 1024])
    for value in ("-1", "+777", "0777", "777, 777", "0x309", " ", "99999999999999999999"):
        yield f"length {value!r}", lambda r, s, v=value: r.header("Content-Length", v)
    yield "two lengths", lambda r, s: r.headers.append(("Content-Length", str(len(r.body))))

    def chunked(request, scene):
        request.header("Content-Length", None)
        request.headers.append(("Transfer-Encoding", "chunked"))
        request.body = b"%x\r\n" % len(request.body) + request.body + b"\r\n0\r\n\r\n"

    yield "in chunks, without a length", chunked
    for method in ("POST", "GET", "HEAD", "DELETE", "PATCH", "put", "COPY"):
        yield f"method {method}", lambda r, s, m=method: setattr(r, "method", m)


TABLE = [row for rows in (of_each_parameter, of_values, of_others, of_paths, of_headers) for row in rows()]


@pytest.fixture(scope="module")
def scene(shared_rig):
    alive = Alive(shared_rig)
    yield Scene(shared_rig)
    alive.check()


def test_d1_no_tampered_url_of_a_part_is_accepted(scene):
    assert len(TABLE) >= 200 and len({name for name, _ in TABLE}) == len(TABLE)
    genuine, accepted, faults = scene.request(), [], []
    same = (genuine.method, genuine.path, genuine.pairs, genuine.headers, genuine.body)
    for name, change in TABLE:
        request = scene.request()
        change(request, scene)
        assert (request.method, request.path, request.pairs, request.headers, request.body) != same, f"{name}: nothing was changed"
        codes = request.send(scene.rig)
        if any(200 <= code < 300 for code in codes):
            accepted.append(name)
        elif len(codes) != 1 or codes[0] not in REFUSED:
            faults.append((name, codes))
    assert not accepted and not faults, (accepted, faults)
    assert scene.received() == []


def test_d1_what_http_libraries_and_proxies_rewrite_is_no_tampering(scene):
    """The order of parameters, the escapes of their values, and the host, which the service takes from its settings."""

    def escaped(request):
        request.pairs = [(name, "".join(f"%{ord(letter):02x}" for letter in urllib.parse.unquote(value))) for name, value in request.pairs]

    for change in (
        lambda r: setattr(r, "pairs", r.pairs[::-1]),
        escaped,
        lambda r: setattr(r, "host", "upstream:8080"),
        lambda r: setattr(r, "headers", [(name.upper(), value) for name, value in r.headers]),
        lambda r: None,
    ):
        request = scene.request()
        change(request)
        assert request.send(scene.rig) == [200]
    assert scene.received() == [3]
