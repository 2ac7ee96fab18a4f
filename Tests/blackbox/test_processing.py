"""What an entry says about the work on it: the same everywhere, never without a next step, and true."""

import hashlib
import json

import pytest

from processes import wait_for
from user import SAMPLE

pytestmark = pytest.mark.any_store

MEMBERS = {
    "stage",
    "attempt",
    "next_attempt_at",
    "code",
    "action",
    "queue_position",
    "estimated_wait_s",
    "percent",
}
ALONE = {"queue_position", "estimated_wait_s", "percent"}
"""Members that only the answer about one entry has."""


def everywhere(user, entry):
    """The entry's `processing` as the entry, the list and the feed have it."""
    one = user.entry(entry)
    found = [one]
    for path in ("/v1/entries", "/v1/entries?since=0"):
        found.append(next(e for e in user.call("GET", path, 200).json()["items"] if e["id"] == entry))
    return one, [e["processing"] for e in found]


def test_an_entry_says_the_same_alone_in_a_list_and_in_the_feed(rig):
    user = rig.user()
    rig.script("speech", fail="retry", retry_after=600)
    entry = user.record()
    wait_for(lambda: user.entry(entry).get("processing", {}).get("next_attempt_at"), 20, "a failed try")

    one, seen = everywhere(user, entry)

    assert all(set(processing) == MEMBERS for processing in seen)
    assert all({k: v for k, v in p.items() if k not in ALONE} == {k: v for k, v in seen[0].items() if k not in ALONE} for p in seen)
    # A stage that is tried again at a known time stands in no line.
    assert all(p[name] is None for p in seen for name in ALONE)
    assert (one["status"], seen[0]["action"]) == ("transcribing", "wait") and seen[0]["code"]

    rig.script("speech", fail="permanent")
    other = user.record(SAMPLE.read_bytes() + b"x")
    user.wait_done(other, status="failed")
    _, seen = everywhere(user, other)
    assert all(p == seen[0] for p in seen) and seen[0]["code"] and seen[0]["next_attempt_at"] is None
    assert seen[0]["action"] == "retry"


def test_19_action_alone_says_what_to_do(rig):
    user = rig.user()
    assert "processing" not in user.create_text("words")["entry"]
    made = user.create_voice(language="fr")
    user.put(made["upload"])
    user.complete(made["entry_id"])
    failed = user.wait_done(made["entry_id"], status="failed")["processing"]
    assert (failed["code"], failed["action"]) == ("language_unsupported", "change_language")
    changed = user.call("PATCH", f"/v1/entries/{made['entry_id']}", 200, json={"language": "en"}, headers={"If-Match": "*"}).json()
    assert changed["processing"]["action"] == "retry"

    # Without a digest nothing shows that the recording arrived unchanged.
    rig.script("probe", fail="permanent")
    digest = hashlib.sha256(SAMPLE.read_bytes()).hexdigest()
    for announced, action in [(None, "upload_again"), (digest, "none")]:
        entry = user.record(sha256=announced, allow_duplicate=True)
        processing = user.wait_done(entry, status="failed")["processing"]
        assert (processing["stage"], processing["code"], processing["action"]) == ("verify", "media_unreadable", action)


def test_an_entry_that_lost_its_job_gets_one_again(own_rig):
    rig = own_rig
    user = rig.user()
    rig.diary("jobs", "pause", "speech")
    entry = user.record()
    wait_for(lambda: user.entry(entry)["processing"]["stage"] == "transcribe", 20, "the check of the recording")
    # As a hand or a fault would leave it; nothing in the service does.
    assert rig.postgres.sql("diary", "delete from jobs where subject = %s and state = 'ready' returning kind", entry) == [("transcribe",)]
    rig.postgres.sql("diary", "update entries set updated_at = updated_at - interval '1 hour' where id = %s returning 1", entry)
    assert json.loads(rig.diary("jobs", "stats", "--json"))["entries_without_job"] == 1
    assert "1 entries wait without a job" in rig.diary("jobs", "stats")
    rig.diary("jobs", "resume")

    # A worker looks when it starts, and then every few minutes.
    rig.stop("work")
    rig.start("work")

    user.wait_done(entry)
    assert json.loads(rig.diary("jobs", "stats", "--json"))["entries_without_job"] == 0
    assert rig.log_text().count("entry waited without a job") == 1
