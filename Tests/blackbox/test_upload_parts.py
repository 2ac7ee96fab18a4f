"""Recordings in parts: sent over a link that breaks, repeated, late, at once, cancelled, and joined by a process that is killed.

`DIARY_TIMES=1` sends 300 MiB over a link that breaks 20 times instead of 40 MiB over one that breaks 4 times."""

import concurrent.futures
import os
import random
import secrets

import pytest
import requests

import http_client
from attack import raw, statuses
from broken_link import BrokenLink
from contract import CONTRACT
from processes import wait_for
from rig import Rig
from user import sha256

MIB = 1_048_576
LONG = os.environ.get("DIARY_TIMES") == "1"


def path(entry):
    return f"/v1/uploads/{entry}/parts"


def offered(user, entry, expect=200, **query):
    return user.call("POST", path(entry), expect, params=query).json()


def received(user, entry):
    return [part["number"] for part in user.call("GET", path(entry), 200).json()["items"]]


def send(part, audio, size, expect=200, through=lambda url: url):
    """The bytes of the recording that are the part's."""
    body = audio[(part["number"] - 1) * size :][: part["size_bytes"]]
    answer = http_client.put(through(part["url"]), data=body, headers=part["headers"], timeout=30)
    if expect:
        assert answer.status_code == expect, answer.text
    CONTRACT.check(answer)
    return answer


def in_parts(user, mib, **fields):
    """A recording of some whole MiB and some bytes, and the entry that waits for it."""
    audio = secrets.token_bytes(mib * MIB + 4_321)
    made = user.create_voice(audio, parts=True, **fields)
    return audio, made["entry_id"], made["upload"]["parts"]


def parts_on_disk(rig):
    return [file for file in (rig.folder / "objects/parts").rglob("*") if file.is_file()]


@pytest.fixture
def long_recordings(shared_rig):
    """The scripted check takes 300 MiB for eleven hours."""
    if not LONG:
        yield shared_rig
        return
    rig = Rig(DIARY_MAX_AUDIO_SECONDS="86400")
    yield rig
    rig.end()


@pytest.mark.long
def test_a_recording_is_sent_over_a_link_that_breaks_with_few_bytes_twice(long_recordings):
    rig, user = long_recordings, long_recordings.user()
    total, breaks = (300 * MIB, 20) if LONG else (40 * MIB, 4)
    audio = secrets.token_bytes(total)
    made = user.create_voice(audio, sha256=sha256(audio))
    plan, entry = made["upload"]["parts"], made["entry_id"]
    assert plan["part_size"] * (plan["part_count"] - 1) < total <= plan["part_size"] * plan["part_count"]
    link = BrokenLink(rig.port, random.Random(18).sample(range(total), breaks))
    try:
        # A client that asks anew what is missing whenever the link broke.
        while parts := (offer := offered(user, entry))["parts"]:
            assert (offer["part_size"], offer["part_count"]) == (plan["part_size"], plan["part_count"])
            try:
                for part in parts:
                    send(part, audio, plan["part_size"], through=link.through)
            except requests.RequestException:
                continue
    finally:
        link.end()
    assert link.broken == breaks
    assert total < link.sent <= 1.1 * total, link.sent / total
    assert user.complete(entry).json()["entry"]["status"] != "awaiting_upload"
    done = user.wait_done(entry, 120)
    assert (done["size_bytes"], done["sha256"]) == (total, sha256(audio))
    place = user.audio_url(entry)
    assert sha256(http_client.get(place).content) == sha256(audio)
    assert not list((rig.folder / "objects/parts").rglob(user.id))


def test_parts_are_offered_for_large_recordings_and_to_who_asks(rig):
    user = rig.user()
    limits = user.call("GET", "/v1/config", 200).json()["limits"]
    voice = {"kind": "voice", "content_type": "audio/mp4"}
    for size, more, plan in [
        (1000, {}, None),
        (limits["upload_parts_from_bytes"], {}, None),
        (limits["upload_parts_from_bytes"] + 1, {}, {"part_size": MIB, "part_count": 17}),
        (500 * MIB, {}, {"part_size": 3 * MIB, "part_count": 167}),
        (1000, {"parts": True}, {"part_size": MIB, "part_count": 1}),
    ]:
        key = {"Idempotency-Key": secrets.token_hex(8)}
        for _ in range(2):
            made = user.call("POST", "/v1/entries", 201, json={**voice, "size_bytes": size, **more}, headers=key).json()
            assert made["upload"].get("parts") == plan, size
        fresh = user.call("POST", f"/v1/uploads/{made['entry_id']}/url", 200).json()["upload"]
        assert fresh.get("parts") == (None if more else plan)
    batch = {"operations": [{"op": "create", "entry": {**voice, "size_bytes": 20 * MIB}}]}
    assert user.call("POST", "/v1/entries/batch", 200, json=batch).json()["results"][0]["upload"]["parts"]["part_count"] == 20
    page = offered(user, made["entry_id"])
    assert (page["part_count"], page["received_count"], page["next_number"]) == (1, 0, None)
    text = user.create_text("words")["entry_id"]
    for method in ("POST", "GET", "DELETE"):
        assert user.call(method, path(text), 409).json()["code"] == "not_a_voice_entry"
    assert user.call("POST", path(text) + "?from=0", 422).json()["code"] == "invalid_fields"
    assert (
        user.call("POST", "/v1/entries", 422, json={"kind": "text", "text": "x", "parts": True}).json()["errors"][0]["pointer"] == "/parts"
    )


def test_parts_come_at_once_in_any_order_and_again_and_the_list_says_which(rig):
    user = rig.user()
    audio, entry, plan = in_parts(user, 5)
    assert received(user, entry) == []
    first = offered(user, entry, limit=2)
    assert [p["number"] for p in first["parts"]] == [1, 2] and first["next_number"] == 3
    rest = offered(user, entry, **{"from": 3})
    assert [p["size_bytes"] for p in rest["parts"]] == [MIB] * 3 + [4_321] and rest["next_number"] is None
    parts = first["parts"] + rest["parts"]
    wrong = bytes(reversed(audio))
    with concurrent.futures.ThreadPoolExecutor(6) as threads:
        list(threads.map(lambda part: send(part, wrong if part["number"] == 2 else audio, MIB), reversed(parts[:-1])))
    assert received(user, entry) == [1, 2, 3, 4, 5]
    assert user.complete(entry, 409).json()["code"] == "upload_incomplete"
    # The same bytes again, and other ones: the last one counts.
    send(parts[0], audio, MIB)
    assert send(parts[1], audio, MIB).headers["etag"] != send(parts[1], wrong, MIB).headers["etag"]
    send(parts[1], audio, MIB)
    offer = offered(user, entry)
    assert [p["number"] for p in offer["parts"]] == [6] and offer["received_count"] == 5
    send(offer["parts"][0], audio, MIB)
    assert offered(user, entry)["parts"] == []
    # Reported by several at once; one joins, all are told that it is done.
    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: user.complete(entry), range(4)))
    for _ in range(2):
        assert send(parts[5], wrong, MIB, expect=412).json()["code"] == "upload_exists"
    for method in ("POST", "GET", "DELETE"):
        assert user.call(method, path(entry), 409).json()["code"] == "upload_finished"
    assert user.wait_done(entry)["sha256"] == sha256(audio)
    assert not list((rig.folder / "objects/parts").rglob(user.id))


def test_d1_the_url_of_a_part_takes_that_part_of_that_upload_alone(rig):
    user, other = rig.user(), rig.user()
    audio, entry, _ = in_parts(user, 2)
    _, second, _ = in_parts(user, 2)
    _, foreign, _ = in_parts(other, 2)
    parts, theirs = offered(user, entry)["parts"], [offered(user, second)["parts"], offered(other, foreign)["parts"]]
    part = parts[-1]
    where, query = part["url"].split("/", 3)[3].split("?")
    where, own = "/" + where, dict(pair.split("=", 1) for pair in query.split("&"))
    whole = dict(
        pair.split("=", 1) for pair in user.call("POST", f"/v1/uploads/{entry}/url", 200).json()["upload"]["url"].split("?")[1].split("&")
    )
    queries = {
        "another number": {**own, "partNumber": "2"},
        "number 0": {**own, "partNumber": "0"},
        "leading zero": {**own, "partNumber": "03"},
        "no number": {k: v for k, v in own.items() if k != "partNumber"},
        "no set": {k: v for k, v in own.items() if k != "uploadId"},
        "neither": {k: v for k, v in own.items() if k not in ("uploadId", "partNumber")},
        "path as set": {**own, "uploadId": ".."},
        "upper-case set": {**own, "uploadId": own["uploadId"].upper()},
        "whole's signature": {**own, "X-Amz-Signature": whole["X-Amz-Signature"]},
        "whole with part": {"partNumber": "3", "uploadId": own["uploadId"], **whole},
        "longer": {**own, "X-Amz-Expires": "86400"},
        **{
            f"set {n}": {**own, "uploadId": dict(p.split("=", 1) for p in ps[0]["url"].split("?")[1].split("&"))["uploadId"]}
            for n, ps in enumerate(theirs)
        },
    }
    attempts = {label: f"{where}?{'&'.join(f'{k}={v}' for k, v in changed.items())}" for label, changed in queries.items()}
    attempts["twice"] = f"{where}?{query}&partNumber=3"
    for number, others in enumerate(theirs):
        attempts[f"object {number}"] = "/" + others[0]["url"].split("/", 3)[3].split("?")[0] + "?" + query
    attempts["final key"] = f"{where.replace('/staging/', '/audio/')}?{query}"

    def put(target, body, *headers):
        lines = "".join(f"{name}: {value}\r\n" for name, value in (("Content-Type", "audio/mp4"), *headers))
        head = f"PUT {target} HTTP/1.1\r\nHost: 127.0.0.1:{rig.port}\r\nConnection: close\r\n{lines}\r\n"
        return statuses(raw(rig, head.encode() + body, 5))

    body, length = audio[2 * MIB :], part["size_bytes"]
    for label, target in attempts.items():
        assert put(target, body, ("Content-Length", length))[:1] in ([403], [404]), label
    target = f"{where}?{query}"
    for label, (sent, headers) in {
        "shorter": (body[:-1], [("Content-Length", length - 1)]),
        "longer": (body + b"x", [("Content-Length", length + 1)]),
        "type": (body, [("Content-Length", length), ("Content-Type", "audio/mpeg")]),
        "chunked": (b"%x\r\n" % length + body + b"\r\n0\r\n\r\n", [("Transfer-Encoding", "chunked")]),
        "checksum": (body, [("Content-Length", length), ("x-amz-checksum-sha256", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")]),
    }.items():
        assert put(target, sent, *headers)[:1] in ([400], [403], [411]), label
    assert received(user, entry) == received(user, second) == received(other, foreign) == []
    assert put(target, body, ("Content-Length", length)) == [200]
    assert received(user, entry) == [3]


def test_a_cancelled_upload_takes_no_part_and_begins_anew_and_its_files_are_gone(rig):
    user = rig.user()
    audio, entry, _ = in_parts(user, 1)
    user.call("DELETE", path(entry), 204)
    old = offered(user, entry)["parts"]
    send(old[0], audio, MIB)
    for _ in range(2):
        user.call("DELETE", path(entry), 204)
    assert not list((rig.folder / "objects/parts").rglob(user.id))
    assert send(old[1], audio, MIB, expect=403).json()["code"] == "upload_refused"
    new = offered(user, entry)["parts"]
    assert [p["number"] for p in new] == [1, 2]
    assert send(old[1], audio, MIB, expect=403).json()["code"] == "upload_refused"
    send(new[1], audio, MIB)
    assert received(user, entry) == [2]
    # In one piece all the same.
    fresh = user.call("POST", f"/v1/uploads/{entry}/url", 200).json()
    user.put(fresh["upload"], audio)
    user.complete(entry)
    assert user.wait_done(entry)["sha256"] == sha256(audio)
    # With its entry.
    _, gone, _ = in_parts(user, 1)
    parts = offered(user, gone)["parts"]
    send(parts[0], audio, MIB)
    user.call("DELETE", f"/v1/entries/{gone}", 204)
    assert send(parts[1], audio, MIB, expect=403).json()["code"] == "upload_refused"
    assert not [file for file in parts_on_disk(rig) if parts[0]["url"].split("?")[0].rsplit("/", 1)[1] in str(file)]


def test_an_account_has_a_bounded_number_of_uploads_in_parts(rig):
    user = rig.user()
    most = user.call("GET", "/v1/config", 200).json()["limits"]["upload_parts_open_max"]
    entries = [user.create_voice(b"x" * 1000, parts=True)["entry_id"] for _ in range(most + 1)]
    for entry in entries[:-1]:
        offered(user, entry)
    assert offered(user, entries[-1], 409)["code"] == "too_many_uploads"
    offered(user, entries[0])
    user.call("DELETE", path(entries[0]), 204)
    offered(user, entries[-1])
    assert offered(user, entries[0], 409)["code"] == "too_many_uploads"


def test_a_wrong_digest_is_found_by_the_check_and_the_parts_may_come_again(rig):
    user = rig.user()
    audio, entry, _ = in_parts(user, 1, sha256="11" * 32)
    for part in offered(user, entry)["parts"]:
        send(part, audio, MIB)
    user.complete(entry)
    failed = user.wait_done(entry, status="failed")["processing"]
    assert (failed["code"], failed["action"]) == ("upload_hash_mismatch", "upload_again")
    again = offered(user, entry)
    assert again["received_count"] == 0 and len(again["parts"]) == 2


def test_parts_of_an_expired_entry_are_found_by_complete_and_go_on_after_a_reopening(rig):
    user = rig.user()
    entries = [in_parts(user, 1) for _ in range(2)]
    for audio, entry, _ in entries:
        for part in offered(user, entry)["parts"][: 2 if entry == entries[0][1] else 1]:
            send(part, audio, MIB)
        rig.postgres.sql(
            "diary", "update entries set upload_expires_at = now(), created_at = created_at - interval '1 hour' where id = %s", entry
        )
    (whole, complete, _), (half, broken, _) = entries
    for entry in (complete, broken):
        wait_for(lambda entry=entry: user.entry(entry)["status"] != "awaiting_upload", 20, "its expiry")
    assert user.complete(broken).json()["entry"]["processing"]["code"] == "upload_expired"
    user.complete(complete)
    assert user.wait_done(complete)["sha256"] == sha256(whole)
    offer = offered(user, broken)
    assert [part["number"] for part in offer["parts"]] == [2]
    send(offer["parts"][0], half, MIB)
    user.complete(broken)
    assert user.wait_done(broken)["sha256"] == sha256(half)


def test_d7_the_sweeper_joins_parts_that_no_app_confirmed_and_erasure_leaves_none(own_rig):
    rig = own_rig
    user, leaving = rig.user(), rig.user()
    audio, entry, _ = in_parts(user, 1)
    for part in offered(user, entry)["parts"]:
        send(part, audio, MIB)
    theirs, left, _ = in_parts(leaving, 1)
    send(offered(leaving, left)["parts"][0], theirs, MIB)
    # The sweeper looks for these every five minutes, and when it starts.
    rig.stop("work")
    rig.start("work")
    assert user.wait_done(entry)["sha256"] == sha256(audio)
    leaving.call("DELETE", "/v1/me", 202, json={"password": leaving.password})
    wait_for(lambda: not parts_on_disk(rig), 30, "the end of all parts")


@pytest.fixture(scope="module")
def dying():
    """For the tests that kill its API."""
    rig = Rig()
    yield rig
    rig.end()


@pytest.mark.parametrize("point", ["P03", "P04", "P05", "P06", "P07"])
def test_a1_a_join_that_is_killed_is_done_again(dying, point):
    rig = dying
    user = rig.user()
    audio, entry, _ = in_parts(user, 1)
    # The sweeper would join them too.
    rig.stop("work")
    for part in offered(user, entry)["parts"]:
        send(part, audio, MIB)
    once = rig.folder / f"once-{point}"
    rig.stop("serve")
    rig.start("serve", DIARY_FAIL=f"{point}:1:kill", DIARY_FAIL_ONCE=str(once))
    with pytest.raises(requests.ConnectionError):
        user.complete(entry)
    wait_for(lambda: once.exists() and rig.supervise("serve"), 10, "the kill")
    user.complete(entry)
    rig.start("work")
    assert user.wait_done(entry)["sha256"] == sha256(audio)
    assert not rig.half_written()
