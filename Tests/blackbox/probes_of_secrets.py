"""Probes of operations without a session: what is named is a secret, a code or an address. Every actor's token goes along and must not matter."""

import secrets
import uuid

from probe_scene import Ask, b64, unb64


class SecretProbes:
    """Each method yields (label, foreign, missing, statuses) for one kind of position. Part of `probes.Generator`."""

    def few(self, actor):
        """For operations that hash a password or send a mail."""
        return actor.name in ("another user", "user of another tenant", "anonymous") or self.long

    def known_address(self, name, method, template, position, actor):
        if self.few(actor):

            def ask(value):
                return Ask(method, template, value, {"Diary-App": actor.app}, json={"email": value, "password": "not the right passphrase"})

            yield "owner's address", ask(self.scene.owner.address), ask(f"{secrets.token_hex(8)}@example.org"), (401,)

    def coded_address(self, name, method, template, position, actor):
        """Codes come back alike for every address."""
        bodies = {
            "signInByEmail": {"code": "00000000", "request": b64(bytes(16))},
            "confirmPasswordReset": {"code": "00000000", "request": b64(bytes(16)), "password": "a long enough passphrase 9"},
        }
        if self.few(actor):

            def ask(value):
                return Ask(method, template, value, {"Diary-App": actor.app}, json={"email": value, **bodies[name]})

            yield "owner's address", ask(self.scene.owner.address), ask(f"{secrets.token_hex(8)}@example.org"), (403,)

            def show(code, request):
                return Ask(
                    method,
                    template,
                    f"{code} {request}",
                    {"Diary-App": actor.app},
                    json={"email": self.scene.owner.address, **bodies[name], "code": code, "request": request},
                )

            yield (
                "owner's code for another purpose",
                show(self.scene.owner.proof, self.scene.owner.request),
                show("00000000", b64(secrets.token_bytes(16))),
                (403,),
            )

    def known_device(self, name, method, template, position, actor):
        """The token of the owner's device, with another's address."""
        extra = (
            {"password": "not the right passphrase"}
            if name == "signInByEmail"
            else {"code": "00000000", "request": b64(bytes(16)), "password": "a long enough passphrase 9"}
        )
        if self.few(actor):

            def ask(value):
                return Ask(
                    method,
                    template,
                    value,
                    {"Diary-App": "my-day"},
                    json={"email": self.scene.neighbour.address, "device_token": value, **extra},
                )

            statuses = (401,) if "password" in extra and "code" not in extra else (403,)
            yield "owner's device", ask(self.scene.owner.tokens["device_token"]), ask(b64(secrets.token_bytes(32))), statuses

    def registered_address(self, name, method, template, position, actor):
        if self.few(actor):

            def ask(value):
                return Ask(
                    method, template, value, {"Diary-App": actor.app}, json={"email": value, "password": "a long enough passphrase 7"}
                )

            yield "owner's address", ask(self.scene.owner.address), ask(f"{secrets.token_hex(8)}@example.org"), (202,)

    def verified_address(self, name, method, template, position, actor):
        if self.few(actor):

            def ask(value):
                return Ask(
                    method,
                    template,
                    value,
                    {"Diary-App": actor.app},
                    json={"email": value, "code": "00000000", "request": b64(bytes(16))},
                )

            yield "owner's address", ask(self.scene.owner.address), ask(f"{secrets.token_hex(8)}@example.org"), (403,)

    def asked_address(self, name, method, template, position, actor):
        """Codes are mailed alike for every address, whatever they are for."""
        if self.few(actor):
            for body in ({"purpose": "sign_up", "request": b64(bytes(16))}, {"purpose": "sign_in"}, {"purpose": "new_password"}):

                def ask(value, body=body):
                    return Ask(method, template, value, {"Diary-App": actor.app}, json={**body, "email": value})

                yield (
                    f"owner's address, {body['purpose']}",
                    ask(self.scene.owner.address),
                    ask(f"{secrets.token_hex(8)}@example.org"),
                    (202,),
                )
        if position == "body:email":
            yield from self.new_address(name, method, template, position, actor)

    def refresh(self, name, method, template, position, actor):
        mine, theirs = unb64(self.scene.owner.tokens["refresh_token"]), unb64(self.scene.neighbour.tokens["refresh_token"])

        def ask(value):
            text = b64(value)
            return Ask(method, template, text, json={"refresh_token": text})

        for label, end in (("another's secret", theirs[52:]), ("a random secret", secrets.token_bytes(32)), ("no secret", bytes(32))):
            yield label, ask(mine[:52] + end), ask(mine[:32] + uuid.uuid4().bytes + mine[48:52] + end), (401,)
            yield (
                f"{label}, random user",
                ask(mine[:52] + end),
                ask(mine[:16] + uuid.uuid4().bytes + uuid.uuid4().bytes + mine[48:52] + end),
                (401,),
            )
        for label, text in (("an access token", self.scene.owner.tokens["access_token"]), ("a link", self.scene.owner.link)):
            yield (
                label,
                Ask(method, template, text, json={"refresh_token": text}),
                Ask(method, template, "x", json={"refresh_token": secrets.token_hex(len(text))[: len(text)]}),
                (401, 422),
            )

    def receipt(self, name, method, template, position, actor):
        """Of an account that was erased: a receipt that is not quite right is none."""
        real = self.scene.receipt
        for label, text in (
            ("one letter off", real[:-1] + ("A" if real[-1] != "A" else "B")),
            ("other case", real.swapcase()),
            ("shortened", real[:-1]),
            ("with an end", real + "="),
        ):

            def ask(value):
                return Ask(method, template.replace("{receipt}", value), value)

            yield label, ask(text), ask(b64(secrets.token_bytes(24))), (404,)
        owner = self.scene.owner
        yield (
            "an account's id",
            Ask(method, template.replace("{receipt}", owner.id), owner.id),
            Ask(method, template.replace("{receipt}", str(uuid.uuid4())), ""),
            (404,),
        )
