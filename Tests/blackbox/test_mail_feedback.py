"""Bounces and complaints by signed reports of SendGrid and Amazon SNS: what they do, and that nothing else does it."""

import json
import subprocess
import time

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from sendgrid.helpers.eventwebhook import EventWebhook

import http_client
from fake_mail_api import FakeMailAPI
from mail_feedback import SIGNATURE, TIMESTAMP, FakeSNS, SendGridSigner, certificate, now, sendgrid_event, ses_event, topic
from processes import PROGRAM, wait_for
from rig import Rig

SENDGRID, SES = "/webhooks/mail/sendgrid", "/webhooks/mail/ses"
SIGNER, OTHER = SendGridSigner(), SendGridSigner()


@pytest.fixture(scope="module")
def sns():
    with FakeSNS() as sns:
        yield sns


@pytest.fixture(scope="module")
def fake():
    with FakeMailAPI() as fake:
        yield fake


@pytest.fixture(scope="module")
def rig(fake, sns):
    """The installation's mail leaves by SendGrid, that of `walks` by its own account, whose reports are signed with another key."""
    rig = Rig(
        DIARY_MAIL_PROVIDER="sendgrid",
        DIARY_SENDGRID_KEY="SG.key",
        DIARY_SENDGRID_URL=fake.url,
        DIARY_SENDGRID_WEBHOOK_KEY=SIGNER.public,
        DIARY_SES_TOPICS=topic("diary"),
        DIARY_SNS_URL=sns.url,
    )
    try:
        rig.tenant("walks")
        rig.diary("tenant", "set", "walks", f"mail.webhook_key={OTHER.public}", f"mail.topics={topic('walks')}")
        rig.wait_for_app("walks")
        yield rig
    finally:
        rig.end()


class Person:
    """Signed in, with a verified address; mails are looked for at the stand-in of SendGrid."""

    count = 0

    def __init__(self, rig, fake, app="my-day"):
        Person.count += 1
        self.rig, self.fake, self.app, self.address = rig, fake, app, f"person-{Person.count}@example.org"
        self.headers = {"Diary-App": app}
        body = {"email": self.address, "password": "seven quiet lighthouses"}
        registration = self.post("/v1/auth/email/register", 202, body)["request"]
        [mail] = self.mails(1)
        tokens = self.post("/v1/auth/email/verify", 200, {"email": self.address, "code": self.code(mail), "request": registration})
        self.headers["Authorization"] = "Bearer " + tokens["access_token"]
        self.mail = self.id(mail)
        # An export without entries is not mailed.
        self.post("/v1/entries", 201, {"kind": "text", "text": "words", "recorded_at": "2026-01-01T12:00:00Z"})

    @staticmethod
    def code(mail):
        return next(word for word in mail.text.split() if word.isdigit() and len(word) == 8)

    @staticmethod
    def id(mail):
        return mail.json["personalizations"][0]["custom_args"]["mail"]

    def mails(self, count):
        return wait_for(lambda: (found := self.fake.mails(self.address)) and len(found) >= count and found, 30, f"{count} mails")

    def post(self, path, status, body=None):
        answer = http_client.post(self.rig.url + path, json=body, headers=self.headers, timeout=20)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None

    def get(self, path):
        answer = http_client.get(self.rig.url + path, headers=self.headers, timeout=20)
        assert answer.status_code == 200, answer.text
        return answer.json()

    @property
    def status(self):
        return self.get("/v1/me")["email_status"]

    @property
    def events(self):
        return [event["kind"] for event in self.get("/v1/me/events")["items"] if event["kind"].startswith("mail_")]

    def export(self):
        return self.post("/v1/exports", 202, {"from": "2026-01-01", "to": "2026-01-02", "mail": True})["id"]

    def mailed(self, export, status):
        shown = wait_for(lambda: (found := self.get(f"/v1/exports/{export}"))["mail_status"] == status and found, 30, f"an export {status}")
        return shown


def send(rig, path, body, headers=None, status=200):
    answer = http_client.post(rig.url + path, data=body, headers=headers or {"Content-Type": "text/plain; charset=UTF-8"}, timeout=20)
    assert answer.status_code == status, answer.text
    return answer.json()


def sendgrid(rig, *events, signer=SIGNER, path=SENDGRID, status=200):
    body = json.dumps(events).encode()
    return send(rig, path, body, signer.sign(body), status)


def test_the_official_helper_takes_the_signatures_of_these_tests():
    body = json.dumps([sendgrid_event("x")])
    fields = SIGNER.sign(body.encode())
    assert EventWebhook(SIGNER.public).verify_signature(body, fields[SIGNATURE], fields[TIMESTAMP])
    assert not EventWebhook(OTHER.public).verify_signature(body, fields[SIGNATURE], fields[TIMESTAMP])


def test_a_bounce_ends_exports_by_mail_shows_to_the_user_and_counts_once(rig, fake):
    person = Person(rig, fake)
    assert person.status == "ok"
    first = person.export()
    person.mailed(first, "sent")
    bounce = sendgrid_event(person.id(person.mails(2)[-1]), type="bounce", reason="550 no such user", status="5.1.1")
    body = json.dumps([sendgrid_event(person.mail, "delivered"), bounce]).encode()
    fields = SIGNER.sign(body)
    assert send(rig, SENDGRID, body, fields) == {"noted": 1}
    assert send(rig, SENDGRID, body, fields) == {"noted": 0}, "the same request again"
    assert sendgrid(rig, bounce) == {"noted": 0}, "the same event, signed anew"

    assert person.status == "suppressed" and person.events == ["mail_bounced"]
    assert person.mailed(first, "failed")["code"] == "address_suppressed"
    shown = person.mailed(person.export(), "failed")
    assert (shown["status"], shown["code"]) == ("ready", "address_suppressed") and len(fake.mails(person.address)) == 2

    # A code that a signed-in member asks for is sent, and entering it ends it.
    request = person.post("/v1/auth/codes", 202, {"purpose": "proof"})["request"]
    code = person.code(person.mails(3)[-1])
    person.post("/v1/me/reauthenticate", 204, {"code": code, "request": request})
    assert person.status == "ok"
    person.mailed(person.export(), "sent")
    assert sendgrid(rig, bounce) == {"noted": 0} and person.status == "ok", "an old report does not come back"


def test_a_complaint_leaves_codes_and_an_operator_lifts_it_without_the_address_being_stored(rig, fake):
    person = Person(rig, fake)
    assert sendgrid(rig, sendgrid_event(person.mail, "spamreport")) == {"noted": 1}
    assert person.status == "complained" and person.events == ["mail_complained"]
    person.mailed(person.export(), "failed")
    person.post("/v1/auth/codes", 202, {"purpose": "sign_in", "email": person.address})
    assert "sign in" in person.mails(2)[-1].json["subject"]

    listed = json.loads(rig.diary("mail", "suppressions", "list", "--tenant", "my-day", "--json"))
    assert listed[0]["reason"] == "complaint" and listed[0]["held_back"] == "exports and notices" and len(listed[0]["id"]) == 12
    command = [PROGRAM, "mail", "suppressions", "lift", "--tenant", "my-day"]

    def lift():
        return subprocess.run(command, input=person.address.upper(), env=rig.environment, capture_output=True, text=True, timeout=60)

    done, again = lift(), lift()
    assert done.returncode == 0 and again.returncode == 1 and person.address not in done.stdout + done.stderr + again.stderr
    assert person.status == "ok"
    assert "mail_suppression_lifted" in rig.diary("tenant", "acts", "my-day", "--json")
    for table in ("mail_bounces", "mail_events", "mails", "users"):
        dump = rig.postgres.sql("diary", f"select t::text from {table} t")
        assert person.address not in str(dump) and person.address.encode().hex() not in str(dump)


def test_a_soft_bounce_is_noted_and_holds_nothing_back(rig, fake):
    person = Person(rig, fake)
    assert sendgrid(rig, sendgrid_event(person.mail, "deferred", response="451 later")) == {"noted": 1}
    assert person.status == "bouncing" and person.events == []
    person.mailed(person.export(), "sent")


@pytest.mark.parametrize("version", ["1", "2"])
def test_ses_reports_by_sns_with_either_signature_and_the_certificate_is_fetched_once(rig, fake, sns, version):
    person = Person(rig, fake)
    message = sns.message(version, Message=ses_event(person.mail), Subject="Amazon SES Email Event Notification")
    assert send(rig, SES, message) == {"noted": 1} and send(rig, SES, message) == {"noted": 0}
    assert person.status == "suppressed"
    assert send(rig, SES, sns.message(version, Message=ses_event(person.mail, "Complaint", complaintFeedbackType="abuse"))) == {"noted": 1}
    # A dead address takes no codes either, which a complaint would leave.
    assert person.status == "suppressed" and person.events == ["mail_complained", "mail_bounced"]
    assert sum("0123abcd" in path for path in sns.asked) == 1


def test_a_subscription_is_confirmed_for_topics_that_are_set_alone(rig, sns):
    confirm = {"Type": "SubscriptionConfirmation", "Message": "You have chosen to subscribe …"}
    assert send(rig, SES, sns.message(**confirm, Token="right")) == {"noted": 0}
    assert send(rig, SES + "?app=walks", sns.message(**confirm, TopicArn=topic("walks"), Token="own")) == {"noted": 0}
    for message in (
        sns.message(**confirm, TopicArn=topic("foreign"), Token="foreign"),
        sns.message(**confirm, TopicArn=topic("walks"), Token="walks"),
        sns.message(**confirm, Token="forged", changed={"Token": "forgotten"}),
        sns.message(**confirm, SubscribeURL="https://evil.example/?Action=ConfirmSubscription&Token=elsewhere"),
        sns.message(**confirm, SubscribeURL="https://sns.eu-central-1.amazonaws.com/?Action=Publish&Message=other"),
    ):
        send(rig, SES, message, status=401)
    confirmed = [path for path in sns.asked if path.startswith("/?")]
    assert len(confirmed) == 2 and "Token=right" in confirmed[0] and "Token=own" in confirmed[1]


def test_forged_old_and_foreign_reports_of_sendgrid_are_refused_alike_and_change_nothing(rig, fake):
    person, walker = Person(rig, fake), Person(rig, fake, "walks")
    body = json.dumps([sendgrid_event(person.mail)]).encode()
    good = SIGNER.sign(body)
    wrong = [
        (SENDGRID, body, OTHER.sign(body)),
        (SENDGRID, body + b" ", good),
        (SENDGRID, body, {**good, TIMESTAMP: str(int(good[TIMESTAMP]) + 1)}),
        (SENDGRID, body, SIGNER.sign(body, time.time() - 26 * 3600)),
        (SENDGRID, body, SIGNER.sign(body, time.time() + 3600)),
        (SENDGRID, body, {name: value for name, value in good.items() if name != SIGNATURE}),
        (SENDGRID, body, {name: value for name, value in good.items() if name != TIMESTAMP}),
        (SENDGRID, body, {**good, SIGNATURE: ""}),
        (SENDGRID, body, {**good, SIGNATURE: "AAAA"}),
        (SENDGRID, body, {**good, SIGNATURE: good[SIGNATURE][:-8] + "AAAAAAA="}),
        (SENDGRID, body, {**good, SIGNATURE: good[SIGNATURE] * 3}),
        (SENDGRID + "?app=walks", body, good),
        (SENDGRID + "?app=unknown-app", body, good),
        (SENDGRID + "?app=my-day", body, good),
    ]
    answers = [send(rig, *request, status=401) for request in wrong]
    assert {answer["code"] for answer in answers} == {"signature_refused"} and len({answer.get("detail") for answer in answers}) == 1
    # An app's own provider reports of its own mails alone.
    assert sendgrid(rig, sendgrid_event(person.mail), signer=OTHER, path=SENDGRID + "?app=walks") == {"noted": 0}
    assert sendgrid(rig, sendgrid_event(walker.mail), signer=OTHER, path=SENDGRID + "?app=walks") == {"noted": 1}
    assert (person.status, walker.status) == ("ok", "suppressed")

    send(rig, SENDGRID, b"x" * (1 << 20 | 1), {**good, "Content-Type": "application/json"}, status=413)
    for bad in (b"{}", b"7", b"\xff"):
        send(rig, SENDGRID, bad, SIGNER.sign(bad), status=400)
    send(rig, SENDGRID, body, {**good, "Content-Type": "text/html"}, status=415)
    send(rig, SENDGRID + "?ap=walks", body, good, status=422)
    strange = [
        1,
        None,
        {"event": "bounce"},
        sendgrid_event("x"),
        sendgrid_event(person.mail, sg_event_id=None),
        {**sendgrid_event(person.mail), "timestamp": "x"},
    ]
    assert sendgrid(rig, *strange) == {"noted": 0} and person.status == "ok"


def test_forged_old_and_foreign_messages_of_sns_are_refused_and_change_nothing(rig, fake, sns):
    person = Person(rig, fake)
    event = ses_event(person.mail)
    other_key = rsa.generate_private_key(65537, 2048)
    sns.certificates["eeee"] = certificate(other_key, "sns.evil.example")
    sns.certificates["dddd"] = certificate(sns.key, days=(-30, -1))
    sns.certificates["cccc"] = b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"

    def cert(url):
        return {"SigningCertURL": url}

    before = len(sns.asked)
    wrong = [
        sns.message(Message=event, key=other_key),
        sns.message("2", Message=event, key=other_key),
        sns.message("1", Message=event, SignatureVersion="2"),
        sns.message(Message=event, changed={"Message": event.replace("Permanent", "Transient")}),
        sns.message(Message=event, changed={"MessageId": "another"}),
        sns.message(Message=event, changed={"Timestamp": now(5)}),
        sns.message(Message=event, Timestamp=now(26 * 3600)),
        sns.message(Message=event, Timestamp=now(-3600)),
        sns.message(Message=event, TopicArn=topic("walks")),
        sns.message(Message=event, TopicArn=topic("diary").replace("eu-central-1", "us-east-1")),
        sns.message(Message=event, certificate="dddd"),
        sns.message(Message=event, **cert("https://evil.example/SimpleNotificationService-0123abcd.pem")),
        sns.message(Message=event, **cert("http://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0123abcd.pem")),
        sns.message(Message=event, **cert("https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0123abcd.pem")),
        sns.message(Message=event, **cert("https://sns.eu-central-1.amazonaws.com@evil.example/SimpleNotificationService-0.pem")),
        sns.message(Message=event, **cert(f"{sns.url}/SimpleNotificationService-0123abcd.pem")),
        b"",
        b"[]",
        b"{}",
        b"\x00",
        b"{" * 200,
    ]
    for message in wrong:
        assert send(rig, SES, message, status=401)["code"] == "signature_refused"
    assert [path for path in sns.asked[before:] if "dddd" not in path and "0123abcd" not in path] == [], "nothing else was fetched"
    # A certificate that is none of SNS, or is not there, may be one tomorrow; it is not asked for again at once.
    for name in ("eeee", "cccc", "ffff"):
        for _ in range(3):
            send(rig, SES, sns.message(Message=event, certificate=name, key=other_key), status=503)
        assert sum(name in path for path in sns.asked) == 1
    for app, status in (("walks", 401), ("unknown-app", 401)):
        send(rig, f"{SES}?app={app}", sns.message(Message=event), status=status)
    send(rig, SES, sns.message(Message="hello"), status=400)
    send(rig, SES, b"x" * (1 << 20 | 1), status=413)
    assert person.status == "ok" and person.events == []
    assert send(rig, SES + "?app=walks", sns.message(Message=event, TopicArn=topic("walks"))) == {"noted": 0}, "another app's mail"
    assert person.status == "ok"


def test_invented_names_of_certificates_are_fetched_ten_times_a_minute_at_most(rig, fake, sns):
    person = Person(rig, fake)
    before = len(sns.asked)
    for number in range(40):
        send(rig, SES, sns.message(Message=ses_event(person.mail), certificate=f"aaaa{number}"), status=503)
    # Forty messages may take so long that a second minute begins.
    assert len(sns.asked) - before <= 20
    assert send(rig, SES, sns.message(Message=ses_event(person.mail))) == {"noted": 1}, "the certificate that is known"
    assert person.status == "suppressed"


def test_g1_no_address_and_no_report_is_in_a_log(rig, fake, sns):
    person, other = Person(rig, fake), Person(rig, fake)
    assert sendgrid(rig, sendgrid_event(person.mail, reason="550 no such user")) == {"noted": 1}
    assert send(rig, SES, sns.message(Message=ses_event(other.mail))) == {"noted": 1}
    log = rig.log_text()
    assert SENDGRID in log and SES in log
    assert "@example.org" not in log and "550 no such user" not in log and "feedbackId" not in log and SIGNER.public not in log
