"""An app's own settings, its suspension and its export, from the command to what its people see."""

import hashlib
import json
import secrets
import subprocess

import pytest

import http_client
from processes import PROGRAM, wait_for
from repetitions import repetitions
from rig import Rig
from user import SAMPLE


@pytest.fixture(scope="module")
def own():
    rig = Rig(DIARY_RATE_FACTOR="1")
    rig.tenant("toukan")
    rig.wait_for_app("toukan")
    yield rig
    rig.end()


def config(rig, app):
    answer = http_client.get(rig.url + "/v1/config", headers={"Diary-App": app} if app else {}, timeout=10)
    assert answer.status_code == 200, answer.text
    return answer.json()


def seen(rig, app, condition, what):
    wait_for(lambda: condition(config(rig, app)), 10, what)


def refused(rig, *words, code=64):
    done = subprocess.run([PROGRAM, *words], env=rig.environment, capture_output=True, text=True)
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done.stderr


def test_limits_of_one_app_hold_for_its_people_and_for_no_other_app(own):
    own.diary("tenant", "set", "my-day", "limits.entries_per_minute=3", "limits.entries_per_day=5")
    seen(own, "my-day", lambda c: [p["limit"] for p in c["rate_policies"] if p["name"] == "entries"] == [3], "the new limit")
    mine, other = own.user(), own.user(app="toukan")

    answers = [mine.call("POST", "/v1/entries", json={"kind": "text", "text": "x"}) for _ in range(5)]
    others = [other.call("POST", "/v1/entries", json={"kind": "text", "text": "x"}).status_code for _ in range(5)]

    assert [a.status_code for a in answers] == [201, 201, 201, 429, 429]
    assert '"entries";q=3;w=60' in answers[0].headers["ratelimit-policy"]
    assert 1 <= int(answers[3].headers["retry-after"]) <= 20
    assert others == [201] * 5
    own.diary("tenant", "unset", "my-day", "limits.entries_per_minute", "limits.entries_per_day")
    seen(own, "my-day", lambda c: [p["limit"] for p in c["rate_policies"] if p["name"] == "entries"] == [60], "the old limit")


def test_sign_in_limits_of_one_app_hold_for_it_and_no_other_app_uses_them_up(own):
    own.diary("tenant", "set", "toukan", "limits.login_per_minute=3")
    seen(own, "toukan", lambda c: [p["limit"] for p in c["rate_policies"] if p["name"].startswith("login")] == [3], "the new limit")

    def sign_in(app):
        # Addresses without an account, each tried once: no guess waits.
        body = {"email": f"{secrets.token_hex(8)}@example.org", "password": "x" * 12}
        return http_client.post(own.url + "/v1/auth/email", json=body, headers={"Diary-App": app}, timeout=10)

    others = [sign_in("my-day") for _ in range(5)]
    answers = [sign_in("toukan") for _ in range(5)]
    more = sign_in("my-day")

    assert [a.status_code for a in answers] == [401, 401, 401, 429, 429], answers[3].text
    assert answers[0].headers["ratelimit-policy"] == '"login/toukan";q=3;w=60' and 1 <= int(answers[3].headers["retry-after"]) <= 20
    assert [a.status_code for a in (*others, more)] == [401] * 6
    assert more.headers["ratelimit-policy"] == '"login";q=30;w=60'
    own.diary("tenant", "unset", "toukan", "limits.login_per_minute")
    seen(own, "toukan", lambda c: [p["limit"] for p in c["rate_policies"] if p["name"] == "login"] == [30], "the old limit")


def test_an_app_sees_its_own_flags_and_recording_limits(own):
    own.diary("tenant", "set", "toukan", "flags.new_player=true", "flags.colour=green", "flags.step=3", "limits.audio_max_bytes=1000")

    seen(own, "toukan", lambda c: c["flags"] == {"new_player": True, "colour": "green", "step": 3}, "the flags")
    assert config(own, "toukan")["limits"]["audio_max_bytes"] == 1000
    assert config(own, "my-day")["flags"] == {}
    assert config(own, None)["flags"] == {}
    user = own.user(app="toukan")
    body = {"kind": "voice", "content_type": "audio/mp4", "recorded_at": "2026-03-01T12:00:00Z", "time_zone": "UTC"}
    assert user.call("POST", "/v1/entries", json={**body, "size_bytes": 1001}).json()["errors"] == [
        {"pointer": "/size_bytes", "detail": "must be at most 1000"}
    ]
    user.call("POST", "/v1/entries", 201, json={**body, "size_bytes": 1000})
    own.diary("tenant", "unset", "toukan", "limits.audio_max_bytes")


def test_settings_are_listed_with_what_holds_now_and_without_them(own):
    own.diary("tenant", "set", "my-day", "limits.entries_per_day=7", "flags.tone=calm")
    shown = {row["name"]: row for row in json.loads(own.diary("tenant", "settings", "my-day", "--json"))}
    text = own.diary("tenant", "settings", "my-day").splitlines()

    assert (shown["limits.entries_per_day"]["value"], shown["limits.entries_per_day"]["default"]) == (7, "500")
    assert shown["flags.tone"]["value"] == "calm" and "value" not in shown["cleanup"] and shown["cleanup"]["default"] == "on"
    assert text[0].split() == ["NAME", "NOW", "DEFAULT", "ALLOWED"]
    assert ["limits.entries_per_day", "7", "500"] in [line.split()[:3] for line in text]
    assert own.diary("tenant", "settings").split()[:4] == ["NAME", "ALLOWED", "DEFAULT", "MEANING"]
    assert own.diary("migrate", "status").split()[:4] == ["DATABASE", "NUMBER", "NAME", "STATE"]
    assert own.diary("keys", "list").startswith("TOKEN KEY")
    own.diary("tenant", "unset", "my-day", "limits.entries_per_day", "flags.tone")


def test_a_setting_that_cannot_be_is_named_and_nothing_changes(own):
    before = own.diary("tenant", "show", "my-day", "--json")
    for setting, words in [
        ("limits.entries_per_day=0", "whole number from 1"),
        ("limits.entries_per_day=many", "whole number"),
        ("limits.nothing=3", "no such setting"),
        ("cleanup=perhaps", "on or off"),
        ("flags.Bad=1", "flag's name"),
        ("flags.=1", "flag's name"),
        ("limits.entries_per_day", "name=value"),
        ("retention.tombstone_days=99999999999999999999", "whole number"),
    ]:
        message = refused(own, "tenant", "set", "my-day", "flags.good=1", setting)
        assert words in message and setting.split("=")[0] in message, message
    assert "no tenant" in refused(own, "tenant", "set", "nowhere", "flags.good=1", code=1)
    assert "nothing to change" in refused(own, "tenant", "set", "my-day")
    assert own.diary("tenant", "show", "my-day", "--json") == before


def test_e8_texts_that_mails_cannot_hold_are_refused_at_the_command(own):
    before = own.diary("tenant", "show", "my-day", "--json")
    names = [
        "",
        " ",
        "My\nDay",
        "My Day\r\nBcc: eve@example.net",
        "My\tDay",
        "\x1b[2JMy Day",
        "\u202eyaD yM",
        "My\u2028Day",
        "a" * 101,
        "e\u0301" * 51,
    ]
    senders = ["diary", "diary@mail", "Diary <diary@example.org>", "diary@example.org\nBcc: eve@example.net", "=?utf-8?q?eve?=@example.org"]
    # Both commands judge both names by one rule: one option of one command takes all texts, the others some.
    some = repetitions(1, 3)
    for option, texts in (("--name", names), ("--mail-from-name", names[::some]), ("--mail-from", senders)):
        for text in texts:
            assert f"{option} must" in refused(own, "tenant", "set", "my-day", "flags.good=1", option, text), (option, text)
    for name in names[some // 2 :: some]:
        assert "--name must" in refused(own, "tenant", "create", "another", "--name", name, "--mail-from", "diary@example.org")
    for sender in senders[::some]:
        assert "--mail-from must" in refused(own, "tenant", "create", "another", "--name", "Another", f"--mail-from={sender}")
    assert "flags.bad" in refused(own, "tenant", "set", "my-day", "flags.bad=a\u202eb")
    assert "--operator" in refused(own, "tenant", "set", "my-day", "flags.good=1", "--operator", "a\u2028b")
    assert own.diary("tenant", "show", "my-day", "--json") == before
    assert "another" not in own.diary("tenant", "list")
    # What was stored before these rules shows with the app.
    own.postgres.sql("diary", "update tenants set mail_from_address = 'nowhere' where slug = 'toukan'")
    assert "--mail-from" in own.diary("tenant", "show", "toukan") and "--mail-from" in own.diary("tenant", "show", "toukan", "--json")
    own.diary("tenant", "set", "toukan", "--mail-from", "diary@example.org")
    assert "cannot be written" not in own.diary("tenant", "show", "toukan")


def test_a_flag_that_the_app_does_not_have_is_not_unset_and_nothing_changes(own):
    def state():
        return [json.loads(own.diary("tenant", command, "my-day", "--json")) for command in ("show", "acts")]

    own.diary("tenant", "set", "my-day", "flags.sort=newest")
    before = state()
    for name in ("flags.srot", "flags."):
        assert f"my-day has no {name};" in refused(own, "tenant", "unset", "my-day", "flags.sort", name, code=1)
    assert "no such setting" in refused(own, "tenant", "unset", "my-day", "limits.nothing")
    assert "no tenant" in refused(own, "tenant", "unset", "nowhere", "flags.sort", code=1)
    assert state() == before
    # A setting that is at its default stays there.
    own.diary("tenant", "unset", "my-day", "flags.sort", "limits.entries_per_day")
    assert state() != before


def test_without_cleanup_the_words_are_shown_as_they_were_recognised(own):
    own.diary("tenant", "set", "toukan", "cleanup=off", "flags.quiet=true")
    # API and worker both read it.
    seen(own, "toukan", lambda c: "quiet" in c["flags"], "the setting")
    user, other = own.user(app="toukan"), own.user()

    shown = wait_for(
        lambda: (lambda e: e if e.get("transcript_clean") is None else None)(user.wait_done(user.record(), 30)), 30, "raw words"
    )
    cleaned = other.wait_done(other.record(), 30)
    own.diary("tenant", "unset", "toukan", "cleanup")

    assert shown["transcript_raw"].startswith("um scripted words")
    assert shown["text"] == shown["transcript_raw"]
    assert cleaned["text"] == cleaned["transcript_clean"] != cleaned["transcript_raw"]


def test_a_suspended_app_signs_no_one_in_and_loses_nothing(own):
    user, other = own.user(), own.user(app="toukan")
    made = user.create_text("before")
    own.diary("tenant", "suspend", "my-day")

    assert user.call("GET", "/v1/me", 403).json()["code"] == "app_suspended"
    for method, path, body in [
        ("GET", "/v1/entries", None),
        ("POST", "/v1/entries", {"kind": "text", "text": "no"}),
        ("POST", "/v1/auth/logout", None),
    ]:
        assert user.call(method, path, json=body).json()["code"] == "app_suspended"
    wait_for(
        lambda: (
            user.call("POST", "/v1/auth/email", json={"email": user.address, "password": user.password}).json().get("code") == "app_unknown"
        ),
        10,
        "no sign-in",
    )
    other.call("GET", "/v1/me", 200)

    own.diary("tenant", "resume", "my-day")
    wait_for(lambda: user.call("GET", "/v1/me").status_code == 200, 10, "the app again")
    assert user.entry(made["entry_id"])["text"] == "before"


def test_who_changed_what_is_written_down(own):
    own.diary("tenant", "set", "toukan", "flags.seen=1", "--operator", "night shift")
    newest = json.loads(own.diary("tenant", "acts", "toukan", "--json"))[0]
    assert (newest["act"], newest["operator"], newest["settings"]) == ("changed", "night shift", ["flags.seen"])
    assert json.loads(own.diary("tenant", "acts", "toukan", "--json"))[-1]["act"] == "created"
    with own.postgres.connect(user="diary_admin") as connection, connection.cursor() as cursor:
        for statement in ("delete from tenant_acts", "update tenant_acts set operator = 'another'"):
            with pytest.raises(Exception, match="permission denied"):
                cursor.execute(statement)
            connection.rollback()


@pytest.mark.any_store
def test_an_app_is_exported_whole_sealed_and_without_another(own, tmp_path):
    mine, other = own.user(app="toukan"), own.user()
    canary = "herons-of-the-export"
    mine.create_text(canary)
    entry = mine.record()
    mine.wait_done(entry)
    other.create_text("another person's")

    own.diary("tenant", "export", "toukan", "--to", str(tmp_path / "out"))

    manifest = json.loads((tmp_path / "out/manifest.json").read_text())
    files = {f["path"]: f for f in manifest["files"]}
    on_disk = {str(p.relative_to(tmp_path / "out")) for p in (tmp_path / "out").rglob("*") if p.is_file()} - {"manifest.json"}
    assert set(files) == on_disk
    everything = b""
    for path, file in files.items():
        content = (tmp_path / "out" / path).read_bytes()
        everything += content
        assert (len(content), hashlib.sha256(content).hexdigest()) == (file["bytes"], file["sha256"])
        assert file.get("rows") in (None, content.count(b"\n"))
        assert (tmp_path / "out" / path).stat().st_mode & 0o077 == 0
    for word in (canary, mine.address, mine.password):
        assert word.encode() not in everything
    assert mine.id.encode() in everything and other.id.encode() not in everything
    users = [json.loads(line) for line in (tmp_path / "out/main/users.ndjson").read_text().splitlines()]
    assert mine.id in {u["id"] for u in users} and {u["tenant_id"] for u in users} == {own.tenants["toukan"]}
    assert any(p.startswith(f"objects/audio/{own.tenants['toukan']}/{mine.id}/") for p in files)
    assert files["keys/user_keys.ndjson"]["rows"] == len(users)
    assert (manifest["gaps"], manifest["waiting"]) == ([], 0)
    assert "there already" in refused(own, "tenant", "export", "toukan", "--to", str(tmp_path / "out"), code=1)


@pytest.mark.any_store
def test_an_export_names_what_the_store_lacks_and_has_the_rest(rig, tmp_path):
    rig.tenant("export-gaps")
    rig.wait_for_app("export-gaps")
    user, out = rig.user(app="export-gaps"), tmp_path / "out"
    lost, kept = user.record(), user.record()
    for entry in (lost, kept):
        user.wait_done(entry)
    names = {rig.postgres.sql("diary", "select object_id::text from entries where id::text = %s", e)[0][0]: e for e in (lost, kept)}
    stored = {names[name[3]]: name for name in rig.store.names(user.id) if name[3] in names}
    content = rig.store.read(stored[lost])
    rig.store.remove(stored[lost])
    words = [PROGRAM, "tenant", "export", "export-gaps", "--to", str(out)]
    done = subprocess.run(words, env=rig.environment, capture_output=True, text=True, timeout=120)
    rig.store.write(stored[lost], content)

    manifest, path = json.loads((out / "manifest.json").read_text()), "/".join(("objects", *stored[lost]))
    assert done.returncode == 2 and f"missing_object  {path}\n" in done.stdout, (done.stdout, done.stderr)
    assert manifest["gaps"] == [{"gap": "missing_object", "path": path}]
    paths = {file["path"] for file in manifest["files"]}
    assert path not in paths and "/".join(("objects", *stored[kept])) in paths
    assert user.id in (out / "main/users.ndjson").read_text()


def test_a_request_that_names_no_app_is_for_that_of_its_host_or_for_the_default(own):
    for app in ("my-day", "toukan"):
        own.diary("tenant", "set", app, f"flags.of={app}")
    seen(own, "toukan", lambda c: c["flags"].get("of") == "toukan", "the flags")

    def meant(host=None):
        answer = http_client.get(own.url + "/v1/config", headers={"Host": host} if host else {})
        return answer.json()["flags"].get("of")

    # It became the default when the second app was made.
    wait_for(lambda: meant() == "my-day", 10, "the first app")
    own.diary("tenant", "default", "my-day", "--off")
    wait_for(lambda: meant() is None, 10, "no default")
    refusal = http_client.post(own.url + "/v1/auth/challenge").json()
    assert refusal["code"] == "app_unknown" and "no app is the default" in refusal["errors"][0]["detail"]
    own.diary("tenant", "set", "toukan", "hosts=toukan.example, t.example")
    own.diary("tenant", "default", "my-day")
    wait_for(lambda: meant() == "my-day", 10, "the default")

    assert [meant(host) for host in ("toukan.example", "T.EXAMPLE:8443", "other.example")] == ["toukan", "toukan", "my-day"]
    assert http_client.post(own.url + "/v1/auth/challenge").status_code == 201
    assert "bound to the app toukan" in refused(own, "tenant", "set", "my-day", "hosts=t.example", code=1)
    assert "no tenant" in refused(own, "tenant", "default", "nowhere", code=1)
    for app in ("my-day", "toukan"):
        own.diary("tenant", "unset", app, "flags.of", "hosts")


def test_the_first_app_becomes_the_default_when_a_second_is_made_and_none_at_the_third(own_rig):
    def create(slug):
        words = ["tenant", "create", slug, "--name", slug, "--mail-from", "diary@example.org", "--json"]
        done = subprocess.run([PROGRAM, *words], env=own_rig.environment, capture_output=True, text=True, timeout=60)
        return done.returncode, done.stderr

    def default():
        return [app["slug"] for app in json.loads(own_rig.diary("tenant", "list", "--json")) if app["default"]]

    body = {"email": "a@example.org", "password": "a long enough passphrase 7"}
    assert create("my-day")[0] == 1 and default() == [], "a slug that is taken"
    status, said = create("toukan")
    assert (status, default()) == (0, ["my-day"]) and "my-day is the default now" in said
    assert http_client.post(own_rig.url + "/v1/auth/email", json=body).json()["code"] == "invalid_credentials"
    (act,) = [a for a in json.loads(own_rig.diary("tenant", "acts", "my-day", "--json")) if a["settings"] == ["default"]]
    assert act["act"] == "changed"
    own_rig.diary("tenant", "default", "my-day", "--off")
    status, said = create("third-app")
    assert (status, default()) == (0, []) and "default" not in said


def test_a_web_page_of_a_listed_origin_may_call_the_api(own):
    page, user = {"Origin": "https://app.example.org"}, own.user()
    asked = {**page, "Access-Control-Request-Method": "PATCH", "Access-Control-Request-Headers": "authorization,content-type,if-match"}

    def preflight():
        return http_client.options(own.url + "/v1/me", headers=asked)

    def reader(answer):
        return answer.headers.get("Access-Control-Allow-Origin")

    assert (preflight().status_code, reader(preflight())) == (204, None)
    assert "no path" in refused(own, "tenant", "set", "my-day", "cors_origins=https://app.example.org/")
    own.diary("tenant", "set", "my-day", "cors_origins=https://app.example.org,http://localhost:5173")
    wait_for(lambda: reader(preflight()), 10, "the origin")

    answer = preflight()
    assert reader(answer) == page["Origin"] and "PATCH" in answer.headers["Access-Control-Allow-Methods"].split(", ")
    allowed = answer.headers["Access-Control-Allow-Headers"].lower().split(", ")
    assert {"authorization", "content-type", "if-match"} <= set(allowed)
    changed = user.call("PATCH", "/v1/me", 200, json={"name": "Anna"}, headers=page)
    assert reader(changed) == page["Origin"] and "ETag" in changed.headers["Access-Control-Expose-Headers"].split(", ")
    assert reader(user.call("GET", "/v1/me", 401, headers={**page, "Authorization": "Bearer x"})) == page["Origin"]
    upload = user.create_voice()["upload"]
    stored = http_client.put(upload["url"], data=SAMPLE.read_bytes(), headers={**upload["headers"], **page})
    assert (stored.status_code, reader(stored)) == (200, page["Origin"])
    assert reader(user.call("GET", "/v1/me", 200, headers={"Origin": "https://another.example"})) is None
    for origin, allowed in ((page["Origin"], page["Origin"]), ("https://another.example", None)):
        # Refused before it is a request.
        long = http_client.get(own.url + "/v1/me", headers={"Origin": origin, "X-Long": "a" * 20_000})
        assert (long.status_code, long.json()["code"], reader(long)) == (431, "headers_too_large", allowed)
    own.diary("tenant", "unset", "my-day", "cors_origins")


def test_mail_settings_without_their_secret_are_set_with_a_warning(own):
    def warned(*words, given=None):
        done = subprocess.run([PROGRAM, "tenant", *words], env=own.environment, input=given, capture_output=True, text=True, check=True)
        return done.stderr

    assert "mail.secret is not set" in warned("set", "toukan", "mail.provider=sendgrid")
    assert "the secret mail-key is not set" in warned("set", "toukan", "mail.secret=mail-key")
    warned("secret", "set", "toukan", "mail-key", given="SG.x")
    assert "not set" not in warned("set", "toukan", "mail.provider=sendgrid", "mail.secret=mail-key")
    assert "mail.secret is not set" in warned("unset", "toukan", "mail.secret")
    assert "not set" not in warned("unset", "toukan", "mail.provider")


def test_acts_on_all_apps_are_listed_by_an_asterisk_and_none_is_an_empty_list(own):
    assert json.loads(own.diary("tenant", "acts", "*", "--json")) == []
    assert own.diary("tenant", "acts", "*").split() == ["AT", "ACT", "OPERATOR", "SETTINGS"]
    assert "no tenant nowhere" in refused(own, "tenant", "acts", "nowhere", code=1)
    own.diary("jobs", "pause", "exports")
    own.diary("jobs", "resume", "exports")

    assert [act["act"] for act in json.loads(own.diary("tenant", "acts", "*", "--json"))] == ["work_resumed", "work_paused"]


def test_an_argument_that_only_the_run_refuses_ends_with_the_usage_of_its_command(own):
    engine = ("tenant", "engine", "set", "my-day", "speech", "far", "--kind", "openai", "--model", "m", "--url", "nowhere")
    assert "\nUsage: diary tenant engine set " in refused(own, *engine)
    assert "\nUsage: diary tenant set " in refused(own, "tenant", "set", "my-day", "flags.a=1", "--operator", "a\nb")
