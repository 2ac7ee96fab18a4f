"""Mails of the service, as it leaves them in its outbox folder."""

import email
import email.policy
import re


class Outbox:
    def __init__(self, folder):
        self.folder = folder

    def to(self, address):
        """Mails to an address, the oldest first."""
        found = []
        for path in sorted(self.folder.glob("*.eml"), key=lambda p: p.stat().st_mtime_ns):
            message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
            if address.lower() in message["To"].lower():
                found.append(message)
        return found


def text_of(message):
    return message.get_body(("plain",)).get_content()


def code_of(message):
    """The code of eight digits in a mail; None without one."""
    found = re.search(r"\b(\d{8})\b", text_of(message))
    return found and found[1]
