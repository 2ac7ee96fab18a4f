"""F5: each size at its limit and one beyond, refused before the body is read: the body is announced and never sent."""

import json
import time

import pytest

from attack import Alive, raw, statuses

URI, HEADERS, COUNT, JSON, DEPTH = 8192, 16_384, 100, 262_144, 32


@pytest.fixture(scope="module")
def scene(shared_rig):
    alive = Alive(shared_rig)
    yield shared_rig, shared_rig.user()
    alive.check()


def answer(rig, message, announced=True):
    """The first status, and the seconds until the connection's end or the answer."""
    began = time.monotonic()
    text = raw(rig, message, 3 if announced else 1)
    return (statuses(text) or [None])[0], time.monotonic() - began, text


def head(user, target="/v1/entries", lines=(), length=None, method="POST"):
    fields = ["Host: x", "Content-Type: application/json", f"Authorization: {user.http.headers['Authorization']}", *lines]
    fields += [f"Content-Length: {length}"] if length is not None else []
    return (
        f"{method} {target} HTTP/1.1\r\n".encode() + "".join(f + "\r\n" for f in fields).encode() + b"\r\n",
        sum(map(len, fields)),
        len(fields),
    )


def test_f5_a_target_of_8_kib_passes_and_one_more_byte_is_414(scene):
    rig, user = scene
    for extra, expected in ((0, 404), (1, 414)):
        message, _, _ = head(user, "/" + "a" * (URI - 1 + extra), length=100_000)
        code, _, text = answer(rig, message)
        assert code == expected, text[:300]


def test_f5_fields_of_16_kib_pass_and_one_more_byte_is_431(scene):
    rig, user = scene
    _, size, _ = head(user, "/v1/me", ["X: "], method="GET")
    for extra in (0, 1):
        message, total, _ = head(user, "/v1/me", ["X: " + "a" * (HEADERS - size + extra)], method="GET")
        assert total == HEADERS + extra
        code, _, text = answer(rig, message, announced=False)
        assert code == (431 if extra else 200), text[:300]
    message, _, _ = head(user, lines=["X: " + "a" * HEADERS], length=100_000)
    assert answer(rig, message)[0] == 431


def test_f5_a_hundred_fields_pass_and_one_more_is_431(scene):
    rig, user = scene
    for extra in (0, 1):
        message, _, count = head(user, "/v1/me", [f"X{i}: a" for i in range(COUNT - 3 + extra)], method="GET")
        assert count == COUNT + extra
        code, _, text = answer(rig, message, announced=False)
        assert code == (431 if extra else 200), text[:300]
    message, _, _ = head(user, lines=[f"X{i}: a" for i in range(COUNT)], length=100_000)
    assert answer(rig, message)[0] == 431


def test_f5_json_of_256_kib_passes_and_one_more_byte_is_413_before_it_is_sent(scene):
    rig, user = scene
    frame = json.dumps({"kind": "text", "text": "words"}).encode()
    whole = frame.replace(b"{", b"{" + b" " * (JSON - len(frame)))
    assert len(whole) == JSON
    made = user.http.post(rig.url + "/v1/entries", data=whole, headers={"Content-Type": "application/json"}, timeout=20)
    assert made.status_code == 201, made.text
    for length in (JSON + 1, 10**9, 10**15 - 1):
        code, took, text = answer(rig, head(user, length=length)[0])
        assert code == 413 and took < 3, text[:300]
    # Of unknown length: as soon as it is over, and the rest is not waited for.
    message, _, _ = head(user, lines=["Transfer-Encoding: chunked"])
    code, _, text = answer(rig, message + (b"10000\r\n" + b" " * 65_536 + b"\r\n") * 4 + b"1\r\n \r\n")
    assert code == 413, text[:300]


def test_f5_32_levels_are_read_and_one_more_is_400(scene):
    rig, user = scene
    for levels, code in ((DEPTH, "invalid_fields"), (DEPTH + 1, "malformed_json"), (10_000, "malformed_json")):
        body = b'{"kind":"text","text":"words","x":' + b"[" * (levels - 1) + b"]" * (levels - 1) + b"}"
        made = user.http.post(rig.url + "/v1/entries", data=body, headers={"Content-Type": "application/json"}, timeout=20)
        assert made.json()["code"] == code, (levels, made.text)
