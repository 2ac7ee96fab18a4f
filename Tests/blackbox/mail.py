"""Mails of the service, as it leaves them in its outbox folder."""

import email
import email.policy
import os
import re


class Outbox:
    """Reads each mail once: tests look again and again, in a folder that holds the mails of all of them."""

    def __init__(self, folder):
        self.folder = folder
        self.known = {}

    def to(self, address):
        """Mails to an address, the oldest first."""
        with os.scandir(self.folder) as files:
            there = sorted((file.stat().st_mtime_ns, file.path) for file in files if file.name.endswith(".eml"))
        mails = [self.read(path, when) for when, path in there]
        return [message for _, to, message in mails if address.lower() in to]

    def read(self, path, when):
        known = self.known.get(path)
        if not known or known[0] != when:
            with open(path, "rb") as file:
                message = email.message_from_bytes(file.read(), policy=email.policy.default)
            known = self.known[path] = (when, {to.addr_spec.lower() for to in message["To"].addresses}, message)
        return known


def text_of(message):
    return message.get_body(("plain",)).get_content()


def code_of(message):
    """The code of eight digits in a mail; None without one."""
    found = re.search(r"\b(\d{8})\b", text_of(message))
    return found and found[1]
