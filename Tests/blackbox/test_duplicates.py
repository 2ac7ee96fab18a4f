"""Recordings that the account has already: refused with the entry that has them, unless the client wants them twice."""

import hashlib
import secrets

import pytest

from user import SAMPLE, sha256

pytestmark = pytest.mark.any_store

BATCH = "/v1/entries/batch"
VOICE = {"kind": "voice", "content_type": "audio/mp4", "size_bytes": 1000}


def refused(user, **fields):
    return user.call("POST", "/v1/entries", 409, json={**VOICE, **fields}).json()


def test_a_recording_that_was_announced_or_has_arrived_is_refused_with_its_entry_unless_it_is_wanted_twice(rig):
    user, neighbour = rig.user(), rig.user()
    digest = sha256(SAMPLE.read_bytes())
    first = user.create_voice(sha256=digest)
    problem = refused(user, sha256=digest.upper())
    assert (problem["code"], problem["entry_id"], problem["retryable"]) == ("duplicate_recording", first["entry_id"], False)
    # The entry that is named can be gone on with.
    fresh = user.call("POST", f"/v1/uploads/{problem['entry_id']}/url", 200).json()
    user.put(fresh["upload"])
    user.complete(first["entry_id"])
    user.wait_done(first["entry_id"])
    assert refused(user, sha256=digest)["entry_id"] == first["entry_id"]
    assert neighbour.create_voice(sha256=digest)["entry_id"] != first["entry_id"]

    key = secrets.token_hex(8)
    second = user.create_voice(key=key, sha256=digest, allow_duplicate=True)
    assert user.create_voice(key=key, sha256=digest, allow_duplicate=True)["entry_id"] == second["entry_id"]
    user.call("DELETE", f"/v1/entries/{first['entry_id']}", 204)
    assert refused(user, sha256=digest)["entry_id"] == second["entry_id"]
    user.call("DELETE", f"/v1/entries/{second['entry_id']}", 204)
    user.create_voice(sha256=digest)
    wrong = user.call("POST", "/v1/entries", 422, json={"kind": "text", "text": "x", "allow_duplicate": True}).json()
    assert [e["pointer"] for e in wrong["errors"]] == ["/allow_duplicate"]


def test_a_digest_that_the_check_found_counts_and_recordings_without_one_are_not_compared(rig):
    user = rig.user()
    entries = [user.record(), user.record()]
    for entry in entries:
        user.wait_done(entry)
    assert refused(user, sha256=sha256(SAMPLE.read_bytes()))["entry_id"] == entries[0]


def test_a_batch_refuses_duplicates_alone_and_says_the_same_when_it_is_repeated(rig):
    user, key = rig.user(), {"Idempotency-Key": secrets.token_hex(8)}
    digests = [hashlib.sha256(bytes([n])).hexdigest() for n in range(2)]
    known = user.create_voice(sha256=digests[0])["entry_id"]
    creations = [
        {"sha256": digests[0]},
        {"sha256": digests[1]},
        {"sha256": digests[1]},
        {"sha256": digests[1], "allow_duplicate": True},
        {},
    ]
    body = {"operations": [{"op": "create", "entry": {**VOICE, **more}} for more in creations]}
    for _ in range(2):
        results = user.call("POST", BATCH, 200, json=body, headers=key).json()["results"]
        assert [r["status"] for r in results] == [409, 201, 409, 201, 201]
        own = results[1]["entry"]["id"]
        assert [results[i]["problem"]["entry_id"] for i in (0, 2)] == [known, own]
        assert {results[i]["problem"]["code"] for i in (0, 2)} == {"duplicate_recording"}
