"""A finished recording is recognised or cleaned again: nothing is lost meanwhile, nor when it fails."""

import secrets

from processes import wait_for


def reprocess(user, entry_id, expect=202, key=None, **body):
    headers = {"Idempotency-Key": key} if key else {}
    return user.call("POST", f"/v1/entries/{entry_id}/reprocess", expect, json=body, headers=headers)


def texts(user, entry_id, layer):
    found = user.call("GET", f"/v1/entries/{entry_id}/revisions?layer={layer}", 200).json()["items"]
    return [(r["text"], r["engine"]) for r in found]


def test_a_run_shows_the_texts_of_before_until_its_end_and_keeps_them(rig):
    rig.script("speech", segments=[{"text": "um we swam to the island"}])
    user = rig.user()
    entry_id = user.record()
    before = user.wait_done(entry_id)
    assert before["transcript_raw"] == "um we swam to the island" and before["language"] == "en"

    rig.script("speech", segments=[{"text": "um we ran to the highland"}], delay_seconds=1.5)
    began = reprocess(user, entry_id, stage="transcribe", language="de", engine="scripted").json()
    assert began["status"] == "transcribing" and began["processing"]["stage"] == "transcribe"
    assert (began["text"], began["transcript_raw"]) == (before["text"], before["transcript_raw"])
    refused = reprocess(user, entry_id, 409, stage="clean").json()
    assert refused["code"] == "already_processing" and refused["retryable"]
    assert user.entry(entry_id)["text"] == before["text"]

    after = user.wait_done(entry_id)
    assert after["transcript_raw"] == "um we ran to the highland" and after["language"] == "de" and "processing" not in after
    assert after["text"] == after["transcript_clean"] != before["transcript_clean"]
    assert after["version"] == before["version"], "what If-Match compares is the user's alone"
    assert texts(user, entry_id, "raw") == [("um we swam to the island", "scripted")]
    assert texts(user, entry_id, "clean") == [(before["transcript_clean"], "scripted")]
    assert texts(user, entry_id, "corrected") == texts(user, entry_id, "edited") == []


def shown(entry):
    return entry["transcript_raw"], entry["transcript_clean"], entry["text"]


def test_new_words_are_shown_raw_until_they_are_cleaned_and_where_that_fails(rig):
    rig.script("speech", segments=[{"text": "um we swam to the island"}])
    user = rig.user()
    entry_id = user.record()
    before = user.wait_done(entry_id)
    assert before["transcript_clean"]

    def run(words, **cleaner):
        """While the recording is recognised, while its words are cleaned, and at the end."""
        rig.script("speech", segments=[{"text": words}], delay_seconds=1)
        rig.script("clean", **cleaner)
        stages = {}
        reprocess(user, entry_id, stage="transcribe")

        def done():
            entry = user.entry(entry_id)
            stages.setdefault(entry["status"], shown(entry))
            return entry if entry["status"] == "transcribed" else None

        end = wait_for(done, 30, "the end of the run")
        return stages, end

    # The same words keep what was made of them.
    stages, end = run("um we swam to the island", delay_seconds=1)
    assert stages == dict.fromkeys(("transcribing", "cleaning", "transcribed"), shown(before))

    new = "um we ran to the highland"
    stages, end = run(new, delay_seconds=1)
    assert stages["transcribing"] == shown(before) and stages["cleaning"] == (new, None, new)
    assert end["text"] == end["transcript_clean"] and end["transcript_raw"] == new
    assert texts(user, entry_id, "clean") == [(before["transcript_clean"], "scripted")]

    last = "um we rode to the lowland"
    stages, failed = run(last, delay_seconds=1, fail="permanent")
    assert stages == {"transcribing": shown(end), "cleaning": (last, None, last), "transcribed": (last, None, last)}
    assert (failed["cleanup"]["state"], failed["cleanup"]["reason"]) == ("failed", "cleanup_unavailable")
    assert texts(user, entry_id, "clean")[0] == (end["transcript_clean"], "scripted")


def test_an_edit_is_never_touched(rig):
    user = rig.user()
    entry_id = user.record()
    user.wait_done(entry_id)
    edited = user.call("PATCH", f"/v1/entries/{entry_id}", 200, json={"text": "My own words."}, headers={"If-Match": "*"}).json()
    rig.script("speech", segments=[{"text": "something else"}])

    for stage in ("transcribe", "clean"):
        reprocess(user, entry_id, stage=stage)
        after = user.wait_done(entry_id)

    assert (after["text"], after["transcript_edited"], after["version"]) == ("My own words.", "My own words.", edited["version"])
    assert after["transcript_raw"] == "something else"


def test_a_run_that_fails_leaves_the_texts_says_why_and_can_be_repeated(rig):
    user = rig.user()
    entry_id = user.record()
    before = user.wait_done(entry_id)
    for name, stage, code in (("speech", "transcribe", "speech_unavailable"), ("clean", "clean", "cleanup_unavailable")):
        rig.script(name, fail="permanent")
        reprocess(user, entry_id, stage=stage)

        def failed():
            entry = user.entry(entry_id)
            return entry if entry["status"] == "transcribed" else None

        after = wait_for(failed, 20, "the end of the run")
        assert after["failed_run"] == {"stage": stage, "code": code, "action": "retry"} and "processing" not in after, (
            "it is as good as before"
        )
        assert (after["text"], after["transcript_raw"], after["transcript_clean"]) == (
            before["text"],
            before["transcript_raw"],
            before["transcript_clean"],
        )
        assert texts(user, entry_id, "raw") == texts(user, entry_id, "clean") == []
        rig.unscript()
        assert user.retry(entry_id).json()["processing"]["stage"] == stage, "without a stage it begins where it failed"
        assert not user.wait_done(entry_id).keys() & {"processing", "failed_run"}
    assert user.retry(entry_id, 409).json()["code"] == "reprocess_not_possible", "nothing has failed"


def test_7_a_failed_repetition_can_be_dismissed(rig):
    user = rig.user()
    entry_id = user.record()
    before = user.wait_done(entry_id)
    rig.script("clean", fail="permanent")
    reprocess(user, entry_id, stage="clean")
    failed = wait_for(lambda: (entry := user.entry(entry_id))["status"] == "transcribed" and entry, 20, "the end of the run")
    assert failed["failed_run"]["code"] == "cleanup_unavailable" and "processing" not in failed

    def say(language):
        return user.call("PATCH", f"/v1/entries/{entry_id}", 200, json={"language": language}, headers={"If-Match": "*"}).json()

    dismissed = say(failed["language"])
    assert "failed_run" not in dismissed and (dismissed["text"], dismissed["version"]) == (before["text"], before["version"] + 1)
    assert say(failed["language"])["version"] == dismissed["version"], "then it sets what is there"
    assert user.retry(entry_id, 409).json()["code"] == "reprocess_not_possible"

    reprocess(user, entry_id, stage="clean")
    wait_for(lambda: "failed_run" in user.entry(entry_id), 20, "the end of the run")
    noted = user.call("POST", f"/v1/entries/{entry_id}/notes", 200, json={"text": "a change of its own"}).json()
    assert "failed_run" in noted, "a note says nothing about the run"
    user.call("PATCH", f"/v1/entries/{entry_id}", 200, json={"tags": ["old"]}, headers={"If-Match": "*"})
    user.call("PATCH", "/v1/tags/old", 200, json={"name": "new"})
    renamed = user.entry(entry_id)
    assert renamed["tags"] == ["new"] and "failed_run" in renamed, "nor does a tag"
    edited = user.call("PATCH", f"/v1/entries/{entry_id}", 200, json={"text": "My words."}, headers={"If-Match": "*"}).json()
    assert "failed_run" not in edited


def test_a_repeated_request_starts_one_run_and_what_cannot_run_says_so(rig):
    user = rig.user()
    entry_id, key = user.record(), secrets.token_hex(8)
    user.wait_done(entry_id)
    first = reprocess(user, entry_id, key=key, stage="clean")
    again = reprocess(user, entry_id, key=key, stage="clean")
    assert again.headers["Idempotency-Replayed"] == "true" and first.headers.get("Idempotency-Replayed") is None
    user.wait_done(entry_id)
    runs = f"select count(*) from jobs where kind = 'clean' and subject = '{entry_id}'"
    assert rig.postgres.sql("diary", runs) == [(2,)]
    assert reprocess(user, entry_id, 422, key=key, stage="transcribe").json()["code"] == "idempotency_mismatch"
    assert '"entries-day"' in first.headers["RateLimit"], "it counts like a new entry"

    unknown = reprocess(user, entry_id, 422, stage="transcribe", engine="someone-elses").json()
    assert [e["pointer"] for e in unknown["errors"]] == ["/engine"]
    text = user.create_text("words")["entry_id"]
    assert reprocess(user, text, 409, stage="clean").json()["code"] == "not_a_voice_entry"
    waiting = user.create_voice()["entry_id"]
    assert reprocess(user, waiting, 409, stage="transcribe").json()["code"] == "upload_incomplete"
    rig.script("probe", fail="permanent")
    refused = user.record()
    user.wait_done(refused, status="failed")
    assert reprocess(user, refused, 409, stage="transcribe").json()["code"] == "reprocess_not_possible"
