"""Schedules of exports: their times, changes and limits, each period once however many run them, and the end of their mails."""

import concurrent.futures
import datetime
import io
import json
import random
import secrets
import subprocess
import zipfile
import zoneinfo

import pytest
from dateutil.rrule import rrulestr

import http_client
from processes import PROGRAM, wait_for
from repetitions import repetitions
from schedule_runners import Runners

pytestmark = pytest.mark.any_store

WEEKLY = {"frequency": "weekly", "weekday": "tuesday", "hour": 6, "time_zone": "Europe/Berlin"}
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]


def created(user, expect=201, **terms):
    return user.call("POST", "/v1/export-schedules", expect, json={**WEEKLY, **terms}).json()


def shown(user, schedule):
    return user.call("GET", f"/v1/export-schedules/{schedule}", 200).json()


def changed(user, schedule, expect=200, headers=None, **terms):
    return user.call("PATCH", f"/v1/export-schedules/{schedule}", expect, json=terms, headers=headers or {})


def runs(user, schedule):
    return user.call("GET", f"/v1/export-schedules/{schedule}/runs", 200).json()["runs"]


def due(rig, *schedules, ago="1 minute"):
    """Their times have come."""
    rig.postgres.sql(
        "diary",
        "update export_schedules set next_run_at = date_trunc('minute', clock_timestamp()) - %s::interval where id = any (%s::uuid[])",
        ago,
        list(schedules),
    )


def run_due(rig, *words, status=0):
    done = subprocess.run(
        [PROGRAM, "exports", "run-due", "--json", *words], env=rig.environment, capture_output=True, text=True, timeout=http_client.PATIENCE
    )
    assert done.returncode == status, (done.stdout, done.stderr)
    return json.loads(done.stdout)


def made(user, schedule, count):
    """The schedule's exports, once there are so many and all are ready."""
    return wait_for(
        lambda: len(found := runs(user, schedule)) >= count and all(run["status"] in ("ready", "revoked") for run in found) and found,
        40,
        "the exports",
    )


def utc(local, zone):
    """When the wall clock of a zone shows a time first; one that it leaves out is the minute at which it is put on."""
    time = local.replace(tzinfo=zone, fold=0).astimezone(datetime.UTC)
    minute = datetime.timedelta(minutes=1)
    while (time - minute).astimezone(zone).replace(tzinfo=None) > local - minute:
        time -= minute
    return time


def expected_next(rule, hour, minute, zone, now):
    """By dateutil and zoneinfo."""
    zone = zoneinfo.ZoneInfo(zone)
    start = now.astimezone(zone).replace(tzinfo=None, hour=0, minute=0, second=0, microsecond=0) - datetime.timedelta(days=1)
    times = (utc(day.replace(hour=hour, minute=minute), zone) for day in rrulestr(rule, dtstart=start))
    return next(time for time in times if time > now)


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
        ({"frequency": "daily", "time_zone": "+02:00"}, "/time_zone", "zone"),
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


def test_one_that_has_ended_is_paused_and_resumed_and_moved_to_another_hour(rig):
    user = rig.user()
    id = user.call("POST", "/v1/export-schedules", 201, json={"rrule": "FREQ=DAILY;COUNT=1"}).json()["id"]
    rig.postgres.sql("diary", "update export_schedules set next_run_at = null, starts_on = '2026-01-01' where id = %s", id)
    path = f"/v1/export-schedules/{id}"

    for changes, status in [({"paused": True}, "paused"), ({"hour": 9}, "paused"), ({"paused": False}, "ended"), ({"hour": 10}, "ended")]:
        assert user.call("PATCH", path, 200, json=changes).json()["status"] == status
    old = user.call("PATCH", path, 422, json={"rrule": "FREQ=DAILY;UNTIL=20260301"}).json()
    assert [error["pointer"] for error in old["errors"]] == ["/rrule"]


def test_a_due_schedule_makes_the_zip_and_the_mail_whose_one_click_ends_the_mails(rig):
    user = rig.user()
    word = "lantern" + secrets.token_hex(6)
    user.create_text(word, recorded_at="2026-03-01T12:00:00Z", time_zone="Europe/Berlin")
    schedule = created(user, covers="changes", keep_last=1)
    due(rig, schedule["id"], ago="15 days")

    (run,) = made(user, schedule["id"], 1)

    assert run["schedule_id"] == schedule["id"] and run["due_at"] and run["entry_count"] == 1
    after = shown(user, schedule["id"])
    assert after["next_run_at"] == schedule["next_run_at"] and after["last_run_at"] and after["version"] == 1
    (link,) = wait_for(user.export_links, 20, "the mail")
    with zipfile.ZipFile(io.BytesIO(user.download(link))) as archive:
        assert any(word in archive.read(name).decode() for name in archive.namelist() if name.endswith(".txt"))
    mail = wait_for(lambda: [m for m in rig.mails(user.address) if m["List-Unsubscribe"]], 20, "the header")[-1]
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = "".join(mail["List-Unsubscribe"].split()).strip("<>")

    # Run again by its owner: nothing has changed since, and the older export ends.
    asked = user.call("POST", f"/v1/export-schedules/{schedule['id']}/run", 202).json()
    assert asked["due_at"] is None and asked["since_export"] == run["id"]
    ready = wait_for(lambda: (r := runs(user, schedule["id"]))[0]["status"] == "ready" and r, 40, "the second")
    assert ready[0]["entry_count"] == 0 and [r["status"] for r in ready] == ["ready", "revoked"]

    page = http_client.get(address, headers={"Accept": "text/html"})
    assert page.status_code == 200 and "Stop the mails" in page.text and shown(user, schedule["id"])["mail"] is True
    for _ in range(2):
        click = http_client.post(address, data={"List-Unsubscribe": "One-Click"}, allow_redirects=False)
        assert click.status_code == 200 and "stopped" in click.text
    assert shown(user, schedule["id"])["mail"] is False
    assert "stopped" in http_client.get(address).text
    for forged in (address[:-1] + ("A" if address[-1] != "A" else "B"), address + "x", address.rsplit(".", 1)[0] + "."):
        assert http_client.post(forged).status_code == 403
    events = user.call("GET", "/v1/me/events", 200).json()["events"]
    assert [e["actor"] for e in events if e["kind"] == "schedule_mail_stopped"] == ["anonymous"]
    before = len(user.export_links())
    due(rig, schedule["id"])
    assert made(user, schedule["id"], 3)[0]["mail_status"] == "none" and len(user.export_links()) == before


def test_one_click_stops_a_mail_that_waits_already(own_rig):
    rig = own_rig
    user = rig.user()
    schedule = created(user)
    due(rig, schedule["id"])
    made(user, schedule["id"], 1)
    mail = wait_for(lambda: [m for m in rig.mails(user.address) if m["List-Unsubscribe"]], 20, "the mail")[-1]
    address = "".join(mail["List-Unsubscribe"].split()).strip("<>")
    rig.diary("jobs", "pause", "mail")
    user.call("POST", f"/v1/export-schedules/{schedule['id']}/run", 202)
    assert made(user, schedule["id"], 2)[0]["mail_status"] == "waiting"

    assert http_client.post(address, data={"List-Unsubscribe": "One-Click"}).status_code == 200

    assert runs(user, schedule["id"])[0]["mail_status"] == "none"
    before = len(user.export_links())
    rig.diary("jobs", "resume", "mail")
    # A worker looks for jobs when it starts.
    rig.stop("work")
    rig.start("work")
    wait_for(
        lambda: rig.postgres.sql("diary", "select count(*) from jobs where kind = 'mail' and state <> 'done'") == [(0,)], 20, "the jobs"
    )
    assert len(user.export_links()) == before and rig.postgres.sql("diary", "select count(*) from mails where status = 'waiting'") == [(0,)]
    assert runs(user, schedule["id"])[0]["mail_status"] == "none"


def test_a_run_by_hand_covers_the_days_of_one_that_failed(rig):
    user = rig.user()
    schedule = created(user, covers="period", mail=False)
    due(rig, schedule["id"], ago="10 days")
    (first,) = made(user, schedule["id"], 1)
    rig.postgres.sql("diary", "update exports set status = 'failed', code = 'unexpected' where id = %s", first["id"])

    asked = user.call("POST", f"/v1/export-schedules/{schedule['id']}/run", 202).json()

    assert asked["from"] == first["from"] and asked["to"] >= first["to"]
    user.call("DELETE", f"/v1/export-schedules/{schedule['id']}", 204)


def test_run_due_says_what_is_due_runs_it_and_does_not_stop_at_one_that_fails(own_rig):
    rig = own_rig
    users = [rig.user(), rig.user()]
    rig.stop("work")
    good, broken = created(users[0]), created(users[1])
    due(rig, good["id"], broken["id"], ago="10 days")
    rig.postgres.sql("diary", "update export_schedules set time_zone = 'Mars/Base' where id = %s", broken["id"])

    preview = run_due(rig, "--dry-run")
    assert preview["due"] == 2 and preview["made"] == 0 and {row["id"] for row in preview["schedules"]} == {good["id"], broken["id"]}
    assert run_due(rig, "--tenant", "my-day", "--dry-run")["due"] == 2
    report = run_due(rig, status=2)
    assert (report["due"], report["made"], report["failed"]) == (2, 1, 1)
    assert {row["id"]: row["outcome"] for row in report["schedules"]} == {good["id"]: "made", broken["id"]: "failed"}
    assert run_due(rig)["due"] == 0
    noted = shown(users[1], broken["id"])
    assert (noted["failures"], noted["error_code"], noted["status"]) == (1, "time_zone_unknown", "active")
    assert len(runs(users[0], good["id"])) == 1 and runs(users[1], broken["id"]) == []
    missing = subprocess.run([PROGRAM, "exports", "run-due", "--tenant", "nowhere"], env=rig.environment, capture_output=True, text=True)
    assert missing.returncode == 1 and "nowhere" in missing.stderr
    for text in (json.dumps(report), missing.stderr):
        assert users[0].address not in text
    away = {**rig.environment, "DIARY_DATABASE_URL": rig.environment["DIARY_DATABASE_URL"].replace("host=", "host=/nowhere")}
    down = subprocess.run([PROGRAM, "exports", "run-due"], env=away, capture_output=True, text=True, timeout=60)
    assert down.returncode == 1


def test_run_due_that_ends_early_says_what_it_has_made(own_rig):
    rig = own_rig
    user = rig.user()
    rig.stop("work")
    schedules = [created(user)["id"] for _ in range(5)]
    due(rig, *schedules)
    # After two exports the database answers as when a statement took too long.
    rig.postgres.sql(
        "diary",
        """
        create function time_out() returns trigger language plpgsql as $$
        begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$;
        create function are_enough() returns boolean language sql security definer as 'select count(*) >= 2 from public.exports';
        grant execute on function are_enough() to diary_worker;
        create trigger exports_time_out before insert on exports for each row when (are_enough()) execute function time_out();
        """,
    )

    report = run_due(rig, status=1)

    assert (report["due"], report["made"], report["failed"], report["dry_run"]) == (5, 2, 3, False)
    assert sorted(row["outcome"] for row in report["schedules"]) == ["failed"] * 3 + ["made"] * 2
    assert {row["id"] for row in report["schedules"] if row["outcome"] == "made"} == {s for s in schedules if runs(user, s)}
    rig.postgres.sql("diary", "drop trigger exports_time_out on exports")


ZONES = ["Europe/Berlin", "America/New_York", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kolkata"]
CHANGES = {
    "Europe/Berlin": datetime.date(2026, 3, 29),
    "America/New_York": datetime.date(2026, 3, 8),
    "America/St_Johns": datetime.date(2026, 3, 8),
    "Australia/Lord_Howe": datetime.date(2026, 4, 5),
    "Asia/Kolkata": datetime.date(2026, 3, 29),
}
ACCOUNTS = """
    with made as (
        insert into users (tenant_id, id, email_sealed, time_zone)
        select %(tenant)s, gen_random_uuid(), 'x', (%(zones)s::text[])[1 + n %% 5] from generate_series(1, %(count)s) n returning id, time_zone),
    synced as (insert into user_sync (tenant_id, user_id, key_id) select %(tenant)s, id, gen_random_uuid() from made),
    known as (
        insert into identities (tenant_id, user_id, issuer, subject_hash, verified_at)
        select %(tenant)s, id, 'email', decode(replace(id::text, '-', ''), 'hex'), now() from made)
    insert into export_schedules (tenant_id, user_id, id, rule, starts_on, hour, minute, time_zone, covers, include_audio, formats, layer, mail)
    select %(tenant)s, id, gen_random_uuid(), 'FREQ=DAILY', '2026-01-01', 2, 30, time_zone, 'period', true, '{txt}', 'shown', true from made
"""


def local_times(days):
    """02:30 of a day in each zone."""
    return {
        name: utc(datetime.datetime(days[name].year, days[name].month, days[name].day, 2, 30), zoneinfo.ZoneInfo(name)) for name in ZONES
    }


def test_e9_every_period_is_run_once_over_a_change_of_the_clock_by_three_workers_and_two_cron_jobs_that_are_killed(own_rig):
    rig, pick = own_rig, random.Random(7)
    count, kills = repetitions(1_000, 40), repetitions(10, 1)
    # What is counted are exports and jobs; the accounts have no keys, so nothing is built.
    rig.diary("jobs", "pause", "exports")
    with rig.postgres.connect() as connection, connection.cursor() as cursor:
        cursor.execute(ACCOUNTS, {"tenant": rig.tenants["my-day"], "zones": ZONES, "count": count})
    days = [{zone: day + datetime.timedelta(days=n) for zone, day in CHANGES.items()} for n in (-1, 0, 1)]
    runners, periods = Runners(rig), 0
    try:
        for number, day in enumerate(days):
            times = local_times(day)
            rig.postgres.sql(
                "diary",
                "update export_schedules s set next_run_at = t.at from unnest(%s::text[], %s::timestamptz[]) t (zone, at) where s.time_zone = t.zone",
                list(times),
                list(times.values()),
            )
            periods += 1
            for _ in range(kills // 3 + (number < kills % 3)):
                runners.kill_one(pick)
            wait_for(
                lambda: rig.postgres.sql("diary", "select count(*) from export_schedules where next_run_at <= now()") == [(0,)],
                120,
                "the runs",
            )
    finally:
        runners.end()

    assert runners.killed == kills
    (row,) = rig.postgres.sql(
        "diary",
        """select count(*), count(distinct (schedule_id, period)), count(distinct schedule_id), count(*) filter (where mail_asked),
            (select count(distinct subject) from jobs where kind = 'export'), (select count(*) from jobs where kind = 'export') from exports""",
    )
    assert row == (periods * count,) * 2 + (count,) + (periods * count,) * 3
    now = datetime.datetime.now(datetime.UTC)
    wanted = {zone: {expected_next("FREQ=DAILY", 2, 30, zone, at) for at in (now - datetime.timedelta(minutes=5), now)} for zone in ZONES}
    for zone, next_run in rig.postgres.sql("diary", "select distinct time_zone, next_run_at from export_schedules"):
        assert next_run in wanted[zone]
    print(f"row 7: {count} accounts, {periods} periods each, {kills} kills: {row[0]} exports, each once")
