"""D1, D2, D8, F3: the signed PUT under every kind of tampering, and clients on raw sockets that announce another length than they send."""

import contextlib
import socket
import urllib.parse
import uuid

import pytest

import http_client
from attack import Alive, raw, statuses
from processes import wait_for
from user import SAMPLE

AUDIO = SAMPLE.read_bytes()


@pytest.fixture(scope="module")
def scene(shared_rig):
    alive = Alive(shared_rig)
    yield shared_rig, shared_rig.user(), shared_rig.user()
    alive.check()


def put_raw(rig, path, headers, body=AUDIO, method="PUT", seconds=5):
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
    return raw(rig, f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{rig.port}\r\nConnection: close\r\n{lines}\r\n".encode() + body, seconds)


def target(upload):
    return upload["url"].split("/", 3)[3].join(("/", ""))


def test_d1_no_tampered_upload_url_is_accepted(scene):
    rig, user, other = scene
    made, second, foreign = user.create_voice(sha256=None), user.create_voice(), other.create_voice()
    upload = made["upload"]
    path, query = target(upload).split("?")
    headers = [*upload["headers"].items(), ("Content-Length", len(AUDIO))]
    parameters = urllib.parse.parse_qsl(query)
    cases = {}
    for i, (name, value) in enumerate(parameters):
        rest = parameters[:i] + parameters[i + 1 :]
        for label, changed in {
            "dropped": rest,
            "twice": parameters + [(name, value)],
            "emptied": rest + [(name, "")],
            "renamed": rest + [(name.lower(), value)],
            "changed": rest + [(name, value[:-1] + ("0" if value[-1] != "0" else "1"))],
            "spaced": rest + [(name, value + " ")],
            "nul": rest + [(name, value + "\0")],
        }.items():
            cases[f"{name} {label}"] = (f"{path}?{urllib.parse.urlencode(changed)}", headers)
    own = dict(parameters)
    for name, value in {
        "X-Amz-Expires": "604800",
        "X-Amz-Expires ": "900",
        "X-Amz-Date": "20200101T000000Z",
        "X-Amz-Signature": own["X-Amz-Signature"].upper(),
        "X-Amz-SignedHeaders": "host",
        "X-Amz-Algorithm": "AWS4-HMAC-SHA1",
        "X-Amz-Credential": own["X-Amz-Credential"].replace("/s3/", "/sqs/"),
    }.items():
        cases[f"{name} = {value}"] = (
            f"{path}?{urllib.parse.urlencode({**own, name.strip(): value} if name.strip() == name else {**own, name: value})}",
            headers,
        )
    for extra in (
        "x=1",
        "X-Amz-Security-Token=x",
        "uploads",
        "partNumber=1",
        "versionId=1",
        "acl",
        "X-Amz-Content-Sha256=UNSIGNED-PAYLOAD",
    ):
        cases[f"extra {extra}"] = (f"{path}?{query}&{extra}", headers)
    kind, tenant, owner, item = path.split("/")[2:]
    foreign_path, foreign_query = target(foreign["upload"]).split("?")
    for label, changed in {
        "another of mine": target(second["upload"]).split("?")[0],
        "another's": foreign_path,
        "audio": path.replace("/staging/", "/audio/"),
        "export": path.replace("/staging/", "/export/"),
        "another owner": path.replace(owner, foreign_path.split("/")[4]),
        "random": path.replace(item, str(uuid.uuid4())),
        "tenant": path.replace(tenant, str(uuid.uuid4())),
        "double slash": path.replace("/staging/", "//staging/"),
        "dots": path.replace("/staging/", "/staging/../staging/"),
        "dot": path.replace("/staging/", "/./staging/"),
        "encoded dots": path.replace("/staging/", "/staging/%2e%2e/staging/"),
        "encoded slash": path.replace("/staging/", "/staging%2f"),
        "double encoded": path.replace("staging", "%2573taging"),
        "upper": path.upper().replace("/OBJECTS", "/objects"),
        "trailing": path + "/",
        "trailing dot": path + ".",
        "nul": path + "%00",
        "suffix": path + "%00.m4a",
        "backslash": path.replace("/staging/", "/..%5cstaging/"),
        "unicode dots": path.replace("/staging/", "/%e2%80%a5/staging/"),
        "passwd": "/objects/staging/../../../../etc/passwd",
        "4 KiB": "/objects/" + "a/" * 2000,
        "no key": "/objects/",
        "semicolon": path + ";a=b",
        "overlong": path.replace("/staging/", "/staging/%c0%ae%c0%ae/"),
    }.items():
        cases[f"path {label}"] = (f"{changed}?{query}", headers)
    cases["another's query"] = (f"{path}?{foreign_query}", headers)
    for label, changed in {
        "type": [("Content-Type", "text/html")] + headers[1:],
        "no type": headers[1:],
        "two types": headers + [headers[0]],
        "parameter": [("Content-Type", "audio/mp4; x=y")] + headers[1:],
        "checksum": headers + [("x-amz-checksum-sha256", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")],
        "acl": headers + [("x-amz-acl", "public-read")],
        "copy": headers + [("x-amz-copy-source", "/objects/" + path)],
        "sse": headers + [("x-amz-server-side-encryption", "AES256")],
    }.items():
        cases[f"headers {label}"] = (f"{path}?{query}", changed)
    accepted, faults = [], []
    for label, (where, fields) in cases.items():
        codes = statuses(put_raw(rig, where, fields))
        if codes == [200]:
            accepted.append(label)
        elif not codes or codes[0] not in (400, 403, 404, 412, 414):
            faults.append((label, codes))
    for method, codes in (("POST", (405,)), ("GET", (405,)), ("DELETE", (405,)), ("PATCH", (405,)), ("HEAD", (405,))):
        assert statuses(put_raw(rig, f"{path}?{query}", headers, method=method))[:1][0] in codes, method
    assert not accepted and not faults and len(cases) >= 80, (accepted, faults)
    user.put(upload)
    assert user.put(upload, expect=None).status_code == 412


def test_d1_f3_uploads_of_another_length_store_nothing(scene):
    rig, user, _ = scene

    def folder():
        return len(rig.half_written())

    for label in (
        "short",
        "long",
        "chunked",
        "chunked and length",
        "two lengths",
        "negative",
        "plus",
        "none",
        "half then gone",
        "smuggled",
    ):
        made = user.create_voice()
        where = target(made["upload"])
        kind = ("Content-Type", "audio/mp4")
        n = len(AUDIO)
        chunks = b"%x\r\n" % n + AUDIO + b"\r\n0\r\n\r\n"
        headers, body, wanted = {
            "short": ([kind, ("Content-Length", n)], AUDIO[:-1], (None, 400)),
            "long": ([kind, ("Content-Length", n + 1)], AUDIO + b"x", (400, 403)),
            "chunked": ([kind, ("Transfer-Encoding", "chunked")], chunks, (400, 403, 411)),
            "chunked and length": ([kind, ("Content-Length", n), ("Transfer-Encoding", "chunked")], chunks, (400,)),
            "two lengths": ([kind, ("Content-Length", n), ("Content-Length", n)], AUDIO, (400,)),
            "negative": ([kind, ("Content-Length", -n)], AUDIO, (400,)),
            "plus": ([kind, ("Content-Length", f"+{n}")], AUDIO, (400,)),
            "none": ([kind], AUDIO, (400, 403, 411)),
            "half then gone": ([kind, ("Content-Length", n)], AUDIO[: n // 2], (None, 400)),
            "smuggled": ([kind, ("Content-Length", n)], AUDIO + b"GET /v1/me HTTP/1.1\r\nHost: x\r\n\r\n", (200,)),
        }[label]
        if label in ("short", "half then gone"):
            with socket.create_connection(("127.0.0.1", rig.port), timeout=5) as s:
                s.sendall((f"PUT {where} HTTP/1.1\r\nHost: x\r\n" + "".join(f"{a}: {b}\r\n" for a, b in headers) + "\r\n").encode() + body)
        else:
            codes = statuses(put_raw(rig, where, headers, body, seconds=2))
            assert codes and codes[0] in wanted and len(codes) == 1, (label, codes)
        if wanted != (200,):
            user.complete(made["entry_id"], 409)
            user.put(made["upload"])  # a retry of the same URL works
        user.complete(made["entry_id"])
    wait_for(lambda: folder() == 0, 10, "an empty tmp folder")


def test_d2_a_second_put_that_ends_late_leaves_nothing(scene):
    """Two PUTs of one URL; the slower one ends when the recording has long been verified."""
    rig, user, _ = scene
    made = user.create_voice()
    evil = bytes(reversed(AUDIO))
    head = f"PUT {target(made['upload'])} HTTP/1.1\r\nHost: x\r\nContent-Type: audio/mp4\r\nContent-Length: {len(AUDIO)}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", rig.port), timeout=10) as slow:
        slow.sendall(head.encode() + evil[:-1])
        # Received by the server: its sealed file has begun.
        wait_for(rig.half_written, 5, "the slow upload's file")
        user.put(made["upload"])
        user.complete(made["entry_id"])
        user.wait_done(made["entry_id"])
        slow.sendall(evil[-1:])
        answer = slow.recv(65536)
    place = user.audio_url(made["entry_id"])
    assert http_client.get(place).content == AUDIO
    assert statuses(answer) == [412], answer[:200]
    assert not list((rig.folder / "objects/staging").rglob(made["upload"]["url"].split("?")[0].split("/")[-1]))


def test_d7_a_put_after_the_entry_was_deleted_is_refused(scene):
    rig, user, _ = scene
    made = user.create_voice()
    user.call("DELETE", f"/v1/entries/{made['entry_id']}", 204)
    answer = user.put(made["upload"], expect=None)
    assert answer.status_code in (403, 404, 410, 412), answer.status_code


def expire(rig, user, entry):
    rig.postgres.sql(
        "diary", "update entries set upload_expires_at = now(), created_at = created_at - interval '1 hour' where id = %s", entry
    )
    failed = user.wait_done(entry, 20, status="failed")
    assert failed["processing"]["code"] == "upload_expired" and "upload_expires_at" not in failed


@pytest.mark.parametrize("end", ["expired", "deleted"])
def test_d7_a_put_whose_entry_ends_meanwhile_is_kept_if_it_expired_and_leaves_nothing_if_it_was_deleted(scene, end):
    rig, user, _ = scene
    made = user.create_voice()
    entry, place = made["entry_id"], target(made["upload"])
    head = f"PUT {place} HTTP/1.1\r\nHost: x\r\nContent-Type: audio/mp4\r\nContent-Length: {len(AUDIO)}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", rig.port), timeout=10) as slow:
        slow.sendall(head.encode() + AUDIO[:-1])
        wait_for(rig.half_written, 5, "the slow upload's file")
        if end == "deleted":
            user.call("DELETE", f"/v1/entries/{entry}", 204)
        else:
            expire(rig, user, entry)
        slow.sendall(AUDIO[-1:])
        answer = slow.recv(65536)
    if end == "expired":
        assert statuses(answer) == [200], answer[:300]
        user.wait_done(entry)
        return
    assert statuses(answer) == [403] and b"upload_refused" in answer, answer[:300]
    assert not list((rig.folder / "objects/staging").rglob(place.split("?")[0].split("/")[-1]))
    assert user.put(made["upload"], expect=None).json()["code"] == "upload_refused"


def test_d7_an_expired_entry_takes_no_upload_until_a_fresh_url_opens_it_again(scene):
    rig, user = scene[0], scene[0].user()
    made = user.create_voice()
    entry, since = made["entry_id"], user.call("GET", "/v1/changes?since=0", 200).json()["next_since"]
    assert made["entry"]["upload_expires_at"] > made["upload"]["expires_at"]
    expire(rig, user, entry)
    assert user.put(made["upload"], expect=None).json()["code"] == "upload_refused"
    assert user.complete(entry).json()["entry"]["status"] == "failed"
    answer = user.call("POST", f"/v1/uploads/{entry}/url", 200)
    again = answer.json()
    assert (again["entry"]["id"], again["entry"]["status"]) == (entry, "awaiting_upload")
    assert '"entries-day"' in answer.headers["RateLimit"], "it counts like a new entry"
    waiting = user.call("POST", f"/v1/uploads/{entry}/url", 200).headers["RateLimit"]
    assert '"writes"' in waiting and '"entries-day"' not in waiting, "a URL of an entry that waits does not"
    assert again["entry"]["upload_expires_at"] > again["upload"]["expires_at"] and "processing" not in again["entry"]
    changed = user.call("GET", "/v1/changes", 200, params={"since": since}).json()["items"]
    assert [(e["id"], e["status"]) for e in changed] == [(entry, "awaiting_upload")]
    user.put(again["upload"])
    user.complete(entry)
    user.wait_done(entry)


def test_d7_an_object_that_is_answered_as_stored_is_kept(scene):
    """The put that stored it may have been killed before it could say so: then the next one does."""
    rig, user, _ = scene
    made = user.create_voice(sha256=None)
    # The sweeper is not to be first.
    rig.postgres.sql("diary", "update entries set created_at = created_at + interval '1 hour' where id = %s", made["entry_id"])
    user.put(made["upload"])
    rig.postgres.sql("diary", "update entries set uploaded_at = null where id = %s", made["entry_id"])
    answer = user.put(made["upload"], expect=None)
    assert (answer.status_code, answer.json()["code"]) == (412, "upload_exists")
    assert rig.postgres.sql("diary", "select uploaded_at is not null from entries where id = %s", made["entry_id"])[0][0]
    user.complete(made["entry_id"])
    user.wait_done(made["entry_id"])


def test_c5_what_arrives_while_the_app_is_suspended_is_kept(own_rig):
    """Two PUTs of one URL: one is answered 200, the other ends when the app is suspended."""
    rig, user = own_rig, own_rig.user()
    made, other = user.create_voice(), user.create_voice()
    with contextlib.ExitStack() as held:
        slow = [held.enter_context(socket.create_connection(("127.0.0.1", rig.port), timeout=10)) for _ in range(2)]
        for connection, upload in zip(slow, (made["upload"], other["upload"])):
            connection.sendall(
                f"PUT {target(upload)} HTTP/1.1\r\nHost: x\r\nContent-Type: audio/mp4\r\nContent-Length: {len(AUDIO)}\r\n\r\n".encode()
                + AUDIO[:-1]
            )
        wait_for(lambda: len(rig.half_written()) == 2, 5, "both slow uploads' files")
        user.put(made["upload"])
        rig.diary("tenant", "suspend", "my-day")
        for connection in slow:
            connection.sendall(AUDIO[-1:])
        answers = [statuses(connection.recv(65536)) for connection in slow]
        rig.diary("tenant", "resume", "my-day")
    assert answers == [[412], [200]]
    rig.wait_for_app("my-day")
    for entry in (made["entry_id"], other["entry_id"]):
        user.complete(entry)
        user.wait_done(entry)


def test_g5_deleting_while_the_worker_verifies_leaves_no_recording(scene):
    rig, user, _ = scene
    log = rig.folder / f"probe-{uuid.uuid4().hex}"
    rig.script("probe", delay_seconds=1.0, calls_log=str(log))
    try:
        entry = user.record()
        wait_for(log.exists, 10, "the probe")
        user.call("DELETE", f"/v1/entries/{entry}", 204)
        wait_for(
            lambda: (
                rig.postgres.sql("diary", "select count(*) from jobs where subject = %s and state not in ('done', 'dead')", entry) == [(0,)]
            ),
            20,
            "the job's end",
        )
        rows = rig.postgres.sql("diary", "select object_id from entries where id = %s", entry)
        left = [str(p) for row in rows for p in (rig.folder / "objects").rglob(str(row[0]))]
        assert not left, "a deleted recording still lies in the store"
    finally:
        rig.unscript()
