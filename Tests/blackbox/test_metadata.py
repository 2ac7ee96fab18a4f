"""What an app keeps with an entry: pairs of strings, found by value, merged key by key, in lists, batches, zips and imports."""

import json

import pytest

from export_reading import exported
from whole_diary import zip_of
from zips import imported

ANY = {"If-Match": "*"}


def found(user, **pairs):
    params = {f"metadata.{key}": value for key, value in pairs.items()}
    return {e["id"] for e in user.call("GET", "/v1/entries", 200, params=params).json()["items"]}


def patch(user, id, metadata, expect=200):
    return user.call("PATCH", f"/v1/entries/{id}", expect, json={"metadata": metadata}, headers=ANY).json()


def test_an_entry_has_its_apps_metadata_in_every_answer_and_is_found_by_it(rig):
    user, other = rig.user(), rig.user()
    kept = {"cue_id": "42", "Sheet-1.b": "Ünïcode = 'x'; \n", "client_filename": "memo.m4a"}
    spoken = user.create_voice(metadata=kept, tags=["a"])["entry"]
    typed = user.create_text("words", metadata={"cue_id": "42", "empty": "", "none": None})["entry"]
    plain = user.create_text("words")["entry"]
    other.create_text("words", metadata=kept)

    assert (spoken["metadata"], typed["metadata"], plain["metadata"]) == (kept, {"cue_id": "42"}, {})
    for path in ("/v1/entries", "/v1/changes", "/v1/entries?view=summary"):
        assert {e["id"]: e["metadata"] for e in user.call("GET", path, 200).json()["items"]}[spoken["id"]] == kept
    assert found(user, cue_id="42") == {spoken["id"], typed["id"]}
    assert found(user, cue_id="42", **{"Sheet-1.b": kept["Sheet-1.b"]}) == {spoken["id"]}
    assert found(user, cue_id="4") == found(user, Cue_id="42") == found(user, cue_id="42 ") == set()
    tagged = {"tag": "a", "metadata.cue_id": "42"}
    assert [e["id"] for e in user.call("GET", "/v1/entries", 200, params=tagged).json()["items"]] == [spoken["id"]]


def test_a_patch_merges_key_by_key_and_keeps_the_version_when_nothing_changes(rig):
    user = rig.user()
    entry = user.create_text("words", metadata={"a": "1", "b": "2"})["entry"]
    assert patch(user, entry["id"], {"b": "3", "c": "4", "a": None})["metadata"] == {"b": "3", "c": "4"}
    same = patch(user, entry["id"], {"c": "4", "x": "", "y": None})
    assert (same["metadata"], same["version"]) == ({"b": "3", "c": "4"}, 2) and found(user, a="1") == set()
    assert found(user, b="3") == {entry["id"]}
    stale = {"If-Match": '"1"'}
    late = user.call("PATCH", f"/v1/entries/{entry['id']}", 412, json={"metadata": {"a": "late"}}, headers=stale).json()
    assert late["current"]["metadata"] == {"b": "3", "c": "4"}
    # Twenty at most; all may be replaced at once.
    patch(user, entry["id"], {"b": None, "c": None, **{f"k{n}": "v" for n in range(20)}})
    assert patch(user, entry["id"], {"more": "v"}, 422)["errors"][0]["pointer"] == "/metadata"
    swapped = {**{f"k{n}": None for n in range(20)}, **{f"n{n}": "v" for n in range(20)}}
    assert patch(user, entry["id"], swapped)["metadata"] == {f"n{n}": "v" for n in range(20)}


@pytest.mark.parametrize(
    ("metadata", "pointer"),
    [
        ("x", "/metadata"),
        ([], "/metadata"),
        ({"a": 1}, "/metadata/a"),
        ({"a": {}}, "/metadata/a"),
        ({"a": "x" * 501}, "/metadata/a"),
        ({"a": "\0"}, "/metadata/a"),
        ({"": "x"}, "/metadata"),
        ({"a b": "x"}, "/metadata"),
        ({"k" * 41: "x"}, "/metadata"),
        ({f"k{n}": "v" for n in range(21)}, "/metadata"),
    ],
)
def test_what_is_no_metadata_is_refused(rig, metadata, pointer):
    body = {"kind": "text", "text": "words", "metadata": metadata}
    refused = rig.user().call("POST", "/v1/entries", 422, json=body).json()
    assert [error["pointer"] for error in refused["errors"]] == [pointer]


def test_a_query_of_metadata_is_refused_by_name(rig):
    user = rig.user()
    for query in (
        "metadata.=x",
        "metadata.a=",
        "metadata.a=1&metadata.a=2",
        "metadata.a=" + "x" * 501,
        "metadata=x",
        "metadata.a=1&since=0",
    ):
        pointer = user.call("GET", f"/v1/entries?{query}", 422).json()["errors"][0]["pointer"]
        assert pointer == "query/" + ("metadata" if "since" in query else query.split("=")[0]), query


def test_a_file_name_tells_when_it_was_recorded_where_the_client_does_not(rig):
    user = rig.user()
    name = {"metadata": {"client_filename": "toukan_2024-07-15T14-30-00.m4a"}}

    def times(**fields):
        entry = user.create_voice(**{"recorded_at": None, "time_zone": None, **fields})["entry"]
        return entry["recorded_at"], entry["local_date"], entry["filename"][:19]

    # The account is in Berlin.
    assert times(**name) == ("2024-07-15T12:30:00.000Z", "2024-07-15", "2024-07-15_14-30-00")
    assert times(time_zone="Asia/Tokyo", **name) == ("2024-07-15T05:30:00.000Z", "2024-07-15", "2024-07-15_14-30-00")
    utc = {"metadata": {"client_filename": "toukan_2024-07-15T14-30-00Z.m4a"}}
    assert times(**utc) == ("2024-07-15T14:30:00.000Z", "2024-07-15", "2024-07-15_16-30-00")
    assert times(recorded_at="2025-01-01T00:00:00Z", **name)[0] == "2025-01-01T00:00:00.000Z"
    key = {"Idempotency-Key": "toukan-1"}
    body = {"kind": "text", "text": "words", **name}
    first, again = (user.call("POST", "/v1/entries", 201, json=body, headers=key) for _ in range(2))
    assert first.json()["entry"] == again.json()["entry"] and again.headers["Idempotency-Replayed"] == "true"


def test_a_batch_takes_it_and_a_zip_brings_it_back(rig):
    user = rig.user()
    operations = [{"op": "create", "entry": {"kind": "text", "text": "words", "metadata": {"cue_id": str(n)}}} for n in range(2)]
    made = user.call("POST", "/v1/entries/batch", 200, json={"operations": operations}).json()["results"]
    assert [result["entry"]["metadata"] for result in made] == [{"cue_id": "0"}, {"cue_id": "1"}]
    zipped = exported(user, formats=["metadata_json"], include_audio=False)
    first = made[0]["entry"]["id"]
    assert zipped.entries[first]["metadata"] == json.loads(zipped.file(first, "metadata_json"))["metadata"] == {"cue_id": "0"}

    other = rig.user()
    assert imported(other, zip_of(user))["counts"]["created"] == 2
    assert len(found(other, cue_id="1")) == 1
