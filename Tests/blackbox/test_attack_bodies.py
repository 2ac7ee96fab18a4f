"""F1, F5, F8: hostile bodies for every operation that takes one."""

import json
import random
import secrets

import pytest

from attack import Alive, harmless, raw, statuses
from repetitions import repetitions

OPERATIONS = {
    "register": ("POST", "/v1/auth/email/register", {"email": "a@example.org", "password": "a long enough passphrase 7"}),
    "verify": ("POST", "/v1/auth/email/verify", {"email": "a@example.org", "code": "12345678", "request": "q83vEjRWeJCrze8SNFZ4kA"}),
    "code": ("POST", "/v1/auth/codes", {"purpose": "sign_up", "email": "a@example.org", "request": "q83vEjRWeJCrze8SNFZ4kA"}),
    "login": ("POST", "/v1/auth/email", {"email": "a@example.org", "password": "x"}),
    "refresh": ("POST", "/v1/auth/refresh", {"refresh_token": "A" * 112}),
    "voice": (
        "POST",
        "/v1/entries",
        {
            "kind": "voice",
            "size_bytes": 5,
            "content_type": "audio/mp4",
            "recorded_at": "2026-01-01T00:00:00Z",
            "time_zone": "UTC",
            "duration_s": 1,
            "sha256": "00" * 32,
            "language": "en",
            "title": "t",
            "tags": ["a"],
            "mood": "m",
            "id": "019a2b6e-5c10-7d21-9a3e-0f5f6c1d2e3f",
        },
    ),
    "text": ("POST", "/v1/entries", {"kind": "text", "text": "words"}),
    "patch": ("PATCH", None, {"title": "t", "text": "x", "tags": ["a"], "mood": "m"}),
    "export": (
        "POST",
        "/v1/exports",
        {"from": "2020-01-01", "to": "2020-01-02", "include_audio": False, "email": "a@example.org"},
    ),
}
VALUES = [
    None,
    True,
    False,
    0,
    -1,
    1.5,
    1e308,
    -1e308,
    10**18,
    10**30,
    2**63,
    -(2**63),
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
    "\udfff\ud800",
    "\uffff",
    "\U0010ffff",
    "x" * 70_000,
    "e\u0301" * 300,
    "\u202e\u2066",
    "\r\nBcc: x@example.org",
    "' or 1=1--",
    "%00",
    "%s%n",
    "../../etc/passwd",
    "${jndi:x}",
    [],
    [[]],
    [None],
    [1],
    ["a"] * 21,
    ["\0"],
    ["x" * 51],
    {},
    {"a": 1},
    {"$ref": "#"},
    "NaN",
    "Infinity",
    "2026-02-30",
    "0000-01-01",
    "9999-12-31",
    "0001-01-01",
    "-001-01-01",
    "2026-01-01T25:00:00Z",
    "2026-06-30T23:59:60Z",
    "9999-12-31T23:59:59.999999999Z",
    "0001-01-01T00:00:00+23:59",
    "2026-01-01T00:00:00",
    "UTC+400",
    "A-99999999999",
    "Foo+5",
    "../UTC",
    "posixrules",
    "\u212aind",
]
CALENDAR = {"recorded_at", "time_zone", "from", "to"}
BROKEN = [
    b"",
    b" ",
    b"{",
    b"}",
    b"[]",
    b"null",
    b"1",
    b'"x"',
    b"{}",
    b'{"a":1',
    b'{"a":}',
    b"{'a':1}",
    b'{"a":1,}',
    b'{"a":1}x',
    b"\xef\xbb\xbf{}",
    b'{"a":"\xff"}',
    b'{"a":"\xed\xa0\x80"}',
    b'{"a":"\\ud800"}',
    b'{"a":"\\u12"}',
    b'{"kind":"text","kind":"voice"}',
    b'{"a":01}',
    b'{"a":1e}',
    b'{"a":-}',
    b'{"a":' + b"9" * 5000 + b"}",
    b'{"a":1e999999999}',
    b'{"a":' + b"[" * 33 + b"]" * 33 + b"}",
    b"[" * 100_000,
    b'{"a":' * 40_000,
    b'{"a":"\n"}',
    b"\x00" * 10,
    b'{"a":NaN}',
    b'{"\\u0000":1}',
    b"{" + b",".join(b'"m%d":1' % i for i in range(20_000)) + b"}",
    b'{"a":tru}',
    b"\x1f\x8b\x08\x00",
    '{"a":1}'.encode("utf-16"),
]


@pytest.fixture(scope="module")
def target(shared_rig):
    user = shared_rig.user()
    user.own_text = user.create_text("mine")["entry_id"]
    alive = Alive(shared_rig)
    yield user
    alive.check()
    assert user.entry(user.own_text)["id"] == user.own_text


def send(user, name, body, content_type="application/json", **headers):
    method, path, _ = OPERATIONS[name]
    path = path or f"/v1/entries/{user.own_text}"
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return user.http.request(
        method, user.rig.url + path, data=data, timeout=20, headers={"Content-Type": content_type, "If-Match": "*", **headers}
    )


@pytest.mark.parametrize("name", OPERATIONS)
def test_f1_f8_every_member_with_hostile_values(target, name):
    """In a quick run a value is for one member in three, other ones each time; of times and zones each is for every member that takes one."""
    template = OPERATIONS[name][2]
    every, first = repetitions(1, min(3, len(template))), random.randrange(3)
    for place, member in enumerate(template):
        for number, value in enumerate(VALUES):
            if (number + place + first) % every and not (member in CALENDAR and number >= VALUES.index("2026-02-30")):
                continue
            if name == "register" and member == "password" and isinstance(value, str) and len(value) < 40:
                continue  # keeps the hasher's time for the rest
            body = {**template, member: value}
            if name in ("voice", "text") and member != "id":
                body.pop("id", None)
            answer = harmless(send(target, name, body))
            if isinstance(value, str) and ("\0" in value or "\ud800" in value):
                assert answer.status_code in (400, 422), (name, member, value, answer.text)


@pytest.mark.parametrize("name", OPERATIONS)
def test_f1_f5_broken_json_is_400_or_422_for_every_operation(target, name):
    for body in BROKEN:
        accepted = {"patch": (200,), "export": (202,)}.get(name, ()) if body == b"{}" else ()
        harmless(send(target, name, body), *accepted, 400, 413, 422)


@pytest.mark.parametrize("name", OPERATIONS)
def test_f1_media_types_and_codings_that_are_not_taken_are_415(target, name):
    good = OPERATIONS[name][2]
    for media in (
        "",
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "application/json; charset=utf-16",
        "application/jsonx",
        "application/json, text/plain",
        "application/merge-patch+jsonx",
        "*/*",
    ):
        harmless(send(target, name, good, media), 415)
    for coding in ("gzip", "br", "deflate, gzip", "x"):
        harmless(send(target, name, good, **{"Content-Encoding": coding}), 415)


@pytest.mark.parametrize("name", OPERATIONS)
def test_f5_large_bodies_are_413_before_they_are_read(target, name):
    harmless(send(target, name, b'{"a":"' + b"x" * 300 * 1024 + b'"}'), 413)
    method, path, _ = OPERATIONS[name]
    path = path or f"/v1/entries/{target.own_text}"
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: x\r\nDiary-App: my-day\r\nIf-Match: *\r\nContent-Type: application/json\r\n"
        f"Authorization: {target.http.headers['Authorization']}\r\n"
    )
    announced = raw(target.rig, f"{head}Content-Length: 999999999999999\r\n\r\n{{".encode())
    assert statuses(announced) == [413], announced[:300]
    chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
    try:
        chunked = raw(target.rig, f"{head}Transfer-Encoding: chunked\r\n\r\n".encode() + chunk * 5)
    except ConnectionError:
        return
    assert statuses(chunked) == [413], chunked[:300]


def test_f1_chunked_and_duplicate_members_on_a_good_request(target):
    def pieces():
        for byte in b'{"kind":"text","text":"chunk by chunk"}':
            yield bytes([byte])

    made = harmless(target.http.post(target.rig.url + "/v1/entries", data=pieces(), headers={"Content-Type": "application/json"}), 201)
    assert made.json()["entry"]["text"] == "chunk by chunk"
    harmless(send(target, "text", b'{"kind":"text","text":"a","text":"b"}'), 400)
    harmless(send(target, "text", b'{"kind":"text","te\\u0078t":"a","text":"b"}'), 400)


def test_f8_idempotency_keys_that_are_hostile(target):
    for key in ("", " ", "x" * 256, "a b", "\t", "é", "a,b", "'--", secrets.token_hex(4) + "\x01"):
        try:
            harmless(send(target, "text", OPERATIONS["text"][2], **{"Idempotency-Key": key.encode("utf-8")}), 201, 400, 422)
        except ValueError:
            continue  # the client library refuses to send it
