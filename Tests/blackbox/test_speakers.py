"""Speakers of an account: recordings point to them, a new name shows everywhere, and a deleted one leaves its name."""

import json
import re
import secrets
import uuid

from export_reading import exported
from test_reprocess import reprocess
from test_segments import SPOKEN, correct, transcript
from whole_diary import zip_of
from zips import imported, report

ANY_VERSION = {"If-Match": "*"}


def speaker(user, name, **more):
    return user.call("POST", "/v1/speakers", 201, json={"name": name, **more}).json()


def point(user, entry_id, names, expect=200):
    return user.call("PATCH", f"/v1/entries/{entry_id}/speakers", expect, json=names, headers=ANY_VERSION).json()


def meeting(rig, *profiles, user=None):
    """A recording of two, of whom the first ones have these profiles."""
    rig.script("speech", segments=SPOKEN)
    user = user or rig.user()
    entry_id = user.record(secrets.token_bytes(2_000))
    user.wait_done(entry_id)
    if profiles:
        point(user, entry_id, {label: {"speaker_id": one["id"]} for label, one in zip("AB", profiles, strict=False)})
    return user, entry_id


def changes(user, since):
    return user.call("GET", f"/v1/changes?since={since}", 200).json()


def since(user):
    return user.call("GET", "/v1/changes", 200).json()["next_since"]


def test_a_new_name_is_one_change_of_the_feed_and_shows_in_every_form_of_every_recording(rig):
    user = rig.user()
    anna = speaker(user, " Ana ")
    assert (anna["name"], anna["version"], anna["deleted_at"]) == ("Ana", 1, None)
    entries = [meeting(rig, anna, user=user)[1] for _ in range(2)]
    assert transcript(user, entries[0])["speakers"] == [
        {"id": "A", "name": "Ana", "speaker_id": anna["id"]},
        {"id": "B", "name": None, "speaker_id": None},
    ]
    position = since(user)

    renamed = user.call("PATCH", f"/v1/speakers/{anna['id']}", 200, json={"name": "Anna *Berg*"})

    assert renamed.headers["etag"] == '"2"' and renamed.json()["created_at"] == anna["created_at"]
    feed = changes(user, position)
    assert (feed["items"], feed["deleted"], feed["has_more"]) == ([], [], False)
    assert feed["speakers"] == [renamed.json()] == user.call("GET", "/v1/speakers", 200).json()["items"]
    # The same name again is no change.
    user.call("PATCH", f"/v1/speakers/{anna['id']}", 200, json={"name": "Anna *Berg*"})
    assert changes(user, feed["next_since"])["speakers"] == []

    lines = ["Anna *Berg*: hello hannah", "B: good morning doctor brown", "Anna *Berg*: shall we begin"]
    zipped = exported(user, formats=["txt", "md", "srt", "metadata_json"], include_audio=False)
    for entry_id in entries:
        assert transcript(user, entry_id)["speakers"][0]["name"] == "Anna *Berg*"
        assert transcript(user, entry_id, "/file?format=txt&layer=corrected").splitlines() == lines
        assert "Anna *Berg*: hello" in transcript(user, entry_id, "/file?format=srt")
        assert re.findall(r"^<v (.*?)>", transcript(user, entry_id, "/file?format=vtt"), re.M) == ["Anna *Berg*", "B", "Anna *Berg*"]
        assert zipped.file(entry_id, "txt").decode().splitlines()[-3:] == lines
        assert zipped.file(entry_id, "md").decode().endswith("**B:** good morning doctor brown\n\n**Anna \\*Berg\\*:** shall we begin\n")
        assert "Anna *Berg*: hello" in zipped.file(entry_id, "srt").decode()
        shown = json.loads(zipped.file(entry_id, "metadata_json"))["speakers"]
        assert shown == [{"id": "speaker-1", "displayName": "Anna *Berg*"}, {"id": "speaker-2", "displayName": "B"}]
        assert zipped.entries[entry_id]["speakers"][0] == {"id": "A", "name": "Anna *Berg*", "speaker_id": anna["id"]}
    assert zipped.read("index.html").decode().count("<bdi>Anna *Berg*</bdi>") == 4


def test_a_deleted_speaker_leaves_its_last_name_in_the_recordings(rig):
    user = rig.user()
    anna = speaker(user, "Ana")
    _, entry_id = meeting(rig, anna, user=user)
    user.call("PATCH", f"/v1/speakers/{anna['id']}", 200, json={"name": "Anna"})
    position, before = since(user), user.entry(entry_id)

    user.call("DELETE", f"/v1/speakers/{anna['id']}", 204)

    feed = changes(user, position)
    assert feed["items"] == [] and user.entry(entry_id) == before, "no entry changes with it"
    [gone] = feed["speakers"]
    assert gone["id"] == anna["id"] and gone["name"] is None and gone["deleted_at"]
    kept = [{"id": "A", "name": "Anna", "speaker_id": None}, {"id": "B", "name": None, "speaker_id": None}]
    assert transcript(user, entry_id)["speakers"] == kept
    assert exported(user, include_audio=False).entries[entry_id]["speakers"] == [{"id": "A", "name": "Anna"}, {"id": "B"}]
    assert user.call("GET", "/v1/speakers", 200).json()["items"] == []
    user.call("DELETE", f"/v1/speakers/{anna['id']}", 404)
    user.call("PATCH", f"/v1/speakers/{anna['id']}", 404, json={"name": "x"})
    taken = user.call("POST", "/v1/speakers", 409, json={"id": anna["id"], "name": "Ana"}).json()
    assert taken["code"] == "speaker_id_taken"
    assert point(user, entry_id, {"B": {"speaker_id": anna["id"]}}, 422)["errors"][0]["pointer"] == "/B/speaker_id"
    # A later change keeps the name, too.
    correct(user, entry_id, 2, "Good morning, Doctor Brown.")
    assert transcript(user, entry_id)["speakers"] == kept
    # The row goes when no recording shows it any more.
    old = "update speaker_profiles set deleted_at = deleted_at - interval '91 days' where id = %s returning 1"
    assert rig.postgres.sql("diary", old, anna["id"]) == [(1,)]
    there = f"select count(*) from speaker_profiles where id = '{anna['id']}'"
    user.call("DELETE", f"/v1/entries/{entry_id}", 204)
    rig.postgres.sql("diary", "select sweep_speaker_profiles(1000)", user="diary_worker")
    assert rig.postgres.sql("diary", there) == [(0,)]


def test_a_speaker_is_made_once_by_its_id_or_its_key(rig):
    user = rig.user()
    id, key = str(uuid.uuid4()), {"Idempotency-Key": secrets.token_hex(8)}
    first = user.call("POST", "/v1/speakers", 201, json={"id": id, "name": "Anna"})
    again = user.call("POST", "/v1/speakers", 201, json={"id": id, "name": "Anna"})
    assert again.json() == first.json() and again.headers["idempotency-replayed"] == "true"
    # A retry is one although another device has renamed it.
    user.call("PATCH", f"/v1/speakers/{id}", 200, json={"name": "Anna Berg"})
    assert user.call("POST", "/v1/speakers", 201, json={"id": id, "name": "Anna"}).json()["name"] == "Anna Berg"
    assert user.call("POST", "/v1/speakers", 409, json={"id": id, "name": "Ben"}).json()["code"] == "speaker_id_taken"

    made = [user.call("POST", "/v1/speakers", 201, json={"name": "Ben"}, headers=key) for _ in range(2)]
    assert made[0].json() == made[1].json() and made[1].headers["idempotency-replayed"] == "true"
    assert user.call("POST", "/v1/speakers", 422, json={"name": "Cem"}, headers=key).json()["code"] == "idempotency_mismatch"
    assert [one["name"] for one in user.call("GET", "/v1/speakers", 200).json()["items"]] == ["Anna Berg", "Ben"]
    user.call("DELETE", f"/v1/speakers/{made[0].json()['id']}", 204)
    assert user.call("POST", "/v1/speakers", 409, json={"name": "Ben"}, headers=key).json()["code"] == "speaker_id_taken"
    for wrong in ({"name": " \t"}, {"name": ""}, {}, {"name": "x" * 61}, {"name": "x", "color": "red"}, {"name": "x", "id": "7"}):
        user.call("POST", "/v1/speakers", 422, json=wrong)

    # Another account may have the same id, and does not see this one.
    other = rig.user()
    assert speaker(other, "Cem", id=id)["name"] == "Cem"
    other.call("PATCH", f"/v1/speakers/{made[0].json()['id']}", 404, json={"name": "x"})


def test_an_account_has_at_most_500_speakers(rig):
    user = rig.user()
    fill = """
        insert into speaker_profiles (tenant_id, user_id, id, change_number, sealed, version, key_id, request_hash)
        select s.tenant_id, s.user_id, gen_random_uuid(), 1000000 + n, 'x', 1, s.key_id, '' from user_sync s, generate_series(1, 499) n
        where s.user_id = %s returning 1
    """
    assert len(rig.postgres.sql("diary", fill, user.id)) == 499
    last = speaker(user, "Anna")
    assert user.call("POST", "/v1/speakers", 409, json={"name": "Ben"}).json()["code"] == "too_many_speakers"
    # Those that were altered in the database do not open, and leave the others.
    assert [one["name"] for one in user.call("GET", "/v1/speakers", 200).json()["items"] if one["name"]] == ["Anna"]
    user.call("DELETE", f"/v1/speakers/{last['id']}", 204)
    speaker(user, "Ben")


def test_a_name_that_another_device_has_changed_is_not_overwritten_unseen(rig):
    user = rig.user()
    anna = speaker(user, "Anna")
    path = f"/v1/speakers/{anna['id']}"
    user.call("PATCH", path, 200, json={"name": "Anna Berg"}, headers={"If-Match": '"1"'})
    refused = user.call("PATCH", path, 412, json={"name": "Ana"}, headers={"If-Match": '"1"'})
    assert refused.json()["current_speaker"]["name"] == "Anna Berg" and refused.headers["etag"] == '"2"'
    user.call("PATCH", path, 200, json={"name": "Ana"}, headers={"If-Match": '"1", "2"'})


def test_recordings_are_listed_by_speaker(rig):
    user = rig.user()
    anna, ben = speaker(user, "Anna"), speaker(user, "Ben")
    _, both = meeting(rig, anna, ben, user=user)
    _, one = meeting(rig, anna, user=user)

    def listed(id):
        return {entry["id"] for entry in user.call("GET", "/v1/entries", 200, params={"speaker": id}).json()["items"]}

    assert (listed(anna["id"]), listed(ben["id"]), listed(str(uuid.uuid4()))) == ({both, one}, {both}, set())
    assert user.call("GET", "/v1/entries?speaker=Anna", 422).json()["errors"][0]["pointer"] == "query/speaker"
    assert user.call("GET", f"/v1/entries?since=0&speaker={anna['id']}", 422).json()["errors"][0]["pointer"] == "query/speaker"
    # A plain name, and no profile, take the recording out of the list.
    assert point(user, both, {"A": {"name": "Anna"}, "B": {"speaker_id": None}})["items"] == [
        {"id": "A", "name": "Anna", "speaker_id": None},
        {"id": "B", "name": "Ben", "speaker_id": None},
    ]
    assert (listed(anna["id"]), listed(ben["id"])) == ({one}, set())
    # So does another recognition, whose labels may be other people.
    reprocess(user, one, stage="transcribe")
    user.wait_done(one)
    assert listed(anna["id"]) == set() and transcript(user, one)["speakers"][0] == {"id": "A", "name": None, "speaker_id": None}


def test_another_accounts_speaker_is_none(rig):
    owner, (user, entry_id) = rig.user(), meeting(rig)
    theirs = speaker(owner, "Anna")
    missing = point(user, entry_id, {"A": {"speaker_id": str(uuid.uuid4())}}, 422)
    foreign = point(user, entry_id, {"A": {"speaker_id": theirs["id"]}}, 422)
    assert foreign["errors"] == missing["errors"] and foreign["errors"][0]["pointer"] == "/A/speaker_id"
    assert transcript(user, entry_id)["speakers"][0]["name"] is None


def test_an_own_zip_brings_its_speakers(rig):
    user = rig.user()
    anna, unheard, gone = (speaker(user, name) for name in ("Anna", "Not heard yet", "Gone"))
    user.call("DELETE", f"/v1/speakers/{gone['id']}", 204)
    entries = {meeting(rig, anna, user=user)[1] for _ in range(2)}
    content = zip_of(user)
    other = rig.user()
    position = since(other)

    assert imported(other, content)["counts"]["created"] == 2

    brought = changes(other, position)["speakers"]
    assert {(one["id"], one["name"]) for one in brought} == {(one["id"], one["name"]) for one in (anna, unheard)}
    listed = other.call("GET", f"/v1/entries?speaker={anna['id']}", 200).json()["items"]
    assert {entry["id"] for entry in listed} == entries
    other.call("PATCH", f"/v1/speakers/{anna['id']}", 200, json={"name": "Anna Berg"})
    for entry_id in entries:
        assert transcript(other, entry_id)["speakers"][0] == {"id": "A", "name": "Anna Berg", "speaker_id": anna["id"]}
    again = imported(other, content)
    assert again["counts"]["unchanged"] == 2 and report(other, again["id"]) == []
    assert {one["name"] for one in other.call("GET", "/v1/speakers", 200).json()["items"]} == {"Anna Berg", "Not heard yet"}
    chosen = exported(user, formats=["txt"], include_audio=False, entry_ids=sorted(entries)).manifest
    assert "speakers" not in chosen, "a zip of chosen entries does not tell of others"


def test_speakers_are_guessed_at_pauses_where_the_app_wants_that(rig):
    slug = "guess-" + secrets.token_hex(3)
    rig.tenant(slug)
    rig.diary("tenant", "set", slug, "speech.guess_speakers=on")
    rig.wait_for_app(slug)
    said = ["hello hannah", "fine thanks", "good"]
    rig.script("speech", segments=[{"text": text} for text in said])
    user = rig.user(app=slug)
    entry_id = user.record()
    user.wait_done(entry_id)

    shown = transcript(user, entry_id)["segments"]
    assert [(one["speaker"], one["marks"]) for one in shown] == [(label, ["guessed_speaker"]) for label in "ABA"]
    corrected = user.call("PATCH", f"/v1/entries/{entry_id}/segments/2", 200, json={"speaker": "A"}, headers=ANY_VERSION).json()
    assert (corrected["speaker"], corrected["marks"]) == ("A", [])
    # An engine that tells speakers is believed.
    rig.script("speech", segments=[{"text": text, "speaker": "X"} for text in said])
    reprocess(user, entry_id, stage="transcribe")
    user.wait_done(entry_id)
    assert {(one["speaker"], *one["marks"]) for one in transcript(user, entry_id)["segments"]} == {("X",)}
