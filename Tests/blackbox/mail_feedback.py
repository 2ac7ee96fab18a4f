"""Reports of mail providers, signed as SendGrid and Amazon SNS sign them, and a stand-in of SNS.

with FakeSNS() as sns:
    sns.url                                  # for DIARY_SNS_URL: certificates, and subscriptions that are confirmed
    sns.message(Message="{}", Subject="x")   # a signed notification
"""

import base64
import datetime
import http.server
import json
import threading
import time
import uuid

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.x509.oid import NameOID

REGION, ACCOUNT = "eu-central-1", "123456789012"
SIGNATURE, TIMESTAMP = "X-Twilio-Email-Event-Webhook-Signature", "X-Twilio-Email-Event-Webhook-Timestamp"


def topic(name):
    return f"arn:aws:sns:{REGION}:{ACCOUNT}:{name}"


class SendGridSigner:
    def __init__(self):
        self.key = ec.generate_private_key(ec.SECP256R1())
        der = self.key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        self.public = base64.b64encode(der).decode()

    def sign(self, body, at=None):
        """The two header fields."""
        stamp = str(int(time.time() if at is None else at))
        signature = self.key.sign(stamp.encode() + body, ec.ECDSA(hashes.SHA256()))
        return {SIGNATURE: base64.b64encode(signature).decode(), TIMESTAMP: stamp, "Content-Type": "application/json"}


def sendgrid_event(mail, event="bounce", **members):
    return {
        "email": "unknown@example.org",
        "event": event,
        "timestamp": int(time.time()),
        "smtp-id": f"<{mail}@example.org>",
        "sg_event_id": base64.b64encode(uuid.uuid4().bytes).decode(),
        "sg_message_id": "14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0",
        "mail": mail,
        **members,
    }


def ses_event(mail, kind="Bounce", **report):
    """As a configuration set publishes it."""
    report = {"feedbackId": str(uuid.uuid4()), "timestamp": now(), **report}
    if kind == "Bounce":
        report = {"bounceType": "Permanent", "bounceSubType": "General", "bouncedRecipients": [{"emailAddress": "a@example.org"}], **report}
    return json.dumps(
        {
            "eventType": kind,
            kind[0].lower() + kind[1:]: report,
            "mail": {"messageId": "0100018a", "tags": {"mail": [mail], "ses:from-domain": ["x"]}},
        }
    )


def now(ago=0):
    at = datetime.datetime.now(datetime.UTC) - datetime.timedelta(seconds=ago)
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03}Z"


def certificate(key, name="sns.amazonaws.com", days=(-1, 30)):
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    today = datetime.datetime.now(datetime.UTC)
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key())
    builder = builder.serial_number(x509.random_serial_number()).add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), False)
    first, last = (today + datetime.timedelta(days=day) for day in days)
    signed = builder.not_valid_before(first).not_valid_after(last).sign(key, hashes.SHA256())
    return signed.public_bytes(serialization.Encoding.PEM)


class FakeSNS:
    def __init__(self):
        self.key = rsa.generate_private_key(65537, 2048)
        self.certificates = {"0123abcd": certificate(self.key)}
        self.asked = []
        fake = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                fake.asked.append(self.path)
                name = self.path.removeprefix("/SimpleNotificationService-").removesuffix(".pem")
                body = fake.certificates.get(name, b"<ConfirmSubscriptionResponse/>" if self.path.startswith("/?") else None)
                self.send_response(404 if body is None else 200)
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def message(self, version="1", certificate="0123abcd", key=None, changed=None, **fields):
        """`changed`: what is written over a field after it was signed."""
        fields = {
            "Type": "Notification",
            "MessageId": str(uuid.uuid4()),
            "TopicArn": topic("diary"),
            "Timestamp": now(),
            "SignatureVersion": version,
            "SigningCertURL": f"https://sns.{REGION}.amazonaws.com/SimpleNotificationService-{certificate}.pem",
            **fields,
        }
        names = ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"]
        if fields["Type"] != "Notification":
            fields.setdefault("Token", "2336412f37")
            confirm = (
                f"https://sns.{REGION}.amazonaws.com/?Action=ConfirmSubscription&TopicArn={fields['TopicArn']}&Token={fields['Token']}"
            )
            fields.setdefault("SubscribeURL", confirm)
            names = ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"]
        text = "".join(f"{name}\n{fields[name]}\n" for name in names if name in fields)
        digest = hashes.SHA1() if version == "1" else hashes.SHA256()  # noqa: S303
        signature = (key or self.key).sign(text.encode(), padding.PKCS1v15(), digest)
        return json.dumps({**fields, "Signature": base64.b64encode(signature).decode(), **(changed or {})}).encode()
