"""A mail server that takes mails, or refuses them for a while."""

import email
import email.policy

from mail import text_of


def parsed(content):
    return email.message_from_bytes(content, policy=email.policy.default)


class Mailbox:
    def __init__(self):
        self.mails, self.refuse = [], False

    async def handle_DATA(self, server, session, envelope):
        if self.refuse:
            return "451 later"
        self.mails.append((envelope.mail_from, list(envelope.rcpt_tos), envelope.content))
        return "250 taken"


class PickyMailbox(Mailbox):
    """Refuses for now mails with some words in their subject, and puts the others into a folder, where `Rig.mails` looks."""

    def __init__(self):
        super().__init__()
        self.folder, self.subjects, self.refused = None, (), []

    async def handle_DATA(self, server, session, envelope):
        message = parsed(envelope.content)
        if any(words in message["Subject"] for words in self.subjects):
            self.refused.append((envelope.rcpt_tos[0], message))
            return "451 later"
        part = self.folder / f"{len(self.mails)}.part"
        part.write_bytes(envelope.content)
        part.rename(self.folder / f"{len(self.mails):06}.eml")
        return await super().handle_DATA(server, session, envelope)

    def told(self, address):
        """Subjects and texts of what was taken for an address."""
        messages = [parsed(content) for _, to, content in list(self.mails) if to == [address]]
        return [(message["Subject"], text_of(message)) for message in messages]
