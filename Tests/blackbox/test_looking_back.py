"""What an app shows of earlier years and of today: a day of all years, days in a row, the reminder, the question of the day."""

import datetime
import zoneinfo

from processes import wait_for


def texts(page):
    return [entry["text"] for entry in page["items"]]


def test_a_day_of_all_years_is_one_list(rig):
    user, other = rig.user(), rig.user()
    at = {"leap": "2024-02-29", "old": "1999-07-04", "late": "2023-07-04", "next": "2023-07-05"}
    for text, day in at.items():
        user.create_text(text, recorded_at=f"{day}T12:00:00Z", time_zone="UTC")
    other.create_text("other's", recorded_at="2023-07-04T12:00:00Z", time_zone="UTC")

    def ask(expect=200, **query):
        return user.call("GET", "/v1/entries/on-this-day", expect, params=query).json()

    assert texts(ask(date="07-04")) == ["late", "old"] and texts(ask(date="02-29")) == ["leap"]
    assert ask(date="01-01") == {"items": [], "next_cursor": None, "has_more": False}
    first = ask(date="07-04", limit=1)
    second = ask(date="07-04", limit=1, cursor=first["next_cursor"])
    assert (texts(first), texts(second), second["has_more"]) == (["late"], ["old"], False)
    assert texts(ask(date="07-04", view="summary")) == [None, None]
    for query in ({"date": "7-4"}, {"date": "02-30"}, {"date": "2023-07-04"}, {"cursor": "x"}, {"limit": 0}, {"day": "07-04"}):
        [error] = ask(422, **query)["errors"]
        assert error["pointer"] == f"query/{next(iter(query))}"


def test_today_and_days_in_a_row_are_by_the_accounts_own_day(rig):
    user = rig.user()
    # Where midnight is an hour away at least.
    now = next(now for now in (datetime.datetime.now(zoneinfo.ZoneInfo(name)) for name in ("Asia/Tokyo", "UTC")) if 1 <= now.hour <= 22)
    zone = now.tzinfo.key
    user.call("PATCH", "/v1/me", 200, json={"time_zone": zone})
    now = now.replace(hour=12, minute=0, second=0, microsecond=0)
    for back in (0, 1, 2, 4, 5, 6, 7):
        user.create_text(f"{back} days ago", recorded_at=(now - datetime.timedelta(days=back)).isoformat(), time_zone=zone)

    listed = user.call("GET", "/v1/entries/on-this-day", 200).json()
    assert "0 days ago" in texts(listed) and "1 days ago" not in texts(listed)
    assert user.call("GET", "/v1/me/stats", 200).json()["streak"] == {"current": 3, "longest": 4}


def test_a_reminder_is_kept_for_every_device(rig):
    user = rig.user()
    week = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
    before = user.call("GET", "/v1/me", 200).json()
    assert before["reminder"] == {"time": "20:00", "days": week, "enabled": False}

    sent = {"time": "21:00", "days": ["friday", "monday", "friday"], "enabled": True}
    changed = user.call("PATCH", "/v1/me", 200, json={"reminder": sent}).json()
    assert changed["reminder"] == {**sent, "days": ["monday", "friday"]} and changed["version"] != before["version"]
    assert user.call("PATCH", "/v1/me", 200, json={"name": "Zoë"}).json()["reminder"] == changed["reminder"]
    assert user.call("GET", "/v1/me", 200).json()["reminder"] == changed["reminder"]
    for reminder, pointer in (
        ({"enabled": False}, "/reminder/days"),
        ({**sent, "time": "24:00"}, "/reminder/time"),
        ({**sent, "days": ["monday", "someday"]}, "/reminder/days/1"),
        ({**sent, "sound": "bell"}, "/reminder/sound"),
        ("21:00", "/reminder"),
    ):
        errors = user.call("PATCH", "/v1/me", 422, json={"reminder": reminder}).json()["errors"]
        assert pointer in [error["pointer"] for error in errors], errors
    assert user.call("GET", "/v1/me", 200).json()["reminder"] == changed["reminder"]


def test_an_app_asks_a_question_each_day(rig):
    rig.tenant("prompts-app")
    rig.wait_for_app("prompts-app")
    user = rig.user(app="prompts-app")
    asked = user.call("GET", "/v1/prompts/today", 200).json()
    assert (asked["language"], asked["prompt"]) == (None, None)

    rig.diary("tenant", "set", "prompts-app", "prompts.en=What made you smile?", "prompts.de=Was war schön?\n\nWas war neu?")
    wait_for(lambda: user.call("GET", "/v1/prompts/today", 200).json()["prompt"] == "What made you smile?", 15, "the prompts")
    user.call("PATCH", "/v1/me", 200, json={"locale": "de-AT"})
    asked = user.call("GET", "/v1/prompts/today", 200).json()
    day = datetime.date.fromisoformat(asked["local_date"])
    assert asked["prompt"] == ["Was war schön?", "Was war neu?"][(day - datetime.date(1970, 1, 1)).days % 2]
    assert asked["language"] == "de"
    assert "prompts.de" in rig.diary("tenant", "settings", "prompts-app")
    rig.diary("tenant", "unset", "prompts-app", "prompts.de")
