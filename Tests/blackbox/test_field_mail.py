"""Replies of mail servers, as Postfix, Exim, Exchange, SES, Gmail and Sendmail write them: what they say of the sender or of this client
gives no mail up, asks an operator, and each mail leaves after the repair; what they say of the recipient gives the mail up."""

import collections
import datetime
import ipaddress
import re
import secrets
import socketserver
import ssl
import threading

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

import http_client
from processes import wait_for
from rig import Rig

OPERATOR, WAITS, GIVEN_UP = "asks an operator", "waits", "is given up"
ASKED = "mail waits for an operator"
"""In a line of level `error` (docs/mail.md)."""
SENDER = "diary@example.org"

MAIL = {
    "Postfix: another's address": (OPERATOR, f"553 5.7.1 <{SENDER}>: Sender address rejected: not owned by user diary"),
    "Postfix: no login": (OPERATOR, f"553 5.7.1 <{SENDER}>: Sender address rejected: not logged in"),
    "Postfix: an access table": (OPERATOR, f"554 5.7.1 <{SENDER}>: Sender address rejected: Access denied"),
    "Postfix: no such user here": (OPERATOR, f"550 5.1.0 <{SENDER}>: Sender address rejected: User unknown in local recipient table"),
    "Exim: no login": (OPERATOR, "550 Authentication is required to send mail from this domain"),
    "Exim: the sender is not verified": (OPERATOR, "550 Sender verify failed"),
    "Exim: policy": (OPERATOR, "550 Administrative prohibition"),
    "Exchange: not authenticated": (
        OPERATOR,
        "530 5.7.57 Client not authenticated to send mail. [AM0PR02CA0001.eurprd02.prod.outlook.com]",
    ),
    "Exchange: may not send as": (OPERATOR, "550 5.7.60 SMTP; Client does not have permissions to send as this sender"),
    "Exchange: no traffic from this address": (
        OPERATOR,
        "550 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP.",
    ),
    "SES: no login": (OPERATOR, "530 Authentication required"),
    "Gmail: no login": (
        OPERATOR,
        "530-5.7.0 Authentication Required. For more information, go to\n530 5.7.0  https://support.google.com/ - gsmtp",
    ),
    "Gmail's relay: not registered": (
        OPERATOR,
        "550-5.7.1 Invalid credentials for relay [203.0.113.4]. The IP address you've\n550 5.7.1 registered doesn't match - gsmtp",
    ),
    "Sendmail: a domain without a name": (OPERATOR, f"553 5.5.4 <{SENDER}>... Domain name required for sender address"),
    "Sendmail: an access table": (OPERATOR, f"550 5.7.1 <{SENDER}>... Access denied"),
    "iCloud: another's address": (OPERATOR, "550 5.7.0 From address is not one of your addresses"),
    "Ionos: another's address": (OPERATOR, "550-Requested action not taken: mailbox unavailable\n550 Sender address is not allowed."),
    "Yahoo: another's address": (OPERATOR, "553 From: address not verified"),
    "a syntax that is not taken": (OPERATOR, "501 5.1.7 Bad sender address syntax"),
    "Postfix: no room for now": (WAITS, "452 4.3.1 Insufficient system storage"),
    "Gmail: too much for now": (WAITS, "421 4.7.0 Try again later, closing connection. (MAIL) - gsmtp"),
    "Postfix: too large": (GIVEN_UP, "552 5.3.4 Message size exceeds fixed limit"),
    "Exim: too large": (GIVEN_UP, "552 Message size exceeds maximum permitted"),
    "Exchange: too large": (GIVEN_UP, "552 5.3.4 Message size exceeds fixed maximum message size"),
    "Gmail: too large": (
        GIVEN_UP,
        "552-5.3.4 Your message exceeded Google's message size limits.\n552 5.3.4  https://support.google.com/ - gsmtp",
    ),
}
"""To MAIL FROM, before any recipient was named."""

LOGIN = {
    "Postfix: a wrong password": (WAITS, "535 5.7.8 Error: authentication failed: UGFzc3dvcmQ6"),
    "Exim: a wrong password": (WAITS, "535 Incorrect authentication data"),
    "Exchange: SMTP is switched off": (
        WAITS,
        "535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant.",
    ),
    "Exchange: another way wanted": (WAITS, "504 5.7.4 Unrecognized authentication type"),
    "SES: wrong credentials": (WAITS, "535 Authentication Credentials Invalid"),
    "Gmail: a wrong password": (
        WAITS,
        "535-5.7.8 Username and Password not accepted. For more information, go to\n535 5.7.8  https://support.google.com/ - gsmtp",
    ),
    "Gmail: an app's password": (
        WAITS,
        "534-5.7.9 Application-specific password required. For more information, go to\n534 5.7.9  https://support.google.com/ - gsmtp",
    ),
    "Zoho: closed": (WAITS, "554 5.7.8 Access Restricted"),
    "Sendmail: a wrong password": (WAITS, "535 5.7.0 authentication failed"),
    "SendGrid: no credits": (WAITS, "550 Authentication failed: Maximum credits exceeded"),
    "Postfix: the login server is away": (WAITS, "454 4.7.0 Temporary authentication failure: Connection lost to authentication server"),
}
"""To AUTH. A refused login is tried again for more than a day."""

CLIENT = {
    "Postfix: a listed client": (
        "GREETING",
        WAITS,
        "554 5.7.1 Service unavailable; Client host [203.0.113.9] blocked using zen.spamhaus.org",
    ),
    "Exchange: a banned client": ("GREETING", WAITS, "550 5.7.606 Access denied, banned sending IP [203.0.113.9]"),
    "Sendmail: no service": ("GREETING", WAITS, "554 mx.example.org ESMTP not accepting messages"),
    "Gmail: too many connections": ("GREETING", WAITS, "421 4.7.0 Too many connections, try again later"),
    "Exim: a bad name": ("EHLO", WAITS, "550 Access denied - Invalid HELO name (See RFC2821 4.1.1.1)"),
    "Postfix: a bad name": ("EHLO", WAITS, "504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname"),
}
"""To the connection and to EHLO."""

RECIPIENT = {
    "Postfix: no relay": (OPERATOR, "554 5.7.1 <TO>: Relay access denied"),
    "Postfix: another's address": (OPERATOR, f"553 5.7.1 <{SENDER}>: Sender address rejected: not owned by user diary"),
    "Postfix: a domain that is not there": (OPERATOR, f"550 5.1.8 <{SENDER}>: Sender address rejected: Domain not found"),
    "Postfix: a listed client": (
        OPERATOR,
        "554 5.7.1 Service unavailable; Client host [203.0.113.9] blocked using zen.spamhaus.org; https://www.spamhaus.org/",
    ),
    "Postfix: a client without access": (OPERATOR, "554 5.7.1 <unknown[203.0.113.9]>: Client host rejected: Access denied"),
    "Exim: no relay": (OPERATOR, "550 relay not permitted"),
    "Exim: no relay without a login": (
        OPERATOR,
        "550-Please turn on SMTP Authentication in your mail client.\n550 diary is not permitted to relay without authentication.",
    ),
    "Exim: the sender is not verified": (
        OPERATOR,
        f"550-Verification failed for <{SENDER}>\n550-No Such User Here\n550 Sender verify failed",
    ),
    "Exim: a listed client": (OPERATOR, "550 rejected because 203.0.113.9 is in a black list at zen.spamhaus.org"),
    "Exchange: no relay": (OPERATOR, "550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain"),
    "Exchange: no relay, of old": (OPERATOR, "550 5.7.1 Unable to relay for TO"),
    "Exchange: a listed client": (
        OPERATOR,
        "550 5.7.1 Service unavailable, Client host [203.0.113.9] blocked using Spamhaus. To request removal see https://www.spamhaus.org/",
    ),
    "Sendmail: no relay": (OPERATOR, "550 5.7.1 <TO>... Relaying denied. Proper authentication required."),
    "Sendmail: no relay for this client": (OPERATOR, "550 5.7.1 <TO>... Relaying denied. IP name lookup failed [203.0.113.9]"),
    "qmail: no relay": (OPERATOR, "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)"),
    "hMailServer: no login": (OPERATOR, "530 SMTP authentication is required."),
    "Postfix: greylisted": (WAITS, "450 4.2.0 <TO>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/"),
    "Gmail: too much for this recipient": (
        WAITS,
        "450-4.2.1 The user you are trying to contact is receiving email too quickly.\n450 4.2.1 Please resend later. - gsmtp",
    ),
    "Postfix: no such user": (GIVEN_UP, "550 5.1.1 <TO>: Recipient address rejected: User unknown in local recipient table"),
    "Postfix: no such user of a virtual domain": (
        GIVEN_UP,
        "550 5.1.1 <TO>: Recipient address rejected: User unknown in virtual mailbox table",
    ),
    "Postfix: no such domain": (GIVEN_UP, "550 5.1.2 <TO>: Recipient address rejected: Domain not found"),
    "Exim: no such user": (GIVEN_UP, "550 No Such User Here"),
    "Exim: no route": (GIVEN_UP, "550 Unrouteable address"),
    "Exchange: no such user": (GIVEN_UP, "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup"),
    "Exchange: no such user at the edge": (
        GIVEN_UP,
        "550 5.4.1 Recipient address rejected: Access denied. [AM0EUR02FT012.eop-EUR02.prod.outlook.com]",
    ),
    "Gmail: no such user": (
        GIVEN_UP,
        "550-5.1.1 The email account that you tried to reach does not exist. Please try\n550 5.1.1 double-checking it. - gsmtp",
    ),
    "Gmail: a closed account": (
        GIVEN_UP,
        "550-5.2.1 The email account that you tried to reach is disabled. Learn more at\n550 5.2.1  https://support.google.com/ - gsmtp",
    ),
    "Sendmail: no such user": (GIVEN_UP, "550 5.1.1 <TO>... User unknown"),
    "a user who moved": (GIVEN_UP, "551 5.1.6 User not local; please try <anna@example.net>"),
}
"""To RCPT TO, whose address stands for TO."""

CONTENT = {
    "SES: an address that is not verified": (
        OPERATOR,
        f"554 Message rejected: Email address is not verified. The following identities failed the check in region EU: {SENDER}",
    ),
    "SES: a key without the right": (
        OPERATOR,
        "554 Access denied: User `arn:aws:iam::123456789012:user/diary' is not authorized to perform `ses:SendRawEmail'",
    ),
    "Exchange: may not send as": (OPERATOR, f"550 5.7.60 SMTP; Client does not have permissions to send as this sender {SENDER}"),
    "Exchange: may not send as, of late": (
        OPERATOR,
        f"554 5.2.252 SendAsDenied; diary@tenant.example not allowed to send as {SENDER}; STOREDRV.Submission.Exception",
    ),
    "Gmail: the quota of a day": (
        OPERATOR,
        "550-5.4.5 Daily user sending limit exceeded. For more information on Gmail\n550 5.4.5 sending limits go to support. - gsmtp",
    ),
    "Gmail: a domain without records": (
        OPERATOR,
        "550-5.7.26 Your email has been blocked because the sender is unauthenticated.\n550 5.7.26 Use SPF or DKIM. - gsmtp",
    ),
    "SES: too fast": (WAITS, "454 Throttling failure: Maximum sending rate exceeded."),
    "Postfix: the queue is full": (WAITS, "451 4.3.0 Error: queue file write error"),
    "Exchange: too large for this recipient": (GIVEN_UP, "550 5.2.3 RESOLVER.RST.RecipSizeLimit; message too large for this recipient"),
    "Postfix: too large": (GIVEN_UP, "552 5.3.4 Error: message file too big"),
}
"""To the end of DATA."""

REPLIES = [
    *((f"MAIL {name}", "MAIL", *row) for name, row in MAIL.items()),
    *((f"AUTH {name}", "AUTH", *row) for name, row in LOGIN.items()),
    *((f"{row[0]} {name}", *row) for name, row in CLIENT.items()),
    *((f"RCPT {name}", "RCPT", *row) for name, row in RECIPIENT.items()),
    *((f"DATA {name}", "DATA", *row) for name, row in CONTENT.items()),
]


class Server(socketserver.ThreadingTCPServer):
    """Over TLS, with a login. `once[command]`: what its next ones are answered, instead of what takes a mail; `always[command]`: all."""

    daemon_threads, allow_reuse_address = True, True

    def __init__(self, folder):
        self.once, self.always, self.taken = collections.defaultdict(collections.deque), {}, []
        self.certificate, key = certificate(folder)
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.tls.load_cert_chain(self.certificate, key)
        super().__init__(("127.0.0.1", 0), Conversation)
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def reply(self, command, usual):
        if self.once[command]:
            return self.once[command].popleft()
        return self.always.get(command, usual)


class Conversation(socketserver.BaseRequestHandler):
    def handle(self):
        try:
            self.request = self.server.tls.wrap_socket(self.request, server_side=True)
            self.lines = self.request.makefile("rb")
            self.converse()
        except OSError:
            pass

    def say(self, text):
        self.request.sendall("".join(line + "\r\n" for line in text.split("\n")).encode())
        return text[0] in "23"

    def converse(self):
        if not self.say(self.server.reply("GREETING", "220 here")):
            return
        to = None
        for line in self.lines:
            command = line[:4].decode("latin-1").upper()
            if command == "EHLO":
                self.say(self.server.reply("EHLO", "250-here\n250-SIZE 50000000\n250-ENHANCEDSTATUSCODES\n250 AUTH PLAIN LOGIN"))
            elif command == "HELO":
                # Whoever may not say EHLO may not say this either.
                self.say("550 5.7.1 Helo command rejected")
            elif command == "AUTH":
                if line.split()[1].upper() == b"LOGIN":
                    self.say("334 VXNlcm5hbWU6") and self.lines.readline() and self.say("334 UGFzc3dvcmQ6") and self.lines.readline()
                elif len(line.split()) == 2:
                    self.say("334 ") and self.lines.readline()
                self.say(self.server.reply("AUTH", "235 2.7.0 in"))
            elif command == "RCPT":
                to = re.search(r"<(.*)>", line.decode())[1]
                self.say(self.server.reply("RCPT", "250 2.1.5 ok").replace("TO", to))
            elif command == "DATA":
                self.say("354 go on")
                while self.lines.readline() not in (b".\r\n", b""):
                    pass
                if self.say(self.server.reply("DATA", "250 2.0.0 taken")):
                    self.server.taken.append(to)
            elif command == "QUIT":
                self.say("221 bye")
                return
            else:
                self.say(self.server.reply(command, "250 ok"))


def certificate(folder):
    """Files of a certificate for this machine, which is its own authority, and of its key."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    today = datetime.datetime.now(datetime.UTC)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    builder = builder.serial_number(x509.random_serial_number()).not_valid_before(today - datetime.timedelta(days=1))
    builder = builder.not_valid_after(today + datetime.timedelta(days=30)).add_extension(x509.BasicConstraints(True, None), True)
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    signed = builder.add_extension(names, False).sign(key, hashes.SHA256())
    files = folder / "certificate.pem", folder / "key.pem"
    files[0].write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    return files


@pytest.fixture(scope="module")
def post(tmp_path_factory):
    """(rig, server)"""
    server = Server(tmp_path_factory.mktemp("mail"))
    rig = None
    try:
        rig = Rig(
            DIARY_SMTP_URL=f"smtps://127.0.0.1:{server.server_address[1]}",
            DIARY_SMTP_USER="diary",
            DIARY_SMTP_PASSWORD="a long word",
            DIARY_SMTP_CERTIFICATES=str(server.certificate),
            DIARY_POLL_SECONDS="0.1",
            DIARY_RETRY_BASE_SECONDS="0.1",
        )
        yield rig, server
    finally:
        if rig:
            rig.end()
        server.shutdown()
        server.server_close()


class Post:
    """What becomes of the mails of one test."""

    def __init__(self, rig, server):
        self.rig, self.server = rig, server
        server.once.clear()
        server.always.clear()
        self.log = rig.folder / "logs/work.log"
        self.begun, self.dead_before = self.log.stat().st_size, self.dead()

    def send(self):
        """A code for a new sign-up."""
        address = f"{secrets.token_hex(8)}@example.net"
        fields = {"email": address, "password": "seven quiet lighthouses"}
        answer = http_client.post(self.rig.url + "/v1/auth/email/register", json=fields, timeout=20)
        assert answer.status_code == 202, answer.text
        return address

    def dead(self):
        return set(self.rig.postgres.sql("diary", "select id::text, code from jobs where kind = 'mail' and state = 'dead'"))

    def given_up(self):
        return {code for _, code in self.dead() - self.dead_before}

    def asked(self):
        with self.log.open("rb") as file:
            file.seek(self.begun)
            return any(ASKED in line and '"error"' in line for line in file.read().decode(errors="replace").splitlines())

    def end(self, address, what):
        """How the mail ended: taken, or the codes of those that were given up."""
        return wait_for(lambda: (address in self.server.taken and "taken") or self.given_up(), 20, f"{what}: the mail's end")


@pytest.mark.parametrize("name, command, right, reply", REPLIES, ids=[row[0] for row in REPLIES])
def test_a_reply_gives_up_the_mails_that_it_is_about_and_no_others(post, name, command, right, reply):
    mails = Post(*post)
    if right == GIVEN_UP:
        # One that is taken comes before, so that refusals in a row say nothing of the sender.
        assert mails.end(mails.send(), name) == "taken"
    mails.server.once[command].append(reply)
    address = mails.send()
    ended = mails.end(address, f"{name}: {reply}")
    assert not mails.server.once[command], f"{name}: the reply was not given"
    if right == GIVEN_UP:
        assert ended == {"mail_refused"} and not mails.asked(), f"{name}: {reply}: {ended}"
    else:
        assert ended == "taken", f"{name}: {reply}: {ended}"
        # A line for each try, written before the next one.
        assert mails.asked() or right == WAITS, f"{name}: {reply}: no operator is asked"
        # What passes by itself needs nobody.
        assert not (mails.asked() and reply[0] == "4"), f"{name}: {reply}: an operator is asked"


@pytest.mark.parametrize("reply", ["550 5.7.1 Message refused by policy", "554 5.7.1 Delivery not authorized", "550 Rejected"])
def test_a_server_that_refuses_all_recipients_alike_says_nothing_of_them(post, reply):
    """The first few may be given up; then an operator is asked, and the mails wait."""
    mails = Post(*post)
    mails.server.always["RCPT"] = reply
    for _ in range(12):
        seen = len(mails.dead() - mails.dead_before)
        last = mails.send()
        wait_for(lambda seen=seen: mails.asked() or len(mails.dead() - mails.dead_before) > seen, 20, f"{reply}: what becomes of a mail")
        if mails.asked():
            break
    assert mails.asked(), f"{reply}: no operator is asked after 12 recipients"
    dead = mails.dead()
    others = [mails.send(), mails.send()]
    mails.server.always.clear()
    for address in (last, *others):
        wait_for(lambda address=address: address in mails.server.taken or mails.dead() - dead, 20, f"{reply}: the mail after the repair")
    assert mails.dead() == dead and {last, *others} <= set(mails.server.taken), f"{reply}: a mail was given up"
