"""Mail through a mail server: what the outbox gets as files, a server gets by SMTP (A9)."""

import json
import re
import subprocess

import pytest
from aiosmtpd.controller import Controller

import http_client
from mail import text_of
from mail_server import Mailbox, parsed
from processes import PROGRAM, free_port, wait_for
from rig import Rig


@pytest.fixture
def post():
    mailbox, port = Mailbox(), free_port()
    controller = Controller(mailbox, hostname="127.0.0.1", port=port)
    controller.start()
    rig = Rig(DIARY_SMTP_URL=f"smtp+plain://127.0.0.1:{port}")
    yield rig, mailbox
    rig.end()
    controller.stop()


def jobs(rig, condition):
    with rig.postgres.connect() as connection, connection.cursor() as cursor:
        cursor.execute(f"select count(*) from jobs where kind = 'mail' and {condition}")
        return cursor.fetchone()[0]


def register(rig, address):
    answer = http_client.post(
        rig.url + "/v1/auth/email/register", json={"email": address, "password": "seven quiet lighthouses"}, timeout=10
    )
    assert answer.status_code == 202, answer.text
    return answer.json()["request"]


def test_a9_a_code_comes_by_smtp_and_once_although_the_server_refuses_for_a_while(post):
    rig, mailbox = post
    mailbox.refuse = True
    registration = register(rig, "anna@example.org")
    wait_for(lambda: jobs(rig, "errors >= 2"), 30, "two refusals")
    assert mailbox.mails == []
    mailbox.refuse = False
    wait_for(lambda: mailbox.mails, 30, "the mail")

    sender, recipients, content = mailbox.mails[0]
    code = re.search(r"\b(\d{8})\b", text_of(parsed(content)))[1]

    assert (sender, recipients) == ("diary@example.org", ["anna@example.org"])
    verified = http_client.post(
        rig.url + "/v1/auth/email/verify", json={"email": "anna@example.org", "code": code, "request": registration}, timeout=10
    )
    assert verified.status_code == 200
    wait_for(lambda: jobs(rig, "state = 'done'"), 10, "the job's end")
    assert len(mailbox.mails) == 1
    assert list((rig.folder / "mail").glob("*.eml")) == []


def test_a_test_mail_says_what_the_mail_server_answered(post):
    rig, mailbox = post
    sent = json.loads(rig.diary("mail", "test", "anna@example.org", "--json"))
    mailbox.refuse = True
    refused = subprocess.run([PROGRAM, "mail", "test", "anna@example.org"], env=rig.environment, capture_output=True, text=True, timeout=60)

    sender, recipients, content = mailbox.mails[0]
    assert (sender, recipients, len(mailbox.mails)) == ("diary@example.org", ["anna@example.org"], 1)
    assert parsed(content)["Subject"] == "Test mail from my-day" and sent["message_id"] in parsed(content)["Message-ID"]
    assert (
        refused.returncode == 1 and "did not take the mail" in refused.stderr and "451" in refused.stderr and "Usage" not in refused.stderr
    )
    assert "anna@example.org" not in refused.stderr
