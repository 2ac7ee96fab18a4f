"""Tags as things: counted, coloured, renamed and taken away in all entries; and moods."""

import collections
import time
from urllib.parse import quote

import pytest
import requests

from export_reading import exported
from processes import wait_for
from repetitions import repetitions
from whole_diary import zip_of
from zips import imported

ANY = {"If-Match": "*"}
DAY = "2026-02-{:02}T12:00:00.000Z"


def write(user, day, **fields):
    return user.create_text("words", recorded_at=DAY.format(day), **fields)["entry"]


def tags(user, path="/v1/tags"):
    page = user.call("GET", path, 200).json()
    assert (page["next_cursor"], page["has_more"]) == (None, False)
    return [tuple(row[name] for name in ("name", "count", "last_used_at", "color") if name in row) for row in page["items"]]


def found(user, *names):
    return {e["id"] for e in user.call("GET", "/v1/entries", 200, params=[("tag", name) for name in names]).json()["items"]}


def change(user, tag, expect=200, **body):
    return user.call("PATCH", f"/v1/tags/{quote(tag, safe='')}", expect, json=body)


def walk(user, since="0"):
    """What the feed has from there on, and where it ends."""
    items = []
    while True:
        page = user.call("GET", f"/v1/changes?since={since}&limit=200", 200).json()
        items, since = items + page["items"], page["next_since"]
        if not page["has_more"]:
            return items, since


def test_tags_and_moods_are_counted_under_the_spelling_used_last(rig):
    user, other = rig.user(), rig.user()
    write(other, 1, tags=["theirs"], mood="theirs")
    assert tags(user) == tags(user, "/v1/moods") == []
    write(user, 1, tags=["Straße", "sea"], mood="Calm", metadata={"cue": "1"})
    write(user, 5, tags=["STRASSE"], mood="calm")
    write(user, 4, tags=["sea"], mood="tired")
    write(user, 3, tags=["lake"])
    gone = write(user, 9, tags=["sea"], mood="calm")
    user.call("DELETE", f"/v1/entries/{gone['id']}", 204)

    assert tags(user) == [("STRASSE", 2, DAY.format(5), None), ("sea", 2, DAY.format(4), None), ("lake", 1, DAY.format(3), None)]
    assert tags(user, "/v1/moods") == [("calm", 2, DAY.format(5)), ("tired", 1, DAY.format(4))]
    for path in ("/v1/tags", "/v1/moods"):
        assert user.call("GET", f"{path}?limit=1", 422).json()["errors"][0]["pointer"] == "query/limit"


def test_several_tags_in_one_filter_are_all_of_them(rig):
    user = rig.user()
    both, one = write(user, 1, tags=["a", "b", "c"]), write(user, 2, tags=["b"])
    assert found(user, "b") == {both["id"], one["id"]} and found(user, "B ", "a") == {both["id"]} and found(user, "b", "d") == set()


def test_a_rename_merges_everywhere_and_loses_no_change_of_a_client_that_was_offline(rig):
    user = rig.user()
    old, both, new = (write(user, day, tags=names) for day, names in ((1, ["x", " Beet", "y"]), (2, ["beet", "Garden"]), (3, ["garden"])))
    change(user, "BEET", color="#00FF00")
    schedule = user.call("POST", "/v1/export-schedules", 201, json={"every": "day", "tags": ["beet", "x"], "mail": False}).json()
    _, since = walk(user)

    renamed = change(user, "beet", name=" garden ").json()

    assert renamed == {"name": "garden", "count": 3, "last_used_at": DAY.format(3), "color": "#00ff00"}
    assert [user.entry(e["id"])["tags"] for e in (old, both, new)] == [["x", "garden", "y"], ["garden"], ["garden"]]
    assert {name for name, *_ in tags(user)} == {"garden", "x", "y"} and found(user, "beet") == set()
    changed, _ = walk(user, since)
    assert {(e["id"], e["version"]) for e in changed} == {(e["id"], e["version"] + 1) for e in (old, both)}
    assert user.call("GET", f"/v1/export-schedules/{schedule['id']}", 200).json()["tags"] == ["garden", "x"]
    # The phone that was offline merges what it wrote, and nothing is lost.
    path, tag = f"/v1/entries/{old['id']}", {"If-Match": f'"{old["version"]}"'}
    late = user.call("PATCH", path, 412, json={"tags": ["Beet", "late"]}, headers=tag)
    assert late.json()["current"]["tags"] == ["x", "garden", "y"]
    user.call("PATCH", path, 200, json={"tags": ["garden", "late"]}, headers={"If-Match": late.headers["etag"]})
    # The same call again, whose first answer was lost, changes nothing.
    _, since = walk(user)
    assert change(user, "beet", name="garden").json() == renamed
    assert walk(user, since)[0] == []
    # Another spelling of the same tag.
    assert change(user, "garden", name="GARDEN").json() == {**renamed, "name": "GARDEN"}
    assert [user.entry(e["id"])["tags"][0] for e in (old, both, new)] == ["GARDEN"] * 3


def test_colours_belong_to_names_and_keep_a_tag_that_no_entry_has(rig):
    user, other = rig.user(), rig.user()
    entry = write(user, 1, tags=["sea", "a/b?"])
    assert change(user, "SEA", color="#0277BD").json() == {"name": "sea", "count": 1, "last_used_at": DAY.format(1), "color": "#0277bd"}
    assert change(user, "a/b?", color="#000000").json()["name"] == "a/b?"
    assert change(user, "later", color="#ffffff").json() == {"name": "later", "count": 0, "last_used_at": None, "color": "#ffffff"}
    assert tags(other) == []
    user.call("PATCH", f"/v1/entries/{entry['id']}", 200, json={"tags": []}, headers=ANY)
    assert tags(user) == [("a/b?", 0, None, "#000000"), ("later", 0, None, "#ffffff"), ("sea", 0, None, "#0277bd")]
    for name, nothing in (("later", ""), ("a/b?", None)):
        assert change(user, name, color=nothing).json()["color"] is None
        change(user, name, 404, color=nothing)
    assert [name for name, *_ in tags(user)] == ["sea"]
    # Of two that become one the colour of the new name stays, and an unused one moves with its name.
    for name, color in (("one", "#111111"), ("two", "#222222")):
        write(user, 2, tags=[name])
        change(user, name, color=color)
    assert change(user, "one", name="two").json()["color"] == "#222222"
    assert change(user, "two", name="three", color="#333333").json()["color"] == "#333333"


def test_a_tag_that_is_nowhere_is_404_and_what_is_no_tag_or_colour_is_refused(rig):
    user = rig.user()
    write(user, 1, tags=["sea"])
    for name, body in (("none", {"name": "other"}), ("none", {}), ("none", {"color": None}), (" ", {"color": "#000000"}), ("x" * 51, {})):
        assert change(user, name, 404, **body).json()["code"] == "not_found"
    for body, pointer in (
        ({"name": ""}, "/name"),
        ({"name": None}, "/name"),
        ({"name": " "}, "/name"),
        ({"name": "x" * 51}, "/name"),
        ({"color": "red"}, "/color"),
        ({"color": "#12345g"}, "/color"),
        ({"colour": "#000000"}, "/colour"),
    ):
        assert [e["pointer"] for e in change(user, "sea", 422, **body).json()["errors"]] == [pointer], body
    assert tags(user) == [("sea", 1, DAY.format(1), None)]


def test_a_tag_is_taken_off_everywhere_and_its_repetition_is_done(rig):
    user = rig.user()
    one, two = write(user, 1, tags=["Sea", "x", "work/home"]), write(user, 2, tags=["sea"])
    assert change(user, "work/home", name="x/y").json()["name"] == "x/y"
    user.call("DELETE", "/v1/tags/x%2Fy", 204)
    change(user, "sea", color="#0277bd")
    schedule = user.call("POST", "/v1/export-schedules", 201, json={"every": "day", "tags": ["sea"], "mail": False}).json()
    for _ in range(2):
        user.call("DELETE", "/v1/tags/SEA", 204)
        assert [user.entry(e["id"])["tags"] for e in (one, two)] == [["x"], []] and tags(user) == [("x", 1, DAY.format(1), None)]
    kept = user.call("GET", f"/v1/export-schedules/{schedule['id']}", 200).json()
    assert kept["tags"] == ["sea"], "without it the schedule would export everything"


def test_colours_are_in_a_zip_of_days_and_come_back(rig):
    user, other = rig.user(), rig.user()
    write(user, 1, tags=["sea"])
    for name, color in (("sea", "#0277bd"), ("later", "#ffffff")):
        change(user, name, color=color)
    change(other, "LATER", color="#000000")
    zipped = exported(user, formats=["txt"], include_audio=False)
    assert sorted((tag["name"], tag["color"]) for tag in zipped.manifest["tags"]) == [("later", "#ffffff"), ("sea", "#0277bd")]
    assert "tags" not in exported(user, formats=["txt"], include_audio=False, tags=["sea"]).manifest

    imported(other, zip_of(user))
    # What the account has stays.
    assert tags(other) == [("sea", 1, DAY.format(1), "#0277bd"), ("LATER", 0, None, "#000000")]


@pytest.mark.long
def test_a1_a_rename_that_is_killed_is_finished_by_the_same_call(own_rig):
    """Of some hundred entries, of which others are edited meanwhile: nothing is lost, and the counts are right. `DIARY_TIMES=1` kills it three
    times, of 5,000 entries."""
    rig, count = own_rig, repetitions(5_000, 350)
    user = rig.user()
    made = []
    for first in range(0, count, 100):
        entries = [
            {
                "op": "create",
                "entry": {"kind": "text", "text": f"words {n}", "tags": ["old", f"t{n % 350}"] if n % 2 else ["new", "OLD", f"t{n % 350}"]},
            }
            for n in range(first, min(count, first + 100))
        ]
        results = user.call("POST", "/v1/entries/batch", 200, json={"operations": entries}).json()["results"]
        made += [result["entry"]["id"] for result in results]
    change(user, "old", color="#123456")
    _, since = walk(user)
    written = 0
    for batches in (2, 7, 12)[: repetitions(3, 1)]:
        once = rig.folder / f"once {batches}"
        rig.stop("serve")
        rig.start("serve", DIARY_FAIL=f"P44:{batches}:kill", DIARY_FAIL_ONCE=str(once))

        with pytest.raises(requests.ConnectionError):
            change(user, "old", name="new")

        wait_for(lambda once=once: once.exists() and rig.supervise("serve"), 10, "the kill")
        written += batches * 100
        # Under the spelling of the entry that was used last.
        half = {name.lower(): number for name, number, *_ in tags(user)}
        assert half["old"] == count - written and half["new"] == written + (count - written) // 2, "these batches were written, whole"
    edited = made[-1]
    user.call("PATCH", f"/v1/entries/{edited}", 200, json={"title": "meanwhile"}, headers=ANY)

    began = time.monotonic()
    done = change(user, "old", name="new").json()

    print(f"what was left of {count} entries was renamed in {time.monotonic() - began:.1f} s")
    assert (done["count"], done["color"]) == (count, "#123456")
    assert {name: number for name, number, *_ in tags(user)} == {"new": count, **collections.Counter(f"t{n % 350}" for n in range(count))}
    listed = {e["id"]: e for e in walk(user, since)[0]}
    assert listed.keys() == set(made), "the feed tells of every one"
    for n, id in enumerate(made):
        entry = listed[id]
        assert (entry["text"], entry["tags"], entry["version"]) == (f"words {n}", ["new", f"t{n % 350}"], 3 if id == edited else 2)
    assert listed[edited]["title"] == "meanwhile"
