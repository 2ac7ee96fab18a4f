"""Entries: retries, editing, deleting, the feed and the listing by date."""

import hashlib
import secrets
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest

from user import SAMPLE

MERGE_PATCH = {"Content-Type": "application/merge-patch+json"}


def test_a_7_idempotent_creation(rig):
    """A7: 50 parallel identical requests make one entry and give one answer."""
    user = rig.user()
    key = secrets.token_hex(8)
    body = {"kind": "text", "text": "once", "recorded_at": "2026-03-01T12:00:00Z"}

    def create(_):
        return user.call("POST", "/v1/entries", 201, json=body, headers={"Idempotency-Key": key}).json()["entry_id"]

    with ThreadPoolExecutor(16) as pool:
        assert len(set(pool.map(create, range(50)))) == 1
    assert len(user.call("GET", "/v1/entries", 200).json()["items"]) == 1
    refused = user.call("POST", "/v1/entries", 422, json={**body, "text": "twice"}, headers={"Idempotency-Key": key})
    assert refused.json()["code"] == "idempotency_mismatch"
    other = rig.user()
    other.call("POST", "/v1/entries", 201, json={**body, "text": "mine"}, headers={"Idempotency-Key": key})


def test_a_client_made_id_makes_a_retry_safe(rig):
    user = rig.user()
    mine = str(uuid.uuid4())
    body = {"id": mine, "kind": "text", "text": "once", "recorded_at": "2026-03-01T12:00:00Z"}
    first = user.call("POST", "/v1/entries", 201, json=body)
    second = user.call("POST", "/v1/entries", 201, json=body)
    assert first.json()["entry_id"] == second.json()["entry_id"] == mine
    assert second.headers["Idempotency-Replayed"] == "true"
    assert user.call("POST", "/v1/entries", 409, json={**body, "text": "other"}).json()["code"] == "entry_id_taken"
    user.call("DELETE", f"/v1/entries/{body['id']}", 204)
    assert user.call("POST", "/v1/entries", 410, json=body).json()["code"] == "entry_deleted"
    # The same id is free in another account.
    rig.user().call("POST", "/v1/entries", 201, json={**body, "text": "another person's"})


def test_patch_compares_versions_and_machine_text_stays(rig):
    user = rig.user()
    entry_id = user.record(title="before")
    entry = user.wait_done(entry_id)
    tag = user.call("GET", f"/v1/entries/{entry_id}", 200).headers["etag"]
    user.call("PATCH", f"/v1/entries/{entry_id}", 428, json={"title": "x"})
    changed = user.call(
        "PATCH", f"/v1/entries/{entry_id}", 200, json={"title": "after", "text": "mine", "tags": ["a", "b"]}, headers={"If-Match": tag}
    )
    body = changed.json()
    assert (body["title"], body["text"], body["transcript_edited"], body["tags"]) == ("after", "mine", "mine", ["a", "b"])
    assert body["transcript_clean"] == entry["transcript_clean"]
    late = user.call("PATCH", f"/v1/entries/{entry_id}", 412, json={"title": "late"}, headers={"If-Match": tag})
    assert late.json()["code"] == "precondition_failed" and late.json()["current"] == body
    assert late.headers["etag"] == changed.headers["etag"]
    assert user.call("DELETE", f"/v1/entries/{entry_id}", 412, headers={"If-Match": tag}).json()["current"] == body
    cleared = user.call("PATCH", f"/v1/entries/{entry_id}", 200, json={"text": None}, headers={"If-Match": changed.headers["etag"]}).json()
    assert cleared["text"] == entry["transcript_clean"] and cleared["transcript_edited"] is None


def test_a_patch_that_changes_nothing_keeps_the_version_and_is_not_in_the_feed(rig):
    user = rig.user()
    words = {"title": "a title", "text": "mine", "tags": ["a", "b"], "mood": "calm", "language": "de-CH"}
    whole = {**words, "favorite": True, "keep_audio": False}
    times = {"recorded_at": "2026-02-02T12:00:00.123456+01:00", "time_zone": "Europe/Berlin"}
    entry_id = user.create_text("words", **times)["entry_id"]
    path = f"/v1/entries/{entry_id}"
    made = user.call("PATCH", path, 200, json=whole, headers={"If-Match": "*"})
    since = user.call("GET", "/v1/changes", 200).json()["next_since"]

    shown = {"recorded_at": made.json()["recorded_at"]}
    assert shown["recorded_at"] == "2026-02-02T11:00:00.123Z", "cut to a millisecond"

    for match in (made.headers["etag"], "*"):
        for body in (
            {},
            whole,
            times,
            shown,
            {**whole, "recorded_at": "2026-02-02T11:00:00.123456Z"},
            *({name: whole[name]} for name in whole),
        ):
            again = user.call("PATCH", path, 200, json=body, headers={"If-Match": match})
            assert (again.json(), again.headers["etag"]) == (made.json(), made.headers["etag"]), body
    assert user.call("GET", f"/v1/changes?since={since}", 200).json()["items"] == []

    # It is refused as any other where the version is another or the body is wrong.
    assert user.call("PATCH", path, 412, json={}, headers={"If-Match": '"1"'}).json()["current"] == made.json()
    changed = user.call("PATCH", path, 200, json={"tags": ["b", "a"]}, headers={"If-Match": made.headers["etag"]}).json()
    assert changed["version"] == made.json()["version"] + 1
    # A time as it was shown, beside a change: the stored one keeps its microseconds.
    changed = user.call("PATCH", path, 200, json={"tags": ["a"], **shown}, headers={"If-Match": "*"}).json()
    assert user.call("PATCH", path, 200, json=times, headers={"If-Match": "*"}).json()["version"] == changed["version"]
    assert [e["id"] for e in user.call("GET", f"/v1/changes?since={since}", 200).json()["items"]] == [entry_id]


@pytest.mark.parametrize("nothing", [None, ""])
def test_title_mood_and_an_edited_text_are_cleared_by_null_and_by_an_empty_text(rig, nothing):
    """Encoders of Swift and Kotlin leave a null out of the body: `""` is what they can send."""
    user = rig.user()
    entry_id = user.record(title="before", mood="calm")
    entry = user.wait_done(entry_id)
    user.call("PATCH", f"/v1/entries/{entry_id}", 200, json={"text": "mine"}, headers={"If-Match": "*"})
    body = {"title": nothing, "mood": nothing, "text": nothing}
    cleared = user.call("PATCH", f"/v1/entries/{entry_id}", 200, json=body, headers={"If-Match": "*"}).json()
    assert (cleared["title"], cleared["mood"], cleared["transcript_edited"]) == (None, None, None)
    assert cleared["text"] == entry["transcript_clean"]
    text = user.create_text("words", title="", mood="")
    assert (text["entry"]["title"], text["entry"]["mood"]) == (None, None)
    refused = user.call("PATCH", f"/v1/entries/{text['entry_id']}", 422, json={"text": nothing}, headers={"If-Match": "*"}).json()
    assert [error["pointer"] for error in refused["errors"]] == ["/text"]
    user.call("PATCH", f"/v1/entries/{text['entry_id']}", 200, data='{"title":"by merge patch"}', headers={"If-Match": "*", **MERGE_PATCH})


def test_a_corrected_time_or_zone_moves_the_day_and_the_time_in_the_file_name(rig):
    user = rig.user()
    made = user.create_voice(recorded_at="2026-02-02T12:00:00Z", time_zone="Europe/Berlin")
    path, digits = f"/v1/entries/{made['entry_id']}", made["entry_id"][-8:]
    since = user.call("GET", "/v1/changes", 200).json()["next_since"]
    later = user.call("PATCH", path, 200, json={"recorded_at": "2026-02-03T23:30:00+01:00"}, headers={"If-Match": "*"}).json()
    assert (later["local_date"], later["filename"]) == ("2026-02-03", f"2026-02-03_23-30-00_{digits}.m4a")
    moved = user.call("PATCH", path, 200, json={"time_zone": "Asia/Tokyo"}, headers={"If-Match": f'"{later["version"]}"'}).json()
    assert (moved["recorded_at"], moved["local_date"]) == ("2026-02-03T22:30:00.000Z", "2026-02-04")
    assert moved["filename"] == f"2026-02-04_07-30-00_{digits}.m4a"
    assert [e["local_date"] for e in user.call("GET", f"/v1/changes?since={since}", 200).json()["items"]] == ["2026-02-04"]
    refused = user.call("PATCH", path, 422, json={"time_zone": "Europe/Berlln"}, headers={"If-Match": "*"}).json()
    assert [error["pointer"] for error in refused["errors"]] == ["/time_zone"]


def test_the_tag_of_an_entry_is_that_of_its_owners_changes_and_no_cache_key(rig):
    user = rig.user()
    made = user.create_voice()
    path = f"/v1/entries/{made['entry_id']}"
    before = user.call("GET", path, 200)
    user.put(made["upload"])
    user.complete(made["entry_id"])
    assert user.wait_done(made["entry_id"])["text"] and before.json()["text"] is None
    tag = {"If-None-Match": before.headers["ETag"]}
    for form in ("", "/transcript", "/transcript/file?format=txt"):
        assert user.call("GET", path + form, 200, headers=tag).headers["ETag"] == before.headers["ETag"]
    user.call("PATCH", path, 200, json={"title": "after"}, headers={"If-Match": before.headers["ETag"]})


def test_an_entry_without_work_has_no_processing_and_one_that_failed_says_why(rig):
    rig.script("speech", fail="permanent")
    user = rig.user()
    assert "processing" not in user.create_text("words")["entry"]
    failed = user.wait_done(user.record(), status="failed")
    assert failed["processing"]["stage"] == "transcribe"


def test_a_day_is_a_date_or_the_date_of_a_date_time(rig):
    """Clients generated from `format: date` send days as date-times, some with the sign of the offset unescaped."""
    user = rig.user()
    made = user.create_text("x", recorded_at="2026-02-02T12:00:00Z", time_zone="Europe/Berlin")["entry_id"]
    for day in ("2026-02-02", "2026-02-02T00:00:00Z", "2026-02-02T23:59:59.999-11:00", "2026-02-02T00:30:00+02:00"):
        listed = user.call("GET", "/v1/entries", 200, params={"from": day, "to": day}).json()
        assert [e["id"] for e in listed["items"]] == [made], day
        export = user.call("POST", "/v1/exports", 202, json={"from": day, "to": day}).json()
        assert (export["from"], export["to"]) == ("2026-02-02", "2026-02-02"), day
    assert user.call("GET", "/v1/entries?from=2026-02-02T00:30:00+02:00", 200).json()["items"]
    for wrong in ("2026-02-02T", "2026-02-02 ", "2026-02-02T25:00:00Z", "2026-02-30T00:00:00Z", "2026-02-02T00:00:00", "x2026-02-02"):
        refused = user.call("GET", "/v1/entries", 422, params={"from": wrong}).json()
        assert [error["pointer"] for error in refused["errors"]] == ["query/from"], wrong
        refused = user.call("POST", "/v1/exports", 422, json={"from": wrong, "to": "2026-02-02"}).json()
        assert [error["pointer"] for error in refused["errors"]] == ["/from"], wrong


def test_a_deleted_entry_leaves_a_tombstone_and_nothing_else(rig):
    user = rig.user()
    entry_id = user.record(title="gone soon")
    user.wait_done(entry_id)
    position = user.call("GET", "/v1/changes", 200).json()["next_since"]
    user.call("DELETE", f"/v1/entries/{entry_id}", 204)
    user.call("GET", f"/v1/entries/{entry_id}", 404)
    user.call("DELETE", f"/v1/entries/{entry_id}", 404)
    feed = user.call("GET", f"/v1/changes?since={position}", 200).json()
    assert feed["items"] == [] and [e["id"] for e in feed["deleted"]] == [entry_id] and feed["deleted"][0]["deleted_at"]
    assert user.call("GET", "/v1/entries?from=2026-01-01", 200).json()["items"] == []
    rows = rig.postgres.sql("diary", "select personal, machine from entries where id = %s", entry_id)
    assert rows == [(None, None)]
    assert rig.postgres.sql("diary", "select count(*) from entry_segments where entry_id = %s", entry_id) == [(0,)]
    assert not rig.store.files_of(user.id)


def test_the_feed_pages_without_a_gap(rig):
    user = rig.user()
    made = [user.create_text(f"entry {i}")["entry_id"] for i in range(25)]
    seen, position = [], None
    while True:
        page = user.call("GET", "/v1/changes", 200, params={"limit": 7, **({"since": position} if position else {})}).json()
        seen += [e["id"] for e in page["items"]]
        position = page["next_since"]
        if not page["has_more"]:
            break
    assert seen == made
    assert user.call("GET", "/v1/changes", 200, params={"since": position}).json()["items"] == []
    user.create_text("one more")
    assert len(user.call("GET", "/v1/changes", 200, params={"since": position}).json()["items"]) == 1
    user.call("GET", "/v1/changes", 422, params={"since": "garbage"})


def test_a_position_from_another_life_of_the_database_is_gone(rig):
    user = rig.user()
    for i in range(5):
        user.create_text(str(i))
    position = user.call("GET", "/v1/changes", 200).json()["next_since"]
    other = rig.user()
    gone = other.call("GET", "/v1/changes", 410, params={"since": position}).json()
    assert gone["code"] == "sync_cursor_expired"
    assert all(word in gone["detail"] for word in ("without since", "remove", "not sent")), "what a client must do"


def test_the_listing_by_date_pages_both_ways(rig):
    user = rig.user()
    days = [f"2026-02-{d:02d}T23:30:00Z" for d in range(1, 11)]
    made = [user.create_text(d, recorded_at=d, time_zone="Europe/Berlin")["entry_id"] for d in days]
    for order, expected in (("desc", made[::-1]), ("asc", made)):
        seen, cursor = [], None
        while True:
            page = user.call(
                "GET", "/v1/entries", 200, params={"order": order, "limit": 3, **({"cursor": cursor} if cursor else {})}
            ).json()
            seen += [e["id"] for e in page["items"]]
            cursor = page["next_cursor"]
            if not cursor:
                break
        assert seen == expected
    # 23:30 UTC is the next day in Berlin.
    page = user.call("GET", "/v1/entries", 200, params={"from": "2026-02-02", "to": "2026-02-02"}).json()
    assert [e["id"] for e in page["items"]] == [made[0]] and page["items"][0]["local_date"] == "2026-02-02"


def test_the_listing_sorts_by_duration_and_by_last_change(rig):
    user = rig.user()
    day = {"recorded_at": "2026-02-02T12:00:00Z"}
    long = user.create_voice(duration_s=90.25, **day)["entry_id"]
    text = user.create_text("no sound", **day)["entry_id"]
    short = user.create_voice(duration_s=3, **day)["entry_id"]
    same = user.create_voice(duration_s=3, **day)["entry_id"]
    user.call("PATCH", f"/v1/entries/{text}", 200, json={"title": "Last"}, headers={"If-Match": "*"})

    def walk(**query):
        seen, cursor = [], {}
        while cursor is not None:
            page = user.call("GET", "/v1/entries", 200, params={"limit": 1, **query, **cursor}).json()
            seen += [e["id"] for e in page["items"]]
            cursor = {"cursor": page["next_cursor"]} if page["has_more"] else None
        return seen

    less, more = sorted((short, same))
    assert walk(sort="duration") == [long, more, less, text]
    assert walk(sort="duration", order="asc") == [text, less, more, long]
    assert walk(sort="duration", kind="voice") == [long, more, less]
    assert walk(sort="updated_at") == [text, same, short, long]
    assert walk(sort="updated_at", order="asc", **{"from": "2026-02-02", "to": "2026-02-02"}) == [long, short, same, text]
    assert walk(sort="recorded_at") == walk()
    cursor = user.call("GET", "/v1/entries", 200, params={"limit": 1, "sort": "duration"}).json()["next_cursor"]
    for query in ({"cursor": cursor}, {"cursor": cursor, "sort": "updated_at"}):
        refused = user.call("GET", "/v1/entries", 422, params=query).json()
        assert [e["pointer"] for e in refused["errors"]] == ["query/cursor"]


def test_the_listing_filters_summarises_and_counts_days(rig):
    user = rig.user()
    day = {"time_zone": "Europe/Berlin", "recorded_at": "2026-02-02T12:00:00Z"}
    walk = user.create_text("by the river", tags=["Fluß", "walk"], mood="calm", favorite=True, **day)["entry"]
    made = user.create_text("at home", tags=["home"], **{**day, "recorded_at": "2026-02-03T12:00:00Z"})["entry"]
    waiting = user.create_voice(recorded_at="2026-02-03T13:00:00Z", duration_s=12.5)["entry"]

    def ids(**query):
        return [e["id"] for e in user.call("GET", "/v1/entries", 200, params=query).json()["items"]]

    assert (walk["favorite"], made["favorite"]) == (True, False)
    assert ids() == [waiting["id"], made["id"], walk["id"]]
    assert ids(tag="FLUSS") == ids(mood="Calm") == ids(favorite="true") == [walk["id"]]
    assert ids(tag="home") == [made["id"]]
    assert ids(kind="voice") == ids(status="awaiting_upload") == [waiting["id"]]
    assert ids(tag="river") == ids(tag="home", favorite="true") == []
    user.call("PATCH", f"/v1/entries/{made['id']}", 200, json={"favorite": True, "tags": ["garden"]}, headers={"If-Match": "*"})
    assert ids(favorite="true", tag="garden") == [made["id"]] and ids(tag="home") == []
    for path in ("/v1/entries", "/v1/changes"):
        short = {e["id"]: e for e in user.call("GET", path, 200, params={"view": "summary"}).json()["items"]}
        assert short[walk["id"]] == {**walk, "text": None, "transcript_edited": None, "excerpt": "by the river"}
    counted = user.call("GET", "/v1/entries/days", 200, params={"month": "2026-02"}).json()["items"]
    assert [(d["local_date"], d["entries"], d["recordings"], d["duration_s"]) for d in counted] == [
        ("2026-02-02", 1, 0, 0),
        ("2026-02-03", 2, 1, 12.5),
    ]
    assert user.call("GET", "/v1/entries/days", 200, params={"year": "2026"}).json()["items"] == counted


def test_upload_urls_bind_what_they_sign_and_never_overwrite(rig):
    user = rig.user()
    audio = SAMPLE.read_bytes()
    made = user.create_voice()
    upload = made["upload"]
    user.complete(made["entry_id"], 409)
    assert user.put(upload, audio[:-1], expect=None).status_code in (400, 403)
    typed = {**upload, "headers": {**upload["headers"], "Content-Type": "audio/mpeg"}}
    assert user.put(typed, expect=None).status_code == 403
    assert user.put({**upload, "url": upload["url"].replace("X-Amz-Expires=900", "X-Amz-Expires=901")}, expect=None).status_code == 403
    # Asked for before the bytes are there: then the sweeper may be first, and nothing waits any more.
    again = user.call("POST", f"/v1/uploads/{made['entry_id']}/url", 200).json()
    user.put(upload)
    assert user.put(upload, expect=None).json()["code"] == "upload_exists"
    assert user.put(again["upload"], expect=None).status_code == 412
    user.complete(made["entry_id"])
    user.complete(made["entry_id"])
    user.wait_done(made["entry_id"])
    assert user.call("POST", f"/v1/uploads/{made['entry_id']}/url", 409).json()["code"] == "upload_finished"


def test_an_upload_needs_no_header_that_a_phone_or_browser_cannot_set_and_bears_the_apps_own(rig):
    user = rig.user()
    made = user.create_voice(sha256=hashlib.sha256(SAMPLE.read_bytes()).hexdigest())
    upload = made["upload"]
    assert set(upload["headers"]) == {"Content-Type", "x-amz-checksum-sha256"}
    own = {"Authorization": "Bearer " + user.tokens["access_token"], "Diary-App": user.app, "Accept-Language": "de"}
    user.put({**upload, "headers": {**upload["headers"], **own}})
    user.complete(made["entry_id"])
    user.wait_done(made["entry_id"])


def test_a_wrong_checksum_is_refused_and_nothing_is_kept(rig):
    user = rig.user()
    audio = SAMPLE.read_bytes()
    made = user.create_voice(sha256="00" * 32)
    assert user.put(made["upload"], audio, expect=None).status_code == 403
    user.complete(made["entry_id"], 409)


def test_an_upload_that_the_app_never_completed_is_found(rig):
    user = rig.user()
    made = user.create_voice()
    user.put(made["upload"])
    user.wait_done(made["entry_id"], 30)


def test_a_failed_recording_says_why_and_can_be_tried_again(rig):
    rig.script("speech", fail="permanent")
    user = rig.user()
    entry_id = user.record()
    failed = user.wait_done(entry_id, status="failed")
    assert failed["processing"]["code"] and failed["processing"]["stage"] == "transcribe"
    rig.unscript()
    user.retry(entry_id)
    user.wait_done(entry_id)
    assert user.retry(entry_id, 409).json()["code"] == "reprocess_not_possible"


def test_a_provider_that_stumbles_is_asked_again(rig):
    rig.script("speech", fail="retry", times=2, calls_log=str(rig.folder / f"calls-{secrets.token_hex(4)}"))
    user = rig.user()
    user.wait_done(user.record())
