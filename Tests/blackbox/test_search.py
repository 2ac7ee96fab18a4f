"""Search: what is found, in which texts, under which filters; pages, snippets and times; what is refused. docs/search.md says what a word is."""

import socket
import urllib.parse

import pytest

HEARD = [
    {"text": "hello hannah", "speaker": "A"},
    {"text": "the river is cold today", "speaker": "B"},
    {"text": "shall we begin", "speaker": "A"},
]


@pytest.fixture(scope="module")
def diary(shared_rig):
    """A user with a few entries, by name."""
    rig = shared_rig
    user = rig.user()
    made = {}
    for day, (name, more) in enumerate(
        {
            "lake": {"text": "We swam at the lake before breakfast.", "title": "Sea", "tags": ["summer"]},
            "river": {"text": "By the River, Straße 5.\nCafe\u0301 closed 🎉", "tags": ["Summer", "trip"], "favorite": True},
            "chinese": {"text": "我喜歡河流。"},
            "russian": {"text": "Ёлка у реки", "tags": ["зима"]},
            "hebrew": {"text": "שָׁלוֹם עולם"},
        }.items()
    ):
        made[name] = user.create_text(**more, recorded_at=f"2026-02-{day + 1:02}T12:00:00Z")["entry_id"]
    rig.script("speech", segments=HEARD)
    made["voice"] = user.record(title="Standup", recorded_at="2026-02-20T12:00:00Z")
    user.wait_done(made["voice"])
    user.call("PATCH", f"/v1/entries/{made['voice']}/speakers", 200, json={"A": {"name": "Anna Müller"}}, headers={"If-Match": "*"})
    rig.unscript()
    return user, made


def search(user, q, **more):
    return user.call("GET", "/v1/search", 200, params={"q": q, **more}).json()


def found(diary, q, **more):
    """Names of the entries, newest first."""
    user, made = diary
    names = {identifier: name for name, identifier in made.items()}
    return [names[item["entry"]["id"]] for item in search(user, q, **more)["items"]]


@pytest.mark.parametrize(
    ("q", "names"),
    [
        ("river", ["voice", "river"]),
        ("RIV", ["voice", "river"]),
        ("iver", []),
        ('"by the river"', ["river"]),
        ('"by the riv"', []),
        ('"by the riv', ["river"]),
        ("swam summer sea", ["lake"]),
        ("summer", ["river", "lake"]),
        ("strasse", ["river"]),
        ("cafe closed", ["river"]),
        ("café", ["river"]),
        ("🎉", ["river"]),
        ("河流", ["chinese"]),
        ("елка зима", ["russian"]),
        ("שלום", ["hebrew"]),
        ("muller", ["voice"]),
        ("standup anna cold", ["voice"]),
        ("river nothing", []),
    ],
)
def test_words_are_found_in_titles_texts_tags_and_names_of_speakers(diary, q, names):
    assert found(diary, q) == names


@pytest.mark.parametrize(
    ("filters", "names"),
    [
        ({"tag": "SUMMER"}, ["river"]),
        ({"tag": ["summer", "trip"]}, ["river"]),
        ({"tag": "none"}, []),
        ({"kind": "voice"}, ["voice"]),
        ({"favorite": "true"}, ["river"]),
        ({"from": "2026-02-03"}, ["voice"]),
        ({"to": "2026-02-02"}, ["river"]),
        ({"status": "failed"}, []),
    ],
)
def test_filters_are_those_of_the_list(diary, filters, names):
    assert found(diary, "river", **filters) == names


def test_entries_are_found_by_the_present_names_of_the_accounts_speakers_and_by_metadata(rig):
    user = rig.user()
    rig.script("speech", segments=HEARD)
    spoken = user.record(metadata={"cue_id": "42"})
    user.wait_done(spoken)
    rig.unscript()
    person = user.call("POST", "/v1/speakers", 201, json={"name": "Olga"}).json()["id"]
    user.call("PATCH", f"/v1/entries/{spoken}/speakers", 200, json={"A": {"speaker_id": person}}, headers={"If-Match": "*"})
    user.call("PATCH", f"/v1/speakers/{person}", 200, json={"name": "Ingrid"})

    def ids(q, **more):
        return [item["entry"]["id"] for item in search(user, q, **more)["items"]]

    assert ids("ingrid") == [spoken] and ids("olga") == []
    assert ids("river", speaker=person, **{"metadata.cue_id": "42"}) == [spoken] and ids("river", **{"metadata.cue_id": "4"}) == []
    user.call("DELETE", f"/v1/speakers/{person}", 204)
    assert ids("ingrid") == [spoken]


def test_notes_and_corrected_words_are_found_at_once(rig):
    user = rig.user()
    rig.script("speech", segments=HEARD)
    spoken = user.record()
    user.wait_done(spoken)
    rig.unscript()
    user.call("POST", f"/v1/entries/{spoken}/notes", 200, json={"text": "Umbrella, by the door.", "at_s": 1.5})
    new = {"segments": [{"id": 2, "text": "the creek is cold today"}]}
    user.call("PATCH", f"/v1/entries/{spoken}/segments", 200, json=new, headers={"If-Match": "*"})

    (item,) = search(user, "umbrella creek")["items"]
    assert [(one["field"], one["at_s"]) for one in item["snippets"] if one["field"] == "note"] == [("note", 1.5)]
    assert "creek" in item["entry"]["excerpt"] and "notes" not in item["entry"]
    assert search(user, "river")["items"] == []


def test_snippets_mark_what_was_found_and_say_when_it_was_said(diary):
    user, made = diary
    voice, river = search(user, "river")["items"]
    (said,) = voice["snippets"]
    segments = user.call("GET", f"/v1/entries/{made['voice']}/transcript", 200).json()["segments"]
    (time,) = [word["start"] for segment in segments for word in segment["words"] if word["text"] == "river"]
    assert said["field"] == "text" and said["at_s"] == time
    (snippet,) = river["snippets"]
    assert snippet == {
        "field": "text",
        "text": "By the River, Straße 5.\nCafe\u0301 closed 🎉",
        "ranges": [{"start": 7, "end": 12}],
        "at_s": None,
    }
    assert river["entry"]["text"] is None and river["entry"]["tags"] == ["Summer", "trip"]
    assert river["entry"]["excerpt"] == "By the River, Straße 5. Cafe\u0301 closed 🎉"

    (item,) = search(user, '🎉 cafe "straße"')["items"]
    (snippet,) = item["snippets"]
    units = snippet["text"].encode("utf-16-le")
    marked = [units[2 * one["start"] : 2 * one["end"]].decode("utf-16-le") for one in snippet["ranges"]]
    assert marked == ["Straße", "Cafe\u0301", "🎉"]
    (item,) = search(user, "muller cold")["items"]
    assert [one["field"] for one in item["snippets"]] == ["text", "speaker"]


def test_pages_join_and_what_changes_is_searched_at_once(rig):
    user = rig.user()
    entries = [user.create_text(f"lantern {n}", recorded_at=f"2026-03-01T12:00:{n:02}Z")["entry_id"] for n in range(12)]
    seen, cursor = [], None
    while True:
        page = search(user, "lantern", limit=5, **({"cursor": cursor} if cursor else {}))
        assert len(page["items"]) <= 5 and page["has_more"] == (page["next_cursor"] is not None)
        seen += [item["entry"]["id"] for item in page["items"]]
        cursor = page["next_cursor"]
        if not cursor:
            break
    assert seen == entries[::-1]

    user.call("PATCH", f"/v1/entries/{entries[0]}", 200, json={"text": "changed"}, headers={"If-Match": "*"})
    user.call("DELETE", f"/v1/entries/{entries[1]}", 204)
    assert len(search(user, "lantern")["items"]) == 10
    assert [item["entry"]["id"] for item in search(user, "change")["items"]] == [entries[0]]
    other = rig.user()
    assert search(other, "lantern") == {"items": [], "next_cursor": None, "has_more": False}


@pytest.mark.parametrize(
    ("query", "name"),
    [({}, "q"), ({"q": '"…"'}, "q"), ({"q": "a" * 201}, "q"), ({"q": "a", "cursor": "x"}, "cursor"), ({"q": "a", "order": "asc"}, "order")],
)
def test_a_query_without_a_word_is_refused(diary, query, name):
    refused = diary[0].call("GET", "/v1/search", 422, params=query).json()
    assert [error["pointer"] for error in refused["errors"]] == [f"query/{name}"]


def test_searches_have_a_limit_of_their_own(diary):
    answer = diary[0].call("GET", "/v1/search", 200, params={"q": "river"})
    assert '"searches";q=' in answer.headers["ratelimit-policy"]


def test_a_client_that_has_closed_its_side_is_still_answered(rig, diary):
    """A half-closed connection looks like a client that has gone: its page may end early, and is whole."""
    user, _ = diary
    address = urllib.parse.urlsplit(rig.url)
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        token = user.http.headers["Authorization"]
        connection.sendall(f"GET /v1/search?q=river HTTP/1.1\r\nHost: {address.netloc}\r\nAuthorization: {token}\r\n\r\n".encode())
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while part := connection.recv(65536):
            answer += part
    assert answer.startswith(b"HTTP/1.1 200 ") and answer.endswith(b"}")
