"""Notes of an entry: added, changed and deleted one by one by several devices, and nothing of them is lost."""

import json
import secrets
import uuid
from concurrent.futures import ThreadPoolExecutor

from export_reading import exported
from html_reading import Page
from whole_diary import kept, zip_of
from zips import imported


def add(user, entry_id, text, expect=200, **more):
    return user.call("POST", f"/v1/entries/{entry_id}/notes", expect, json={"text": text, **more}).json()


def written(entry):
    return [(note["text"], note["at_s"]) for note in entry.get("notes", [])]


def test_a_note_is_added_changed_and_deleted_and_each_is_a_change_of_the_entry(rig):
    user = rig.user()
    entry_id = user.create_voice(title="Standup")["entry_id"]
    since = user.call("GET", "/v1/changes", 200).json()["next_since"]

    first = add(user, entry_id, "Ask for the budget.", at_s=450.0004, created_at="2026-03-01T12:07:30Z")
    [note] = first["notes"]
    assert note == {"id": note["id"], "text": "Ask for the budget.", "at_s": 450.0, "created_at": "2026-03-01T12:07:30.000Z"}
    assert first["version"] == 2 and first["title"] == "Standup"
    add(user, entry_id, "Of all of it.")
    last = add(user, entry_id, "Earlier.", at_s=0)
    assert written(last) == [("Earlier.", 0), ("Ask for the budget.", 450.0), ("Of all of it.", None)]

    path = f"/v1/entries/{entry_id}/notes/{note['id']}"
    changed = user.call("PATCH", path, 200, json={"text": "Ask again."}).json()
    assert {**note, "text": "Ask again."} in changed["notes"]
    assert user.call("PATCH", path, 200, json={"text": "Ask again."}).json()["version"] == changed["version"], "it sets what is there"
    assert {**note, "text": "Ask again.", "at_s": 451.5} in user.call("PATCH", path, 200, json={"at_s": 451.5}).json()["notes"]
    [shown] = user.call("GET", f"/v1/changes?since={since}", 200).json()["items"]
    assert shown["notes"] == user.entry(entry_id)["notes"] and len(shown["notes"]) == 3
    assert "notes" not in user.call("GET", "/v1/entries?view=summary", 200).json()["items"][0]

    assert note["id"] not in user.call("DELETE", path, 200).text
    user.call("DELETE", path, 404)
    assert user.call("PATCH", path, 404, json={"text": "x"}).json()["code"] == "not_found"


def test_a_repeated_note_is_there_once_also_when_it_was_changed_or_deleted_meanwhile(rig):
    user = rig.user()
    entry_id, note = user.create_text("words")["entry_id"], str(uuid.uuid4())
    version = add(user, entry_id, "once", id=note)["version"]
    assert add(user, entry_id, "once", id=note.upper())["version"] == version
    path = f"/v1/entries/{entry_id}/notes/{note}"
    user.call("PATCH", path, 200, json={"text": "changed elsewhere"})
    assert written(add(user, entry_id, "changed elsewhere", id=note)) == [("changed elsewhere", None)]
    # A repetition with another text is none: it would be lost.
    assert add(user, entry_id, "once", 409, id=note)["code"] == "note_id_taken"
    user.call("DELETE", path, 200)
    assert written(add(user, entry_id, "once", id=note)) == []
    assert user.entry(entry_id)["version"] == version + 2


def test_devices_that_add_at_once_lose_no_note_and_a_condition_is_kept_where_one_is_sent(rig):
    user = rig.user()
    entry_id = user.create_text("words")["entry_id"]

    def device(number):
        """Repeats what was answered as `concurrent_change`, as a client does."""
        for place in range(4):
            body = {"id": str(uuid.uuid4()), "text": f"{number} {place}"}
            for _ in range(20):
                if user.call("POST", f"/v1/entries/{entry_id}/notes", (200, 409), json=body).status_code == 200:
                    break

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(device, range(4)))

    assert sorted(text for text, _ in written(user.entry(entry_id))) == sorted(f"{n} {place}" for n in range(4) for place in range(4))
    refused = user.call("POST", f"/v1/entries/{entry_id}/notes", 412, json={"text": "x"}, headers={"If-Match": '"1"'}).json()
    assert refused["current"]["version"] == 17 and len(refused["current"]["notes"]) == 16


def test_a_note_has_a_length_an_entry_a_number_of_them_and_a_text_no_place(rig):
    user = rig.user()
    entry_id = user.create_text("words")["entry_id"]
    limits = user.call("GET", "/v1/config", 200).json()["limits"]
    assert (limits["notes_max"], limits["note_max_characters"]) == (100, 2_000)
    for body, pointer in (
        ({}, "/text"),
        ({"text": ""}, "/text"),
        ({"text": " \n"}, "/text"),
        ({"text": "x" * 2_001}, "/text"),
        ({"text": "x", "at_s": -1}, "/at_s"),
        ({"text": "x", "at_s": 1}, "/at_s"),
        ({"text": "x", "id": "1"}, "/id"),
        ({"text": "x", "created_at": "yesterday"}, "/created_at"),
    ):
        refused = user.call("POST", f"/v1/entries/{entry_id}/notes", 422, json=body).json()
        assert [error["pointer"] for error in refused["errors"]] == [pointer], body
    [note] = add(user, entry_id, "\U0001f600" * 2_000)["notes"]
    for body, pointer in (({"text": None}, "/text"), ({"text": ""}, "/text"), ({"at_s": None}, "/at_s"), ({"at_s": 1}, "/at_s")):
        refused = user.call("PATCH", f"/v1/entries/{entry_id}/notes/{note['id']}", 422, json=body).json()
        assert [error["pointer"] for error in refused["errors"]] == [pointer], body
    for number in range(99):
        add(user, entry_id, str(number))
    assert add(user, entry_id, "one more", 422)["errors"][0]["pointer"] == ""
    gone = str(uuid.uuid4())
    for method in ("PATCH", "DELETE"):
        for path in (f"{entry_id}/notes/{gone}", f"{gone}/notes/{note['id']}", f"{entry_id}/notes/1"):
            user.call(method, f"/v1/entries/{path}", 404, **({"json": {"text": "x"}} if method == "PATCH" else {}))


def test_notes_are_sealed_and_go_out_in_every_readable_form_and_come_back(rig):
    user, word = rig.user(), secrets.token_hex(8)
    entry_id = user.record(title="Walk")
    user.wait_done(entry_id)
    add(user, entry_id, f"*Ask* <b>{word}</b>\nabout it", at_s=3_725.5)
    add(user, entry_id, "all of it")
    assert rig.postgres.sql("diary", "select position(%s in personal) from entries where id = %s", word.encode(), entry_id) == [(0,)]

    zipped = exported(user, formats=["txt", "md", "metadata_json"])

    line = f"- 1:02:05 *Ask* <b>{word}</b> about it\n- all of it\n"
    assert zipped.file(entry_id, "txt").decode().endswith("\n\nNotes:\n" + line)
    markdown = zipped.file(entry_id, "md").decode()
    assert markdown.endswith("\n\nNotes:\n\n" + line.replace("*", "\\*").replace("<", "\\<").replace(">", "\\>"))
    assert markdown == user.call("GET", f"/v1/entries/{entry_id}/transcript/file?format=md", 200).text
    assert "Notes" not in user.call("GET", f"/v1/entries/{entry_id}/transcript/file?format=txt", 200).text
    notes = json.loads(zipped.file(entry_id, "metadata_json"))["notes"]
    assert [(note["text"], note.get("timestamp")) for note in notes] == [(f"*Ask* <b>{word}</b>\nabout it", 3_725.5), ("all of it", None)]
    page = zipped.read("index.html").decode()
    Page(page)
    assert f"&lt;b&gt;{word}&lt;/b&gt;" in page and f"<b>{word}" not in page

    other = rig.user()
    imported(other, zip_of(user))
    other.wait_done(entry_id)
    assert kept(other)[entry_id]["notes"] == kept(user)[entry_id]["notes"]
    other.call("DELETE", f"/v1/entries/{entry_id}", 204)
    assert word not in other.call("GET", "/v1/changes", 200).text
