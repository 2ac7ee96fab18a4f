"""Schedules of exports: their times, changes and limits."""

import concurrent.futures
import datetime
import random
import secrets

import pytest

import http_client
from repetitions import repetitions
from schedules import DAYS, WEEKLY, changed, created, expected_next, shown

pytestmark = pytest.mark.any_store


def test_the_next_time_is_that_of_the_terms_in_the_zone(rig):
    user, pick = rig.user(), random.Random(5545)
    for _ in range(repetitions(200, 12)):
        terms = pick.choice(
            [
                {"every": "day"},
                {"every": "week", "weekday": pick.choice(DAYS)},
                {"every": "month", "day": pick.choice([1, 15, 28, 29, 30, 31])},
                {"every": "year", "month": pick.randint(1, 12), "day": pick.randint(1, 31)},
            ]
        )
        zones = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Chatham", "America/St_Johns", "UTC"]
        terms |= {"time_zone": pick.choice(zones), "at": f"{pick.randrange(24):02}:{pick.choice([0, 30, 59]):02}"}
        before = datetime.datetime.now(datetime.UTC)
        schedule = user.call("POST", "/v1/export-schedules", 201, json=terms).json()
        wanted = {expected_next(terms, now) for now in (before, datetime.datetime.now(datetime.UTC))}
        assert datetime.datetime.fromisoformat(schedule["next_at"]) in wanted, terms
        assert {name: schedule[name] for name in terms} == terms
        user.call("DELETE", f"/v1/export-schedules/{schedule['id']}", 204)


def test_what_is_sent_is_shown_and_may_be_changed_paused_and_resumed(rig):
    user = rig.user()
    key = {"Idempotency-Key": secrets.token_hex(8)}
    body = {
        "every": "month",
        "day": 31,
        "changes_only": False,
        "formats": ["srt", "md"],
        "tags": ["Work"],
        "kind": "voice",
        "keep_last": 3,
    }
    first = user.call("POST", "/v1/export-schedules", 201, json=body, headers=key)
    again = user.call("POST", "/v1/export-schedules", 201, json=body, headers=key)
    schedule = first.json()
    assert again.json()["id"] == schedule["id"] and again.headers["idempotency-replayed"] == "true"
    assert user.call("POST", "/v1/export-schedules", 422, json=WEEKLY, headers=key).json()["code"] == "idempotency_mismatch"
    assert first.headers["location"].endswith(schedule["id"]) and first.headers["etag"] == '"1"'
    assert (schedule["every"], schedule["weekday"], schedule["day"], schedule["month"]) == ("month", None, 31, None)
    assert (schedule["time_zone"], schedule["at"], schedule["mail"], schedule["paused"]) == ("Europe/Berlin", "06:00", True, False)
    assert (schedule["tags"], schedule["formats"], schedule["kind"], schedule["keep_last"]) == (["Work"], ["md", "srt"], "voice", 3)
    assert schedule["changes_only"] is False and schedule == shown(user, schedule["id"])

    moved = changed(user, schedule["id"], day=15, at="07:00", tags=None, kind=None, headers={"If-Match": '"1"'}).json()
    assert (moved["day"], moved["at"], moved["tags"], moved["kind"], moved["version"]) == (15, "07:00", [], None, 2)
    refused = changed(user, schedule["id"], 412, headers={"If-Match": '"1"'}, at="08:00")
    assert refused.json()["current_schedule"]["version"] == 2 and refused.headers["etag"] == '"2"'
    paused = changed(user, schedule["id"], paused=True).json()
    assert (paused["paused"], paused["next_at"]) == (True, None)
    assert changed(user, schedule["id"], at="09:00").json()["next_at"] is None
    resumed = changed(user, schedule["id"], paused=False, at="07:00").json()
    assert (resumed["paused"], resumed["next_at"]) == (False, moved["next_at"])
    weekly = changed(user, schedule["id"], every="week", changes_only=True).json()
    assert (weekly["every"], weekly["weekday"], weekly["day"], weekly["changes_only"]) == ("week", "monday", None, True)
    other = rig.user()
    for method in ("GET", "PATCH", "DELETE"):
        other.call(method, f"/v1/export-schedules/{schedule['id']}", 404, **({"json": {"at": "01:00"}} if method == "PATCH" else {}))
    user.call("DELETE", f"/v1/export-schedules/{schedule['id']}", 204)
    user.call("GET", f"/v1/export-schedules/{schedule['id']}", 404)


@pytest.mark.parametrize(
    ("terms", "pointer", "word"),
    [
        ({}, "/every", "required"),
        ({"every": "hour"}, "/every", "day, week, month, year"),
        ({"every": "week", "day": 1}, "/day", "month"),
        ({"every": "month", "weekday": "monday"}, "/weekday", "week"),
        ({"every": "month", "month": 1}, "/month", "year"),
        ({"every": "month", "day": 32}, "/day", "31"),
        ({"every": "month", "day": 0}, "/day", "31"),
        ({"every": "year", "month": 13}, "/month", "12"),
        ({"every": "day", "at": "24:00"}, "/at", "23:59"),
        ({"every": "day", "at": "6:00"}, "/at", "23:59"),
        ({"every": "day", "time_zone": "Mars/Base"}, "/time_zone", "zone"),
        ({"every": "day", "time_zone": "+02:00:00"}, "/time_zone", "zone"),
        ({"every": "day", "changes_only": "some"}, "/changes_only", "true"),
        ({"every": "day", "keep_last": 0}, "/keep_last", "100"),
        ({"every": "day", "formats": ["pdf"]}, "/formats/0", "txt, md"),
        ({"every": "day", "mail": "yes"}, "/mail", "true"),
    ],
)
def test_a_member_that_is_not_acceptable_is_named(rig, terms, pointer, word):
    if not hasattr(rig, "refused_user"):
        rig.refused_user = rig.user()
    problem = rig.refused_user.call("POST", "/v1/export-schedules", 422, json=terms).json()
    assert [error["pointer"] for error in problem["errors"]] == [pointer] and word in problem["errors"][0]["detail"], problem


def test_an_account_has_ten_schedules_and_pages_of_them(rig):
    user = rig.user()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        answers = list(
            pool.map(lambda _: http_client.post(user.rig.url + "/v1/export-schedules", json=WEEKLY, headers=user.http.headers), range(14))
        )
    codes = [answer.status_code for answer in answers]
    assert sorted(codes) == [201] * 10 + [409] * 4
    assert {a.json()["code"] for a in answers if a.status_code == 409} == {"too_many_schedules"}
    seen, cursor = [], ""
    while cursor is not None:
        page = user.call("GET", f"/v1/export-schedules?limit=4{cursor and '&cursor=' + cursor}", 200).json()
        seen, cursor = seen + [s["id"] for s in page["items"]], page["next_cursor"]
    assert len(seen) == len(set(seen)) == 10


def test_a_zone_in_any_case_is_kept_as_the_zone_database_spells_it(rig):
    user = rig.user()
    assert user.call("PATCH", "/v1/me", 200, json={"time_zone": "europe/berlin"}).json()["time_zone"] == "Europe/Berlin"
    for terms, zone in [({}, "Europe/Berlin"), ({"time_zone": "ASIA/tokyo"}, "Asia/Tokyo"), ({"time_zone": "etc/gmt+3"}, "Etc/GMT+3")]:
        made = user.call("POST", "/v1/export-schedules", 201, json={"every": "day", **terms}).json()
        assert made["time_zone"] == zone
    entry = user.create_text("Over midnight.", recorded_at="2026-07-01T22:30:00Z", time_zone="eUROPE/bERLIN")["entry_id"]
    assert user.entry(entry)["time_zone"] == "Europe/Berlin"
    heading = user.call("GET", f"/v1/entries/{entry}/transcript/file?format=md", 200).text.splitlines()[0]
    assert heading == "# 2 July 2026, 00:30 (Berlin time)"


def test_a_change_that_names_the_time_that_it_has_leaves_a_run_that_is_due(rig):
    user = rig.user()
    id = created(user, paused=True)["id"]
    rig.postgres.sql("diary", "update export_schedules set next_at = now() + interval '1 hour' where id = %s", id)
    due = shown(user, id)["next_at"]

    assert changed(user, id, **WEEKLY, formats=["md"]).json()["next_at"] == due
    assert changed(user, id, at="10:00").json()["next_at"] != due
