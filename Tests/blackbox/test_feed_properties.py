"""Properties of the feed and of the listing by date, against models that filter by brute force. DIARY_EXAMPLES multiplies the number of examples."""

import base64
import random
from datetime import date
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test

from feed_models import MOMENTS, ZONES, FeedModel, ListingModel, days, examples, machine, matches, page, stamp
from repetitions import repetitions


@pytest.mark.long
def test_a_17_pollers_come_to_the_truth_whatever_happens_between_their_pages(rig):
    """A17: create, replay, change, refuse, delete, purge, forget and go on by a time, in every order."""
    run_state_machine_as_test(type("Feed", (FeedModel,), {"rig": rig}), settings=machine(repetitions(12, 3), 40))


@pytest.mark.long
def test_walks_by_date_under_change_skip_and_repeat_nothing(rig):
    run_state_machine_as_test(type("Listing", (ListingModel,), {"rig": rig}), settings=machine(repetitions(12, 3), 40))


@pytest.fixture(scope="module")
def library(shared_rig):
    """One diary with every moment in some of the zones; nothing changes in it."""
    user, rows = shared_rig.user(), {}
    chosen = random.Random(17)
    for moment in MOMENTS:
        for zone in chosen.sample(ZONES, repetitions(6, 3)):
            rows[user.create_text("x", recorded_at=stamp(moment), time_zone=zone)["entry_id"]] = (moment, zone)
    for id in chosen.sample(sorted(rows), 10):
        user.call("DELETE", f"/v1/entries/{id}", 204)
        del rows[id]
    return user, rows


def ordered(rows, walk):
    found = sorted((moment, id) for id, (moment, zone) in rows.items() if matches((moment, zone), walk))
    return [id for _, id in (found if walk["order"] == "asc" else reversed(found))]


@example(ends=(date(2011, 12, 29), date(2011, 12, 31)), order="asc", limit=1)
@example(ends=(date(2026, 3, 29), date(2026, 3, 29)), order="desc", limit=2)
@example(ends=(date(2024, 2, 29), date(2024, 2, 29)), order="asc", limit=200)
@example(ends=(date(1, 1, 1), date(9999, 12, 31)), order="desc", limit=7)
@given(ends=st.tuples(st.none() | days, st.none() | days), order=st.sampled_from(["asc", "desc"]), limit=st.sampled_from([4, 19, 50, 200]))
@examples(repetitions(50, 15))
def test_listings_by_date_equal_a_brute_force_filter(library, ends, order, limit):
    """Days are inclusive and those of each recording's own wall clock."""
    user, rows = library
    walk = {"from": ends[0], "to": ends[1], "order": order}
    if ends[0] and ends[1] and ends[0] > ends[1]:
        assert page(user, 422, from_=ends[0], to=ends[1], order=order).json()["errors"][0]["pointer"] in ("query/to", "/to")
        return
    seen, cursor = [], None
    while True:
        body = page(user, from_=ends[0], to=ends[1], order=order, limit=limit, cursor=cursor).json()
        seen += [entry["id"] for entry in body["items"]]
        assert len(body["items"]) == min(limit, len(body["items"])) and (not body["next_cursor"] or len(body["items"]) == limit)
        cursor = body["next_cursor"]
        if not cursor:
            break
    assert seen == ordered(rows, walk)


@pytest.fixture(scope="module")
def cursors(shared_rig, library):
    """Real positions of another person, of another app, and of the reader's own."""
    mine, rows = library
    other = shared_rig.user()
    for number in range(60):
        other.create_text(f"theirs {number}")
    feed = [page(user, path="/v1/changes", limit=limit).json()["next_since"] for limit in (3, 40) for user in (mine, other)]
    dated = [page(user, order=order, limit=3).json()["next_cursor"] for user in (mine, other) for order in ("asc", "desc")]
    return mine, set(rows), other, feed, dated


def own_or_refused(user, mine, query):
    """What any position may do: give one's own rows, be refused, or have expired."""
    answer = user.call("GET", f"/v1/entries?{query}", (200, 410, 422))
    if answer.status_code == 200:
        assert {entry["id"] for entry in answer.json()["items"]} <= mine
        return 200
    assert answer.headers["content-type"].startswith("application/problem+json")
    return answer.status_code


@given(data=st.data())
@examples(repetitions(150, 30))
def test_a_tampered_position_gives_ones_own_rows_or_a_problem(cursors, data):
    user, mine, _, feed, dated = cursors
    kind, known = data.draw(st.sampled_from([("since", feed), ("cursor", dated)]))
    text = data.draw(st.sampled_from(known))
    raw = bytearray(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    how = data.draw(st.sampled_from(["bit", "bytes", "cut", "longer", "letter", "other kind"]))
    if how == "bit":
        place = data.draw(st.integers(0, len(raw) * 8 - 1))
        raw[place // 8] ^= 1 << place % 8
    elif how == "bytes":
        raw[1:] = data.draw(st.binary(min_size=len(raw) - 1, max_size=len(raw) - 1))
    elif how == "cut":
        raw = raw[: data.draw(st.integers(0, len(raw) - 1))]
    elif how == "longer":
        raw += data.draw(st.binary(min_size=1, max_size=20))
    made = base64.urlsafe_b64encode(bytes(raw)).rstrip(b"=").decode()
    if how == "letter":
        place = data.draw(st.integers(0, len(text) - 1))
        made = text[:place] + data.draw(st.sampled_from("=+/ .~%\x00é😀")) + text[place + 1 :]
    if how == "other kind":
        made = data.draw(st.sampled_from(dated if kind == "since" else feed))
    status = own_or_refused(user, mine, f"{kind}={quote(made)}")
    if how in ("cut", "longer", "letter", "other kind"):
        assert status == 422 or not made and kind == "since", f"{how}: {status}"


@given(
    text=st.one_of(
        st.text(max_size=70), st.from_regex(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,10})?([Zz]|[+-]\d\d:\d\d)?", fullmatch=True)
    ),
    name=st.sampled_from(
        ["since", "cursor", "from", "to", "sort", "order", "limit", "tag", "mood", "kind", "status", "favorite", "speaker", "view"]
    ),
)
@example(text="0001-01-01T00:00:00Z", name="since")
@example(text="9999-12-31T23:59:59.999999999Z", name="since")
@example(text="2026-01-01T00:00:00+23:59", name="since")
@example(text="1970-01-01T00:00:60Z", name="since")
@examples(repetitions(150, 30))
def test_any_text_is_a_parameter_or_a_problem(cursors, text, name):
    user, mine, _, _, _ = cursors
    own_or_refused(user, mine, f"{name}={quote(text.encode('utf-8', 'surrogatepass'))}")


def test_limits_and_mixtures(cursors):
    user, mine, _, feed, dated = cursors
    for limit in ("0", "201", "-1", "1.5", "1e2", "many", "9" * 40, "0x10"):
        assert page(user, 422, limit=limit).json()["code"] == "invalid_fields"
        page(user, 422, "/v1/changes", limit=limit)
    # The feed shows the ten deleted ones too.
    for limit in (1, 200):
        feed_page = page(user, path="/v1/changes", limit=limit).json()
        assert len(feed_page["items"] + feed_page["deleted"]) == min(limit, len(mine) + 10)
        assert len(page(user, limit=limit).json()["items"]) == min(limit, len(mine))
    for query in (
        {"since": feed[0], "from_": "2026-01-01"},
        {"since": feed[0], "order": "asc"},
        {"since": feed[0], "sort": "duration"},
        {"since": feed[0], "favorite": "false"},
        {"since": feed[0], "cursor": dated[0]},
        {"from_": "2026-01-02", "to": "2026-01-01"},
        {"from_": "2026-02-29"},
        {"to": "2026-13-01"},
        {"order": "up"},
        {"sort": "title"},
        {"kind": "photo"},
        {"status": "archived"},
        {"favorite": "maybe"},
        {"tag": ""},
        {"view": "short"},
    ):
        page(user, 422, **query)
    for path in ("/v1/entries", "/v1/changes"):
        assert "next_since" in page(user, path=path, since=feed[0], limit=50, view="full").json()
    assert page(user, since=feed[0], order="desc").json()["next_since"]


def test_another_persons_position_shows_nothing_of_theirs(cursors):
    """Also with the other's whole diary behind it: a position says how far, never whose."""
    user, mine, other, feed, dated = cursors
    theirs = {entry["id"] for entry in page(other, order="asc", limit=200).json()["items"]}
    for query in [f"since={text}" for text in feed] + [f"cursor={text}&order={order}" for text in dated for order in ("asc", "desc")]:
        for reader, own in ((user, mine), (other, None)):
            answer = reader.call("GET", f"/v1/entries?limit=200&{query}", (200, 410))
            body = answer.json()
            ids = {entry["id"] for entry in body.get("items", []) + body.get("deleted", [])}
            assert not ids & theirs if own is not None else not ids & mine
