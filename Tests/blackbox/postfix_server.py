"""A whole Postfix on a free port of loopback, with a folder of its own; its package is installed or unpacked, and no service of it is started.

with PostfixServer() as postfix:
    postfix.url, postfix.certificate    # STARTTLS is required
    postfix.mails("anna@example.org")   # what it has delivered
"""

import datetime
import email
import email.policy
import ipaddress
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from processes import free_port, wait_for
from servers import ROOT

UNPACKED = ROOT / ".build/postfix"
SERVICES = """\
{port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
proxymap unix - - n - - proxymap
anvil unix - - n - 1 anvil
virtual unix - n n - - virtual
postlog unix-dgram n - n - 1 postlogd
"""


def place():
    """The folder below which Postfix's files lie; None without it."""
    for folder in (UNPACKED, pathlib.Path("/")):
        if (folder / "usr/lib/postfix/sbin/master").exists():
            return folder
    return None


def why_not():
    """Why there can be no server here; None when there can."""
    if os.getuid() != 0:
        return "Postfix gives its rights up, which only root can"
    root = place()
    if root is None:
        return "Postfix is not installed and not unpacked in .build/postfix"
    # Unpacked, its libraries may be missing.
    command, environment = [str(root / "usr/sbin/postconf"), "-d", "mail_version"], {"LD_LIBRARY_PATH": str(root / "usr/lib/postfix")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=20)
    return None if done.returncode == 0 else f"Postfix does not run: {done.stderr.strip()}"


class PostfixServer:
    def __init__(self):
        root, self.folder, self.port = place(), pathlib.Path(tempfile.mkdtemp(prefix="diary-postfix-", dir="/tmp")), free_port()
        self.folder.chmod(0o755)
        self.certificate = self.folder / "certificate.pem"
        self.url = f"smtp://localhost:{self.port}"
        self.make_certificate()
        for name in ("queue", "data", "mail", "etc"):
            (self.folder / name).mkdir()
        # Any user that owns no other process; Postfix insists on one of its own.
        owner = pwd.getpwnam("news")
        for name in ("active", "bounce", "corrupt", "defer", "deferred", "flush", "hold", "incoming", "private", "saved", "trace"):
            (self.folder / "queue" / name).mkdir(mode=0o700)
            os.chown(self.folder / "queue" / name, owner.pw_uid, -1)
        for name in ("pid", "public", "maildrop"):
            (self.folder / "queue" / name).mkdir(mode=0o755)
        os.chown(self.folder / "queue/public", owner.pw_uid, -1)
        os.chown(self.folder / "data", owner.pw_uid, -1)
        os.chown(self.folder / "mail", owner.pw_uid, owner.pw_gid)
        libraries = root / "usr/lib/postfix"
        (self.folder / "etc/master.cf").write_text(SERVICES.format(port=f"127.0.0.1:{self.port}"))
        (self.folder / "etc/main.cf").write_text(f"""\
compatibility_level = 3.6
queue_directory = {self.folder}/queue
data_directory = {self.folder}/data
daemon_directory = {libraries}/sbin
command_directory = {root / "usr/sbin"}
shlib_directory = {libraries}
meta_directory = {self.folder}/etc
mail_owner = news
setgid_group = uucp
import_environment = MAIL_CONFIG TZ LD_LIBRARY_PATH
export_environment = TZ LD_LIBRARY_PATH
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = localhost
maillog_file = {self.folder}/data/log
maillog_file_prefixes = /tmp
mydestination =
alias_maps =
virtual_mailbox_domains = example.org
virtual_mailbox_base = {self.folder}/mail
virtual_mailbox_maps = static:inbox/
virtual_uid_maps = static:{owner.pw_uid}
virtual_gid_maps = static:{owner.pw_gid}
virtual_minimum_uid = 1
smtpd_tls_security_level = encrypt
smtpd_tls_cert_file = {self.certificate}
smtpd_tls_key_file = {self.folder}/key.pem
smtpd_recipient_restrictions = check_recipient_access inline:{{ {{ later@example.org = 450 later }}, {{ never@example.org = 550 never }} }}, reject_unauth_destination
""")
        environment = {**os.environ, "LD_LIBRARY_PATH": str(libraries), "MAIL_CONFIG": str(self.folder / "etc")}
        self.log = open(self.folder / "log", "wb")
        command = [str(libraries / "sbin/master"), "-c", str(self.folder / "etc"), "-d"]
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, start_new_session=True
        )
        try:
            wait_for(self.answers, 20, "Postfix")
        except BaseException:
            self.end()
            raise

    def make_certificate(self):
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
        now = datetime.datetime.now(datetime.UTC)
        names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
        builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(7)
        builder = (
            builder.not_valid_before(now - datetime.timedelta(1)).not_valid_after(now + datetime.timedelta(9)).add_extension(names, False)
        )
        self.certificate.write_bytes(builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
        private = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        (self.folder / "key.pem").write_bytes(key.private_bytes(*private))
        (self.folder / "key.pem").chmod(0o600)

    def answers(self):
        if self.process.poll() is not None:
            raise AssertionError(f"Postfix ended: {self.said()}")
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=2) as connection:
                connection.settimeout(5)
                return connection.recv(100).startswith(b"220 ")
        except OSError:
            return False

    def said(self):
        return "".join(path.read_text() for path in (self.folder / "log", self.folder / "data/log") if path.exists())

    def mails(self, address):
        files = sorted((self.folder / "mail/inbox/new").glob("*"))
        found = [email.message_from_bytes(file.read_bytes(), policy=email.policy.default) for file in files]
        return [message for message in found if message["To"] == address]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        if self.process.poll() is None:
            # Its services are in the session that was begun for it.
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait(20)
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)
