"""Sealed words that were altered where they lie: their entry says so, and the rest of the diary stays readable."""

import io
import json
import zipfile


def flip(rig, entry_id, column, at):
    """Alters one byte of a sealed part, as a failing disk would."""
    changed = rig.postgres.sql(
        "diary", f"update entries set {column} = set_byte({column}, {at}, get_byte({column}, {at}) # 1) where id = '{entry_id}' returning 1"
    )
    assert len(changed) == 1


def test_a_damaged_entry_takes_nothing_with_it(rig):
    user = rig.user()
    good, bad, moved = (
        user.create_text(f"words {n}", title=f"title {n}", recorded_at="2026-03-01T12:00:00Z")["entry_id"] for n in range(3)
    )
    for entry_id, at in [(bad, 60), (moved, 5)]:  # the ciphertext; the id of the key
        flip(rig, entry_id, "personal", at)

    for path in ["/v1/changes", "/v1/entries"]:
        entries = {e["id"]: e for e in user.call("GET", path, 200).json()["items"]}
        assert len(entries) == 3
        assert (entries[good]["text"], entries[good].get("damaged", False)) == ("words 0", False)
        for entry_id in (bad, moved):
            assert (entries[entry_id]["text"], entries[entry_id]["title"], entries[entry_id]["damaged"]) == (None, None, True)
    entry = user.call("GET", f"/v1/entries/{bad}", 200)
    assert entry.json()["damaged"] and entry.json()["text"] is None
    assert "entry damaged" in rig.log_text() and "words 1" not in rig.log_text()

    # Nothing is written over what a backup may bring back.
    refused = user.call("PATCH", f"/v1/entries/{bad}", 409, json={"title": "x"}, headers={"If-Match": entry.headers["etag"]}).json()
    assert refused["code"] == "entry_damaged" and not refused["retryable"]
    assert user.call("GET", f"/v1/entries/{bad}/transcript", 409).json()["code"] == "entry_damaged"

    # The export holds the rest and says what is missing.
    user.export()
    archive = zipfile.ZipFile(io.BytesIO(user.download(user.export_links()[0])))
    lines = {line["id"]: line for line in json.loads(archive.read("manifest.json"))["entries"]}
    damaged = [{"missing": "personal", "reason": "damaged"}, {"missing": "txt", "reason": "damaged"}]
    assert [(lines[entry_id]["gaps"], lines[entry_id]["files"]) for entry_id in (bad, moved)] == [(damaged, [])] * 2
    assert lines[good]["gaps"] == []
    assert len([name for name in archive.namelist() if name.startswith("text/")]) == 1

    # Mended, it is whole again; and it can be deleted.
    flip(rig, bad, "personal", 60)
    assert user.call("GET", f"/v1/entries/{bad}", 200).json()["text"] == "words 1"
    user.call("DELETE", f"/v1/entries/{bad}", 204)


def test_a_wrong_key_is_no_damage(rig):
    """A client that syncs must not take a whole diary for damaged when the service has the wrong key."""
    user = rig.user()
    entries = [user.create_text(f"words {n}", recorded_at="2026-03-01T12:00:00Z")["entry_id"] for n in range(2)]
    for entry_id in entries:
        flip(rig, entry_id, "personal", 5)
    for path in ["/v1/changes", "/v1/entries", f"/v1/entries/{entries[0]}"]:
        assert user.call("GET", path, 500).json()["code"] == "internal_error"
