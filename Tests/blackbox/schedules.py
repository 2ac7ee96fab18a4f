"""Schedules of exports, as tests make, read and run them."""

import calendar
import datetime
import json
import subprocess
import zoneinfo

import http_client
from processes import PROGRAM, wait_for

WEEKLY = {"every": "week", "weekday": "tuesday", "at": "06:00", "time_zone": "Europe/Berlin"}
DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


def created(user, expect=201, **terms):
    return user.call("POST", "/v1/export-schedules", expect, json={**WEEKLY, **terms}).json()


def shown(user, schedule):
    return user.call("GET", f"/v1/export-schedules/{schedule}", 200).json()


def changed(user, schedule, expect=200, headers=None, **terms):
    return user.call("PATCH", f"/v1/export-schedules/{schedule}", expect, json=terms, headers=headers or {})


def runs(user, schedule):
    """Its exports, newest first."""
    return user.call("GET", f"/v1/exports?limit=100&schedule_id={schedule}", 200).json()["items"]


def due(rig, *schedules, ago="1 minute"):
    """Their times have come."""
    rig.postgres.sql(
        "diary",
        "update export_schedules set next_at = date_trunc('minute', clock_timestamp()) - %s::interval where id = any (%s::uuid[])",
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


def expected_next(terms, now):
    """By zoneinfo: the first time of the terms after another one."""
    zone, (hour, minute) = zoneinfo.ZoneInfo(terms["time_zone"]), map(int, terms["at"].split(":"))
    day = now.astimezone(zone).replace(tzinfo=None, hour=hour, minute=minute, second=0, microsecond=0) - datetime.timedelta(days=1)
    while not is_on(terms, day) or utc(day, zone) <= now:
        day += datetime.timedelta(days=1)
    return utc(day, zone)


def is_on(terms, day):
    last = calendar.monthrange(day.year, day.month)[1]
    return {
        "day": True,
        "week": DAYS[day.weekday()] == terms.get("weekday"),
        "month": day.day == min(terms.get("day", 1), last),
        "year": day.month == terms.get("month") and day.day == min(terms.get("day", 1), last),
    }[terms["every"]]
