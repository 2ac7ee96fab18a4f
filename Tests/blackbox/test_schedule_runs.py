"""Schedules of exports when their time has come: each time once however many run them, what came since, and the end of their mails."""

import datetime
import io
import json
import random
import secrets
import subprocess
import zipfile
import zoneinfo

import pytest

import http_client
from mail import text_of
from processes import PROGRAM, wait_for
from repetitions import repetitions
from schedule_runners import Runners
from schedules import created, due, expected_next, made, run_due, runs, shown, utc

pytestmark = pytest.mark.any_store


def test_a_due_schedule_makes_the_zip_and_the_mail_whose_one_click_ends_the_mails(rig):
    user = rig.user()
    word = "lantern" + secrets.token_hex(6)
    user.create_text(word, recorded_at="2026-03-01T12:00:00Z", time_zone="Europe/Berlin")
    schedule = created(user, keep_last=1)
    due(rig, schedule["id"], ago="15 days")

    (run,) = made(user, schedule["id"], 1)

    assert run["schedule_id"] == schedule["id"] and run["due_at"] and run["entry_count"] == 1
    after = shown(user, schedule["id"])
    assert after["next_at"] == schedule["next_at"] and after["last_at"] == run["created_at"] and after["version"] == 1
    (link,) = wait_for(user.export_links, 20, "the mail")
    with zipfile.ZipFile(io.BytesIO(user.download(link))) as archive:
        assert any(word in archive.read(name).decode() for name in archive.namelist() if name.endswith(".txt"))
    mail = wait_for(lambda: [m for m in rig.mails(user.address) if m["List-Unsubscribe"]], 20, "the header")[-1]
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = "".join(mail["List-Unsubscribe"].split()).strip("<>")

    # Run again by its owner: nothing has changed since, and the older export, whose mail has been sent, ends.
    wait_for(lambda: runs(user, schedule["id"])[0]["mail_status"] == "sent", 20, "the mail's state")
    asked = user.call("POST", f"/v1/export-schedules/{schedule['id']}/run", 202).json()
    assert asked["due_at"] is None
    ready = wait_for(lambda: (r := runs(user, schedule["id"]))[0]["status"] == "ready" and r, 40, "the second")
    assert ready[0]["entry_count"] == 0 and [r["status"] for r in ready] == ["ready", "revoked"]

    page = http_client.get(address, headers={"Accept": "text/html"})
    assert page.status_code == 200 and "Stop the mails" in page.text and shown(user, schedule["id"])["mail"] is True
    for _ in range(2):
        click = http_client.post(address, data={"List-Unsubscribe": "One-Click"}, allow_redirects=False)
        assert click.status_code == 200 and "stopped" in click.text
    assert shown(user, schedule["id"])["mail"] is False
    for forged in (address[:-1] + ("A" if address[-1] != "A" else "B"), address + "x", address.rsplit(".", 1)[0] + "."):
        assert http_client.post(forged).status_code == 403
    events = user.call("GET", "/v1/me/events", 200).json()["items"]
    assert [e["actor"] for e in events if e["kind"] == "schedule_mail_stopped"] == ["anonymous"]
    before = len(user.export_links())
    user.create_text("After the end of the mails.")
    due(rig, schedule["id"])
    assert made(user, schedule["id"], 3)[0]["mail_status"] == "none" and len(user.export_links()) == before


def test_one_click_stops_a_mail_that_waits_already(own_rig):
    rig = own_rig
    user = rig.user()
    schedule = created(user)
    user.create_text("In the first.")
    due(rig, schedule["id"])
    made(user, schedule["id"], 1)
    mail = wait_for(lambda: [m for m in rig.mails(user.address) if m["List-Unsubscribe"]], 20, "the mail")[-1]
    address = "".join(mail["List-Unsubscribe"].split()).strip("<>")
    rig.diary("jobs", "pause", "mail")
    user.create_text("In the second.")
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


def test_what_comes_late_is_in_the_next_export_which_says_the_days_since_the_one_before(rig):
    user = rig.user()
    schedule = created(user)
    user.create_text("There before.", recorded_at="2026-03-01T12:00:00Z", time_zone="Europe/Berlin")
    waiting = user.create_voice()
    due(rig, schedule["id"], ago="10 days")
    (first,) = made(user, schedule["id"], 1)
    assert (first["from"], first["to"], first["entry_count"]) == (None, None, 2)
    # Recorded before that export was made, one of them long before; sent and transcribed after it.
    user.put(waiting["upload"])
    user.complete(waiting["entry_id"])
    user.wait_done(waiting["entry_id"])
    offline = user.create_text("From a phone without a network.", recorded_at="2025-01-01T12:00:00Z", time_zone="Europe/Berlin")

    due(rig, schedule["id"], ago="9 days")
    second = made(user, schedule["id"], 2)[0]

    url = user.call("GET", f"/v1/exports/{second['id']}/url", 200).json()
    with zipfile.ZipFile(io.BytesIO(http_client.get(url["url"]).content)) as archive:
        entries = {entry["id"]: entry for entry in json.loads(archive.read("manifest.json"))["entries"]}
        page = archive.read("index.html").decode()
    assert set(entries) == {waiting["entry_id"], offline["entry_id"]} and entries[waiting["entry_id"]]["layers"]["raw"]
    zone = zoneinfo.ZoneInfo("Europe/Berlin")
    days = [datetime.datetime.fromisoformat(run["created_at"]).astimezone(zone).date() for run in (first, second)]
    assert [second["from"], second["to"]] == [str(day) for day in days] and f"{days[0]}_{days[1]}" in url["filename"]
    said = f"{days[1].day} {days[1]:%B %Y}"
    (_, mail) = wait_for(lambda: len(m := [m for m in rig.mails(user.address) if m["List-Unsubscribe"]]) == 2 and m, 20, "the mail")
    assert said in text_of(mail) and said in page and "all days" not in page
    due(rig, schedule["id"], ago="8 days")
    assert made(user, schedule["id"], 3)[0]["entry_count"] == 0


def test_the_list_of_exports_takes_a_schedule_and_a_state(rig):
    user = rig.user()
    schedule, other = created(user, mail=False)["id"], created(user, mail=False)["id"]
    run = user.call("POST", f"/v1/export-schedules/{schedule}/run", 202).json()["id"]
    made(user, schedule, 1)
    asked = user.call("POST", "/v1/exports", 202, json={"from": "2026-01-01", "to": "2026-12-31", "mail": False}).json()["id"]
    user.call("DELETE", f"/v1/exports/{asked}", 204)

    def listed(query):
        return [export["id"] for export in user.call("GET", f"/v1/exports?{query}", 200).json()["items"]]

    assert listed("") == [asked, run] and listed("limit=1&status=ready") == [run] and listed("status=revoked") == [asked]
    assert listed(f"schedule_id={schedule}") == listed(f"schedule_id={schedule.upper()}&status=ready") == [run]
    assert listed(f"schedule_id={other}") == listed(f"schedule_id={asked}") == listed("status=failed") == []
    for query, name in (("status=done", "status"), ("schedule_id=x", "schedule_id")):
        problem = user.call("GET", f"/v1/exports?{query}", 422).json()
        assert [error["pointer"] for error in problem["errors"]] == [f"query/{name}"]


def test_a_run_that_failed_loses_nothing(own_rig):
    rig = own_rig
    user = rig.user()
    schedule = created(user, mail=False)
    due(rig, schedule["id"], ago="3 days")
    made(user, schedule["id"], 1)
    user.create_text("Still to come.", recorded_at="2026-03-01T12:00:00Z", time_zone="Europe/Berlin")
    rig.diary("jobs", "pause", "exports")
    due(rig, schedule["id"], ago="2 days")
    failed = wait_for(lambda: len(found := runs(user, schedule["id"])) == 2 and found[0], 20, "the run")
    # As a job that has failed for the last time leaves it.
    rig.postgres.sql("diary", "delete from jobs where subject = %s", failed["id"])
    rig.postgres.sql("diary", "update exports set status = 'failed', code = 'storage_unavailable' where id = %s", failed["id"])
    before = shown(user, schedule["id"])["last_at"]
    rig.diary("jobs", "resume", "exports")
    rig.stop("work")
    rig.start("work")

    due(rig, schedule["id"], ago="1 day")

    ready = wait_for(lambda: (found := runs(user, schedule["id"]))[0]["status"] == "ready" and found, 40, "the next run")
    assert [run["status"] for run in ready] == ["ready", "failed", "ready"] and ready[0]["entry_count"] == 1
    assert shown(user, schedule["id"])["last_at"] == ready[0]["created_at"] > before


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
    assert set(report) == {"due", "made", "taken", "skipped", "failed", "dry_run", "schedules"}
    assert all(set(row) == {"tenant", "user", "id", "due_at", "next_at", "outcome"} for row in report["schedules"])
    assert {row["id"]: row["outcome"] for row in report["schedules"]} == {good["id"]: "made", broken["id"]: "failed"}
    assert (again := run_due(rig, status=2))["due"] == again["failed"] == 1
    assert len(runs(users[0], good["id"])) == 1 and runs(users[1], broken["id"]) == []
    rig.postgres.sql("diary", "update export_schedules set time_zone = 'UTC' where id = %s", broken["id"])
    assert run_due(rig)["made"] == 1 and run_due(rig)["due"] == 0
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
    insert into export_schedules (tenant_id, user_id, id, every, at_minute, time_zone, covers, include_audio, formats, layer, mail)
    select %(tenant)s, id, gen_random_uuid(), 'day', 150, time_zone, 'changes', true, '{txt}', 'shown', true from made
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
                "update export_schedules s set next_at = t.at from unnest(%s::text[], %s::timestamptz[]) t (zone, at) where s.time_zone = t.zone",
                list(times),
                list(times.values()),
            )
            periods += 1
            for _ in range(kills // 3 + (number < kills % 3)):
                runners.kill_one(pick)
            wait_for(
                lambda: rig.postgres.sql("diary", "select count(*) from export_schedules where next_at <= now()") == [(0,)],
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
    daily = {zone: {"every": "day", "at": "02:30", "time_zone": zone} for zone in ZONES}
    wanted = {zone: {expected_next(daily[zone], at) for at in (now - datetime.timedelta(minutes=5), now)} for zone in ZONES}
    for zone, next_at in rig.postgres.sql("diary", "select distinct time_zone, next_at from export_schedules"):
        assert next_at in wanted[zone]
    print(f"row 7: {count} accounts, {periods} periods each, {kills} kills: {row[0]} exports, each once")
