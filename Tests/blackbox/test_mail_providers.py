"""Mail through SendGrid and Amazon SES: the same requests as the official SDKs send, and what is made of each answer (A9, E6)."""

import json
import re
import subprocess
import time

import botocore.awsrequest
import botocore.config
import botocore.credentials
import botocore.session
import botocore.validate
import jsonschema_rs
import pytest
import sendgrid
import yaml
from sendgrid.helpers import mail as sdk

import http_client
from fake_mail_api import SENDGRID, SES, FakeMailAPI
from processes import PROGRAM, wait_for
from rig import Rig
from servers import ROOT

KEY, TOKEN = "SG.canary-8d1f03", "session/canary+77c2a5=="
ID, SECRET = "AKIDCANARY", "wJalrCanary/K7MDENG+bPx"
REGION = "eu-central-1"
NAME = 'Dïary "of" <all>'
NOT_COMPARED = {"user-agent", "host", "content-length", "connection", "accept-encoding", "accept"}
"""Of the client, and of where it is."""
OF_ONE_CALL = {"authorization", "x-amz-date", "amz-sdk-invocation-id", "amz-sdk-request"}


@pytest.fixture(scope="module")
def fake():
    with FakeMailAPI() as fake:
        yield fake


@pytest.fixture(scope="module")
def rig(fake):
    """The installation's mail leaves by SendGrid; that of the apps `walks` and `keyless` by SES and by SendGrid, with secrets of their own."""
    rig = Rig(DIARY_MAIL_PROVIDER="sendgrid", DIARY_SENDGRID_KEY=KEY, DIARY_SENDGRID_URL=fake.url, DIARY_SES_URL=fake.url)
    try:
        for app in ("walks", "keyless"):
            rig.tenant(app)
        set_secret(rig, "walks", "ses", f"{ID}:{SECRET}:{TOKEN}")
        rig.diary("tenant", "set", "walks", "mail.provider=ses", "mail.secret=ses", f"mail.region={REGION}")
        rig.diary("tenant", "set", "keyless", "mail.provider=sendgrid", "mail.secret=later")
        for app in ("my-day", "walks", "keyless"):
            rig.diary("tenant", "set", app, "--name", NAME, "--mail-from-name", NAME)
            rig.wait_for_app(app)
        yield rig
    finally:
        rig.end()


def set_secret(rig, app, name, value):
    command = [PROGRAM, "tenant", "secret", "set", app, name]
    subprocess.run(command, input=value, text=True, env=rig.environment, check=True, capture_output=True, timeout=60)


def register(rig, app, address):
    fields = {"email": address, "password": "seven quiet lighthouses"}
    answer = http_client.post(rig.url + "/v1/auth/email/register", json=fields, headers={"Diary-App": app}, timeout=10)
    assert answer.status_code == 202, answer.text


def mails(fake, address, count=1):
    return wait_for(lambda: (found := fake.mails(address)) and len(found) >= count and found, 30, f"{count} requests for {address}")


def jobs(rig, app, condition):
    """How many mail jobs of an app are so."""
    with rig.postgres.connect() as connection, connection.cursor() as cursor:
        cursor.execute(f"select count(*) from jobs where kind = 'mail' and tenant_id = %s and {condition}", [rig.tenants[app]])
        return cursor.fetchone()[0]


def headers(sent, without=frozenset()):
    return {name.lower(): value for name, value in sent.headers if name.lower() not in NOT_COMPARED | without}


# The requests


def test_a_request_to_sendgrid_is_what_the_sdk_sends_for_the_same_mail(rig, fake):
    register(rig, "my-day", "anna@example.org")
    [ours] = mails(fake, "anna@example.org")
    text, html = (part["value"] for part in ours.json["content"])

    message = sdk.Mail(
        sdk.From("diary@example.org", NAME), sdk.To("anna@example.org"), ours.json["subject"], plain_text_content=text, html_content=html
    )
    message.add_header(sdk.Header("Auto-Submitted", "auto-generated"))
    message.add_header(sdk.Header("Message-ID", ours.message_id))
    message.add_custom_arg(sdk.CustomArg("mail", ours.message_id[1:].partition("@")[0], p=0))
    message.tracking_settings = sdk.TrackingSettings(
        sdk.ClickTracking(False, False), sdk.OpenTracking(False), sdk.SubscriptionTracking(False), sdk.Ganalytics(False)
    )
    sendgrid.SendGridAPIClient(KEY, host=fake.url).send(message)
    [theirs] = [sent for sent in fake.mails("anna@example.org") if sent is not ours]

    assert (ours.method, ours.path) == (theirs.method, theirs.path) == ("POST", SENDGRID)
    assert ours.json == theirs.json
    assert headers(ours) == headers(theirs)
    assert ours.header("Authorization") == f"Bearer {KEY}" and ours.header("Accept") == theirs.header("Accept")
    assert faults_of(ours) == faults_of(theirs) == []
    assert NAME in ours.json["subject"] and "<p" in html


def faults_of(sent):
    """Against SendGrid's published description."""
    document = yaml.load((ROOT / "Tests/Vectors/sendgrid/tsg_mail_v3.yaml").read_text(), Loader=yaml.CSafeLoader)
    schema = document["components"]["requestBodies"]["PostMailSend"]["content"]["application/json"]["schema"]
    validator = jsonschema_rs.Draft202012Validator({**schema, "components": document["components"]})
    return [f"{list(fault.instance_path)}: {fault.message[:300]}" for fault in validator.iter_errors(sent.json)]


def ses(fake):
    session = botocore.session.Session()
    session.set_credentials(ID, SECRET, TOKEN)
    once = botocore.config.Config(retries={"total_max_attempts": 1})
    return session.create_client("sesv2", region_name=REGION, endpoint_url=fake.url, config=once)


def test_a_request_to_ses_is_what_botocore_sends_for_the_same_mail_and_signed_as_it_signs(rig, fake):
    register(rig, "walks", "bert@example.org")
    [ours] = mails(fake, "bert@example.org")

    client = ses(fake)
    asked = {
        "Destination": {"ToAddresses": ["bert@example.org"]},
        "Content": {"Raw": {"Data": ours.raw}},
        "EmailTags": [{"Name": "mail", "Value": ours.message_id[1:].partition("@")[0]}],
        "ConfigurationOverrides": {"Tracking": {"OpenTrackingEnabled": "DISABLED", "ClickTrackingEnabled": "DISABLED"}},
    }
    client.send_email(**asked)
    [theirs] = [sent for sent in fake.mails("bert@example.org") if sent is not ours]

    assert (ours.method, ours.path) == (theirs.method, theirs.path) == ("POST", SES)
    assert ours.json == theirs.json
    assert headers(ours, OF_ONE_CALL) == headers(theirs, OF_ONE_CALL)
    assert ours.header("X-Amz-Security-Token") == TOKEN
    assert ours.header("Authorization") == signature(ours)
    shape = client.meta.service_model.operation_model("SendEmail").input_shape
    assert not botocore.validate.ParamValidator().validate({**ours.json, "Content": {"Raw": {"Data": ours.raw}}}, shape).has_errors()

    message = ours.message
    assert message["Auto-Submitted"] == "auto-generated" and message["To"] == "bert@example.org" and not message.defects
    assert [a.display_name for a in message["From"].addresses] == [NAME] and NAME in message["Subject"]
    assert message.get_body(("html",)) and message.get_body(("plain",))


def signature(sent):
    """By botocore, over the same fields at the same time."""
    signed = sent.header("Authorization").partition("SignedHeaders=")[2].partition(",")[0].split(";")
    assert {"host", "content-type", "x-amz-date", "x-amz-security-token"} == set(signed)
    request = botocore.awsrequest.AWSRequest(
        sent.method, f"http://{sent.header('Host')}{sent.path}", {"Content-Type": sent.header("Content-Type")}, sent.body
    )
    request.context["timestamp"] = sent.header("X-Amz-Date")
    auth = botocore.auth.SigV4Auth(botocore.credentials.Credentials(ID, SECRET, TOKEN), "ses", REGION)
    request.headers["X-Amz-Date"] = sent.header("X-Amz-Date")
    request.headers["X-Amz-Security-Token"] = TOKEN
    canonical = auth.canonical_request(request)
    return (
        f"AWS4-HMAC-SHA256 Credential={auth.scope(request)}, SignedHeaders={';'.join(signed)}, "
        f"Signature={auth.signature(auth.string_to_sign(request, canonical), request)}"
    )


def test_a_configuration_set_is_named_and_the_secret_is_told_to_be_used(rig, fake):
    rig.diary("tenant", "set", "walks", "mail.configuration_set=diary-set")
    try:
        sent_by = json.loads(rig.diary("mail", "test", "set@example.org", "--tenant", "walks", "--json"))["sent_by"]
    finally:
        rig.diary("tenant", "unset", "walks", "mail.configuration_set")
    [sent] = fake.mails("set@example.org")
    assert sent.json["ConfigurationSetName"] == "diary-set" and sent_by == "SES of walks"
    assert json.loads(rig.diary("tenant", "secret", "list", "walks", "--json"))[0]["used_by"] == ["mail"]


# The answers

LATER = [(429, 500), (503, 401), (403,)]
"""What a mail survives, whichever provider answers so: also what an operator must mend. One mail each, so that no wait grows long."""


@pytest.mark.parametrize("app", ["my-day", "walks"])
def test_a9_what_may_pass_is_tried_again_under_the_same_message_id_and_once_after_success(rig, fake, app):
    failing = {f"later-{number}-{app}@example.org": replies for number, replies in enumerate(LATER)}
    for address, replies in failing.items():
        fake.next(address, *replies)
        register(rig, app, address)
    for address, replies in failing.items():
        tried = mails(fake, address, len(replies) + 1)
        assert len({sent.message_id for sent in tried}) == len({sent.text for sent in tried}) == 1
    nothing_comes_later(rig, fake, app, {address: len(replies) + 1 for address, replies in failing.items()})


def nothing_comes_later(rig, fake, app, counts):
    """Every job has ended, and no request was one too many."""
    wait_for(lambda: not jobs(rig, app, "state in ('ready', 'leased')"), 20, "the end of the jobs")
    assert {address: len(fake.mails(address)) for address in counts} == counts


@pytest.mark.parametrize("app, field", [("my-day", "Retry-After"), ("walks", "Retry-After"), ("my-day", "X-RateLimit-Reset")])
def test_the_wait_that_the_provider_names_is_kept(rig, fake, app, field):
    address = f"wait-{field.lower()}-{app}@example.org"
    fake.next(address, (429, {field: "2" if field == "Retry-After" else str(int(time.time()) + 3)}))
    register(rig, app, address)
    first, second = mails(fake, address, 2)
    assert second.at - first.at >= 1.5, "the wait without the service's own of 0.2 s"


@pytest.mark.parametrize("app", ["my-day", "walks"])
def test_a9_an_answer_that_never_comes_is_tried_again(rig, fake, app):
    address = f"hang-{app}@example.org"
    fake.dropped.clear()
    fake.next(address, "hang")
    register(rig, app, address)
    mails(fake, address)
    fake.drop()
    first, second = mails(fake, address, 2)
    assert first.message_id == second.message_id and first.text == second.text


FINAL = [("my-day", 400), ("my-day", 413), ("walks", 413), ("walks", (400, {"x-amzn-ErrorType": "MessageRejected:http://amazon/x"}))]


@pytest.mark.parametrize("app, reply", FINAL)
def test_a9_what_is_the_mails_fault_is_not_tried_again(rig, fake, app, reply):
    address = f"final-{FINAL.index((app, reply))}@example.org"
    refused = "state = 'dead' and code = 'mail_refused'"
    before = jobs(rig, app, refused)
    fake.next(address, reply)
    register(rig, app, address)
    wait_for(lambda: jobs(rig, app, refused) > before, 20, "the mail's end")
    nothing_comes_later(rig, fake, app, {address: 1})


SES_FAULTS = ["AccountSuspendedException", "MailFromDomainNotVerifiedException", "ExpiredTokenException", "ThrottlingException"]


def test_a9_a_fault_of_the_ses_account_loses_no_mail_although_it_comes_as_400(rig, fake):
    replies = [(400, {"x-amzn-ErrorType": fault}) for fault in SES_FAULTS]
    replies.append((400, {"x-amzn-ErrorType": "MessageRejected", "message": "Email address is not verified. The following …"}))
    for number, reply in enumerate(replies):
        fake.next(f"account-{number}@example.org", reply)
        register(rig, "walks", f"account-{number}@example.org")
    for number in range(len(replies)):
        mails(fake, f"account-{number}@example.org", 2)
    nothing_comes_later(rig, fake, "walks", {f"account-{number}@example.org": 2 for number in range(len(replies))})


def test_a_mail_waits_for_the_secret_that_is_not_set_and_says_so(rig, fake):
    register(rig, "keyless", "carla@example.org")
    wait_for(lambda: "the secret later is not set" in rig.log_text(), 20, "the error")
    tried = run(rig, "mail", "test", "carla@example.org", "--tenant", "keyless")
    assert tried.returncode == 1 and "the secret later is not set" in tried.stderr and "mend" in tried.stderr
    assert fake.mails("carla@example.org") == []

    set_secret(rig, "keyless", "later", KEY)
    [sent] = mails(fake, "carla@example.org")
    assert sent.path == SENDGRID and sent.header("Authorization") == f"Bearer {KEY}"
    errors = [line for line in map(json.loads, log_lines(rig)) if line["level"] == "error"]
    assert any(line["message"] == "mail waits for an operator" and line["tenant"] == rig.tenants["keyless"] for line in errors)


@pytest.mark.parametrize(
    "reply, words", [(401, "mend"), (403, "mend"), (400, "give the mail up"), (413, "give the mail up"), (503, "try again")]
)
def test_a_test_mail_says_what_the_provider_answered(rig, fake, reply, words):
    address = f"try-{reply}@example.org"
    fake.next(address, reply)
    tried = run(rig, "mail", "test", address, "--tenant", "my-day")
    assert tried.returncode == 1 and f"SendGrid answered {reply}" in tried.stderr and words in tried.stderr
    assert address not in tried.stderr and KEY not in tried.stderr and "Usage" not in tried.stderr
    assert json.loads(rig.diary("mail", "test", address, "--tenant", "my-day", "--json"))["sent_by"] == "SendGrid"


def log_lines(rig):
    return [line for line in rig.log_text().splitlines() if line.startswith("{")]


def run(rig, *words):
    return subprocess.run([PROGRAM, *words], env=rig.environment, capture_output=True, text=True, timeout=60)


def test_g1_nothing_of_the_mails_and_keys_is_in_a_log(rig, fake):
    for app in ("my-day", "walks"):
        address = f"logged-{app}@example.org"
        fake.next(address, 503)
        register(rig, app, address)
        mails(fake, address, 2)
    register(rig, "keyless", "logged-keyless@example.org")
    wait_for(lambda: "the secret later is not set" in rig.log_text(), 20, "the error")
    log = rig.log_text()
    codes = {re.search(r"\b\d{8}\b", sent.text)[0] for sent in fake.requests if re.search(r"\b\d{8}\b", sent.text)}
    assert len(codes) >= 2
    for canary in (KEY, SECRET, TOKEN, ID, "@example.org", *codes):
        assert canary not in log
    assert "SendGrid answered" in log and "SES answered" in log
