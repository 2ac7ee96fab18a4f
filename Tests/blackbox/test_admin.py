"""What an administrator does to an account, and that no command prints what is in it (B15, C3)."""

import json
import os
import pwd
import secrets
import subprocess
import uuid

import http_client
from processes import PROGRAM, wait_for


def show(rig, user):
    return json.loads(rig.diary("user", "show", user.app, user.id, "--json"))


def test_an_account_is_shown_by_id_and_by_address_without_words_or_address(rig):
    user = rig.user()
    user.create_text("the heron", title="secret title")
    shown = show(rig, user)
    by_address = rig.diary("user", "show", user.app, user.address)

    assert (shown["id"], shown["entries"], shown["live_sessions"], shown["sign_in_methods"]) == (user.id, 1, 1, ["email"])
    assert user.id in by_address and "1 living" in by_address
    for text in (json.dumps(shown), by_address):
        assert user.address not in text and "heron" not in text and "secret" not in text


def test_an_account_whose_key_is_gone_is_shown_as_unreadable_and_not_as_open(rig):
    user = rig.user()
    assert show(rig, user)["has_key"] is True and f"{user.id}  open\n" in rig.diary("user", "show", user.app, user.id)

    # As after a restore of a main database that is older than the erasure.
    elsewhere = str(uuid.uuid4())
    move = "update user_keys set user_id = %s where user_id = %s"
    rig.postgres.sql("diary_keys", move, elsewhere, user.id)
    try:
        assert show(rig, user)["has_key"] is False
        said = rig.diary("user", "show", user.app, user.id)
        assert f"{user.id}  unreadable: " in said and "diary user erase" in said
    finally:
        rig.postgres.sql("diary_keys", move, user.id, elsewhere)

    away = {**rig.environment, "DIARY_KEYS_DATABASE_URL": "host=/nowhere dbname=diary_keys"}
    done = subprocess.run([PROGRAM, "user", "show", user.app, user.id], env=away, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and f"{user.id}  open\n  key           not looked for" in done.stdout, done


def test_b15_a_disabled_account_is_closed_at_once_and_opened_again_with_everything_in_it(rig):
    user = rig.user()
    made = user.create_text("kept")
    rig.diary("user", "disable", user.app, user.id)

    user.call("GET", "/v1/me", 401)
    credentials = {"email": user.address, "password": user.password}
    refused = user.call("POST", "/v1/auth/email", 401, json=credentials)
    unknown = user.call("POST", "/v1/auth/email", 401, json={**credentials, "email": "unknown@example.org"})
    assert {k: v for k, v in refused.json().items() if k != "request_id"} == {k: v for k, v in unknown.json().items() if k != "request_id"}
    assert (
        user.call("POST", "/v1/auth/refresh", 401, json={"refresh_token": user.tokens["refresh_token"]}).json()["code"] == "refresh_refused"
    )
    assert show(rig, user)["disabled_at"] and show(rig, user)["live_sessions"] == 0

    rig.diary("user", "enable", user.app, user.id)
    user.call("GET", "/v1/me", 401)
    user.use(user.call("POST", "/v1/auth/email", 200, json=credentials).json())
    assert user.entry(made["entry_id"])["text"] == "kept"


def test_b15_sessions_are_ended_one_or_all(rig):
    user = rig.user()
    first = dict(user.http.headers)
    user.use(user.call("POST", "/v1/auth/email", 200, json={"email": user.address, "password": user.password, "device": "tablet"}).json())

    assert "2 ended" in rig.diary("session", "revoke", user.app, user.id)

    user.call("GET", "/v1/me", 401)
    assert http_client.get(rig.url + "/v1/me", headers=first, timeout=10).status_code == 401
    other = rig.user()
    other.call("GET", "/v1/me", 200)


def test_commands_say_what_is_missing(rig):
    user = rig.user()
    unknown = "01a1fe44-8066-7418-b9c1-43885fea9d36"
    for words, code, message in [
        (("user", "show", "nowhere", user.id), 1, "no tenant"),
        (("user", "show", user.app, unknown), 1, "no such account"),
        (("user", "disable", user.app, "unknown@example.org"), 1, "no such account"),
        (("user", "show", user.app, "not an address"), 64, "id or a mail address"),
        (("session", "revoke", user.app, user.id, "--session", "x"), 64, "must be an id"),
        (("session", "revoke", user.app, user.id, "--session", unknown), 1, "no living session"),
        (("user", "erase", user.app, user.id), 1, "--yes"),
        (("tenant", "show", "nowhere"), 1, "no tenant"),
        (("tenant", "create", user.app, "--name", "x", "--mail-from", "a@example.org"), 1, "taken"),
    ]:
        says(rig, words, code, message)


def says(rig, words, code, message):
    """A usage text comes with wrong arguments (64) alone: what is not there, or may not be done, is no fault of usage."""
    done = subprocess.run([PROGRAM, *words], env=rig.environment, capture_output=True, text=True)
    assert done.returncode == code and message in done.stderr, (words, done.returncode, done.stderr)
    assert ("Usage:" in done.stderr) == (code == 64), (words, done.stderr)


def test_an_act_names_who_ran_the_command_where_no_variable_does(rig):
    own = {k: v for k, v in rig.environment.items() if k not in ("LOGNAME", "USER", "SUDO_USER")}
    user = rig.user()
    subprocess.run([PROGRAM, "user", "disable", user.app, user.id], env=own, check=True, capture_output=True)

    acts = json.loads(rig.diary("tenant", "acts", user.app, "--limit", "1", "--json"))

    assert acts[0]["operator"] == pwd.getpwuid(os.getuid()).pw_name


def test_what_an_administrator_does_lies_with_the_account(rig):
    user = rig.user()
    rig.diary("user", "disable", user.app, user.id)
    rig.diary("user", "enable", user.app, user.id)
    rig.diary("user", "enable", user.app, user.id)
    with rig.postgres.connect() as connection, connection.cursor() as cursor:
        cursor.execute("select kind, actor from audit_events where user_id = %s and actor = 'admin' order by at", [user.id])
        assert cursor.fetchall() == [("user_disabled", "admin"), ("user_enabled", "admin")]


def test_who_did_what_to_an_account_stays_with_the_app_and_names_no_person(rig):
    user, name = rig.user(), f"night shift {secrets.token_hex(4)}"
    by = ("--operator", name)
    rig.diary("user", "disable", user.app, user.id, *by)
    rig.diary("user", "disable", user.app, user.address, *by)
    rig.diary("user", "enable", user.app, user.id, *by)
    rig.diary("session", "revoke", user.app, user.id, *by)
    user.use(user.call("POST", "/v1/auth/email", 200, json={"email": user.address, "password": user.password}).json())
    ended = json.loads(rig.diary("session", "revoke", user.app, user.address, *by, "--json"))
    rig.diary("user", "erase", user.app, user.id, "--yes", *by)

    shown = rig.diary("tenant", "acts", user.app, "--limit", "1000", "--json")

    assert ended == {"id": user.id, "ended": 1}
    acts = [a for a in json.loads(shown) if a["operator"] == name]
    assert [a["act"] for a in acts] == ["user_erased", "sessions_revoked", "user_enabled", "user_disabled"]
    assert {tuple(a) for a in acts} == {("act", "at", "operator", "settings")} and all(a["settings"] == [] for a in acts)
    for text in (shown, rig.diary("tenant", "acts", user.app, "--limit", "1000")):
        assert name in text and user.id not in text and user.address not in text


def test_g5_an_administrator_erases_an_account_and_its_person_may_follow_the_receipt(rig):
    user, other = rig.user(), rig.user()
    user.create_text("gone")
    kept = other.create_text("kept")
    asked = subprocess.run([PROGRAM, "user", "erase", user.app, user.id], env=rig.environment, capture_output=True, text=True)
    assert asked.returncode == 1 and "--yes" in asked.stderr
    user.call("GET", "/v1/me", 200)

    receipt = json.loads(rig.diary("user", "erase", user.app, user.address, "--yes", "--json"))["receipt"]

    user.call("GET", "/v1/me", 401)
    erased = wait_for(
        lambda: (lambda d: d if d["status"] == "erased" else None)(user.call("GET", f"/v1/deletions/{receipt}", 200).json()),
        60,
        "the erasure",
    )
    assert erased["counts"]["entries"] == 1 and erased["counts"]["keys"] == 1
    again = subprocess.run([PROGRAM, "user", "erase", user.app, user.id, "--yes"], env=rig.environment, capture_output=True, text=True)
    assert again.returncode == 1 and "no such account" in again.stderr
    assert other.entry(kept["entry_id"])["text"] == "kept"


def test_g5_an_app_is_erased_with_everybody_in_it_and_no_other_app(own_rig):
    own = own_rig
    own.tenant("toukan")
    own.tenant("brief-app")
    for app in ("brief-app", "toukan"):
        own.wait_for_app(app)
    people, other = [own.user(app="brief-app") for _ in range(3)], own.user(app="toukan")
    people[0].wait_done(people[0].record())
    kept = other.create_text("kept")
    tenant = own.tenants["brief-app"]
    for confirmed in ([], ["--yes"], ["--confirm", "brief-app"], ["--yes", "--confirm", "toukan"]):
        says(own, ("tenant", "erase", "brief-app", *confirmed), 1, "--confirm brief-app")
    people[0].call("GET", "/v1/me", 200)

    gone = json.loads(own.diary("tenant", "erase", "brief-app", "--yes", "--confirm", "brief-app", "--wait", "60", "--json"))

    assert gone == {"slug": "brief-app", "accounts": 3}
    for person in people:
        person.call("GET", "/v1/me", 401)
    for database, table in (("diary", "users"), ("diary", "entries"), ("diary_keys", "user_keys")):
        assert own.postgres.sql(database, f"select count(*) from {table} where tenant_id = %s", tenant) == [(0,)], table
    assert own.postgres.sql("diary", "select count(*) from tenants where id = %s", tenant) == [(0,)]
    assert [p for p in (own.folder / "objects").rglob(f"*{tenant}*/**/*") if p.is_file()] == []
    assert [a["act"] for a in json.loads(own.diary("tenant", "acts", "brief-app", "--json"))] == ["erased", "erasure_requested", "created"]
    assert other.entry(kept["entry_id"])["text"] == "kept"


def jobs(rig, *words):
    return json.loads(rig.diary("jobs", *words, "--json"))


def test_why_an_entry_was_not_transcribed_is_one_command(rig):
    user = rig.user()
    rig.script("speech", fail="permanent")
    entry = user.record()
    code = wait_for(lambda: (e := user.entry(entry))["status"] == "failed" and e["processing"]["code"], 20, "the failure")

    shown = jobs(rig, "list", "--entry", entry)

    about, job = shown["entries"][0], shown["jobs"][0]
    assert (about["id"], about["tenant"], about["status"], about["stage"], about["code"]) == (entry, user.app, "failed", "transcribe", code)
    assert [j["kind"] for j in shown["jobs"]] == ["transcribe", "verify"]
    assert (job["queue"], job["state"], job["about"], job["subject"], job["code"]) == ("speech", "dead", "entry", entry, code)
    assert job["user"] == user.id and job["errors"] + job["crashes"] <= job["attempts"] and job["finished_at"]
    text = rig.diary("jobs", "list", "--entry", entry)
    for said in (text, rig.diary("jobs", "show", job["id"])):
        assert "failed permanently at" in said and code in said and job["id"] in said and entry in said
    assert jobs(rig, "show", job["id"]) == job
    assert [j["id"] for j in jobs(rig, "list", "--user", user.id, "--state", "dead")["jobs"]] == [job["id"]]
    assert job["id"] in [j["id"] for j in jobs(rig, "list", "--tenant", user.app, "--state", "dead", "--limit", "1000")["jobs"]]
    assert jobs(rig, "list", "--entry", entry, "--state", "leased")["jobs"] == []

    # As the sweeper leaves it after a month.
    rig.postgres.sql("diary", "delete from jobs where subject = %s", entry)
    swept = jobs(rig, "list", "--entry", entry)
    assert swept["jobs"] == [] and swept["entries"] == [about] and "removed after 7 days" in swept["note"]
    assert "removed after 7 days" in rig.diary("jobs", "list", "--entry", entry)
    assert user.address not in text + json.dumps(shown)


def test_the_queue_is_counted_and_its_workers_are_listed(rig):
    user = rig.user()
    user.wait_done(user.record())

    stats = jobs(rig, "stats")

    assert {"verify", "transcribe", "clean", "mail"} <= {row["kind"] for row in stats["jobs"] if row["state"] == "done"}
    assert all(row["queue"] and row["jobs"] > 0 and row["due"] >= 0 for row in stats["jobs"])
    assert f"/{rig.processes['work'].pid}/" in "".join(w["name"] for w in stats["workers"] if w["alive"] and w["version"])
    text = rig.diary("jobs", "stats")
    table = [line.split() for line in text.splitlines()]
    assert table[0] == ["KIND", "STATE", "JOBS", "DUE", "OLDEST", "DUE", "FOR"] and ["WORKER", "VERSION", "SINCE", "STATE"] in table
    assert any(row[:2] == ["speech/transcribe", "done"] for row in table) and "alive" in text


def test_commands_on_jobs_say_what_is_wrong(rig):
    unknown = "01a1fe44-8066-7418-b9c1-43885fea9d36"
    for words, code, message in [
        (("list", "--entry", "x"), 64, "--entry must be an id"),
        (("list", "--user", "anna@example.org"), 64, "--user must be an id"),
        (("list", "--state", "late"), 64, "--state must be one of"),
        (("list", "--limit", "0"), 64, "--limit must be from"),
        (("list", "--tenant", "nowhere"), 1, "no tenant"),
        (("list", "--entry", unknown), 1, "no such entry"),
        (("show", "x"), 64, "must be a job's id"),
        (("show", unknown), 1, "no such job"),
    ]:
        says(rig, ("jobs", *words), code, message)
    none = jobs(rig, "list", "--user", unknown)
    assert none["jobs"] == none["entries"] == [] and none["note"].startswith("no jobs")
