"""The isolation matrix (C1), generated from openapi.yaml: every operation, every place in it that can name a person's data, every actor.

A probe is a pair of requests by one actor: one names what another person owns, one names what does not exist. Their answers must be the same.
A new operation, or a new parameter or member of one, has no row here and fails the generator until a row says what it can name."""

import dataclasses
import random
import secrets
import urllib.parse
import uuid

from contract import CONTRACT
from probe_scene import PLAIN, Ask, Probe, b64, moved, positions, unb64


class Generator:
    """Makes the probes of one pass. `long` takes every spelling and variant, quick a few of each."""

    def __init__(self, scene, seed, long):
        self.scene, self.long, self.random = scene, long, random.Random(seed)
        self.actors = scene.actors()
        self.rows = {
            "getLiveness": {},
            "getReadiness": {},
            "getContract": {},
            "getKeys": {},
            "getConfig": {"header:Diary-App": self.app},
            "createChallenge": {"header:Diary-App": self.app},
            "signInWithApple": {
                name: self.provider for name in ("body:id_token", "body:nonce", "body:authorization_code", "header:Diary-App")
            },
            "signInWithGoogle": {name: self.provider for name in ("body:id_token", "body:nonce", "header:Diary-App")},
            "receiveAppleNotification": {"body:payload": self.notification},
            "listIdentities": {"bearer": self.bearer},
            "linkIdentity": {
                "bearer": self.bearer,
                **{name: self.provider for name in ("body:id_token", "body:nonce", "body:authorization_code")},
            },
            "unlinkIdentity": {"bearer": self.bearer, "path:id": self.identity_in_path},
            "registerByEmail": {"body:email": self.registered_address, "header:Diary-App": self.registered_address},
            "verifyEmail": {
                "body:email": self.verified_address,
                "body:code": self.verified_address,
                "body:registration": self.verified_address,
                "header:Diary-App": self.verified_address,
            },
            "resendCode": {
                "body:email": self.resent_address,
                "body:registration": self.resent_address,
                "header:Diary-App": self.resent_address,
            },
            "signInByPassword": {
                "body:email": self.known_address,
                "header:Diary-App": self.known_address,
                "body:code": self.coded_address,
                "body:request": self.coded_address,
                "body:device_token": self.known_device,
            },
            "requestSignInCode": {"body:email": self.coded_address, "header:Diary-App": self.coded_address},
            "requestPasswordReset": {"body:email": self.coded_address, "header:Diary-App": self.coded_address},
            "confirmPasswordReset": {
                "body:email": self.coded_address,
                "body:code": self.coded_address,
                "body:request": self.coded_address,
                "header:Diary-App": self.coded_address,
                "body:device_token": self.known_device,
            },
            "refreshSession": {"body:refresh_token": self.refresh},
            **{
                name: {"bearer": self.bearer}
                for name in (
                    "signOut",
                    "getProfile",
                    "changeProfile",
                    "getStatistics",
                    "changePassword",
                    "requestReauthenticationCode",
                    "listSessions",
                    "endSessions",
                    "eraseAccount",
                )
            },
            "listEvents": {"bearer": self.bearer, "query:cursor": self.event_cursor},
            "requestAddressChange": {"bearer": self.bearer, "body:email": self.new_address},
            "confirmAddressChange": {"bearer": self.bearer, "body:code": self.shown_code, "body:request": self.shown_code},
            "reauthenticate": {"bearer": self.bearer, "body:code": self.shown_code, "body:request": self.shown_code},
            "endSession": {"bearer": self.bearer, "path:id": self.session_in_path},
            "getDeletion": {"path:receipt": self.receipt},
            "createEntry": {"bearer": self.bearer, "body:id": self.entry_id_in_body, "header:Idempotency-Key": self.idempotency},
            "listEntries": {"bearer": self.bearer, "query:since": self.since, "query:cursor": self.cursor},
            **{
                name: {"bearer": self.bearer, "path:id": self.entry_in_path}
                for name in (
                    "getEntry",
                    "changeEntry",
                    "deleteEntry",
                    "renewUploadUrl",
                    "completeUpload",
                    "retryEntry",
                    "playEntry",
                    "getTranscript",
                )
            },
            "putObject": {"path:key": self.upload_key, "query:X-Amz-Credential": self.upload_key, "query:X-Amz-Signature": self.upload_key},
            "getRecording": {
                "path:tenant": self.recording,
                "path:user": self.recording,
                "path:object": self.recording,
                "path:filename": self.recording,
                "query:signature": self.recording,
            },
            "createExport": {"bearer": self.bearer, "header:Idempotency-Key": self.idempotency, "body:email": self.export_address},
            "listExports": {"bearer": self.bearer},
            "getExport": {"bearer": self.bearer, "path:id": self.export_in_path},
            "revokeExport": {"bearer": self.bearer, "path:id": self.export_in_path},
            "openExportLink": {"path:token": self.link},
            "takeExportDownload": {"path:token": self.link},
            "getExportFile": {"path:token": self.link, "query:signature": self.link},
        }

    def probes(self):
        """All of a pass; fails when openapi.yaml has an operation, parameter or member that the table does not know."""
        operations = []
        for template, item in CONTRACT.document["paths"].items():
            for method, operation in item.items():
                if method not in ("get", "post", "put", "patch", "delete"):
                    continue
                name = operation["operationId"]
                operations.append((name, method.upper(), template))
                assert name in self.rows, f"{name} ({method.upper()} {template}) has no row in the probe matrix"
                row, wanted = set(self.rows[name]), positions(operation, item) - PLAIN
                assert row == wanted, f"the row of {name} names {sorted(row)}, openapi.yaml has {sorted(wanted)}"
        unknown = set(self.rows) - {name for name, _, _ in operations}
        assert not unknown, f"rows without an operation: {unknown}"
        # Creating comes last: an actor that has made an entry under the owner's id has one of that id from then on.
        for name, method, template in sorted(operations, key=lambda o: o[0] == "createEntry"):
            for position, maker in self.rows[name].items():
                for actor in self.actors:
                    yield from (Probe(name, position, actor, *made) for made in maker(name, method, template, position, actor))

    def some(self, items, count):
        items = list(items)
        return items if self.long else items[:count]

    # Members' operations. Each maker yields (label, foreign, missing, statuses).

    def bearer(self, name, method, template, position, actor):
        """No id but the token itself: a refused one is answered like one that never was; another member's shows nothing of the owner."""
        bodies = {
            "linkIdentity": {"provider": "apple", "id_token": "x", "nonce": "x"},
            "createEntry": {"kind": "text", "text": "x"},
            "createExport": {"from": "2026-01-01", "to": "2026-01-02"},
            "changeProfile": {"name": "mine"},
            "changePassword": {"current_password": "x", "new_password": "a long enough passphrase 8"},
            "requestAddressChange": {"email": "mine@example.org"},
            "confirmAddressChange": {"code": "00000000", "request": b64(bytes(16))},
            "reauthenticate": {"password": "x"},
        }
        path = template.replace(
            "{id}",
            self.scene.owner.exported
            if "/exports/" in template
            else self.scene.owner.identity
            if "/identities/" in template
            else self.scene.owner.voice,
        )
        headers = {"If-Match": "*"} if name == "changeEntry" else {}
        ask = Ask(method, path, headers=headers, json=bodies.get(name) if name != "changeEntry" else {"title": "mine"})
        if not actor.signed_in:
            for label, never in self.some(
                {"a token that never was": "Bearer " + secrets.token_urlsafe(48), "no scheme": secrets.token_urlsafe(20)}.items(), 1
            ):
                yield label, ask, dataclasses.replace(ask, headers={**headers, "Authorization": never}), (401,)
        elif name in ("getProfile", "listEntries", "listExports", "getStatistics", "listEvents", "listSessions", "listIdentities"):
            yield "one's own", ask, None, (200,)

    def variants(self, name):
        """Requests on an id that a fault or a condition could make answer before, or instead of, who may see it."""
        as_json = {"Content-Type": "application/json"}
        return {
            "getEntry": [
                ("GET", "", {}, None, (404,)),
                ("HEAD", "", {}, None, (404,)),
                ("GET", "?x=1", {}, None, ()),
                ("GET", "", {"If-None-Match": '"1"'}, None, (404,)),
            ],
            "changeEntry": [
                ("PATCH", "", {"If-Match": "*", **as_json}, b'{"title":"mine"}', (404,)),
                ("PATCH", "", {"If-Match": '"1"', **as_json}, b'{"title":"mine"}', (404,)),
                ("PATCH", "", {"If-Match": '"0", "1", "2"', **as_json}, b'{"text":null}', (404,)),
                ("PATCH", "", {"If-Match": '"99"', **as_json}, b"{}", (404,)),
                ("PATCH", "", as_json, b'{"title":"mine"}', (428,)),
                ("PATCH", "", {"If-Match": "*", **as_json}, b'{"title":1}', (404, 422)),
                ("PATCH", "", {"If-Match": "*", **as_json}, b"{", (400, 404)),
                ("PATCH", "", {"If-Match": "*", "Content-Type": "text/plain"}, b"x", (404, 415)),
            ],
            "deleteEntry": [
                ("DELETE", "", {}, None, (404,)),
                ("DELETE", "", {"If-Match": '"1"'}, None, (404,)),
                ("DELETE", "", {"If-Match": '"99"'}, None, (404,)),
                ("DELETE", "", {"If-Match": '"0", "1"'}, None, (404,)),
                ("DELETE", "", {"If-Match": "x"}, None, (404, 412, 422)),
            ],
            "getTranscript": [
                ("GET", "", {}, None, (404,)),
                ("GET", "?format=txt", {}, None, (404,)),
                ("HEAD", "", {}, None, (404,)),
                ("GET", "?format=x", {}, None, (404, 422)),
            ],
            "playEntry": [("GET", "", {}, None, (404,)), ("HEAD", "", {}, None, (404,)), ("GET", "", {"Range": "bytes=0-1"}, None, (404,))],
            "renewUploadUrl": [("POST", "", {}, None, (404,)), ("POST", "", as_json, b"{}", ())],
            "completeUpload": [("POST", "", {}, None, (404,)), ("POST", "", as_json, b"{}", ())],
            "retryEntry": [("POST", "", {}, None, (404,)), ("POST", "", as_json, b"{}", ())],
            "getExport": [("GET", "", {}, None, (404,)), ("HEAD", "", {}, None, (404,))],
            "endSession": [("DELETE", "", {}, None, (404,)), ("DELETE", "", {"If-Match": "*"}, None, (404,))],
            "revokeExport": [("DELETE", "", {}, None, (404,)), ("DELETE", "", {"If-Match": "*"}, None, (404,))],
            "unlinkIdentity": [
                ("DELETE", "", {}, None, (404,)),
                ("DELETE", "", {"If-Match": "*"}, None, (404,)),
                ("DELETE", "?x=1", {}, None, (404,)),
            ],
        }[name]

    def in_path(self, kind, name, template, actor):
        spellings = {"as is": str, "upper case": str.upper}
        targets = self.scene.ids(kind).items()
        # Refused tokens never reach an id: fewer of them say the same.
        count = 8 if actor.signed_in else 3
        for label, target in self.some(targets, count):
            for number, (method, query, headers, data, statuses) in enumerate(self.some(self.variants(name), 2)):
                form = set(statuses) - {404}
                for spelling, spell in spellings.items() if self.long and number == 0 else [("as is", str)]:

                    def ask(identifier):
                        return Ask(method, template.replace("{id}", identifier) + query, identifier, headers, data=data)

                    yield (
                        f"{label}, {spelling}, variant {number}",
                        ask(spell(target)),
                        ask(spell(str(uuid.uuid4()))),
                        statuses if actor.signed_in else (401, *form) if actor.genuine else (401,),
                    )

    def entry_in_path(self, name, method, template, position, actor):
        yield from self.in_path("entry", name, template, actor)

    def export_in_path(self, name, method, template, position, actor):
        yield from self.in_path("export", name, template, actor)

    def identity_in_path(self, name, method, template, position, actor):
        yield from self.in_path("identity", name, template, actor)

    def provider(self, name, method, template, position, actor):
        """A token, a nonce or a code of another person; none of them is valid here, and the answer does not say which."""
        body = {"id_token": "eyJhbGciOiJSUzI1NiIsImtpZCI6ImEifQ.e30.c2ln", "nonce": secrets.token_urlsafe(32)}
        if name == "linkIdentity":
            body["provider"] = "apple"
        member = position.removeprefix("body:")
        for label, target in (("owner's access token", self.scene.owner.tokens["access_token"]), ("owner's id", self.scene.owner.id)):
            target = target[:128] if member == "nonce" else target

            def ask(value):
                return Ask(
                    method,
                    template,
                    value,
                    {"Diary-App": actor.app},
                    json={**body, member: value} if position.startswith("body:") else body,
                )

            statuses = (401, 409) if name != "linkIdentity" or actor.signed_in else (401,)
            yield label, ask(target), ask(secrets.token_hex(len(target))[: len(target)]), statuses

    def notification(self, name, method, template, position, actor):
        def ask(value):
            return Ask(method, template, value, json={"payload": value})

        yield "owner's access token", ask(self.scene.owner.tokens["access_token"]), ask(secrets.token_hex(400)), (401,)

    def app(self, name, method, template, position, actor):
        """What the service says of an app, or makes for it, belongs to no person."""
        yield "this app", Ask(method, template, actor.app, {"Diary-App": actor.app}), None, (200, 201)

    def session_in_path(self, name, method, template, position, actor):
        yield from self.in_path("session", name, template, actor)

    def event_cursor(self, name, method, template, position, actor):
        late = bytes([2]) + (4_102_444_800 * 10**6).to_bytes(8, "big")
        for label, target in (("owner's event", self.scene.owner.event), ("owner's entry", self.scene.owner.voice)):

            def ask(identifier):
                text = b64(late + uuid.UUID(identifier).bytes)
                return Ask("GET", f"{template}?limit=200&cursor={text}", text)

            yield label, ask(target), ask(str(uuid.uuid4())), (200,) if actor.signed_in else (401,)

    def new_address(self, name, method, template, position, actor):
        """Whether an address has an account is told to the address's reader alone. (403: the session's proof is not fresh any more.)"""

        def ask(value):
            return Ask(method, template, value, json={"email": value})

        yield (
            "owner's address",
            ask(self.scene.owner.address),
            ask(f"{secrets.token_hex(8)}@example.org"),
            (202, 403) if actor.signed_in else (401,),
        )

    def shown_code(self, name, method, template, position, actor):
        """The owner's own code and what its request answered, sent by another person."""
        owner = self.scene.owner
        for label, code, request in (
            ("owner's code and request", owner.proof, owner.request),
            ("owner's request", "00000000", owner.request),
            ("owner's code", owner.proof, b64(bytes(16))),
        ):

            def ask(digits, text):
                return Ask(method, template, f"{digits} {text}", json={"code": digits, "request": text})

            yield (
                label,
                ask(code, request),
                ask(f"{secrets.randbelow(10**8):08d}", b64(secrets.token_bytes(16))),
                (403, 422) if actor.signed_in else (401,),
            )

    def entry_id_in_body(self, name, method, template, position, actor):
        for label, target in self.some(self.scene.ids("entry").items(), 4):
            # Ids are each member's own: the same one may be used by two, and neither hears of the other.
            def ask(identifier):
                return Ask(
                    method,
                    template,
                    identifier,
                    json={"kind": "text", "text": "x", "id": identifier, "recorded_at": "2026-03-09T12:00:00Z"},
                )

            if actor.name == "user of another tenant naming this app":
                return
            yield label, ask(target), ask(str(uuid.uuid4())), (201,) if actor.signed_in else (401,)

    def idempotency(self, name, method, template, position, actor):
        owner = self.scene.owner
        body = (
            {"kind": "text", "text": "x", "recorded_at": "2026-03-09T12:00:00Z"}
            if name == "createEntry"
            else {"from": "2026-01-01", "to": "2026-01-02"}
        )
        if name == "createExport" and actor.signed_in and not (self.long or actor.user is self.scene.neighbour):
            return
        for same in (True, False):
            key = secrets.token_hex(12)
            if actor.signed_in and name == "createEntry":
                made = owner.create_text("x", key=key, recorded_at=body["recorded_at"])["entry_id"]
                owner.call("DELETE", f"/v1/entries/{made}", 204)
            elif actor.signed_in:
                owner.call("POST", template, 202, json=body, headers={"Idempotency-Key": key})

            def ask(value):
                sent = {**body, **({} if same else {"text": "y"} if name == "createEntry" else {"to": "2026-01-03"})}
                return Ask(method, template, value, {"Idempotency-Key": value}, json=sent)

            yield f"{'same' if same else 'other'} body", ask(key), ask(secrets.token_hex(12)), (201, 202) if actor.signed_in else (401,)

    def export_address(self, name, method, template, position, actor):
        for label, address in (("owner's", self.scene.owner.address), ("owner's in capitals", self.scene.owner.address.upper())):

            def ask(value):
                return Ask(method, template, value, json={"from": "2026-01-01", "to": "2026-01-02", "email": value})

            yield label, ask(address), ask(f"{secrets.token_hex(8)}@example.org"), (403, 422) if actor.signed_in else (401,)

    def since(self, name, method, template, position, actor):
        yield (
            "owner's place in the feed",
            Ask("GET", f"{template}?since={self.scene.owner.since}"),
            None,
            (200, 410) if actor.signed_in else (401,),
        )
        yield (
            "owner's place, one entry",
            Ask("GET", f"{template}?since={self.scene.owner.since}&limit=1"),
            None,
            (200, 410) if actor.signed_in else (401,),
        )

    def cursor(self, name, method, template, position, actor):
        bytes_ = unb64(self.scene.owner.cursor)
        for label, target in self.some(self.scene.ids("entry").items(), 5):
            for order in ("asc", "desc"):

                def ask(identifier):
                    text = b64(bytes_[:9] + uuid.UUID(identifier).bytes)
                    return Ask("GET", f"{template}?order={order}&limit=200&cursor={text}", text)

                yield f"{label} {order}", ask(target), ask(str(uuid.uuid4())), (200,) if actor.signed_in else (401,)

    # Operations without a session: what is named is a secret, a signature or an address. Every actor's token goes along and must not matter.

    def few(self, actor):
        """For operations that hash a password or send a mail."""
        return actor.name in ("another user", "user of another tenant", "anonymous") or self.long

    def known_address(self, name, method, template, position, actor):
        if self.few(actor):

            def ask(value):
                return Ask(method, template, value, {"Diary-App": actor.app}, json={"email": value, "password": "not the right passphrase"})

            yield "owner's address", ask(self.scene.owner.address), ask(f"{secrets.token_hex(8)}@example.org"), (401,)

    def coded_address(self, name, method, template, position, actor):
        """Codes are mailed, and come back, alike for every address."""
        bodies = {
            "signInByPassword": {"code": "00000000", "request": b64(bytes(16))},
            "requestSignInCode": {},
            "requestPasswordReset": {},
            "confirmPasswordReset": {"code": "00000000", "request": b64(bytes(16)), "password": "a long enough passphrase 9"},
        }
        if self.few(actor):

            def ask(value):
                return Ask(method, template, value, {"Diary-App": actor.app}, json={"email": value, **bodies[name]})

            yield (
                "owner's address",
                ask(self.scene.owner.address),
                ask(f"{secrets.token_hex(8)}@example.org"),
                (202,) if name.startswith("request") else (401,),
            )
        if self.few(actor) and name in ("signInByPassword", "confirmPasswordReset"):

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
                (401,),
            )

    def known_device(self, name, method, template, position, actor):
        """The token of the owner's device, with another's address."""
        extra = (
            {"password": "not the right passphrase"}
            if name == "signInByPassword"
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

            yield "owner's device", ask(self.scene.owner.tokens["device_token"]), ask(b64(secrets.token_bytes(32))), (401,)

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
                    json={"email": value, "code": "00000000", "registration": b64(bytes(16))},
                )

            yield "owner's address", ask(self.scene.owner.address), ask(f"{secrets.token_hex(8)}@example.org"), (401,)

    def resent_address(self, name, method, template, position, actor):
        if self.few(actor):

            def ask(value):
                return Ask(method, template, value, {"Diary-App": actor.app}, json={"email": value, "registration": b64(bytes(16))})

            yield "owner's address", ask(self.scene.owner.address), ask(f"{secrets.token_hex(8)}@example.org"), (202,)

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

    def upload_key(self, name, method, template, position, actor):
        asker = actor.user or self.scene.neighbour
        path, query = asker.target.split("?")
        headers = {k: v for k, v in asker.upload["headers"].items() if k.lower() != "content-length"}
        size = int(asker.upload["headers"].get("Content-Length", 0))
        owner_path, owner_query = self.scene.owner.target.split("?")
        parts = owner_path.split("/")
        played = self.scene.owner.play.split("?")[0].split("/")
        targets = {
            "staged": owner_path,
            "kept": moved(owner_path, kind="audio", object=played[4]),
            "export": moved(owner_path, kind="export", object=self.scene.owner.exported),
            "asker's user, owner's object": moved(path, object=parts[5]),
            "owner's user, asker's object": moved(owner_path, object=path.split("/")[5]),
        }
        if position == "query:X-Amz-Credential":
            # The owner's own query, its credential or its signature being the asker's.
            own, theirs = dict(urllib.parse.parse_qsl(owner_query)), dict(urllib.parse.parse_qsl(query))
            query = urllib.parse.urlencode({**own, "X-Amz-Credential": theirs["X-Amz-Credential"] + "x"})
        elif position == "query:X-Amz-Signature":
            own, theirs = dict(urllib.parse.parse_qsl(owner_query)), dict(urllib.parse.parse_qsl(query))
            query = urllib.parse.urlencode({**own, "X-Amz-Signature": theirs["X-Amz-Signature"]})
        for label, target in self.some(targets.items(), 3):

            def ask(where):
                return Ask("PUT", f"{where}?{query}", where, headers, data=b"a" * min(size, 64))

            yield label, ask(target), ask(moved(target, object=str(uuid.uuid4()))), (400, 403)
        yield (
            "no signature",
            Ask("PUT", owner_path, owner_path, headers, data=b"a"),
            Ask("PUT", moved(owner_path, object=str(uuid.uuid4())), "", headers, data=b"a"),
            (400, 403),
        )

    def recording(self, name, method, template, position, actor):
        asker = actor.user or self.scene.neighbour
        owner_path, owner_query = self.scene.owner.play.split("?")
        path, query = asker.play.split("?")
        part = {"path:tenant": 2, "path:user": 3, "path:object": 4, "path:filename": 5}.get(position)

        def ask(words, text, headers=None):
            return Ask("GET", "/".join(words) + "?" + text, "/".join(words), headers or {})

        own, theirs = owner_path.split("/"), path.split("/")
        if part is None:
            mixed = urllib.parse.urlencode(
                {**dict(urllib.parse.parse_qsl(owner_query)), "signature": dict(urllib.parse.parse_qsl(query))["signature"]}
            )
            yield "asker's signature", ask(own, mixed), ask(own[:4] + [str(uuid.uuid4())] + own[5:], mixed), (403,)
            yield (
                "none",
                Ask("GET", owner_path, owner_path),
                Ask("GET", "/".join(own[:4] + [str(uuid.uuid4())] + own[5:]), ""),
                (400, 403, 422),
            )
            return
        never = str(uuid.uuid4()) if part < 5 else "2026-03-01_12-00-00_" + secrets.token_hex(4) + ".m4a"
        # With the asker's own address, this part being the owner's; and with the owner's, all but this part being right.
        if own[part] != theirs[part]:
            yield (
                "owner's part in asker's address",
                ask(theirs[:part] + [own[part]] + theirs[part + 1 :], query),
                ask(theirs[:part] + [never] + theirs[part + 1 :], query),
                (403,),
            )
            yield (
                "asker's part in owner's address",
                ask(own[:part] + [theirs[part]] + own[part + 1 :], owner_query),
                ask(own[:part] + [never] + own[part + 1 :], owner_query),
                (403,),
            )
        yield "owner's address, asker's query", ask(own, query), ask(own[:4] + [str(uuid.uuid4())] + own[5:], query), (403,)
        if self.long:
            yield (
                "with a range",
                ask(own, query, {"Range": "bytes=0-1"}),
                ask(own[:4] + [str(uuid.uuid4())] + own[5:], query, {"Range": "bytes=0-1"}),
                (403,),
            )

    def link(self, name, method, template, position, actor):
        asker = actor.user or self.scene.neighbour
        named, expires, signature = self.scene.owner.link.split(".")
        _, their_expires, their_signature = asker.link.split(".")
        bytes_ = unb64(named)
        never = b64(bytes_[:32] + uuid.uuid4().bytes)
        query = "?" + asker.file.split("?")[1] if name == "getExportFile" else ""
        revoked = b64(bytes_[:32] + uuid.UUID(self.scene.owner.revoked).bytes)
        pairs = {
            "asker's signature": (named, never, f"{their_expires}.{their_signature}"),
            "revoked": (revoked, never, f"{expires}.{signature}"),
            "no signature": (named, never, f"{expires}."),
            "later": (named, never, f"{int(expires) + 86400}.{signature}"),
            "download's signature": (named, never, f"{expires}.{self.scene.owner.file.split('signature=')[1]}"),
        }
        for label, (foreign, missing, end) in self.some(pairs.items(), 3):
            for accept in ("*/*", "text/html") if self.long else ("*/*",):

                def ask(text):
                    return Ask(method, template.replace("{token}", f"{text}.{end}") + query, text, {"Accept": accept})

                yield f"{label} {accept}", ask(foreign), ask(missing), (403,)
        if position == "query:signature":
            # The owner's link as it is, but an address of the file that was never taken from it.
            for label, text in (
                ("asker's", query),
                ("none", "?expires=1&signature="),
                ("link's own", f"?expires={expires}&signature={signature}"),
            ):
                never_link = f"{never}.{expires}.{signature}"
                yield (
                    f"{label} file query",
                    Ask("GET", f"/exports/{self.scene.owner.link}/file{text}", self.scene.owner.link),
                    Ask("GET", f"/exports/{never_link}/file{text}", never_link),
                    (403, 410, 422),
                )
