"""Mail through a whole mail server with STARTTLS (A9, E7), and what one mail is on the wire."""

import re
import socketserver
import subprocess
import threading

import pytest

import http_client
from mail import text_of
from postfix_server import PostfixServer, why_not
from processes import PROGRAM, wait_for
from rig import Rig

REASON = why_not()


@pytest.fixture(scope="module")
def postfix():
    if REASON:
        pytest.skip(REASON)
    with PostfixServer() as postfix:
        yield postfix


@pytest.fixture(scope="module")
def rig(postfix):
    rig = Rig(DIARY_SMTP_URL=postfix.url, DIARY_SMTP_CERTIFICATES=str(postfix.certificate))
    try:
        yield rig
    finally:
        rig.end()


def register(rig, address):
    fields = {"email": address, "password": "seven quiet lighthouses", "locale": "de-DE"}
    answer = http_client.post(rig.url + "/v1/auth/email/register", json=fields, timeout=10)
    assert answer.status_code == 202, answer.text


def job(rig, condition):
    return rig.postgres.sql("diary", f"select count(*) from jobs where kind = 'mail' and {condition}")[0][0]


def test_a_mail_passes_starttls_is_delivered_once_and_is_what_was_written(rig, postfix):
    register(rig, "anna@example.org")
    [mail] = wait_for(lambda: postfix.mails("anna@example.org"), 30, "the mail")
    assert re.search(r"^    \d{8}$", text_of(mail), re.M) and mail.get_body(("html",)) and not mail.defects
    assert "using TLSv1" in str(mail["Received"]) or "with ESMTPS" in str(mail["Received"])
    assert (
        mail["Return-Path"] == "<diary@example.org>"
        and [mail.get_all(name) for name in ("From", "To", "Subject")]
        and len(mail.get_all("To")) == 1
    )
    wait_for(lambda: job(rig, "state in ('ready', 'leased')") == 0, 20, "the jobs' end")
    assert len(postfix.mails("anna@example.org")) == 1


def test_a9_a_recipient_that_the_server_refuses_for_now_is_tried_again_and_one_that_it_refuses_for_good_is_not(rig, postfix):
    register(rig, "later@example.org")
    wait_for(lambda: job(rig, "errors >= 2 and state in ('ready', 'leased')"), 30, "two refusals")
    register(rig, "never@example.org")
    wait_for(lambda: job(rig, "state = 'dead'"), 30, "the mail that is given up")
    assert rig.postgres.sql("diary", "select errors from jobs where kind = 'mail' and state = 'dead'")[0][0] <= 1
    assert postfix.mails("later@example.org") == postfix.mails("never@example.org") == []


def test_e7_a_certificate_that_is_not_trusted_gets_no_mail(rig, postfix):
    environment = {name: value for name, value in rig.environment.items() if name != "DIARY_SMTP_CERTIFICATES"}
    tried = subprocess.run([PROGRAM, "mail", "test", "trust@example.org"], env=environment, capture_output=True, text=True, timeout=60)
    assert tried.returncode == 1 and "did not take the mail" in tried.stderr
    assert postfix.mails("trust@example.org") == []


class Recorder(socketserver.ThreadingTCPServer):
    """Takes every mail and keeps the commands, as they came."""

    daemon_threads, allow_reuse_address = True, True

    def __init__(self):
        self.lines = []
        super().__init__(("127.0.0.1", 0), Conversation)
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()


class Conversation(socketserver.StreamRequestHandler):
    def handle(self):
        self.wfile.write(b"220 here\r\n")
        content = False
        for line in self.rfile:
            if content:
                content = line != b".\r\n"
                if not content:
                    self.wfile.write(b"250 taken\r\n")
                continue
            self.server.lines.append(line)
            content = line.upper() == b"DATA\r\n"
            self.wfile.write(b"354 go on\r\n" if content else b"221 bye\r\n" if line.upper().startswith(b"QUIT") else b"250 ok\r\n")


def test_on_the_wire_one_mail_is_one_sender_one_recipient_and_one_message():
    recorder = Recorder()
    rig = Rig(DIARY_SMTP_URL=f"smtp+plain://127.0.0.1:{recorder.server_address[1]}")
    try:
        rig.diary("mail", "test", "anna@example.org")
    finally:
        rig.end()
        recorder.shutdown()
        recorder.server_close()
    commands = [line.split(b" ")[0].strip().upper() for line in recorder.lines]
    assert commands == [b"EHLO", b"MAIL", b"RCPT", b"DATA", b"QUIT"]
    assert recorder.lines[1].upper().startswith(b"MAIL FROM:<DIARY@EXAMPLE.ORG>") and recorder.lines[2] == b"RCPT TO:<anna@example.org>\r\n"
