"""What `null` clears in a PATCH, another value clears too: the encoders of Swift and Kotlin leave a `null` out of the body."""

import jsonschema_rs
import pytest

from contract import CONTRACT

CLEARED = {
    "changeProfile": {
        "name": ("Ada", ""),
        "locale": ("de-CH", ""),
        "day_ends_at": ("03:30", "00:00"),
        "languages": (["en", "de"], []),
        "hosted_processing_consent": (True, False),
        "speech_engine": ("scripted", ""),
        "text_engine": ("scripted", ""),
        "vocabulary": (["Kreuzberg"], []),
        "recordings_retention_days": (90, 0),
    },
    "changeEntry": {
        "title": ("By the river", ""),
        "text": ("My own words.", ""),
        "tags": (["walk"], []),
        "mood": ("calm", ""),
        "language": ("de", ""),
        "favorite": (True, False),
        "keep_audio": (True, False),
    },
    "changeTag": {"color": ("#2e7d32", "")},
    "changeExportSchedule": {"kind": ("voice", ""), "tags": (["walk"], []), "keep_last": (3, 0)},
    "correctSegments": {},
    "changeNote": {},
    "correctSegment": {"text": ("Corrected.", ""), "speaker": ("Cem", "")},
    "nameSpeakers": {"name": ("Anna", ""), "speaker_id": ("0198c0de-7a31-7c1e-9d42-5f60718293a4", "")},
    "renameSpeaker": {},
}
"""By operation and member: a value, and what clears it beside null."""

KEPT = {"day", "month", "at", "changes_only", "include_audio", "formats", "mail", "paused"}
"""Members of a schedule that always have a value: null leaves them."""

ANY_VERSION = {"If-Match": "*"}


def test_every_member_that_takes_null_is_listed_and_the_contract_takes_the_value_that_clears_it():
    for method, _, _, operation in CONTRACT.operations:
        if method != "PATCH":
            continue
        name = operation["operationId"]
        schema = CONTRACT.resolve(operation["requestBody"]["content"]["application/json"]["schema"])
        members = schema.get("properties") or CONTRACT.resolve(schema["additionalProperties"])["properties"]
        nullable = {member for member, inner in members.items() if "null" in CONTRACT.resolve(inner)["type"]}
        assert nullable == {*CLEARED[name], *(KEPT if name == "changeExportSchedule" else ())}, name
        validator = jsonschema_rs.Draft202012Validator({**schema, "components": CONTRACT.document["components"]})
        for member, values in CLEARED[name].items():
            for value in values:
                validator.validate({"A": {member: value}} if name == "nameSpeakers" else {member: value})


def check(user, path, operation, cleared, shown=lambda answer: answer, sending=lambda change: change):
    """Sets all members and clears each; `cleared` is what it then is, where that is not null."""
    for member, (value, nothing) in CLEARED[operation].items():
        for clearing in (nothing, None):
            for sent, expected in ((value, value), (clearing, cleared.get(member))):
                answer = user.call("PATCH", path, 200, json=sending({member: sent}), headers=ANY_VERSION).json()
                assert shown(answer)[member] == expected, (operation, member, sent)


def test_a_profile_is_cleared_without_null(rig):
    user = rig.user()
    cleared = {"day_ends_at": "00:00", "languages": [], "hosted_processing_consent": False, "vocabulary": []}
    check(user, "/v1/me", "changeProfile", cleared)


def test_an_entry_its_segments_and_speakers_are_cleared_without_null(rig):
    rig.script("speech", segments=[{"text": "hello hannah", "speaker": "A"}])
    user = rig.user()
    entry_id = user.record()
    heard = user.wait_done(entry_id)["text"]
    path = f"/v1/entries/{entry_id}"
    check(user, path, "changeEntry", {"text": heard, "tags": [], "favorite": False, "keep_audio": False})
    check(user, f"{path}/segments/1", "correctSegment", {"text": "hello hannah", "speaker": "A"})
    user.call("POST", "/v1/speakers", 201, json={"id": CLEARED["nameSpeakers"]["speaker_id"][0], "name": "Anna"})
    check(user, f"{path}/speakers", "nameSpeakers", {}, lambda answer: answer["items"][0], lambda change: {"A": change})


def test_a_tag_loses_its_colour_without_null(rig):
    user = rig.user()
    user.create_text("words", tags=["garden"])
    check(user, "/v1/tags/garden", "changeTag", {})


def test_a_schedule_is_cleared_without_null_and_null_leaves_what_always_has_a_value(rig):
    user = rig.user()
    schedule = user.call("POST", "/v1/export-schedules", 201, json={"every": "month", "day": 3, "at": "07:00"}).json()
    path = f"/v1/export-schedules/{schedule['id']}"
    check(user, path, "changeExportSchedule", {"tags": []})
    left = user.call("PATCH", path, 200, json=dict.fromkeys(sorted(KEPT))).json()
    assert left == {**schedule, "version": left["version"], "updated_at": left["updated_at"]}


@pytest.mark.parametrize("terms", [{"keep_last": 0}, {"kind": ""}])
def test_a_new_schedule_takes_nothing_that_only_clears(rig, terms):
    refused = rig.user().call("POST", "/v1/export-schedules", 422, json={"every": "day", **terms}).json()
    assert [error["pointer"] for error in refused["errors"]] == [f"/{name}" for name in terms]
