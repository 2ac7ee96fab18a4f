"""Segments of a recording: corrected one by one, in every form with times, with the speakers' names."""

import hashlib
import json
import re
import uuid

from export_reading import exported
from processes import wait_for
from test_reprocess import reprocess, texts

SPOKEN = [
    {"text": "hello hannah", "speaker": "A", "confidence": 0.4},
    {"text": "good morning doctor brown", "speaker": "B"},
    {"text": "shall we begin", "speaker": "A"},
]


def recorded(rig):
    rig.script("speech", segments=SPOKEN)
    user = rig.user()
    entry_id = user.record()
    return user, entry_id, user.wait_done(entry_id)


def transcript(user, entry_id, form=""):
    answer = user.call("GET", f"/v1/entries/{entry_id}/transcript{form}", 200)
    return answer.json() if answer.headers["content-type"] == "application/json" else answer.text


def correct(user, entry_id, segment, text, expect=200, match="*"):
    return user.call("PATCH", f"/v1/entries/{entry_id}/segments/{segment}", expect, json={"text": text}, headers={"If-Match": match})


def meeting_id(entry_id, number):
    octets = bytearray(hashlib.sha256(uuid.UUID(entry_id).bytes + (number - 1).to_bytes(8, "big")).digest()[:16])
    octets[6], octets[8] = octets[6] & 0x0F | 0x80, octets[8] & 0x3F | 0x80
    return str(uuid.UUID(bytes=bytes(octets)))


def test_corrections_are_shown_cleaned_and_kept_when_the_recording_is_recognised_again(rig):
    user, entry_id, entry = recorded(rig)
    segments = transcript(user, entry_id)["segments"]
    assert [(s["id"], s["text"], s["is_edited"], s["speaker"]) for s in segments] == [
        (number, one["text"], False, one["speaker"]) for number, one in enumerate(SPOKEN, 1)
    ]
    assert [s["confidence"] for s in segments] == [0.4, 0.9, 0.9]

    made = correct(user, entry_id, 1, "Hello, Anna.", match=f'"{entry["version"]}"')
    assert made.headers["etag"] == f'"{entry["version"] + 1}"' and made.json()["text"] == "Hello, Anna."
    changed = correct(user, entry_id, 2, "x", 412, match=f'"{entry["version"]}"').json()["current"]
    assert changed["version"] == entry["version"] + 1 and changed["transcript_raw"] == entry["transcript_raw"]
    correct(user, entry_id, 3, "Shall we start?")
    correct(user, entry_id, 3, "")
    correct(user, entry_id, 4, "x", 404)

    shown = transcript(user, entry_id)
    assert [(s["text"], s["is_edited"]) for s in shown["segments"]] == [
        ("Hello, Anna.", True),
        ("good morning doctor brown", False),
        ("shall we begin", False),
    ]
    assert [w["text"] for w in shown["segments"][0]["words"]] == ["hello", "hannah"], "what was heard stays"
    assert shown["raw"].startswith("hello hannah")
    assert "A: Hello, Anna." in transcript(user, entry_id, "/file?format=srt") and "hannah" not in transcript(
        user, entry_id, "/file?format=vtt"
    )
    assert transcript(user, entry_id, "/file?format=txt&layer=corrected").splitlines()[0] == "A: Hello, Anna."
    meeting = transcript(user, entry_id, "/file?format=meeting")["segments"]
    assert [(s["text"], s["isEdited"], s["speakerID"]) for s in meeting][:2] == [
        ("Hello, Anna.", True, "speaker-1"),
        ("good morning doctor brown", False, "speaker-2"),
    ]
    # As the contract says, for an app that corrects what it has read in this form.
    assert [s["id"] for s in meeting] == [meeting_id(entry_id, s["id"]) for s in shown["segments"]]

    # The cleaner reads the correction.
    reprocess(user, entry_id, stage="clean")
    cleaned = user.wait_done(entry_id)
    assert "Anna" in cleaned["transcript_clean"] and "annah" not in cleaned["transcript_clean"], cleaned
    assert texts(user, entry_id, "clean") == [(entry["transcript_clean"], "scripted")]
    assert transcript(user, entry_id)["segments"][0]["is_edited"]

    # Another recognition takes it away, and keeps it.
    reprocess(user, entry_id, stage="transcribe")
    user.wait_done(entry_id)
    assert not any(s["is_edited"] for s in transcript(user, entry_id)["segments"])
    kept = user.call("GET", f"/v1/entries/{entry_id}/revisions?layer=corrected", 200).json()["items"]
    assert [r["text"] for r in kept] == ["Hello, Anna.\ngood morning doctor brown\nshall we begin"]
    assert [(c["segment"], c["text"]) for c in kept[0]["corrections"]] == [(1, "Hello, Anna.")]
    stored = f"select count(*) from segment_corrections where entry_id = '{entry_id}'"
    assert rig.postgres.sql("diary", stored) == [(0,)]


def cues(srt):
    """Start, end and text of each, the times in milliseconds."""
    found = re.findall(r"^(\d\d):(\d\d):(\d\d),(\d{3}) --> (\d\d):(\d\d):(\d\d),(\d{3})\n(.*?)\n\n", srt.replace("\r", ""), re.M | re.S)

    def milliseconds(hours, minutes, seconds, rest):
        return ((int(hours) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + int(rest)

    return [(milliseconds(*cue[:4]), milliseconds(*cue[4:8]), cue[8]) for cue in found]


def test_a_long_correction_with_line_breaks_stays_in_its_segment_and_in_one_line(rig):
    user, entry_id, _ = recorded(rig)
    first, second, _ = transcript(user, entry_id)["segments"]

    correct(user, entry_id, 1, "We\r\nswam\u2028far.\n" + "swam " * 1_990)

    shown = cues(transcript(user, entry_id, "/file?format=srt"))
    mine = [cue for cue in shown if cue[0] < round(second["start"] * 1000)]
    assert len(mine) > 100 and "doctor brown" in shown[len(mine)][2]
    assert mine[0][0] == round(first["start"] * 1000), mine[0]
    assert mine[-1][1] <= round(second["start"] * 1000), mine[-1]
    assert all(start < end for start, end, _ in shown)
    assert all(cue[1] <= following[0] for cue, following in zip(shown, shown[1:], strict=False))
    lines = transcript(user, entry_id, "/file?format=txt&layer=corrected").splitlines()
    assert len(lines) == 3 and lines[0].startswith("A: We swam far. swam swam")


def assign(user, entry_id, segment, speaker, expect=200):
    return user.call("PATCH", f"/v1/entries/{entry_id}/segments/{segment}", expect, json={"speaker": speaker}, headers={"If-Match": "*"})


def test_a_segment_of_the_wrong_speaker_is_given_to_another_or_to_a_new_one(rig):
    user, entry_id, entry = recorded(rig)

    assert assign(user, entry_id, 2, "A").json()["is_edited"]
    assert assign(user, entry_id, 3, "Cem").json()["speaker"] == "Cem"
    assert user.entry(entry_id)["version"] == entry["version"] + 2

    shown = transcript(user, entry_id)
    assert [(s["speaker"], s["is_edited"], s["text"]) for s in shown["segments"]] == [
        ("A", False, "hello hannah"),
        ("A", True, "good morning doctor brown"),
        ("Cem", True, "shall we begin"),
    ]
    assert [speaker["id"] for speaker in shown["speakers"]] == ["A", "Cem"]
    lines = ["A: hello hannah", "A: good morning doctor brown", "Cem: shall we begin"]
    assert transcript(user, entry_id, "/file?format=txt&layer=corrected").splitlines() == lines
    assert re.findall(r"^(?:A|B|Cem): .*", transcript(user, entry_id, "/file?format=srt").replace("\r", ""), re.M) == lines
    assert re.findall(r"^<v (.*?)>", transcript(user, entry_id, "/file?format=vtt"), re.M) == ["A", "A", "Cem"]
    meeting = transcript(user, entry_id, "/file?format=meeting")["segments"]
    assert [(s["speakerID"], s["isEdited"]) for s in meeting] == [("speaker-1", False), ("speaker-1", True), ("speaker-2", True)]

    assert assign(user, entry_id, 3, " Cem ").json()["speaker"] == "Cem", "blanks at the ends are no part of it"

    # B was heard, so that label can be given again; a label that nothing has must be one line.
    assert not assign(user, entry_id, 2, "B").json()["is_edited"]
    for wrong in ("x" * 41, "two\nlines", "\0", 7, ["A"]):
        assert assign(user, entry_id, 1, wrong, 422).json()["errors"][0]["pointer"] == "/speaker", wrong
    empty = user.call("PATCH", f"/v1/entries/{entry_id}/segments/1", 422, json={}, headers={"If-Match": "*"}).json()
    assert [error["pointer"] for error in empty["errors"]] == ["/text"]

    # Another recognition takes the correction away, and keeps it.
    reprocess(user, entry_id, stage="transcribe")
    user.wait_done(entry_id)
    assert [s["speaker"] for s in transcript(user, entry_id)["segments"]] == ["A", "B", "A"]
    [kept] = user.call("GET", f"/v1/entries/{entry_id}/revisions?layer=corrected", 200).json()["items"]
    assert [(c["segment"], c["text"], c["speaker"]) for c in kept["corrections"]] == [(3, "shall we begin", "Cem")]


def test_29_speakers_of_the_meeting_form(rig):
    user, entry_id, _ = recorded(rig)
    user.call("PATCH", f"/v1/entries/{entry_id}/speakers", 200, json={"B": {"name": "Dr Brown"}}, headers={"If-Match": "*"})
    meeting = transcript(user, entry_id, "/file?format=meeting")["segments"]
    assert [segment["speakerID"] for segment in meeting] == ["speaker-1", "speaker-2", "speaker-1"]
    metadata = json.loads(exported(user, formats=["metadata_json"], include_audio=False).file(entry_id, "metadata_json"))
    assert metadata["speakers"] == [{"id": "speaker-1", "displayName": "A"}, {"id": "speaker-2", "displayName": "Dr Brown"}]


def test_a_speaker_given_to_one_segment_of_a_recording_without_speakers_is_in_every_form(rig):
    rig.script("speech", segments=[{"text": "hello hannah"}, {"text": "shall we begin"}])
    user = rig.user()
    entry_id = user.record()
    user.wait_done(entry_id)

    assert assign(user, entry_id, 2, "Cem").json()["speaker"] == "Cem"

    assert transcript(user, entry_id, "/file?format=txt&layer=corrected").splitlines() == ["hello hannah", "Cem: shall we begin"]
    assert "\nCem: shall we begin" in transcript(user, entry_id, "/file?format=srt").replace("\r", "")
    assert re.findall(r"^<v (.*?)>", transcript(user, entry_id, "/file?format=vtt"), re.M) == ["Cem"]


def speaker(label, name=None):
    return {"id": label, "name": name, "speaker_id": None}


def test_speakers_have_the_names_that_the_user_gives_them(rig):
    user, entry_id, _ = recorded(rig)
    path, any_version = f"/v1/entries/{entry_id}/speakers", {"If-Match": "*"}
    assert transcript(user, entry_id)["speakers"] == [speaker("A"), speaker("B")]

    named = user.call("PATCH", path, 200, json={"A": {"name": "Anna"}, "B": {"name": "Dr Brown"}}, headers=any_version).json()

    assert named["items"] == [speaker("A", "Anna"), speaker("B", "Dr Brown")]
    assert re.findall(r"^(?:Anna|Dr Brown): .*", transcript(user, entry_id, "/file?format=srt").replace("\r", ""), re.M) == [
        "Anna: hello hannah",
        "Dr Brown: good morning doctor brown",
        "Anna: shall we begin",
    ]
    assert re.findall(r"^<v (.*?)>", transcript(user, entry_id, "/file?format=vtt"), re.M) == ["Anna", "Dr Brown", "Anna"]
    user.call("PATCH", path, 200, json={"B": {"name": None}}, headers=any_version)
    assert transcript(user, entry_id)["speakers"] == [speaker("A", "Anna"), speaker("B")]
    for blank in ("   ", "\t\n", "\u00a0", ""):
        user.call("PATCH", path, 200, json={"B": {"name": " Dr Brown "}}, headers=any_version)
        assert transcript(user, entry_id)["speakers"][1] == speaker("B", "Dr Brown")
        user.call("PATCH", path, 200, json={"B": {"name": blank}}, headers=any_version)
        assert transcript(user, entry_id)["speakers"][1] == speaker("B"), repr(blank)
        assert "B: good morning" in transcript(user, entry_id, "/file?format=srt")
    assert user.call("PATCH", path, 422, json={"C": {"name": "Cem"}}, headers=any_version).json()["errors"][0]["pointer"] == "/C"
    # The words of the corrections and names are sealed, and go with the entry.
    sealed = f"select position('Anna'::bytea in sealed) from segment_corrections where entry_id = '{entry_id}'"
    assert rig.postgres.sql("diary", sealed) == [(0,)]
    user.call("DELETE", f"/v1/entries/{entry_id}", 204)
    assert rig.postgres.sql("diary", sealed) == []


def correct_all(user, entry_id, expect=200, match="*", **texts):
    segments = [{"id": int(name.removeprefix("s")), "text": text} for name, text in texts.items()]
    return user.call("PATCH", f"/v1/entries/{entry_id}/segments", expect, json={"segments": segments}, headers={"If-Match": match})


def test_a_screen_of_corrections_is_one_change_and_all_or_none(rig):
    user, entry_id, entry = recorded(rig)

    made = correct_all(user, entry_id, match=f'"{entry["version"]}"', s3="Shall we start?", s1="Hello Anna")

    assert made.headers["etag"] == f'"{entry["version"] + 1}"'
    assert [(s["id"], s["text"]) for s in made.json()["items"]] == [(1, "Hello Anna"), (3, "Shall we start?")]
    assert '"entries-day"' not in made.headers["RateLimit"], "no entry of the day is charged"
    assert correct_all(user, entry_id, 412, match=f'"{entry["version"]}"', s1="x").json()["current"]["version"] == entry["version"] + 1
    refused = correct_all(user, entry_id, 422, s1="x", s4="y").json()
    assert [error["pointer"] for error in refused["errors"]] == ["/segments/1/id"]
    twice = {"segments": [{"id": 1, "text": "x"}, {"id": 1, "speaker": "Cem"}]}
    refused = user.call("PATCH", f"/v1/entries/{entry_id}/segments", 422, json=twice, headers={"If-Match": "*"}).json()
    assert [error["pointer"] for error in refused["errors"]] == ["/segments/1/id"]
    new = {"segments": [{"id": 1, "speaker": "Cem"}, {"id": 2, "speaker": "Cem", "text": None}, {"id": 3, "text": ""}]}
    user.call("PATCH", f"/v1/entries/{entry_id}/segments", 200, json=new, headers={"If-Match": "*"})
    assert [(s["text"], s["speaker"]) for s in transcript(user, entry_id)["segments"]] == [
        ("Hello Anna", "Cem"),
        ("good morning doctor brown", "Cem"),
        ("shall we begin", "A"),
    ]


def shown(user, entry_id):
    """The text of an entry in every place where it is shown."""
    entry = user.entry(entry_id)
    [listed] = [e for e in user.call("GET", "/v1/entries", 200).json()["items"] if e["id"] == entry_id]
    [fed] = [e for e in user.call("GET", "/v1/changes", 200).json()["items"] if e["id"] == entry_id]
    file = transcript(user, entry_id, "/file?format=txt")
    assert entry["text"] == listed["text"] == fed["text"] == file == transcript(user, entry_id)["text"]
    assert transcript(user, entry_id, "/file?format=md").rstrip("\n").endswith(file)
    return entry["text"]


def test_a_corrected_word_is_shown_at_once_in_the_cleaned_text_whose_rest_stays(rig):
    rig.script("clean", answer={"clean": "Hello, Hannah! Good morning, Doctor Brown. Shall we begin?"})
    user, entry_id, before = recorded(rig)
    assert before["text"] == "Hello, Hannah! Good morning, Doctor Brown. Shall we begin?"

    correct_all(user, entry_id, s1="hello anna", s3="shall we all begin")

    assert shown(user, entry_id) == "Hello, Anna! Good morning, Doctor Brown. Shall we all begin?"
    assert user.entry(entry_id)["transcript_clean"] == before["transcript_clean"]
    zipped = exported(user, formats=["txt", "md"], include_audio=False)
    assert "Hello, Anna!" in zipped.file(entry_id, "txt").decode() and "Hello, Anna!" in zipped.read("index.html").decode()
    lines = exported(user, formats=["txt"], layer="corrected", include_audio=False).file(entry_id, "txt").decode()
    assert lines == "A: hello anna\nB: good morning doctor brown\nA: shall we all begin\n"
    user.call("POST", "/v1/export-schedules", 201, json={"every": "week", "layer": "corrected", "paused": True})

    # A text of the user always wins, and the correction is there behind it.
    path = f"/v1/entries/{entry_id}"
    user.call("PATCH", path, 200, json={"text": "My own."}, headers={"If-Match": "*"})
    correct(user, entry_id, 2, "good evening doctor brown")
    assert shown(user, entry_id) == "My own."
    user.call("PATCH", path, 200, json={"text": None}, headers={"If-Match": "*"})
    assert shown(user, entry_id) == "Hello, Anna! Good evening, Doctor Brown. Shall we all begin?"

    # Taken back, the cleaned text is shown as it was.
    correct_all(user, entry_id, s1="", s2="", s3="")
    assert shown(user, entry_id) == before["text"]


def test_without_a_cleaned_text_the_corrected_words_are_shown(rig):
    rig.script("clean", fail="permanent")
    user, entry_id, before = recorded(rig)
    assert before["transcript_clean"] is None

    correct(user, entry_id, 1, "Hello, Anna.")

    assert shown(user, entry_id) == "Hello, Anna.\ngood morning doctor brown\nshall we begin"
    assert user.entry(entry_id)["transcript_raw"] == before["transcript_raw"]
    # Whatever a cleaning that follows makes of it, the correction stays.
    rig.unscript()
    reprocess(user, entry_id, stage="clean")
    assert "Anna" in user.wait_done(entry_id)["text"] and "annah" not in shown(user, entry_id)


def test_a_correction_made_while_the_text_is_cleaned_is_in_it(rig):
    rig.script("speech", segments=SPOKEN)
    rig.script("clean", answer={"clean": "Hello, Hannah! Good morning, Doctor Brown. Shall we begin?"}, delay_seconds=3)
    user = rig.user()
    entry_id = user.record()
    wait_for(lambda: (e := user.entry(entry_id))["status"] == "cleaning" and e["processing"]["attempt"], 20, "the cleaning")

    correct(user, entry_id, 1, "hello anna")

    assert shown(user, entry_id).startswith("hello anna\n"), "at once"
    done = user.wait_done(entry_id)
    assert done["text"] == done["transcript_clean"] == "Hello, Anna! Good morning, Doctor Brown. Shall we begin?"
