"""What a member says of themselves, and what their diary holds."""

from user import SAMPLE


def test_a_profile_is_changed_member_by_member(rig):
    user = rig.user()
    me = user.call("GET", "/v1/me", 200).json()
    assert (me["day_ends_at"], me["languages"], me["vocabulary"]) == ("00:00", [], [])
    assert user.tokens["profile"] == me and (user.tokens["app"], user.tokens["is_new"]) == ("my-day", True)
    patch = {
        "name": "Zoë ‹b›",
        "locale": "de-CH",
        "time_zone": "Europe/Zurich",
        "day_ends_at": "03:30",
        "languages": ["en", "de-CH"],
        "vocabulary": ["Kreuzberg", "Zoë Müller", "Straße des 17. Juni"],
    }
    changed = user.call("PATCH", "/v1/me", 200, json=patch, headers={"Content-Type": "application/merge-patch+json"}).json()
    assert {k: changed[k] for k in patch} == patch
    assert user.call("GET", "/v1/me", 200).json() == changed
    assert user.call("PATCH", "/v1/me", 200, json={}).json() == changed
    cleared = user.call("PATCH", "/v1/me", 200, json={name: None for name in patch if name != "time_zone"}).json()
    assert cleared == {**me, "time_zone": "Europe/Zurich", "name": None, "locale": None, "version": cleared["version"]}
    user.call("PATCH", "/v1/me", 200, json=patch)
    emptied = user.call("PATCH", "/v1/me", 200, json={"name": "", "locale": ""}).json()
    assert emptied == {**changed, "name": None, "locale": None, "version": emptied["version"]}
    # Its entity tag is that of the profile that was read; the change that comes second changes nothing.
    tag = {"If-Match": user.call("GET", "/v1/me", 200).headers["ETag"]}
    assert tag["If-Match"] == f'"{emptied["version"]}"'
    first = user.call("PATCH", "/v1/me", 200, json={"name": "Zoë"}, headers=tag)
    second = user.call("PATCH", "/v1/me", 412, json={"name": "Ada"}, headers=tag)
    assert second.json()["code"] == "precondition_failed" and second.json()["current_profile"] == first.json()
    assert second.headers["ETag"] == first.headers["ETag"] != tag["If-Match"]
    assert user.call("GET", "/v1/me", 200).json() == first.json()


def test_what_is_wrong_with_a_profile_is_named(rig):
    user = rig.user()
    before = user.call("GET", "/v1/me", 200).json()
    for body, pointer in (
        ({"time_zone": None}, "/time_zone"),
        ({"time_zone": "Mars/Olympus"}, "/time_zone"),
        ({"time_zone": "UTC+25"}, "/time_zone"),
        ({"day_ends_at": "12:00"}, "/day_ends_at"),
        ({"day_ends_at": "3:00"}, "/day_ends_at"),
        ({"day_ends_at": "03:60"}, "/day_ends_at"),
        ({"day_ends_at": 3}, "/day_ends_at"),
        ({"languages": ["xx", "not a tag"]}, "/languages/1"),
        ({"languages": ["en"] * 21}, "/languages"),
        ({"hosted_processing_consent": "yes"}, "/hosted_processing_consent"),
        ({"vocabulary": ["a"] * 201}, "/vocabulary"),
        ({"vocabulary": ["a", "b" * 61]}, "/vocabulary/1"),
        ({"vocabulary": ["", 7]}, "/vocabulary/0"),
        ({"vocabulary": "Anna"}, "/vocabulary"),
        ({"name": "x" * 101}, "/name"),
        ({"email": "a@example.org"}, "/email"),
        ({"locale": "english!"}, "/locale"),
        ({"name": "a\0"}, "/name"),
        ({"speech_engine": "no such engine"}, "/speech_engine"),
        ({"text_engine": "scripted\0"}, "/text_engine"),
    ):
        refused = user.call("PATCH", "/v1/me", 422, json={"name": "not written", **body} if "name" not in body else body).json()
        assert pointer in [e["pointer"] for e in refused["errors"]], (body, refused)
    assert user.call("GET", "/v1/me", 200).json() == before


def test_statistics_follow_the_diary(rig):
    user, other = rig.user(), rig.user()
    empty = user.call("GET", "/v1/me/stats", 200).json()
    assert [empty[name] for name in ("entries", "recordings", "texts", "duration_s", "size_bytes", "months")] == [0, 0, 0, 0, 0, []]
    spoken = user.record()
    user.wait_done(spoken)
    gone = user.create_text("words")["entry_id"]
    user.create_voice()
    other.create_text("others")
    user.call("DELETE", f"/v1/entries/{gone}", 204)
    stats = user.call("GET", "/v1/me/stats", 200).json()
    assert (
        stats["entries"] == stats["recordings"] == 1
        and stats["size_bytes"] == len(SAMPLE.read_bytes())
        and stats["duration_s"] == user.entry(spoken)["duration_s"]
    )
    assert stats["quota"]["entries_per_day"] > 0 and stats["quota"]["exports_per_day"] > 0


def test_events_are_paged_and_ones_own(rig):
    user, other = rig.user(), rig.user()
    for _ in range(4):
        user.call("POST", "/v1/auth/email", 200, json={"email": user.address, "password": user.password})
    user.create_text("words", recorded_at="2026-03-01T12:00:00Z")
    user.export()
    user.download(user.export_links()[-1])
    seen, cursor = [], None
    while True:
        page = user.call("GET", f"/v1/me/events?limit=2{'&cursor=' + cursor if cursor else ''}", 200).json()
        seen += page["items"]
        cursor = page["next_cursor"]
        if not cursor:
            break
    assert [e["kind"] for e in seen] == ["export_downloaded", "export_requested"] + ["signed_in"] * 4 + ["registered"]
    assert [e["at"] for e in seen] == sorted((e["at"] for e in seen), reverse=True)
    assert all(e["request_id"] for e in seen) and len({e["id"] for e in seen}) == 7
    assert [e["kind"] for e in other.call("GET", "/v1/me/events", 200).json()["items"]] == ["registered"]
    user.call("GET", "/v1/me/events?cursor=x", 422)

    first = user.call("GET", "/v1/me/events?kind=signed_in&limit=3", 200).json()
    rest = user.call("GET", f"/v1/me/events?kind=signed_in&cursor={first['next_cursor']}", 200).json()
    assert [e["id"] for e in first["items"] + rest["items"]] == [e["id"] for e in seen if e["kind"] == "signed_in"]
    assert (len(first["items"]), rest["has_more"]) == (3, False)
    assert user.call("GET", "/v1/me/events?kind=user_disabled", 200).json()["items"] == []
    assert user.call("GET", "/v1/me/events?kind=danced", 422).json()["errors"][0]["pointer"] == "query/kind"
    user.call("GET", "/v1/me/events?limit=0", 422)
