"""Writes cases of recurrence rules in time zones as Python computes them: dateutil's rrule gives the days, zoneinfo the times.

usage: make_recurrence_cases.py [count] > recurrence-cases.txt      (count: 4000, seed fixed)

A line is `rule|start|hour:minute|zone|after|times`: the first times of the rule after a time, as seconds since 1970; `-` ends a rule that ends.
Years are 1996 to 2025, whose clock changes no later zone database alters.
"""

import datetime
import random
import sys
import zoneinfo

from dateutil.rrule import rrulestr

ZONES = """Europe/Berlin Europe/London Europe/Lisbon America/New_York America/Los_Angeles America/Sao_Paulo America/St_Johns Asia/Kolkata
Asia/Tehran Asia/Beirut Asia/Kathmandu Australia/Lord_Howe Australia/Sydney Pacific/Apia Pacific/Chatham Africa/Cairo Africa/Casablanca
America/Havana America/Asuncion Atlantic/Azores UTC Etc/GMT+12""".split()
DAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
UTC = datetime.UTC


def rule(pick):
    frequency = pick.choice(["DAILY", "WEEKLY", "WEEKLY", "MONTHLY", "MONTHLY", "YEARLY"])
    parts = [f"FREQ={frequency}"]
    if pick.random() < 0.4:
        parts.append(f"INTERVAL={pick.choice([2, 3, 4, 7, 13])}")
    if pick.random() < 0.3:
        parts.append("BYMONTH=" + ",".join(map(str, sorted(pick.sample(range(1, 13), pick.randint(1, 3))))))
    if frequency != "WEEKLY" and pick.random() < 0.4:
        numbers = [n for n in range(-31, 32) if n]
        parts.append("BYMONTHDAY=" + ",".join(map(str, sorted(pick.sample(numbers, pick.randint(1, 3))))))
    if pick.random() < 0.45:
        days = sorted(pick.sample(range(7), pick.randint(1, 3)))
        if frequency in ("MONTHLY", "YEARLY") and pick.random() < 0.6:
            most = 53 if frequency == "YEARLY" and "BYMONTH" not in " ".join(parts) else 5
            parts.append("BYDAY=" + ",".join(f"{pick.choice([n for n in range(-most, most + 1) if n])}{DAYS[d]}" for d in days))
        else:
            parts.append("BYDAY=" + ",".join(DAYS[d] for d in days))
    end = pick.random()
    if end < 0.15:
        parts.append(f"COUNT={pick.randint(1, 40)}")
    elif end < 0.25:
        parts.append(f"UNTIL={pick.randint(1998, 2020)}{pick.randint(1, 12):02}{pick.randint(1, 28):02}")
    if frequency == "WEEKLY" and pick.random() < 0.3:
        parts.append(f"WKST={pick.choice(DAYS)}")
    return ";".join(parts)


def seconds(local, zone):
    """The wall clock's first time that is not before `local`: in a gap, its end."""
    first = local.replace(tzinfo=zone, fold=0)
    time = int(first.timestamp())
    if datetime.datetime.fromtimestamp(time, UTC).astimezone(zone).replace(tzinfo=None) == local:
        return time
    # In a gap: the first second whose wall clock shows a later time.
    low, high = time - 100_000, time + 100_000
    while high - low > 1:
        middle = (low + high) // 2
        if datetime.datetime.fromtimestamp(middle, UTC).astimezone(zone).replace(tzinfo=None) < local:
            low = middle
        else:
            high = middle
    return high


def changes(zone):
    """Days on which the zone's clock is changed."""
    day, found = datetime.date(1996, 1, 1), []
    while day.year < 2025:
        noon = datetime.datetime(day.year, day.month, day.day, 12, tzinfo=zone)
        if (noon + datetime.timedelta(days=1)).utcoffset() != noon.utcoffset():
            found.append(day + datetime.timedelta(days=1))
        day += datetime.timedelta(days=1)
    return found


def case(pick, changed):
    name = pick.choice(ZONES)
    zone = zoneinfo.ZoneInfo(name)
    start = datetime.date(1996, 1, 1) + datetime.timedelta(days=pick.randrange(7_000))
    hour, minute = pick.choice([0, 0, 1, 2, 2, 2, 3, 6, 23]), pick.choice([0, 15, 30, 59])
    text = rule(pick)
    if changed[name] and pick.random() < 0.5:
        # Looked at just before the clock is changed, every day, so that the change itself is among the times.
        day = pick.choice(changed[name])
        start = min(start, day)
        text = text if pick.random() < 0.3 else "FREQ=DAILY"
        after = datetime.datetime(day.year, day.month, day.day, tzinfo=UTC) - datetime.timedelta(hours=pick.randint(-20, 60))
    else:
        after = datetime.datetime(start.year, start.month, start.day, tzinfo=UTC) + datetime.timedelta(hours=pick.randint(-100, 60_000))
    after = int(after.timestamp())
    # Days alone: UNTIL is a day too, and is not compared with a time of day.
    later, is_over = [], True
    for day in rrulestr(text, dtstart=datetime.datetime(start.year, start.month, start.day)):
        if day.year > 2025:
            is_over = False
            break
        time = seconds(day.replace(hour=hour, minute=minute), zone) if day.replace(tzinfo=UTC).timestamp() > after - 200_000 else after
        if time > after:
            later.append(time)
        if len(later) == 4:
            break
    if not later and not is_over:
        return None
    shown = [str(time) for time in later[:4]] + (["-"] if is_over and len(later) < 4 else [])
    return "|".join([text, str(start), f"{hour}:{minute}", name, str(after), " ".join(shown)])


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 4_000
    pick = random.Random(5545)
    changed = {name: changes(zoneinfo.ZoneInfo(name)) for name in ZONES}
    made = 0
    while made < count:
        line = case(pick, changed)
        if line:
            print(line)
            made += 1
