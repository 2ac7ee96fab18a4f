"""G8: rotating the master key while the service runs; no key lies in the clear anywhere."""

import base64
import json
import pathlib
import secrets
import signal
import subprocess
import threading
import uuid

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from key_commands import keys, kid, refreshed, running, sign_now, wrapping
from processes import PROGRAM, wait_for
from repetitions import repetitions
from rig import Rig


@pytest.fixture
def rig():
    rig = Rig(DIARY_KEY_PUBLISH_SECONDS="12", DIARY_ACCESS_TOKEN_SECONDS="900")
    yield rig
    rig.end()


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
def test_g8_the_master_key_is_rotated_over_many_people_killed_five_times(rig):
    old = rig.environment["DIARY_MASTER_KEYS"]
    old_secret, new_secret = old.split(":")[1], base64.b64encode(secrets.token_bytes(32)).decode()
    count = repetitions(2_000, 200)
    people = insert_people(rig, count, "m1", old_secret)
    user = rig.user()
    entry = user.create_text("words from before")["entry_id"]
    keys(rig, "rotate", "--json")
    # First every process knows the new master, then it becomes the current one.
    for masters in (f"{old},m2:{new_secret}", f"m2:{new_secret},{old}"):
        rig.environment["DIARY_MASTER_KEYS"] = masters
        for what in ("serve", "work"):
            rig.stop(what)
            rig.start(what)
    rewrap = ["keys", "rewrap", "--batch", str(count // 20)]
    stop, answers = threading.Event(), []

    def use():
        while not stop.is_set():
            answers.append(user.http.get(f"{rig.url}/v1/entries/{entry}", timeout=10).status_code)
            stop.wait(0.05)
            new_user = rig.user() if len(answers) % 40 == 1 else None
            if new_user:
                new_user.create_text("words of a new user")

    before = keys(rig, "list", "--json")["masters"]
    with running(stop, use):
        for point in ("K01:3", "K02:4", "K01:1", "K02:2", "K01:5"):
            killed = subprocess.run(
                [PROGRAM, *rewrap], env={**rig.environment, "DIARY_FAIL": f"{point}:kill"}, capture_output=True, timeout=60
            )
            assert killed.returncode == -signal.SIGKILL, killed.stderr
        between = {m["id"]: m["data_keys"] for m in keys(rig, "list", "--json")["masters"]}
        assert between["m1"] > 0 and between["m2"] > 0
        done = keys(rig, *rewrap[1:], "--json")

    assert done["left"] == 0 and done["unreadable"] == 0 and done["master"] == "m2"
    assert {m["id"]: m["data_keys"] for m in before}["m1"] >= count
    after = {m["id"]: m for m in keys(rig, "list", "--json")["masters"]}
    assert after["m1"]["data_keys"] == 0 and after["m1"]["signing_keys"] == 0 and after["m2"]["signing_keys"] == 1
    assert opened(rig, "m2", new_secret, people) == after["m2"]["data_keys"] >= count + 1
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
        json.loads(done.stdout)
        == {"master": "m2", "data_keys": 5, "signing_keys": 0, "changed": 0, "unreadable": 5, "left": 5, "secrets": 0}
        and len(people) == 5
    )


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
    sign_now(rig, made)
    wait_for(lambda: kid(refreshed(user)) == made, 30, "the new key")
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
