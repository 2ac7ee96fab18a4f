"""Exports that an administrator makes for a user (decision D11), and what operators see of exports."""

import io
import json
import zipfile

from processes import wait_for
from test_admin import says


def create(rig, user, *more):
    return json.loads(
        rig.diary(
            "exports", "create", "--tenant", user.app, "--user", user.id, "--from", "2026-01-01", "--to", "2026-12-31", "--json", *more
        )
    )


def test_an_export_made_by_an_administrator_is_mailed_to_the_user_alone(rig):
    user = rig.user()
    user.create_text("the heron", title="secret title", recorded_at="2026-03-01T12:00:00Z", tags=["hidden"])
    before = len(user.export_links())
    # The answer is read after the export was made: a worker might have begun.
    rig.diary("jobs", "pause", "exports", "--tenant", user.app)
    made = create(rig, user, "--formats", "md, txt", "--no-audio", "--operator", "anna")
    rig.diary("jobs", "resume", "exports", "--tenant", user.app)
    assert (made["status"], made["mail_status"], made["formats"], made["include_audio"]) == ("queued", "waiting", ["md", "txt"], False)

    link = wait_for(lambda: user.export_links()[before:], 40, "the mail")[-1]
    with zipfile.ZipFile(io.BytesIO(user.download(link))) as archive:
        assert any("heron" in archive.read(name).decode() for name in archive.namelist() if name.endswith(".md"))
    assert user.call("GET", f"/v1/exports/{made['id']}", 200).json()["formats"] == ["md", "txt"]
    event = next(event for event in user.call("GET", "/v1/me/events", 200).json()["items"] if event["kind"] == "export_requested")
    assert event["actor"] == "admin"
    acts = rig.diary("tenant", "acts", user.app)
    assert "export_requested" in acts and "anna" in acts and user.id not in acts

    where = ("--tenant", user.app, "--user", user.id)
    user.call("POST", "/v1/exports", 202, json={"from": "2026-01-01", "to": "2026-01-31", "mail": False, "tags": ["hidden"]})
    listed = json.loads(rig.diary("exports", "list", *where, "--json"))["exports"]
    shown = json.loads(rig.diary("exports", "show", *where, made["id"], "--json"))
    assert [export["has_tags"] for export in listed] == [True, False] and listed[1] == shown
    assert (shown["status"], shown["entry_count"], shown["downloads"]) == ("ready", 1, 1)
    texts = [json.dumps(listed), rig.diary("exports", "list", *where), rig.diary("exports", "show", *where, made["id"])]
    by_address = rig.diary("exports", "list", "--tenant", user.app, "--user", user.address)
    for text in [*texts, by_address]:
        assert made["id"] in text
        for word in ("heron", "secret", "hidden", user.address, link.rsplit("/", 1)[1]):
            assert word not in text


def test_what_an_administrator_cannot_ask_for_is_said_by_word_and_exit_code(rig):
    user, other = rig.user(), rig.user()
    account, days = ("--tenant", user.app, "--user", user.id), ("--from", "2026-01-01", "--to", "2026-01-31")
    unknown = "01a1fe44-8066-7418-b9c1-43885fea9d36"
    for words, code, message in [
        (("create", "--tenant", "nowhere", "--user", user.id, *days), 1, "no tenant"),
        (("create", "--tenant", user.app, "--user", unknown, *days), 1, "no such account"),
        (("create", "--tenant", user.app, "--user", "unknown@example.org", *days), 1, "no such account"),
        (("create", "--tenant", user.app, "--user", "x", *days), 64, "id or a mail address"),
        (("create", *account), 64, "--from"),
        (("create", *account, "--from", "2026-02-30", "--to", "2026-03-01"), 64, "--from"),
        (("create", *account, "--from", "2026-02-01", "--to", "2026-01-01"), 64, "must not be before"),
        (("create", *account, *days, "--formats", "txt,pdf"), 64, "no format pdf"),
        (("create", *account, *days, "--layer", "any"), 64, "--layer"),
        (("list", "--tenant", user.app, "--user", unknown), 1, "no such account"),
        (("list", *account, "--limit", "0"), 64, "--limit"),
        (("show", *account, unknown), 1, "no such export"),
        (("show", *account, "x"), 64, "export's id"),
    ]:
        says(rig, ("exports", *words), code, message)
    theirs = create(rig, other)["id"]
    says(rig, ("exports", "show", *account, theirs), 1, "no such export")

    rig.postgres.sql("diary", "update identities set verified_at = null where user_id = %s", user.id)
    says(rig, ("exports", "create", *account, *days), 3, "no verified address")
    rig.diary("user", "disable", user.app, user.id)
    says(rig, ("exports", "create", *account, *days), 3, "disabled")
    assert rig.diary("exports", "list", *account).splitlines()[1:] == []
