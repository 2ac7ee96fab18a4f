"""`diary dev` as its user meets it: codes on the terminal, and every other command on the running service."""

import json
import subprocess

import pytest

import http_client
from dev_service import Dev
from processes import PROGRAM, wait_for

PASSWORD = "a long enough passphrase 7"


@pytest.fixture(scope="module")
def dev():
    dev = Dev()
    try:
        dev.says("ready on")
        yield dev
    finally:
        dev.end()


def test_a_code_is_announced_where_diary_dev_runs(dev):
    sign_up = {"email": "anna@example.org", "password": PASSWORD}
    registration = http_client.post(dev.url + "/v1/auth/email/register", json=sign_up, timeout=10).json()["request"]

    code = dev.says(r'mail to anna@example\.org: "Your code for My Day", code (\d{8})')[1]

    body = {"email": "anna@example.org", "code": code, "request": registration}
    assert http_client.post(dev.url + "/v1/auth/email/verify", json=body, timeout=10).status_code == 200
    assert code not in (dev.root / "log").read_text()


def test_every_command_reaches_a_running_diary_dev(dev):
    assert json.loads(dev.shell("tenant list --json"))[0]["slug"] == "my-day"
    assert "applied" in dev.shell("migrate status") and "as it should be" in dev.shell("migrate verify")
    assert json.loads(dev.shell("keys list --json"))["signing"][0]["source"] == "setting"
    wait_for(lambda: json.loads(dev.shell("jobs stats --json"))["workers"], 20, "the worker's report")
    dev.shell("tenant set my-day flags.tone=calm")
    wait_for(lambda: http_client.get(dev.url + "/v1/config", timeout=10).json()["flags"] == {"tone": "calm"}, 10, "the flag")
    assert "acceptable" in dev.shell("check --for serve")
    assert "no such account in my-day" in dev.shell("user show my-day unknown@example.org", code=1)

    printed = subprocess.run([PROGRAM, "dev", "env", "--folder", dev.folder], env=dev.environment, capture_output=True, text=True)
    for file in ("master-keys", "service-secret", "signing-key.pem"):
        secret = (dev.folder / file).read_text().split()
        assert secret[len(secret) // 2] not in printed.stdout
    assert (dev.folder / "environment").stat().st_mode & 0o777 == 0o600


def test_a_test_mail_goes_where_mails_of_workers_go(dev):
    sent = json.loads(dev.shell("mail test berta@example.org --json"))
    text = (dev.folder / "mail" / f"{sent['message_id']}.eml").read_text()

    assert "To: berta@example.org" in text and "Subject: Test mail from My Day" in text and sent["from"] == "diary@localhost"
    dev.shell("tenant create toukan --name Toukan --mail-from a@example.org")
    assert "several apps" in dev.shell("mail test berta@example.org", code=1)
    assert "Toukan" in dev.shell("tenant show toukan")
    dev.shell("mail test berta@example.org --tenant toukan")
    assert "Usage" in dev.shell("mail test berta", code=64)


def test_the_settings_of_a_diary_dev_that_has_ended_are_not_printed(dev):
    dev.stop()
    done = subprocess.run([PROGRAM, "dev", "env", "--folder", dev.folder], env=dev.environment, capture_output=True, text=True)

    assert done.returncode == 1 and "no `diary dev` runs on" in done.stderr and done.stdout == ""
    assert not (dev.folder / "environment").exists()
