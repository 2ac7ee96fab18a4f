"""The day of an entry (decision D17): lists, statistics, zips and the feed beside a filter by brute force.
`DIARY_TIMES=1` takes 10,000 entries and more zips."""

import io
import json
import os
import random
import zipfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

import http_client
from repetitions import LONG, repetitions
from user import SAMPLE

USERS, ENTRIES, ENDS, RANGES = repetitions((40, 250, 6, 12), (2, 60, 3, 10))
ENDS_AT = [0, 1, 60, 119, 120, 180, 210, 359, 719]
# Odd offsets, changes at midnight, by half an hour and by two hours, a day that was skipped and one that came twice, both ends of the earth.
ZONES = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/St_Johns",
    "America/Havana",
    "America/Santiago",
    "America/Sao_Paulo",
    "America/Juneau",
    "Africa/Cairo",
    "Africa/Casablanca",
    "Africa/Monrovia",
    "Antarctica/Troll",
    "Asia/Beirut",
    "Asia/Kathmandu",
    "Asia/Manila",
    "Asia/Tehran",
    "Australia/Eucla",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Pacific/Chatham",
    "Pacific/Kiritimati",
    "Pacific/Kwajalein",
    "Etc/GMT+12",
]


def wall(moment, zone):
    return moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None)


def day_of(moment, zone, minute):
    return (wall(moment, zone) - timedelta(minutes=minute)).date()


def changes(zone, year):
    """The moments of a year at which the zone's clocks are changed."""
    found, step = [], timedelta(days=10)
    last = datetime(year, 1, 1, tzinfo=UTC)
    for _ in range(37):
        low, high = last, last + step
        last = high
        if low.astimezone(ZoneInfo(zone)).utcoffset() == high.astimezone(ZoneInfo(zone)).utcoffset():
            continue
        while high - low > timedelta(seconds=1):
            middle = (low + (high - low) / 2).replace(microsecond=0)
            if middle <= low:
                break
            if middle.astimezone(ZoneInfo(zone)).utcoffset() == low.astimezone(ZoneInfo(zone)).utcoffset():
                low = middle
            else:
                high = middle
        found.append(high)
    return found


CHANGES = {zone: [moment for year in (1993, 2011, 2025, 2026) for moment in changes(zone, year)] for zone in ZONES}


def moment_in(dice, zone):
    """Around a change of clocks, around an end of the day, or any time that may be recorded."""
    kind = dice.random()
    if kind < 0.4 and CHANGES[zone]:
        return dice.choice(CHANGES[zone]) + timedelta(seconds=dice.choice([0, -1, 1, dice.randint(-50_000, 50_000)]))
    if kind < 0.9:
        day = date(2026, 1, 1) + timedelta(days=dice.randint(-60, 60))
        end = timedelta(minutes=dice.choice(ENDS_AT), microseconds=dice.choice([-1, 0, 1, dice.randint(-(10**9), 10**9)]))
        clock = datetime(day.year, day.month, day.day) + end
        return clock.replace(tzinfo=ZoneInfo(zone), fold=dice.randint(0, 1)).astimezone(UTC)
    return datetime(1901, 1, 1, tzinfo=UTC) + timedelta(seconds=dice.randint(0, 298 * 365 * 86_400), microseconds=dice.randint(0, 999_999))


def stamp(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def clock(minute):
    return f"{minute // 60:02}:{minute % 60:02}"


def listed(user, first, last, order):
    found, cursor = [], None
    while True:
        query = {"from": first, "to": last, "order": order, "cursor": cursor, "limit": 200}
        body = user.call("GET", "/v1/entries", 200, params={name: value for name, value in query.items() if value is not None}).json()
        found += body["items"]
        cursor = body["next_cursor"]
        if not cursor:
            return found


def changed(user, since):
    """The feed after a position: entries by id, and the new position."""
    found = {}
    while True:
        body = user.call("GET", "/v1/changes", 200, params={"since": since, "limit": 200}).json()
        found.update({entry["id"]: entry for entry in body["items"]})
        since = body["next_since"]
        if not body["has_more"]:
            return found, since


def manifest(user, first, last, **more):
    export = user.export(60, **{"from": first.isoformat(), "to": last.isoformat(), **more})
    url = user.call("GET", f"/v1/exports/{export['id']}/url", 200).json()["url"]
    with zipfile.ZipFile(io.BytesIO(http_client.get(url, timeout=30).content)) as archive:
        names = archive.namelist()
        content = json.loads(archive.read("manifest.json"))
    assert export["entry_count"] == content["entry_count"] == len(content["entries"])
    assert sorted(names) == sorted(
        [file["path"] for entry in content["entries"] for file in entry["files"]] + ["index.html", "manifest.json"]
    )
    return content["entries"]


def range_of(dice, rows, minute):
    """Days at and beside those of an entry; sometimes without an end."""
    day = day_of(*dice.choice(list(rows.values())), minute)
    first = day + timedelta(days=dice.choice([-1, 0, 0, 1]))
    last = max(first, day + timedelta(days=dice.choice([-1, 0, 0, 1, 30])))
    return dice.choice([(first, last)] * 4 + [(first, None), (None, last)])


def within(day, first, last):
    return (first is None or first <= day) and (last is None or day <= last)


@pytest.mark.long
def test_e4_lists_statistics_zips_and_the_feed_have_one_meaning_of_a_day(rig):
    seed = int(os.environ.get("DIARY_SEED", "0")) or random.randrange(10**9)
    print(f"DIARY_SEED={seed}")
    dice, cases = random.Random(seed), 0
    for _ in range(USERS):
        user = rig.user()
        begun = stamp(datetime.now(UTC) - timedelta(hours=1))
        minute = dice.choice(ENDS_AT)
        user.call("PATCH", "/v1/me", 200, json={"day_ends_at": clock(minute)})
        rows = {}
        for number in range(ENTRIES):
            zone = dice.choice(ZONES)
            moment = moment_in(dice, zone)
            made = user.create_text(f"{number}", recorded_at=stamp(moment), time_zone=zone)
            rows[made["entry_id"]] = (moment, zone)
            assert made["entry"]["local_date"] == day_of(moment, zone, minute).isoformat(), (moment, zone, minute)
        days = {id: day_of(*row, minute) for id, row in rows.items()}
        known, since = changed(user, begun)
        assert {id: entry["local_date"] for id, entry in known.items()} == {id: day.isoformat() for id, day in days.items()}

        for turn in range(ENDS):
            if turn:
                minute = dice.choice([other for other in ENDS_AT if other != minute])
                user.call("PATCH", "/v1/me", 200, json={"day_ends_at": clock(minute)})
                before, days = days, {id: day_of(*row, minute) for id, row in rows.items()}
                moved, since = changed(user, since)
                assert {id: entry["local_date"] for id, entry in moved.items()} == {
                    id: day.isoformat() for id, day in days.items() if day != before[id]
                }, "the feed has the entries that moved, and no others"
            for _ in range(RANGES):
                first, last = range_of(dice, rows, minute)
                order = dice.choice(["asc", "desc"])
                found = listed(user, first, last, order)
                wanted = sorted(((*rows[id][:1], id) for id in rows if within(days[id], first, last)), reverse=order == "desc")
                assert [entry["id"] for entry in found] == [id for _, id in wanted], (first, last, clock(minute))
                assert all(entry["local_date"] == days[entry["id"]].isoformat() for entry in found)
                cases += len(rows)
            months = Counter(day.isoformat()[:7] for day in days.values())
            for month in [dice.choice(sorted(months)), "2026-02"]:
                counted = user.call("GET", "/v1/entries/days", 200, params={"month": month}).json()["items"]
                expected = Counter(day.isoformat() for day in days.values() if day.isoformat().startswith(month))
                assert [(day["local_date"], day["entries"]) for day in counted] == sorted(expected.items()), (month, clock(minute))
            stats = user.call("GET", "/v1/me/stats", 200).json()
            assert [(month["month"], month["texts"]) for month in stats["months"]] == sorted(months.items(), reverse=True)
            assert (stats["entries"], stats["texts"], stats["recordings"]) == (len(rows), len(rows), 0)
            if turn == 0 or LONG or turn == ENDS - 1:
                first, last = range_of(dice, rows, minute)
                first, last = first or last - timedelta(days=40), last or first + timedelta(days=40)
                zipped = manifest(user, first, last)
                assert {entry["id"]: (entry["local_date"], entry["local_time"], entry["time_zone"]) for entry in zipped} == {
                    id: (days[id].isoformat(), wall(*row).strftime("%Y-%m-%dT%H:%M:%S"), row[1])
                    for id, row in rows.items()
                    if within(days[id], first, last)
                }
    print(f"{cases} cases of zone, end of day, entry and range")
    assert cases >= repetitions(10_000, 1_000)


def test_entries_created_while_the_end_of_the_day_changes_are_on_their_day(rig):
    user = rig.user()
    # Half past one at night, by its own clock.
    at = {"recorded_at": "2026-03-10T00:30:00Z", "time_zone": "Europe/Berlin"}

    def create(number):
        return user.create_text(f"{number}", **at)["entry_id"]

    def change(minute):
        user.call("PATCH", "/v1/me", 200, json={"day_ends_at": clock(minute)})

    for minute, day in ((180, "2026-03-09"), (0, "2026-03-10"), (91, "2026-03-09"), (90, "2026-03-10")):
        with ThreadPoolExecutor(6) as pool:
            made = [pool.submit(create, number) for number in range(10)]
            pool.submit(change, minute).result()
            made += [pool.submit(create, number) for number in range(5)]
            ids = {future.result() for future in made}
        assert ids <= {entry["id"] for entry in listed(user, day, day, "asc")}
        other = {"2026-03-09": "2026-03-10", "2026-03-10": "2026-03-09"}[day]
        assert listed(user, other, other, "asc") == []


def test_statistics_count_recordings_that_have_arrived_by_their_day(rig):
    user = rig.user()
    user.call("PATCH", "/v1/me", 200, json={"day_ends_at": "04:00"})
    # 02:30 on the first of April in Berlin: still March.
    spoken = [user.record(recorded_at="2026-04-01T00:30:00Z"), user.record(recorded_at="2026-04-01T10:00:00Z")]
    seconds = sum(user.wait_done(id)["duration_s"] for id in spoken)
    user.create_voice(recorded_at="2026-04-02T10:00:00Z", duration_s=1000)
    expired = user.create_voice(recorded_at="2026-04-03T10:00:00Z", duration_s=1000)["entry_id"]
    rig.postgres.sql("diary", "update entries set upload_expires_at = now() where id = %s", expired)
    user.wait_done(expired, status="failed")
    user.create_text("words", recorded_at="2026-04-01T10:00:00Z", time_zone="Europe/Berlin")
    size = len(SAMPLE.read_bytes())

    stats = user.call("GET", "/v1/me/stats", 200).json()

    assert (stats["entries"], stats["recordings"], stats["texts"], stats["size_bytes"]) == (3, 2, 1, 2 * size)
    assert stats["duration_s"] == pytest.approx(seconds)
    assert [(m["month"], m["entries"], m["recordings"], m["texts"], m["size_bytes"]) for m in stats["months"]] == [
        ("2026-04", 2, 1, 1, size),
        ("2026-03", 1, 1, 0, size),
    ]
    # The one that waits and the expired one are in the zip's list, without a file.
    zipped = {entry["id"]: entry["files"] for entry in manifest(user, date(2026, 4, 1), date(2026, 4, 30))}
    assert len(zipped) == 4 and zipped[expired] == [] and spoken[0] not in zipped


def test_an_export_asked_for_under_another_end_of_the_day_ends_with_an_entry_that_it_holds(rig):
    user = rig.user()
    user.call("PATCH", "/v1/me", 200, json={"day_ends_at": "03:00"})
    id = user.create_text("at night", recorded_at="2026-03-10T00:30:00Z", time_zone="Europe/Berlin")["entry_id"]
    holds = user.export(**{"from": "2026-03-09", "to": "2026-03-09"})
    assert holds["entry_count"] == 1
    user.call("PATCH", "/v1/me", 200, json={"day_ends_at": "00:00"})
    holds_not = user.export(**{"from": "2026-03-09", "to": "2026-03-09"})
    assert holds_not["entry_count"] == 0
    user.call("DELETE", f"/v1/entries/{id}", 204)
    assert user.call("GET", f"/v1/exports/{holds['id']}", 200).json()["revoked_at"] is not None
    assert user.call("GET", f"/v1/exports/{holds_not['id']}", 200).json()["revoked_at"] is None
