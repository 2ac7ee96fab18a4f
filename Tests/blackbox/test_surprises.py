"""Surprises of the contract review, each mended or said."""

import datetime

from user import SAMPLE, sha256


def patch(user, entry_id, expect=200, **members):
    return user.call("PATCH", f"/v1/entries/{entry_id}", expect, json=members, headers={"If-Match": "*"}).json()


def test_8_a_refused_upload_says_which_header(shared_rig):
    user, audio = shared_rig.user(), SAMPLE.read_bytes()
    upload = user.create_voice(audio, sha256=sha256(audio))["upload"]

    def detail(body=audio, **change):
        headers = {name: value for name, value in {**upload["headers"], **change}.items() if value}
        answer = user.put({**upload, "headers": headers}, body, expect=403).json()
        assert answer["code"] == "upload_refused"
        return answer["detail"]

    assert detail(**{"x-amz-checksum-sha256": None}).endswith("missing: x-amz-checksum-sha256.")
    assert detail(**{"Content-Type": "audio/mpeg"}) == "Content-Type must be audio/mp4."
    assert detail(audio[:-1]).startswith(f"Content-Length ({len(audio) - 1}) or x-amz-checksum-sha256")
    user.put(upload, audio)


def test_18_not_yet_is_409_and_silence_is_empty(rig):
    user = rig.user()
    waiting = f"/v1/entries/{user.create_voice()['entry_id']}/transcript"
    forms = user.call("GET", "/v1/config", 200).json()["transcript_formats"]
    files = [f"/file?format={form}" for form in forms]
    for tail in ["", *files]:
        assert user.call("GET", waiting + tail, 409).json()["code"] == "transcript_not_ready", tail

    rig.script("speech", segments=[])
    silent = user.wait_done(user.record())
    assert silent["text"] == ""
    path = f"/v1/entries/{silent['id']}/transcript"
    shown = user.call("GET", path, 200).json()
    assert (shown["text"], shown["segments"]) == ("", [])
    for tail in files:
        assert "scripted" not in user.call("GET", path + tail, 200).text

    own = f"/v1/entries/{user.create_text('words')['entry_id']}/transcript/file"
    assert user.call("GET", f"{own}?format=txt", 200).text == "words"
    assert user.call("GET", f"{own}?format=txt&layer=raw", 200).text == "", "a layer that it has not is empty"
    assert user.call("GET", f"{own}?format=srt", 409).json()["code"] == "not_a_voice_entry"


def test_21_tags_are_kept_once(rig):
    user = rig.user()
    entry = user.create_text("words", tags=[" Lake ", "sun", "LAKE"])["entry"]
    assert entry["tags"] == ["Lake", "sun"]
    assert patch(user, entry["id"], tags=["Caf\u00e9", "cafe\u0301", "\tsun"])["tags"] == ["Caf\u00e9", "sun"]
    refused = user.call("POST", "/v1/entries", 422, json={"kind": "text", "text": "words", "tags": ["sun", " "]}).json()
    assert [error["pointer"] for error in refused["errors"]] == ["/tags/1"]

    operations = [{"op": "tag", "id": entry["id"], "add_tags": ["SUN", " sea"], "remove_tags": ["CAF\u00c9"]}]
    (result,) = user.call("POST", "/v1/entries/batch", 200, json={"operations": operations}).json()["results"]
    assert result["entry"]["tags"] == ["sun", "sea"]


def test_22_a_list_takes_several_tags(rig):
    user = rig.user()
    both = user.create_text("both", tags=["lake", "sun"])["entry_id"]
    for tag in ("lake", "sun"):
        user.create_text("one", tags=[tag])

    def listed(*tags, expect=200):
        return user.call("GET", "/v1/entries", expect, params=[("tag", tag) for tag in tags]).json()

    assert [entry["id"] for entry in listed("Sun", "LAKE")["items"]] == [both]
    assert len(listed("lake")["items"]) == 2 and listed("lake", "sea")["items"] == []
    for wrong in (["lake", ""], ["lake"] * 21, ["x" * 51]):
        assert [error["pointer"] for error in listed(*wrong, expect=422)["errors"]] == ["query/tag"], wrong


def test_30_a_time_in_the_future_is_kept_and_can_be_corrected(rig):
    user = rig.user()
    later = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=400)).replace(microsecond=0)
    entry = user.create_text("a clock that is wrong", recorded_at=later.isoformat())["entry"]
    assert datetime.datetime.fromisoformat(entry["recorded_at"]) == later
    now = later - datetime.timedelta(days=400)
    assert datetime.datetime.fromisoformat(patch(user, entry["id"], recorded_at=now.isoformat())["recorded_at"]) == now
