"""Batches of SendGrid and messages of SES with flaws of the mail servers whose words they repeat, or with members in other forms: they are
signed, so each event that has what is needed is applied, and what cannot be read is left out."""

import json

import pytest

import http_client
from fake_mail_api import FakeMailAPI
from mail_feedback import FakeSNS, SendGridSigner, now, sendgrid_event, ses_event, topic
from rig import Rig
from test_mail_feedback import SENDGRID, SES, Person

SIGNER, OTHER = SendGridSigner(), SendGridSigner()
NAN, INFINITY = float("nan"), float("inf")

WORDS = {
    "half a character": b"550 no such user \\ud83d",
    "the other half of a character": b"550 \\ude00 no such user",
    "halves in the wrong order": b"550 \\ude00\\ud83d no such user",
    "Latin-1": "550 Empfänger unbekannt".encode("latin-1"),
    "quotation marks of Windows": b"550 \x93anna\x94 is not here",
    "KOI8-R": "550 Пользователь не найден".encode("koi8-r"),
    "a character that was cut": b"550 user inconnu \xc3",
    "half a character as UTF-8": b"550 no such user \xed\xa0\xbd",
    "a zero in two bytes": b"550 no such user \xc0\x80",
    "a raw tab": b"550\tno such user",
    "raw line ends": b"550-no such user\r\n550 here",
    "a raw escape": b"550 \x1b[31mno such user\x1b[0m",
    "a raw zero": b"550 no such user\x00",
    "an escaped zero": b"550 no such user\\u0000",
    "a character that is none": b"550 no such user \\uffff",
}
"""What a mail server said, as the batch repeats it."""

BESIDE_WHAT_IS_NEEDED = {
    "the address with a name": {"email": "Anna Example <anna@example.org>"},
    "the address in capitals and blanks": {"email": "  ANNA@EXAMPLE.ORG "},
    "the address is null": {"email": None},
    "the address is a list": {"email": ["anna@example.org"]},
    "null for what the event does not have": {"smtp-id": None, "ip": None, "tls": None, "type": None, "reason": None, "status": None},
    "measures that are none": {"tls": NAN, "attempt": INFINITY, "cert_err": -INFINITY},
    "numbers as texts": {"attempt": "5", "tls": "1", "cert_err": "0", "asm_group_id": "17"},
    "texts as numbers": {"status": 5.1, "sg_message_id": 14, "ip": 0, "smtp-id": 7},
    "a number above all": {"attempt": "@@@", "@": [1e308]},
    "categories within categories": {"category": [["a"], {"b": [None]}, 5]},
    "a category is null": {"category": None},
    "the reason is an object": {"reason": {"code": 550, "lines": ["no such user"]}, "response": []},
    "arguments of others": {"unique_args": {"mail": "other"}, "pool": {"name": "x", "id": 1}, "marketing_campaign_id": None},
    "a classification that nobody knows": {"bounce_classification": {"id": None}, "sg_content_type": "amp", "sg_machine_open": "no"},
}
"""Members of a bounce."""

NEEDED = {
    "the time is text": lambda event: {**event, "timestamp": str(event["timestamp"])},
    "the time has a fraction": lambda event: {**event, "timestamp": event["timestamp"] + 0.25},
    "the time is a float": lambda event: {**event, "timestamp": float(event["timestamp"])},
    "the time is text with a fraction": lambda event: {**event, "timestamp": f"{event['timestamp']}.25"},
    "the time in thousandths of seconds": lambda event: {**event, "timestamp": event["timestamp"] * 1000},
    "the time in thousandths of seconds is text": lambda event: {**event, "timestamp": str(event["timestamp"] * 1000)},
    "the event in capitals": lambda event: {**event, "event": "BOUNCE"},
    "the event with a capital": lambda event: {**event, "event": "Bounce"},
    "the event with blanks": lambda event: {**event, "event": " bounce "},
    "the mail in capitals": lambda event: {**event, "mail": event["mail"].upper()},
    "the mail with blanks": lambda event: {**event, "mail": f" {event['mail']} "},
}
"""A bounce whose needed members have another form of the same value."""

BROKEN = {
    "null": lambda event: None,
    "a number": lambda event: 7,
    "a text": lambda event: "bounce",
    "a list": lambda event: [event],
    "an empty object": lambda event: {},
    "no mail": lambda event: {name: value for name, value in event.items() if name != "mail"},
    "a mail that is null": lambda event: {**event, "mail": None},
    "a mail that is an object": lambda event: {**event, "mail": {"id": event["mail"]}},
    "a mail of nobody": lambda event: {**event, "mail": "019a2b6e-5c10-7d21-9a3e-0f5f6c1d2e3f"},
    "an event that is null": lambda event: {**event, "event": None},
    "an event that is a number": lambda event: {**event, "event": 5},
    "an event of a later version": lambda event: {**event, "event": "machine_opened", "sg_machine_open": True},
    "an event of the account": lambda event: {
        "event": "account_status_change",
        "type": "compliance_suspend",
        "timestamp": event["timestamp"],
    },
    "a group's end": lambda event: {**event, "event": "group_unsubscribe", "asm_group_id": NAN},
    "a time that is none": lambda event: {**event, "timestamp": "soon"},
    "a time that is null": lambda event: {**event, "timestamp": None},
    "a time that is no number": lambda event: {**event, "timestamp": NAN},
    "a time that is a list": lambda event: {**event, "timestamp": [event["timestamp"]]},
}
"""A complaint of the same mail, so broken that it says nothing; made of a good one."""

WHOLE = {
    "a byte order mark": lambda body: b"\xef\xbb\xbf" + body,
    "line ends around it": lambda body: b"\r\n" + body + b"\r\n\r\n",
    "a member twice": lambda body: body.replace(b'{"email"', b'{"category": "a", "category": "b", "email"'),
    "slashes escaped": lambda body: body.replace(b"/", b"\\/"),
    "a byte of Latin-1 in a member's name": lambda body: body.replace(b'{"email"', b'{"caf\xe9": 1, "email"'),
}
"""What becomes of the whole body."""

OTHER_KINDS = {
    "a complaint with half a character": (lambda event: {**event, "event": "spamreport", "useragent": "x \ud83d"}, "complained"),
    "a complaint whose time is text": (lambda event: {**event, "event": "spamreport", "timestamp": str(event["timestamp"])}, "complained"),
    "a delay with a number that is none": (lambda event: {**event, "event": "deferred", "response": "451", "attempt": NAN}, "bouncing"),
    "a delay with half a character": (lambda event: {**event, "event": "deferred", "response": "451 later \udce4"}, "bouncing"),
    "a block with half a character": (lambda event: {**event, "type": "blocked", "reason": "554 \ud83d"}, "bouncing"),
}
"""Other events with flaws, and the state of the address."""


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
    rig = Rig(
        DIARY_MAIL_PROVIDER="sendgrid",
        DIARY_SENDGRID_KEY="SG.key",
        DIARY_SENDGRID_URL=fake.url,
        DIARY_SENDGRID_WEBHOOK_KEY=SIGNER.public,
        DIARY_SES_TOPICS=topic("diary"),
        DIARY_SNS_URL=sns.url,
    )
    yield rig
    rig.end()


@pytest.fixture
def person(rig, fake):
    person = Person(rig, fake)
    assert person.status == "ok"
    return person


def bounce(mail, **members):
    return sendgrid_event(mail, type="bounce", reason="550 no such user", status="5.1.1", **members)


def batch(*events):
    return json.dumps(events).encode()


def sendgrid(rig, body, signer=SIGNER):
    return http_client.post(rig.url + SENDGRID, data=body, headers=signer.sign(body), timeout=20)


def applied(rig, person, name, body, status="suppressed"):
    answer = sendgrid(rig, body)
    assert (answer.status_code, person.status) == (200, status), f"{name}: {answer.text}"
    assert answer.json() == {"noted": 1}, name


@pytest.mark.parametrize("name", WORDS)
def test_words_of_mail_servers_cost_no_event(rig, person, name):
    body = batch(sendgrid_event("x", "deferred", response="@"), bounce(person.mail, response="@") | {"reason": "@"})
    applied(rig, person, name, body.replace(b'"@"', b'"' + WORDS[name] + b'"'))


@pytest.mark.parametrize("name", BESIDE_WHAT_IS_NEEDED)
def test_a_bounce_counts_whatever_stands_beside_what_is_needed(rig, person, name):
    event = {**bounce(person.mail), **BESIDE_WHAT_IS_NEEDED[name]}
    applied(rig, person, name, batch(event).replace(b'"@@@"', b"1e999"))


def test_a_bounce_without_an_address_counts(rig, person):
    event = bounce(person.mail)
    del event["email"]
    applied(rig, person, "no address", batch(event))


@pytest.mark.parametrize("name", NEEDED)
def test_a_bounce_counts_in_another_form(rig, person, name):
    applied(rig, person, name, batch(NEEDED[name](bounce(person.mail))))


@pytest.mark.parametrize("name", BROKEN)
def test_events_beside_one_that_is_broken_count(rig, person, name):
    broken = BROKEN[name](sendgrid_event(person.mail, "spamreport"))
    applied(rig, person, name, batch(broken, bounce(person.mail), broken))
    assert person.events == ["mail_bounced"], name


@pytest.mark.parametrize("name", WHOLE)
def test_a_batch_is_read_in_other_forms(rig, person, name):
    applied(rig, person, name, WHOLE[name](batch(bounce(person.mail, url="https://a/b"))))


@pytest.mark.parametrize("name", OTHER_KINDS)
def test_other_events_with_flaws_count(rig, person, name):
    change, status = OTHER_KINDS[name]
    applied(rig, person, name, batch(change(sendgrid_event(person.mail))), status)


def test_a_flaw_opens_no_way_past_the_signature(rig, person):
    for words in WORDS.values():
        body = batch(bounce(person.mail) | {"reason": "@"}).replace(b'"@"', b'"' + words + b'"')
        assert sendgrid(rig, body, OTHER).status_code == 401
    assert person.status == "ok"


def test_what_cannot_be_read_is_in_the_log(rig, person):
    log = rig.folder / "logs/serve.log"
    begun = log.stat().st_size
    body = batch(sendgrid_event(person.mail) | {"timestamp": "soon"})
    assert sendgrid(rig, body).json() == {"noted": 0}
    lines = log.read_bytes()[begun:].decode(errors="replace").splitlines()
    assert any(json.loads(line)["level"] in ("notice", "warning", "error") for line in lines if line.startswith("{")), lines


def ses(mail, kind="Bounce", words="smtp; 550 5.1.1 no such user", event=None, **report):
    """The text of a message, with `words` as they stand in it."""
    if kind == "Bounce":
        report = {"bouncedRecipients": [{"emailAddress": "a@example.org", "diagnosticCode": "@"}], **report}
    made = json.loads(ses_event(mail, kind, **report))
    made.update(event or {})
    return json.dumps(made).replace('"@"', json.dumps("@").replace("@", words))


SES_FORMS = {
    "half a character": lambda mail: ses(mail, words="smtp; 550 no such user \\ud83d"),
    "the other half of a character": lambda mail: ses(mail, words="smtp; 550 \\ude00 no such user"),
    "a raw tab": lambda mail: ses(mail, words="smtp; 550\tno such user"),
    "raw line ends": lambda mail: ses(mail, words="smtp; 550-no such user\r\n550 here"),
    "an escaped zero": lambda mail: ses(mail, words="smtp; 550 no such user\\u0000"),
    "a number that is none": lambda mail: ses(mail, event={"delay": NAN}),
    "recipients are null": lambda mail: ses(mail, bouncedRecipients=None),
    "recipients with null": lambda mail: ses(mail, bouncedRecipients=[None, {"emailAddress": None}]),
    "the address with a name": lambda mail: ses(mail, bouncedRecipients=[{"emailAddress": "Anna <ANNA@example.org>"}]),
    "the time without a fraction": lambda mail: ses(mail, timestamp=now().split(".")[0] + "Z"),
    "the time with a distance": lambda mail: ses(mail, timestamp=now().replace("Z", "+00:00")),
    "the time with millionths": lambda mail: ses(mail, timestamp=now().replace("Z", "000Z")),
    "a subtype that nobody knows": lambda mail: ses(mail, bounceSubType=None, reportingMTA=5, remoteMtaIp=None),
    "members of a later version": lambda mail: ses(mail, event={"tenant": {"a": [None]}, "version": 2}),
}


@pytest.mark.parametrize("name", SES_FORMS)
def test_a_bounce_that_ses_reports_counts(rig, sns, person, name):
    message = sns.message("2", Message=SES_FORMS[name](person.mail))
    answer = http_client.post(rig.url + SES, data=message, headers={"Content-Type": "text/plain; charset=UTF-8"}, timeout=20)
    assert (answer.status_code, person.status) == (200, "suppressed"), f"{name}: {answer.text}"
