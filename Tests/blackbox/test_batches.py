"""`POST /v1/entries/batch`: results in order, repetitions, and an import of many old recordings."""

import secrets
import uuid

PATH = "/v1/entries/batch"


def text(words, **more):
    return {"op": "create", "entry": {"kind": "text", "text": words, "recorded_at": "2019-03-01T12:00:00Z", **more}}


def test_each_operation_has_its_own_result_in_order(rig):
    user, other = rig.user(), rig.user()
    foreign = other.create_text("another person's", tags=["theirs"])["entry_id"]
    mine, never = str(uuid.uuid4()), str(uuid.uuid4())
    operations = [
        text("first", id=mine, tags=["a"]),
        {"op": "tag", "id": mine, "add_tags": ["b", "a"], "remove_tags": ["c"]},
        text("", id=str(uuid.uuid4())),
        text("other words", id=mine),
        text("nowhere", favorite="yes"),
        {"op": "tag", "id": foreign, "add_tags": ["b"]},
        {"op": "tag", "id": never, "add_tags": ["b"]},
        {"op": "delete", "id": foreign},
        {"op": "delete", "id": never},
        {"op": "tag", "id": mine, "remove_tags": ["a"]},
        {"op": "delete", "id": mine},
        {"op": "delete", "id": mine},
        {"op": "tag", "id": mine, "add_tags": ["late"]},
        {"op": "paint"},
        {"op": "create", "entry": {"kind": "voice", "content_type": "audio/mp4", "size_bytes": 1000}},
    ]
    results = user.call("POST", PATH, 200, json={"operations": operations}).json()["results"]
    assert [r["index"] for r in results] == list(range(len(operations)))
    assert [r["status"] for r in results] == [201, 200, 422, 409, 422, 404, 404, 404, 404, 200, 204, 204, 404, 422, 201]
    assert [results[i]["entry"]["tags"] for i in (0, 1, 9)] == [["a"], ["a", "b"], ["b"]]
    problems = {i: results[i]["problem"] for i in (2, 3, 4, 5, 6, 13)}
    assert [problems[i]["code"] for i in (2, 3, 4)] == ["invalid_fields", "entry_id_taken", "invalid_fields"]
    assert [e["pointer"] for i in (2, 4, 13) for e in problems[i]["errors"]] == [
        "/operations/2/entry/text",
        "/operations/4/entry/favorite",
        "/operations/13/op",
    ]
    assert problems[5] == problems[6], "another person's entry is one that is not there"
    user.put(results[14]["upload"], audio=b"x" * 1000)
    assert other.entry(foreign)["tags"] == ["theirs"]
    assert [e["id"] for e in user.call("GET", "/v1/changes", 200).json()["items"]] == [results[14]["entry"]["id"]]
    for body in ({}, {"operations": []}, {"operations": [{"op": "delete", "id": never}] * 101}, {"operations": {}}):
        assert [e["pointer"] for e in user.call("POST", PATH, 422, json=body).json()["errors"]] == ["/operations"]


def test_a_batch_of_large_entries_has_small_answers(rig):
    user, key = rig.user(), {"Idempotency-Key": secrets.token_hex(8)}
    ids = [str(uuid.uuid4()) for _ in range(12)]
    for i in range(0, len(ids), 4):
        large = {"operations": [text("x" * 199_000, id=id, tags=["a"]) for id in ids[i : i + 4]]}
        for _ in range(2):
            results = user.call("POST", PATH, 200, json=large).json()["results"]
            assert [(r["status"], r["entry"]["tags"]) for r in results] == [(201, ["a"])] * 4
    body = {"operations": [{"op": "tag", "id": id, "add_tags": ["b"]} for id in ids]}
    for _ in range(2):
        answer = user.call("POST", PATH, 200, json=body, headers=key)
        results = answer.json()["results"]
        assert [(r["entry"]["id"], r["entry"]["tags"], r["entry"]["text"]) for r in results] == [(id, ["a", "b"], None) for id in ids]
        assert len(answer.content) < 50_000
    assert len(user.entry(ids[-1])["text"]) == 199_000


def test_a7_a_repeated_batch_is_not_done_again_and_shows_what_is_there_now(rig):
    user, key = rig.user(), {"Idempotency-Key": secrets.token_hex(8)}
    old = user.create_text("old")["entry_id"]
    body = {
        "operations": [text("one"), {"op": "tag", "id": old, "add_tags": ["a"]}, {"op": "delete", "id": str(uuid.uuid4())}, text("two")]
    }
    first = user.call("POST", PATH, 200, json=body, headers=key)
    results = first.json()["results"]
    ids = [results[i]["entry"]["id"] for i in (0, 3)]
    user.call("PATCH", f"/v1/entries/{old}", 200, json={"tags": []}, headers={"If-Match": "*"})
    user.call("DELETE", f"/v1/entries/{ids[1]}", 204)
    again = user.call("POST", PATH, 200, json=body, headers=key)
    assert (first.headers.get("Idempotency-Replayed"), again.headers["Idempotency-Replayed"]) == (None, "true")
    repeated = again.json()["results"]
    assert [r["status"] for r in repeated] == [201, 200, 404, 410]
    assert (repeated[0]["entry"]["id"], repeated[1]["entry"]["tags"]) == (ids[0], [])
    assert repeated[3]["problem"]["code"] == "entry_deleted"
    changed = {"operations": [*body["operations"][:3], text("three")]}
    assert user.call("POST", PATH, 422, json=changed, headers=key).json()["code"] == "idempotency_mismatch"
    assert len(user.call("GET", "/v1/changes", 200).json()["items"]) == 2
