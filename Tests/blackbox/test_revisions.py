"""Earlier texts of an entry: each layer's own, the last twenty, sealed to their place."""

import secrets


def edit(user, entry_id, text, expect=200):
    return user.call("PATCH", f"/v1/entries/{entry_id}", expect, json={"text": text}, headers={"If-Match": "*"})


def revisions(user, entry_id, layer="edited", query=""):
    return user.call("GET", f"/v1/entries/{entry_id}/revisions?layer={layer}{query}", 200).json()


def test_what_an_edit_replaces_can_be_brought_back(rig):
    user = rig.user()
    entry_id = user.create_text("first words")["entry_id"]
    assert revisions(user, entry_id) == {"items": [], "next_cursor": None, "has_more": False}
    edit(user, entry_id, "second words")
    user.call("PATCH", f"/v1/entries/{entry_id}", 200, json={"title": "only a title"}, headers={"If-Match": "*"})
    edit(user, entry_id, "second words")
    edit(user, entry_id, "third words")

    shown = revisions(user, entry_id)["items"]
    assert [(r["text"], r["layer"], r["engine"], r["damaged"]) for r in shown] == [
        ("second words", "edited", None, False),
        ("first words", "edited", None, False),
    ]
    assert edit(user, entry_id, shown[1]["text"]).json()["text"] == "first words"
    assert [r["text"] for r in revisions(user, entry_id)["items"]] == ["third words", "second words", "first words"]

    # A write that is refused replaces nothing.
    user.call("PATCH", f"/v1/entries/{entry_id}", 412, json={"text": "x"}, headers={"If-Match": '"1"'})
    assert len(revisions(user, entry_id)["items"]) == 3


def test_the_last_twenty_stay_in_pages_and_go_with_the_entry(rig):
    user = rig.user()
    entry_id, word = user.create_text("edit 0")["entry_id"], secrets.token_hex(8)
    for number in range(1, 24):
        edit(user, entry_id, f"edit {number} {word}")

    texts, query = [], "&limit=6"
    while True:
        page = revisions(user, entry_id, query=query)
        texts += [r["text"] for r in page["items"]]
        assert page["has_more"] == (page["next_cursor"] is not None)
        if not page["has_more"]:
            break
        query = f"&limit=6&cursor={page['next_cursor']}"
    assert texts == [f"edit {number} {word}" for number in range(22, 2, -1)]
    stored = f"select count(*) from entry_revisions where entry_id = '{entry_id}'"
    assert rig.postgres.sql("diary", stored) == [(20,)]
    assert rig.postgres.sql("diary", f"{stored} and position('{word}'::bytea in sealed) > 0") == [(0,)], "words in the clear"

    user.call("DELETE", f"/v1/entries/{entry_id}", 204)
    assert rig.postgres.sql("diary", stored) == [(0,)]
    user.call("GET", f"/v1/entries/{entry_id}/revisions?layer=edited", 404)


def test_a_text_put_in_another_place_is_damaged_and_the_others_stay_readable(rig):
    user = rig.user()
    entry_id = user.create_text("one")["entry_id"]
    for text in ("two", "three", "four"):
        edit(user, entry_id, text)
    newest, middle, oldest = (r["number"] for r in revisions(user, entry_id)["items"])
    moved = rig.postgres.sql(
        "diary",
        f"""update entry_revisions r set sealed = o.sealed from entry_revisions o
        where r.entry_id = '{entry_id}' and o.entry_id = r.entry_id and r.number = {newest} and o.number = {oldest} returning 1""",
    )
    assert moved == [(1,)]

    shown = revisions(user, entry_id)["items"]

    assert [(r["number"], r["text"], r["damaged"]) for r in shown] == [(newest, None, True), (middle, "two", False), (oldest, "one", False)]
