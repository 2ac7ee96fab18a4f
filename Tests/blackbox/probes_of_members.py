"""Probes of operations that need a session: what is named is an id, a key or a place in a list."""

import dataclasses
import secrets
import uuid

from probe_scene import Ask, b64, example


class MemberProbes:
    """Each method yields (label, foreign, missing, statuses) for one kind of position. Part of `probes.Generator`."""

    def plain_ask(self, name, method, template, identifier=None):
        """A good request on what the owner has, or on something of another id. Bodies that are not listed are the contract's examples."""
        bodies = {
            "linkIdentity": {"provider": "apple", "id_token": "x", "nonce": "x"},
            "createEntry": {"kind": "text", "text": "x"},
            "createExport": {"from": "2026-01-01", "to": "2026-01-02"},
            "createImport": {"size_bytes": 5},
            "estimateExport": {"from": "2026-01-01", "to": "2026-01-02"},
            "changeEntry": {"title": "mine"},
            "changeProfile": {"name": "mine"},
            "deleteAccount": None,
            "changePassword": {"current_password": "x", "new_password": "a long enough passphrase 8"},
            "requestCode": {"purpose": "proof"},
            "confirmEmailChange": {"code": "00000000", "request": b64(bytes(16))},
            "reauthenticate": {"password": "x"},
        }
        path = template.replace("{id}", identifier or self.scene.own_id(template)).replace("{segment}", "1").replace("{name}", "garden")
        path = path.replace("{note}", self.scene.owner.note)
        path += {"countDays": "?month=2026-03", "listRevisions": "?layer=raw", "searchEntries": "?q=lantern"}.get(name, "")
        headers = {"If-Match": "*"} if name in ("changeEntry", "correctSegment", "correctSegments", "nameSpeakers") else {}
        return Ask(method, path, identifier or "", headers, json=bodies.get(name, example(method, template)))

    def bearer(self, name, method, template, position, actor):
        """No id but the token itself: a refused one is answered like one that never was; another member's shows nothing of the owner."""
        ask = self.plain_ask(name, method, template)
        if actor.authorization is None:
            yield "no token", ask, None, (401,)
        elif not actor.signed_in:
            for label, never in self.some(
                {"a token that never was": "Bearer " + secrets.token_urlsafe(48), "no scheme": secrets.token_urlsafe(20)}.items(), 1
            ):
                refused = dataclasses.replace(ask, headers={**ask.headers, "Authorization": never})
                # One answer is enough to compare with: it is the same caller for all actors.
                yield label, ask, refused if self.long else self.refused.setdefault(name, refused), (401,)
        elif method == "GET" and "{" not in template:
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
            "answerSuggestions": [
                ("POST", "", as_json, b'{"accept":{"tags":["mine"]}}', (404,)),
                ("POST", "", {"If-Match": '"1"', **as_json}, b'{"decline":{"title":"mine"}}', (404,)),
                ("POST", "", as_json, b"{}", (404, 422)),
                ("POST", "", as_json, b"{", (400, 404)),
                ("POST", "", {"Content-Type": "text/plain"}, b"x", (404, 415)),
            ],
            "reprocessEntry": [
                ("POST", "", as_json, b'{"stage":"transcribe"}', (404,)),
                ("POST", "", as_json, b'{"stage":"clean"}', (404,)),
                ("POST", "", as_json, b"{}", (404,)),
                ("POST", "", as_json, b'{"language":"de"}', (404, 422)),
            ],
            "listRevisions": [
                ("GET", "?layer=raw", {}, None, (404,)),
                ("GET", "?layer=edited&limit=1", {}, None, (404,)),
                ("GET", "", {}, None, (404, 422)),
            ],
            "correctSegment": [
                ("PATCH", "", {"If-Match": "*", **as_json}, b'{"text":"mine"}', (404,)),
                ("PATCH", "", {"If-Match": '"1"', **as_json}, b'{"text":""}', (404,)),
                ("PATCH", "", as_json, b'{"text":"mine"}', (428,)),
            ],
            "correctSegments": [
                ("PATCH", "", {"If-Match": "*", **as_json}, b'{"segments":[{"id":1,"text":"mine"}]}', (404,)),
                ("PATCH", "", {"If-Match": '"1"', **as_json}, b'{"segments":[{"id":1,"speaker":""}]}', (404,)),
                ("PATCH", "", as_json, b'{"segments":[]}', (404, 422, 428)),
            ],
            "putTranscript": [
                ("PUT", "", as_json, b'{"text":"mine"}', (404,)),
                ("PUT", "", as_json, b'{"text":"mine","recognise":"never"}', (404,)),
                ("PUT", "", as_json, b"{}", (404, 422)),
            ],
            "addAudio": [
                ("POST", "", as_json, b'{"size_bytes":5,"content_type":"audio/mp4"}', (404,)),
                ("POST", "", as_json, b"{}", (404, 422)),
            ],
            "addNote": [
                ("POST", "", as_json, b'{"text":"mine"}', (404,)),
                ("POST", "", {"If-Match": '"1"', **as_json}, b'{"text":"mine"}', (404,)),
                ("POST", "", as_json, b"{}", (404, 422)),
            ],
            "changeNote": [
                ("PATCH", "", as_json, b'{"text":"mine"}', (404,)),
                ("PATCH", "", {"If-Match": '"99"', **as_json}, b"{}", (404,)),
                ("PATCH", "", as_json, b'{"text":""}', (404, 422)),
            ],
            "deleteNote": [("DELETE", "", {}, None, (404,)), ("DELETE", "", {"If-Match": '"1"'}, None, (404,))],
            "nameSpeakers": [
                ("PATCH", "", {"If-Match": "*", **as_json}, b'{"A":{"name":"mine"}}', (404,)),
                ("PATCH", "", {"If-Match": '"99"', **as_json}, b"{}", (404,)),
                ("PATCH", "", as_json, b'{"A":{"name":"mine"}}', (428,)),
            ],
            "renameSpeaker": [
                ("PATCH", "", as_json, b'{"name":"mine"}', (404,)),
                ("PATCH", "", {"If-Match": '"99"', **as_json}, b'{"name":"mine"}', (404,)),
                ("PATCH", "", as_json, b"{}", (404, 422)),
            ],
            "deleteSpeaker": [("DELETE", "", {}, None, (404,)), ("DELETE", "", {"If-Match": "*"}, None, (404,))],
            "deleteEntry": [
                ("DELETE", "", {}, None, (404,)),
                ("DELETE", "", {"If-Match": '"1"'}, None, (404,)),
                ("DELETE", "", {"If-Match": '"99"'}, None, (404,)),
                ("DELETE", "", {"If-Match": '"0", "1"'}, None, (404,)),
                ("DELETE", "", {"If-Match": "x"}, None, (404, 412, 422)),
                ("DELETE", "?permanent=true", {}, None, (404,)),
                ("DELETE", "?permanent=true", {"If-Match": '"0", "1"'}, None, (404,)),
            ],
            "getWaveform": [("GET", "", {}, None, (404,)), ("HEAD", "", {}, None, (404,))],
            "removeAudio": [
                ("DELETE", "", {}, None, (404,)),
                ("DELETE", "", {"If-Match": '"1"'}, None, (404,)),
                ("DELETE", "", {"If-Match": '"0", "1"'}, None, (404,)),
            ],
            "getBundle": [("GET", "", {}, None, (404,)), ("HEAD", "", {}, None, (404,)), ("GET", "", {"Range": "bytes=0-1"}, None, (404,))],
            "copyEntry": [("POST", "", {}, None, (404,)), ("POST", "", as_json, b"{}", ())],
            "restoreEntry": [("POST", "", {}, None, (404,)), ("POST", "", as_json, b"{}", ())],
            "getTranscript": [
                ("GET", "", {}, None, (404,)),
                ("HEAD", "", {}, None, (404,)),
                ("GET", "?format=x", {}, None, (404, 422)),
            ],
            "getTranscriptFile": [
                ("GET", "?format=txt", {}, None, (404,)),
                ("HEAD", "?format=md&layer=raw", {}, None, (404,)),
                ("GET", "?format=vtt", {}, None, (404,)),
                ("GET", "?format=srt&layer=raw", {}, None, (404, 422)),
                ("GET", "", {}, None, (404, 422)),
            ],
            "getAudioUrl": [
                ("GET", "", {}, None, (404,)),
                ("HEAD", "?original=false", {}, None, (404,)),
                ("GET", "?original=true", {"Range": "bytes=0-1"}, None, (404,)),
                ("GET", "?original=x", {}, None, (404, 422)),
            ],
            "renewUploadUrl": [("POST", "", {}, None, (404,)), ("POST", "", as_json, b"{}", ())],
            "openUploadParts": [
                ("POST", "", {}, None, (404,)),
                ("POST", "?from=2&limit=1", {}, None, (404,)),
                ("POST", "?limit=0", {}, None, ()),
            ],
            "listUploadParts": [("GET", "", {}, None, (404,)), ("HEAD", "", {}, None, (404,)), ("GET", "?x=1", {}, None, ())],
            "cancelUploadParts": [("DELETE", "", {}, None, (404,)), ("DELETE", "", {"If-Match": "*"}, None, (404,))],
            "completeUpload": [("POST", "", {}, None, (404,)), ("POST", "", as_json, b"{}", ())],
            "getExport": [("GET", "", {}, None, (404,)), ("HEAD", "", {}, None, (404,))],
            "getExportUrl": [("GET", "", {}, None, (404,)), ("HEAD", "", {}, None, (404,))],
            "mailExport": [("POST", "", {}, None, (404,)), ("POST", "", as_json, b"{}", ())],
            **{
                name: [("GET", "", {}, None, (404,)), ("HEAD", "", {}, None, (404,)), ("GET", "?x=1", {}, None, ())]
                for name in ("getImport", "getImportReport")
            },
            "deleteImport": [("DELETE", "", {}, None, (404,))],
            "getExportSchedule": [("GET", "", {}, None, (404,)), ("HEAD", "", {}, None, (404,))],
            "changeExportSchedule": [
                ("PATCH", "", as_json, b'{"mail":false}', (404,)),
                ("PATCH", "", {"If-Match": '"1"', **as_json}, b'{"paused":false}', (404,)),
                ("PATCH", "", {"If-Match": '"99"', **as_json}, b'{"at":"07:00"}', (404,)),
                ("PATCH", "", as_json, b'{"at":"25:00"}', (404, 422)),
                ("PATCH", "", as_json, b"{", (400, 404)),
            ],
            "deleteExportSchedule": [("DELETE", "", {}, None, (404,)), ("DELETE", "", {"If-Match": "*"}, None, (404,))],
            "runExportSchedule": [("POST", "", {}, None, (404,)), ("POST", "", as_json, b"{}", ())],
            "endSession": [("DELETE", "", {}, None, (404,)), ("DELETE", "", {"If-Match": "*"}, None, (404,))],
            "revokeToken": [("DELETE", "", {}, None, (404,)), ("DELETE", "", {"If-Match": "*"}, None, (404,))],
            "revokeExport": [("DELETE", "", {}, None, (404,)), ("DELETE", "", {"If-Match": "*"}, None, (404,))],
            "unlinkIdentity": [
                ("DELETE", "", {}, None, (404,)),
                ("DELETE", "", {"If-Match": "*"}, None, (404,)),
                ("DELETE", "?x=1", {}, None, (404,)),
            ],
        }[name]

    def in_path(self, kind, name, template, actor):
        spellings = {"as is": str, "upper case": str.upper}
        targets, template = self.scene.ids(kind).items(), template.replace("{segment}", "1").replace("{note}", self.scene.owner.note)
        # Refused tokens never reach an id: fewer of them say the same.
        count = 8 if actor.signed_in else 3
        for place, (label, target) in enumerate(self.some(targets, count)):
            for number, (method, query, headers, data, statuses) in enumerate(self.some(self.variants(name), 2)):
                if self.left_out(actor, place, number):
                    continue
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

    def left_out(self, actor, place, number):
        """In a quick pass every target is asked for plainly by another user and by one of another tenant's two callers, who have the same
        token; the second variant goes with every fourth target, which the seed chooses."""
        if self.long or not actor.signed_in:
            return False
        if actor.user is self.scene.foreigner and place // 2 % 2 != (actor.app == "my-day"):
            return True
        return number > 0 and place % 4 != self.fourth

    def entry_in_path(self, name, method, template, position, actor):
        yield from self.in_path("entry", name, template, actor)

    def note_in_path(self, name, method, template, position, actor):
        """A note of another's entry, sought in one's own."""
        path = template.replace("{id}", actor.user.text if actor.signed_in else self.scene.owner.text)
        body = example(method, template)

        def ask(note):
            return Ask(method, path.replace("{note}", note), note, json=body)

        yield "a note", ask(self.scene.owner.note), ask(str(uuid.uuid4())), (404,) if actor.signed_in else (401,)

    def note_in_body(self, name, method, template, position, actor):
        """Ids of notes are each entry's own: the same one may be used in two."""
        path = template.replace("{id}", actor.user.voice if actor.signed_in else self.scene.owner.voice)
        owned = self.scene.owner.note
        ask = Ask(method, path, owned, json={"id": owned, "text": "x"})
        yield "a note", ask, None, (200,) if actor.signed_in else (401,)

    def export_in_path(self, name, method, template, position, actor):
        yield from self.in_path("export", name, template, actor)

    def import_in_path(self, name, method, template, position, actor):
        yield from self.in_path("import", name, template, actor)

    def upload_in_path(self, name, method, template, position, actor):
        """An entry or an import."""
        yield from self.in_path("upload", name, template, actor)

    def schedule_in_path(self, name, method, template, position, actor):
        yield from self.in_path("schedule", name, template, actor)

    def speaker_in_path(self, name, method, template, position, actor):
        yield from self.in_path("speaker", name, template, actor)

    def speaker_in_query(self, name, method, template, position, actor):
        """No recording of another has the owner's speaker, as none has one that is not there."""
        for label, target in self.some(self.scene.ids("speaker").items(), 3):

            def ask(value):
                return Ask(method, f"{template}?speaker={value}{'&q=lantern' * (name == 'searchEntries')}", value)

            yield label, ask(target), ask(str(uuid.uuid4())), (200,) if actor.signed_in else (401,)

    def speaker_in_body(self, name, method, template, position, actor):
        """Ids are each member's own, as of entries."""
        for label, target in self.some(self.scene.ids("speaker").items(), 3):

            def ask(identifier):
                return Ask(method, template, identifier, json={"id": identifier, "name": "x"})

            if actor.name == "user of another tenant naming this app":
                return
            yield label, ask(target), ask(str(uuid.uuid4())), (201,) if actor.signed_in else (401,)

    def schedule_in_query(self, name, method, template, position, actor):
        """The exports of another's schedule are none, as of one that is not there."""
        for label, target in self.some(self.scene.ids("schedule").items(), 3):

            def ask(value):
                return Ask(method, f"{template}?schedule_id={value}", value)

            yield label, ask(target), ask(str(uuid.uuid4())), (200,) if actor.signed_in else (401,)

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

            statuses = (403, 409) if name != "linkIdentity" or actor.signed_in else (401,)
            yield label, ask(target), ask(secrets.token_hex(len(target))[: len(target)]), statuses

    def notification(self, name, method, template, position, actor):
        def ask(value):
            return Ask(method, template, value, json={"payload": value})

        yield "owner's access token", ask(self.scene.owner.tokens["access_token"]), ask(secrets.token_hex(400)), (403,)

    def mail_report(self, name, method, template, position, actor):
        """A report that no provider signed: whether there is such an app it does not say."""
        headers = {
            "Content-Type": "application/json",
            "X-Twilio-Email-Event-Webhook-Signature": b64(secrets.token_bytes(70)),
            "X-Twilio-Email-Event-Webhook-Timestamp": "4102444800",
        }

        def ask(app):
            return Ask(method, f"{template}?app={app}", app, headers, data=b'[{"event":"bounce"}]')

        yield "an app", ask(actor.app or "my-day"), ask("x" + secrets.token_hex(3)), (400, 401)

    def app(self, name, method, template, position, actor):
        """What the service says of an app, or makes for it, belongs to no person."""
        yield "this app", Ask(method, template, actor.app, {"Diary-App": actor.app}), None, (200, 201)

    def token_in_path(self, name, method, template, position, actor):
        yield from self.in_path("token", name, template, actor)

    def by_tokens(self, name, method, template, needed):
        """API tokens. The owner's own that lack what the operation asks, and ended ones, are shown nothing, whether it is there or not; a
        neighbour's that have it (`Generator.probes`) are answered as the neighbour's session is. A quick pass takes two of the first and one of
        the ended."""
        lacking = [actor for actor in self.tokens if not actor.may(needed)]
        ask = self.plain_ask(name, method, template)
        missing = self.plain_ask(name, method, template, str(uuid.uuid4())) if "{id}" in template else None
        for actor in lacking if self.long else self.random.sample(lacking, min(len(lacking), 2)):
            yield actor, "lacks the scope", ask, missing, (403,)
        # Without an own id a request may fail for its form before the token is looked up: 401 is not asked for.
        for actor in self.ended if self.long else self.random.sample(self.ended, 1):
            yield actor, "an ended token", ask, missing, () if needed is not None else (401, 403)

    def session_in_path(self, name, method, template, position, actor):
        yield from self.in_path("session", name, template, actor)

    def new_address(self, name, method, template, position, actor):
        """Whether an address has an account is told to the address's reader alone. (403: the session's proof is not fresh any more.)"""

        def ask(value):
            return Ask(method, template, value, json={"purpose": "new_email", "email": value})

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
                (403,) if actor.signed_in else (401,),
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

    def member_key(self, name, method, template, position, actor):
        """Keys are each member's own, whatever the operation: the owner's is like one that was never used."""
        path, key = template.replace("{id}", str(uuid.uuid4())), secrets.token_hex(12)
        body = {"operations": [{"op": "delete", "id": str(uuid.uuid4())}]} if name == "changeEntries" else example(method, template)
        if name == "createSpeaker":
            # The example has an id, by which the second of the pair would be a repetition.
            body = {"name": "x"}
        if actor.signed_in and name == "changeEntries":
            self.scene.owner.call(method, path, json=body, headers={"Idempotency-Key": key})

        def ask(value):
            return Ask(method, path, value, {"Idempotency-Key": value}, json=body)

        yield "owner's key", ask(key), ask(secrets.token_hex(12)), () if actor.signed_in else (401,)

    def code_key(self, name, method, template, position, actor):
        """The key of a code that the owner has asked for."""
        key, body = secrets.token_hex(12), {"purpose": "proof"}
        if actor.signed_in and self.few(actor):
            self.scene.owner.call(method, template, 202, json=body, headers={"Idempotency-Key": key})

            def ask(value):
                return Ask(method, template, value, {"Idempotency-Key": value}, json=body)

            yield "owner's key", ask(key), ask(secrets.token_hex(12)), ()

    def ids_in_batch(self, name, method, template, position, actor):
        for label, target in self.some(self.scene.ids("entry").items(), 4):

            def ask(identifier):
                operations = [{"op": "tag", "id": identifier, "add_tags": ["mine"]}, {"op": "delete", "id": identifier}]
                return Ask(method, template, identifier, json={"operations": operations})

            yield label, ask(target), ask(str(uuid.uuid4())), (200,) if actor.signed_in else (401,)

    def export_address(self, name, method, template, position, actor):
        # An estimate is mailed to no one.
        statuses = (401,) if not actor.signed_in else (200,) if name == "estimateExport" else (403, 422)
        for label, address in (("owner's", self.scene.owner.address), ("owner's in capitals", self.scene.owner.address.upper())):

            def ask(value):
                return Ask(method, template, value, json={"from": "2026-01-01", "to": "2026-01-02", "email": value})

            yield label, ask(address), ask(f"{secrets.token_hex(8)}@example.org"), statuses

    def named_in_export(self, name, method, template, position, actor):
        member = position.removeprefix("body:")
        entries = member == "entry_ids"
        days = {} if entries else {"from": "2026-01-01", "to": "2026-01-02"}
        for label, target in self.some(self.scene.ids("entry" if entries else "export").items(), 3):

            def ask(value):
                return Ask(method, template, value, json={**days, member: [value] if entries else value})

            yield label, ask(target), ask(str(uuid.uuid4())), (422,) if actor.signed_in else (401,)
