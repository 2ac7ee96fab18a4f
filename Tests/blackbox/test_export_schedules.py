"""Schedules of exports: their times, changes and limits."""

import concurrent.futures
import datetime
import random
import secrets

import pytest

import http_client
from repetitions import repetitions
from schedules import WEEKLY, changed, expected_next, shown

pytestmark = pytest.mark.any_store
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]


def test_the_next_time_is_that_of_the_rule_in_the_zone(rig):
    user, pick = rig.user(), random.Random(5545)
    for _ in range(repetitions(200, 12)):
        rule = pick.choice(
            [
                f"FREQ=WEEKLY;BYDAY={pick.choice(DAYS)}",
                f"FREQ=MONTHLY;BYMONTHDAY={pick.choice([1, 15, 28, 31, -1, -5])}",
                f"FREQ=MONTHLY;BYDAY={pick.choice([1, 2, 3, 4, -1])}{pick.choice(DAYS)}",
                f"FREQ=YEARLY;BYMONTH={pick.randint(1, 12)};BYMONTHDAY={pick.randint(1, 28)}",
                "FREQ=DAILY",
            ]
        )
        zone = pick.choice(["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Chatham", "America/St_Johns", "UTC"])
        hour, minute = pick.randrange(24), pick.choice([0, 30, 59])
        before = datetime.datetime.now(datetime.UTC)
        schedule = user.call(
            "POST", "/v1/export-schedules", 201, json={"rrule": rule, "hour": hour, "minute": minute, "time_zone": zone, "paused": False}
        ).json()
        wanted = {expected_next(rule, hour, minute, zone, now) for now in (before, datetime.datetime.now(datetime.UTC))}
        assert datetime.datetime.fromisoformat(schedule["next_run_at"]) in wanted, (rule, hour, minute, zone)
        user.call("DELETE", f"/v1/export-schedules/{schedule['id']}", 204)


def test_what_is_sent_is_shown_and_may_be_changed_paused_and_resumed(rig):
    user = rig.user()
    key = {"Idempotency-Key": secrets.token_hex(8)}
    body = {
        "frequency": "monthly",
        "day": -1,
        "covers": "period",
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
    assert (schedule["rrule"], schedule["frequency"], schedule["day"]) == ("FREQ=MONTHLY;BYMONTHDAY=-1", "monthly", -1)
    assert (schedule["time_zone"], schedule["hour"], schedule["mail"], schedule["status"]) == ("Europe/Berlin", 6, True, "active")
    assert (schedule["tags"], schedule["formats"], schedule["kind"], schedule["keep_last"]) == (["Work"], ["md", "srt"], "voice", 3)
    assert schedule == shown(user, schedule["id"])

    moved = changed(user, schedule["id"], day=15, hour=7, tags=None, kind=None, headers={"If-Match": '"1"'}).json()
    assert (moved["rrule"], moved["hour"], moved["tags"], moved["kind"], moved["version"]) == ("FREQ=MONTHLY;BYMONTHDAY=15", 7, [], None, 2)
    refused = changed(user, schedule["id"], 412, headers={"If-Match": '"1"'}, hour=8)
    assert refused.json()["current_schedule"]["version"] == 2 and refused.headers["etag"] == '"2"'
    paused = changed(user, schedule["id"], paused=True).json()
    assert (paused["status"], paused["pause_reason"], paused["next_run_at"]) == ("paused", "owner", None)
    resumed = changed(user, schedule["id"], paused=False).json()
    assert (resumed["status"], resumed["next_run_at"]) == ("active", moved["next_run_at"])
    other = rig.user()
    for method in ("GET", "PATCH", "DELETE"):
        other.call(method, f"/v1/export-schedules/{schedule['id']}", 404, **({"json": {"hour": 1}} if method == "PATCH" else {}))
    user.call("DELETE", f"/v1/export-schedules/{schedule['id']}", 204)
    user.call("GET", f"/v1/export-schedules/{schedule['id']}", 404)


@pytest.mark.parametrize(
    ("terms", "pointer", "word"),
    [
        ({"rrule": "FREQ=WEEKLY;BYSETPOS=1"}, "/rrule", "BYSETPOS"),
        ({"rrule": "FREQ=DAILY;BYHOUR=6"}, "/rrule", "hour"),
        ({"rrule": "FREQ=SECONDLY"}, "/rrule", "FREQ"),
        ({"rrule": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"}, "/rrule", "day to come"),
        ({"rrule": "FREQ=DAILY;UNTIL=20200101"}, "/rrule", "day to come"),
        ({"rrule": "FREQ=DAILY", "frequency": "daily"}, "/frequency", "rrule"),
        ({}, "/frequency", "required"),
        ({"frequency": "hourly"}, "/frequency", "known"),
        ({"frequency": "weekly", "day": 1}, "/day", "monthly"),
        ({"frequency": "monthly", "day": 31}, "/day", "28"),
        ({"frequency": "monthly", "day": 0}, "/day", "28"),
        ({"frequency": "yearly", "month": 2, "day": 29}, "/day", "every year"),
        ({"frequency": "yearly", "month": 13}, "/month", "12"),
        ({"frequency": "daily", "hour": 24}, "/hour", "23"),
        ({"frequency": "daily", "minute": -1}, "/minute", "59"),
        ({"frequency": "daily", "time_zone": "Mars/Base"}, "/time_zone", "zone"),
        ({"frequency": "daily", "time_zone": "+02:00:00"}, "/time_zone", "zone"),
        ({"frequency": "daily", "starts_on": "1999-12-31"}, "/starts_on", "2000"),
        ({"frequency": "daily", "covers": "some"}, "/covers", "known"),
        ({"frequency": "daily", "keep_last": 0}, "/keep_last", "100"),
        ({"frequency": "daily", "formats": ["pdf"]}, "/formats/0", "known"),
        ({"frequency": "daily", "mail": "yes"}, "/mail", "true"),
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
        seen, cursor = seen + [s["id"] for s in page["schedules"]], page["next_cursor"]
    assert len(seen) == len(set(seen)) == 10


def test_a_zone_in_any_case_is_kept_as_the_zone_database_spells_it(rig):
    user = rig.user()
    assert user.call("PATCH", "/v1/me", 200, json={"time_zone": "europe/berlin"}).json()["time_zone"] == "Europe/Berlin"
    for terms, zone in [({}, "Europe/Berlin"), ({"time_zone": "ASIA/tokyo"}, "Asia/Tokyo"), ({"time_zone": "etc/gmt+3"}, "Etc/GMT+3")]:
        made = user.call("POST", "/v1/export-schedules", 201, json={"frequency": "daily", **terms}).json()
        assert made["time_zone"] == zone
    entry = user.create_text("Over midnight.", recorded_at="2026-07-01T22:30:00Z", time_zone="eUROPE/bERLIN")["entry_id"]
    assert user.entry(entry)["time_zone"] == "Europe/Berlin"
    heading = user.call("GET", f"/v1/entries/{entry}/transcript.md", 200).text.splitlines()[0]
    assert heading == "# 2 July 2026, 00:30 (Berlin time)"


def test_a_change_that_names_the_time_that_it_has_leaves_a_run_that_is_tried_again(rig):
    user = rig.user()
    id = user.call("POST", "/v1/export-schedules", 201, json={"rrule": "FREQ=DAILY;COUNT=1", "hour": 9}).json()["id"]
    rig.postgres.sql(
        "diary",
        "update export_schedules set next_run_at = now() - interval '1 hour', retry_at = now() + interval '1 day', failures = 2 where id = %s",
        id,
    )
    due = shown(user, id)["next_run_at"]

    same = {"rrule": "FREQ=DAILY;COUNT=1", "hour": 9, "time_zone": shown(user, id)["time_zone"], "formats": ["md"]}
    assert changed(user, id, **same).json()["next_run_at"] == due
    assert changed(user, id, hour=10).json()["next_run_at"] != due


def test_one_that_has_ended_is_paused_and_resumed_and_moved_to_another_hour(rig):
    user = rig.user()
    id = user.call("POST", "/v1/export-schedules", 201, json={"rrule": "FREQ=DAILY;COUNT=1"}).json()["id"]
    rig.postgres.sql("diary", "update export_schedules set next_run_at = null, starts_on = '2026-01-01' where id = %s", id)
    path = f"/v1/export-schedules/{id}"

    for changes, status in [({"paused": True}, "paused"), ({"hour": 9}, "paused"), ({"paused": False}, "ended"), ({"hour": 10}, "ended")]:
        assert user.call("PATCH", path, 200, json=changes).json()["status"] == status
    old = user.call("PATCH", path, 422, json={"rrule": "FREQ=DAILY;UNTIL=20260301"}).json()
    assert [error["pointer"] for error in old["errors"]] == ["/rrule"]
