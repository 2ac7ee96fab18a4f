"""G8: rotating the keys of access tokens and the master key while the service runs."""

import base64
import concurrent.futures
import contextlib
import json
import pathlib
import secrets
import signal
import subprocess
import threading
import time
import urllib.parse
import uuid

import jwt
import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

import http_client
from processes import PROGRAM, wait_for
from rig import Rig


def keys(rig, *words, fails=False, **more):
    done = subprocess.run([PROGRAM, "keys", *words], env={**rig.environment, **more}, capture_output=True, text=True, timeout=60)
    assert (done.returncode != 0) == fails, (words, done.stdout, done.stderr)
    return done.stderr if fails else json.loads(done.stdout) if "--json" in words else done.stdout


def states(rig):
    return {key["kid"]: key["state"] for key in keys(rig, "list", "--json")["signing"]}


def published(rig):
    return [key["kid"] for key in http_client.get(rig.url + "/.well-known/jwks.json", timeout=10).json()["keys"]]


def kid(token):
    return jwt.get_unverified_header(token)["kid"]


def sign_in(user):
    return user.call("POST", "/v1/auth/email", 200, json={"email": user.address, "password": user.password}).json()


def works(user, token):
    return http_client.get(user.rig.url + "/v1/me", headers={"Authorization": f"Bearer {token}"}, timeout=10).status_code


@contextlib.contextmanager
def running(stop, *work):
    """Threads that work until the block ends; what they raised is raised."""
    with concurrent.futures.ThreadPoolExecutor(len(work)) as pool:
        threads = [pool.submit(one) for one in work]
        try:
            yield
        finally:
            stop.set()
        for thread in threads:
            thread.result(60)


@pytest.fixture
def rig():
    rig = Rig(DIARY_KEY_PUBLISH_SECONDS="12", DIARY_ACCESS_TOKEN_SECONDS="900")
    yield rig
    rig.end()


@pytest.mark.long
def test_a_token_key_is_rotated_while_clients_run_and_no_client_is_signed_out(rig):
    users = [rig.user() for _ in range(3)]
    first = published(rig)[0]
    assert states(rig) == {first: "signing"}
    stop, answers, signed = threading.Event(), [], set()

    def use(user):
        """Reads all the time and refreshes now and then; every answer must be 200."""
        token, refresh, calls = user.tokens["access_token"], user.tokens["refresh_token"], 0
        while not stop.is_set():
            calls += 1
            if calls % 10 == 0:
                new = http_client.post(rig.url + "/v1/auth/refresh", json={"refresh_token": refresh}, timeout=10)
                answers.append(new.status_code)
                token, refresh = new.json()["access_token"], new.json()["refresh_token"]
                signed.add(kid(token))
                # The published keys verify every token from its first moment on.
                key = next(
                    k for k in http_client.get(rig.url + "/.well-known/jwks.json", timeout=10).json()["keys"] if k["kid"] == kid(token)
                )
                jwt.decode(token, jwt.PyJWK(key).key, ["ES256"], audience=rig.url)
            answers.append(works(user, token))
            time.sleep(0.05)

    with running(stop, *[lambda user=user: use(user) for user in users]):
        made = keys(rig, "rotate", "--json")
        wait_for(lambda: made["kid"] in published(rig), 10, "the new key's publication")
        assert kid(sign_in(users[0])["access_token"]) == first, "published before it signs"
        assert states(rig) == {first: "signing", made["kid"]: "next"}
        assert "another key waits" in keys(rig, "rotate", fails=True)
        assert "signs now" in keys(rig, "retire", first, fails=True)
        wait_for(lambda: kid(sign_in(users[0])["access_token"]) == made["kid"], 30, "the new key's first token")
        assert published(rig)[0] == made["kid"] and first in published(rig)
        wait_for(lambda: made["kid"] in signed, 10, "a refresh with the new key")

    assert set(answers) == {200} and len(answers) > 100
    assert signed == {first, made["kid"]}
    assert states(rig) == {first: "old", made["kid"]: "signing"}
    print(f"G8: {len(answers)} calls of 3 clients during a rotation, 0 refused")


@pytest.mark.long
def test_a_key_retires_when_its_tokens_have_ended_or_at_once_when_it_must(rig):
    user, other = rig.user(), rig.user()
    first = published(rig)[0]
    token = user.tokens["access_token"]
    second = keys(rig, "rotate", "--now", "--json")["kid"]
    # Another's: with so many sign-ins an account's oldest session ends.
    wait_for(lambda: kid(sign_in(other)["access_token"]) == second, 30, "the new key's first token")

    assert works(user, token) == 200, "the old key's token lives"
    assert "live until" in keys(rig, "retire", first, fails=True)
    keys(rig, "retire", first, "--now", "--json")

    # Also where the token was verified before and is remembered.
    wait_for(lambda: works(user, token) == 401, 15, "the end of the old key's token")
    assert published(rig) == [second] and states(rig) == {first: "retired", second: "signing"}
    user.use(user.call("POST", "/v1/auth/refresh", 200, json={"refresh_token": user.tokens["refresh_token"]}).json())
    assert works(user, user.tokens["access_token"]) == 200
    assert "no such key" in keys(rig, "retire", "no-such-key", fails=True)
    # A process that starts now, or one that has only the old setting, takes the key of the database.
    rig.stop("serve")
    rig.start("serve")
    assert published(rig) == [second] and works(user, user.tokens["access_token"]) == 200 and works(user, token) == 401


@pytest.mark.alone
def test_a_key_ends_by_itself_and_one_that_waits_can_be_withdrawn(rig):
    user = rig.user()
    first = published(rig)[0]
    waiting = keys(rig, "rotate", "--json")["kid"]
    keys(rig, "retire", waiting)
    wait_for(lambda: published(rig) == [first], 15, "the withdrawal")
    assert states(rig) == {first: "signing", waiting: "retired"}

    second = keys(rig, "rotate", "--now", "--json")["kid"]
    # Long ago, as to the rotation's tokens.
    rig.postgres.sql("diary_keys", "update signing_keys set signs_from = now() - interval '1 hour' where kid = %s", second)
    wait_for(lambda: published(rig) == [second], 15, "the end of the old key")
    assert states(rig)[first] == "ended"
    assert works(user, user.tokens["access_token"]) == 401


@pytest.mark.long
def test_without_a_setting_the_first_key_is_made_by_the_command(rig):
    user = rig.user()
    rig.stop("serve")
    setting = rig.environment.pop("DIARY_SIGNING_KEY")
    failed = subprocess.run([PROGRAM, "serve"], env=rig.environment, capture_output=True, text=True, timeout=30)
    assert failed.returncode != 0 and "DIARY_SIGNING_KEY" in failed.stderr and "diary keys rotate" in failed.stderr
    made = keys(rig, "rotate", "--now", "--json")["kid"]
    wait_for(lambda: states(rig)[made] == "signing", 20, "the first key")
    rig.start("serve")
    assert published(rig) == [made]
    assert works(user, sign_in(user)["access_token"]) == 200
    assert works(user, user.tokens["access_token"]) == 401 and setting


@pytest.mark.long
def test_unknown_key_ids_ask_the_database_at_most_once_a_second(rig):
    user = rig.user()
    claims = jwt.decode(user.tokens["access_token"], options={"verify_signature": False})
    asked = "select coalesce(sum(idx_scan + seq_scan), 0)::int from pg_stat_user_tables where relname = 'signing_keys'"
    before, began = rig.postgres.sql("diary_keys", asked)[0][0], time.monotonic()
    own = serialization.load_pem_private_key(rig.environment["DIARY_SIGNING_KEY"].encode(), None)
    for number in range(2000):
        forged = jwt.encode(claims, own, "ES256", headers={"kid": secrets.token_urlsafe(32), "typ": "at+jwt"})
        assert works(user, forged) == 401
    took = time.monotonic() - began
    wait_for(lambda: rig.postgres.sql("diary_keys", asked)[0][0] >= before, 5, "statistics")
    questions = rig.postgres.sql("diary_keys", asked)[0][0] - before
    assert questions <= took + 3, f"{questions} questions in {took:.1f} s"
    assert works(user, user.tokens["access_token"]) == 200


def wrapping(secret):
    return HKDF(hashes.SHA256(), 32, b"", b"diary/v1/wrap").derive(base64.b64decode(secret))


def insert_people(rig, count, name, secret):
    """Wrapped keys as the service writes them (docs/sealed-format.md), of people who need nothing else here."""
    master = AESGCM(wrapping(secret))
    tenant = uuid.UUID(rig.tenants["my-day"])
    made = {}
    connection = rig.postgres.connect("diary_keys")
    with connection.cursor() as cursor:
        for _ in range(count):
            user, key, data, nonce = uuid.uuid4(), uuid.uuid4(), secrets.token_bytes(32), secrets.token_bytes(12)
            additional = b"\x01" + tenant.bytes + user.bytes + key.bytes + len(name).to_bytes(4, "big") + name.encode()
            cursor.execute(
                "insert into user_keys (tenant_id, user_id, key_id, master_id, wrapped) values (%s, %s, %s, %s, %s)",
                (str(tenant), str(user), str(key), name, b"\x01" + key.bytes + nonce + master.encrypt(nonce, data, additional)),
            )
            made[user] = (key, data)
    connection.close()
    return made


def opened(rig, name, secret, users):
    """Which of the keys open under this master alone, to the bytes they had."""
    master, tenant, count = AESGCM(wrapping(secret)), uuid.UUID(rig.tenants["my-day"]), 0
    for user, key, wrapped in rig.postgres.sql(
        "diary_keys", "select user_id::text, key_id::text, wrapped from user_keys where master_id = %s", name
    ):
        user, key, wrapped = uuid.UUID(user), uuid.UUID(key), bytes(wrapped)
        additional = b"\x01" + tenant.bytes + user.bytes + key.bytes + len(name).to_bytes(4, "big") + name.encode()
        data = master.decrypt(wrapped[17:29], wrapped[29:], additional)
        assert user not in users or users[user] == (key, data)
        count += 1
    return count


@pytest.mark.long
def test_g8_the_master_key_is_rotated_over_2000_people_killed_five_times(rig):
    old = rig.environment["DIARY_MASTER_KEYS"]
    old_secret, new_secret = old.split(":")[1], base64.b64encode(secrets.token_bytes(32)).decode()
    people = insert_people(rig, 2000, "m1", old_secret)
    user = rig.user()
    entry = user.create_text("words from before")["entry_id"]
    keys(rig, "rotate", "--json")
    # First every process knows the new master, then it becomes the current one.
    for masters in (f"{old},m2:{new_secret}", f"m2:{new_secret},{old}"):
        rig.environment["DIARY_MASTER_KEYS"] = masters
        for what in ("serve", "work"):
            rig.stop(what)
            rig.start(what)
    stop, answers = threading.Event(), []

    def use():
        while not stop.is_set():
            answers.append(user.http.get(f"{rig.url}/v1/entries/{entry}", timeout=10).status_code)
            new_user = rig.user() if len(answers) % 40 == 1 else None
            if new_user:
                new_user.create_text("words of a new user")

    before = keys(rig, "list", "--json")["masters"]
    with running(stop, use):
        for point in ("K01:3", "K02:4", "K01:1", "K02:2", "K01:5"):
            killed = subprocess.run(
                [PROGRAM, "keys", "rewrap"], env={**rig.environment, "DIARY_FAIL": f"{point}:kill"}, capture_output=True, timeout=60
            )
            assert killed.returncode == -signal.SIGKILL, killed.stderr
        between = {m["id"]: m["data_keys"] for m in keys(rig, "list", "--json")["masters"]}
        assert between["m1"] > 0 and between["m2"] > 0
        done = keys(rig, "rewrap", "--json")

    assert done["left"] == 0 and done["unreadable"] == 0 and done["master"] == "m2"
    assert {m["id"]: m["data_keys"] for m in before}["m1"] >= 2000
    after = {m["id"]: m for m in keys(rig, "list", "--json")["masters"]}
    assert after["m1"]["data_keys"] == 0 and after["m1"]["signing_keys"] == 0 and after["m2"]["signing_keys"] == 1
    assert opened(rig, "m2", new_secret, people) == after["m2"]["data_keys"] >= 2001
    assert set(answers) == {200}
    # Without the old master everything goes on.
    rig.environment["DIARY_MASTER_KEYS"] = f"m2:{new_secret}"
    for what in ("serve", "work"):
        rig.stop(what)
        rig.start(what)
    assert user.entry(entry)["text"] == "words from before"
    assert [m["id"] for m in keys(rig, "list", "--json")["masters"]] == ["m2"]
    assert keys(rig, "rewrap", "--json")["data_keys"] == 0
    print(
        f"G8: {after['m2']['data_keys']} keys under the new master, killed 5 times: 0 unreadable, 0 left; {len(answers)} reads meanwhile, 0 refused"
    )


def test_rewrapping_names_what_it_cannot_read_and_goes_on(rig):
    people = insert_people(rig, 5, "lost", base64.b64encode(secrets.token_bytes(32)).decode())
    insert_people(rig, 5, "m1", rig.environment["DIARY_MASTER_KEYS"].split(":")[1])
    masters = f"m2:{base64.b64encode(secrets.token_bytes(32)).decode()},{rig.environment['DIARY_MASTER_KEYS']}"

    done = subprocess.run(
        [PROGRAM, "keys", "rewrap", "--json", "--batch", "3"],
        env={**rig.environment, "DIARY_MASTER_KEYS": masters},
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert done.returncode == 1
    assert (
        json.loads(done.stdout) == {"master": "m2", "data_keys": 5, "signing_keys": 0, "changed": 0, "unreadable": 5, "left": 5}
        and len(people) == 5
    )


def test_b1_a_token_of_one_purpose_is_refused_by_every_other(rig):
    user = rig.user()
    entry = user.record()
    user.wait_done(entry)
    user.export()
    upload = dict(urllib.parse.parse_qsl(user.create_voice()["upload"]["url"].split("?")[1]))
    playback = user.call("GET", f"/v1/entries/{entry}/audio", 302).headers["location"]
    link = user.export_links()[0]
    file = http_client.post(f"{link}/download", allow_redirects=False, timeout=10).headers["location"]
    made = user.create_voice()["upload"]
    receipt = rig.user().call("DELETE", "/v1/me", 202).json()["receipt"]
    tokens = {
        "access": user.tokens["access_token"],
        "refresh": user.tokens["refresh_token"],
        "upload": upload["X-Amz-Signature"],
        "playback": playback.split("signature=")[1],
        "export": link.rsplit("/", 1)[1],
        "download": file.split("signature=")[1],
        "receipt": receipt,
    }

    def swapped(url, text):
        return url.split("signature=")[0] + "signature=" + urllib.parse.quote(text)

    places = {
        "access": lambda t: http_client.get(rig.url + "/v1/me", headers={"Authorization": f"Bearer {t}"}, timeout=10),
        "refresh": lambda t: http_client.post(rig.url + "/v1/auth/refresh", json={"refresh_token": t}, timeout=10),
        "upload": lambda t: http_client.put(
            made["url"].replace(dict(urllib.parse.parse_qsl(made["url"].split("?")[1]))["X-Amz-Signature"], urllib.parse.quote(t)),
            data=b"x",
            headers={**made["headers"]},
            timeout=10,
        ),
        "playback": lambda t: http_client.get(swapped(playback, t), timeout=10),
        "export": lambda t: http_client.get(f"{rig.url}/exports/{t}", timeout=10),
        "download": lambda t: http_client.get(rig.url + swapped(file, t), timeout=10),
        "receipt": lambda t: http_client.get(f"{rig.url}/v1/deletions/{t}", timeout=10),
    }
    refused = 0
    for place, use in places.items():
        for purpose, token in tokens.items():
            status = use(token).status_code
            if place == purpose:
                assert place == "upload" or status in (200,), (place, status)
            else:
                assert status in (400, 401, 403, 404, 422), (place, purpose, status)
                refused += 1
    assert refused == 42
    print(f"B1: {refused} tokens of another purpose, 0 taken")


@pytest.mark.long
def test_no_key_lies_in_a_log_an_environment_or_in_the_clear_in_a_database(rig):
    names = ("DIARY_MASTER_KEYS", "DIARY_SERVICE_SECRET", "DIARY_SIGNING_KEY")
    values = {name: rig.environment.pop(name) for name in names}
    for name, value in values.items():
        path = rig.folder / name.lower()
        path.write_text(value)
        rig.environment[name + "_FILE"] = str(path)
    output = ""
    for what in ("serve", "work"):
        rig.stop(what)
        rig.start(what, DIARY_LOG_LEVEL="trace")
    user = rig.user()
    user.wait_done(user.record())
    made = keys(rig, "rotate", "--now", "--json")["kid"]
    wait_for(lambda: kid(sign_in(user)["access_token"]) == made, 30, "the new key")
    for words in (("list",), ("list", "--json"), ("rewrap",), ("retire", made)):
        done = subprocess.run([PROGRAM, "keys", *words], env=rig.environment, capture_output=True, text=True, timeout=30)
        output += done.stdout + done.stderr
    # A setting that cannot be read is named, not shown.
    bad = subprocess.run(
        [PROGRAM, "serve"],
        env={**rig.environment, "DIARY_SIGNING_KEY": values["DIARY_SIGNING_KEY"][:-40]},
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert bad.returncode != 0 and "DIARY_SIGNING_KEY" in bad.stderr
    output += bad.stdout + bad.stderr

    # The key that the command made, opened as the service opens it.
    ((master, sealed),) = rig.postgres.sql("diary_keys", "select master_id, sealed from signing_keys where kid = %s", made)
    context = b"\x01" + b"".join(len(w).to_bytes(4, "big") + w.encode() for w in ("signing_keys", "sealed", made, master))
    secret = base64.b64decode(values["DIARY_MASTER_KEYS"].split(":")[1])
    sealing = HKDF(hashes.SHA256(), 32, b"", b"diary/v1/seal").derive(secret)
    pem = AESGCM(sealing).decrypt(bytes(sealed)[1:13], bytes(sealed)[13:], context).decode()
    needles = [secret, base64.b64decode(values["DIARY_SERVICE_SECRET"]), wrapping(values["DIARY_MASTER_KEYS"].split(":")[1]), sealing]
    for text in (pem, values["DIARY_SIGNING_KEY"]):
        number = serialization.load_pem_private_key(text.encode(), None).private_numbers().private_value.to_bytes(32, "big")
        needles += [number] + [line.encode() for line in text.splitlines() if len(line) > 40]
    forms = {
        f
        for n in needles
        for f in (n, n.hex().encode(), n.hex().upper().encode(), base64.b64encode(n).rstrip(b"="), base64.urlsafe_b64encode(n).rstrip(b"="))
    }

    places = {"output": output.encode(), "logs": rig.log_text().encode()}
    for name in ("serve", "work"):
        places[f"environment of {name}"] = pathlib.Path(f"/proc/{rig.processes[name].pid}/environ").read_bytes()
    for database in ("diary", "diary_keys"):
        places[database] = subprocess.run(
            ["pg_dump", "-h", rig.postgres.folder, "-U", "postgres", database], capture_output=True, check=True
        ).stdout
        assert len(places[database]) > 5000
    hits = [place for place, data in places.items() for form in forms if form in data]
    assert hits == []
    assert "rotate" in subprocess.run([PROGRAM, "keys", "--help"], capture_output=True, text=True).stdout
