"""The isolation matrix (C1), generated from openapi.yaml: every operation, every place in it that can name a person's data, every actor.

A probe is a pair of requests by one actor: one names what another person owns, one names what does not exist. Their answers must be the same.
A new operation that can name something, or a new parameter or member that can, has no row here and fails the generator until a row says what it
names. An operation with nothing but the token and an `Idempotency-Key` needs no row."""

import random

from contract import CONTRACT
from probe_scene import PLAIN, Probe, needed_scopes, positions
from probes_of_cursors import CursorProbes
from probes_of_links import LinkProbes
from probes_of_members import MemberProbes
from probes_of_secrets import SecretProbes


class Generator(MemberProbes, CursorProbes, SecretProbes, LinkProbes):
    """Makes the probes of one pass. `long` takes every spelling and variant, quick a few of each."""

    def __init__(self, scene, seed, long):
        self.scene, self.long, self.random = scene, long, random.Random(seed)
        self.fourth = self.random.randrange(4)
        self.actors, self.refused = scene.actors(), {}
        self.tokens, self.lent, self.ended = scene.token_actors(scene.owner), scene.token_actors(scene.neighbour), scene.ended
        self.rows = {
            "getLiveness": {},
            "getReadiness": {},
            "getContract": {},
            "getContractAsJson": {},
            "getDocs": {},
            "getReference": {},
            "getReferenceScript": {},
            "getExportManifestSchema": {},
            "getKeys": {},
            "listProblems": {},
            "getProblem": {},
            "getConfig": {"header:Diary-App": self.app},
            "getFlags": {"header:Diary-App": self.app},
            "findFlags": {"header:Diary-App": self.app},
            "createChallenge": {"header:Diary-App": self.app},
            "signInWithApple": {
                name: self.provider for name in ("body:id_token", "body:nonce", "body:authorization_code", "header:Diary-App")
            },
            "signInWithGoogle": {name: self.provider for name in ("body:id_token", "body:nonce", "header:Diary-App")},
            "receiveAppleNotification": {"body:payload": self.notification},
            "receiveSendGridEvents": {
                name: self.mail_report
                for name in (
                    "query:app",
                    "header:X-Twilio-Email-Event-Webhook-Signature",
                    "header:X-Twilio-Email-Event-Webhook-Timestamp",
                )
            },
            "receiveSNSMessage": {"query:app": self.mail_report},
            "linkIdentity": {
                "bearer": self.bearer,
                "header:Idempotency-Key": self.member_key,
                **{name: self.provider for name in ("body:id_token", "body:nonce", "body:authorization_code")},
            },
            "unlinkIdentity": {"bearer": self.bearer, "path:id": self.identity_in_path},
            "registerByEmail": {"body:email": self.registered_address, "header:Diary-App": self.registered_address},
            "verifyEmail": {
                "body:email": self.verified_address,
                "body:code": self.verified_address,
                "body:request": self.verified_address,
                "header:Diary-App": self.verified_address,
            },
            "requestCode": {
                "bearer": self.bearer,
                "body:email": self.asked_address,
                "body:request": self.asked_address,
                "header:Diary-App": self.asked_address,
                "header:Idempotency-Key": self.code_key,
            },
            "signInByEmail": {
                "body:email": self.known_address,
                "header:Diary-App": self.known_address,
                "body:code": self.coded_address,
                "body:request": self.coded_address,
                "body:device_token": self.known_device,
            },
            "confirmPasswordReset": {
                "body:email": self.coded_address,
                "body:code": self.coded_address,
                "body:request": self.coded_address,
                "header:Diary-App": self.coded_address,
                "body:device_token": self.known_device,
            },
            "refreshSession": {"body:refresh_token": self.refresh},
            "listEvents": {"bearer": self.bearer, "query:cursor": self.list_cursor},
            "listExports": {"bearer": self.bearer, "query:cursor": self.list_cursor, "query:schedule_id": self.schedule_in_query},
            "listTrash": {"bearer": self.bearer, "query:cursor": self.list_cursor},
            "listOnThisDay": {"bearer": self.bearer, "query:cursor": self.list_cursor},
            **{
                name: {
                    "bearer": self.bearer,
                    "header:Idempotency-Key": self.member_key,
                    "body:code": self.shown_code,
                    "body:request": self.shown_code,
                }
                for name in ("confirmEmailChange", "reauthenticate")
            },
            "endSession": {"bearer": self.bearer, "path:id": self.session_in_path},
            "revokeToken": {"bearer": self.bearer, "path:id": self.token_in_path},
            "getDeletion": {"path:receipt": self.receipt},
            "createEntry": {"bearer": self.bearer, "body:id": self.entry_id_in_body, "header:Idempotency-Key": self.idempotency},
            "changeEntries": {"bearer": self.bearer, "body:operations": self.ids_in_batch, "header:Idempotency-Key": self.member_key},
            "reprocessEntry": {"bearer": self.bearer, "path:id": self.entry_in_path, "header:Idempotency-Key": self.member_key},
            "copyEntry": {"bearer": self.bearer, "path:id": self.entry_in_path, "header:Idempotency-Key": self.member_key},
            "listRevisions": {"bearer": self.bearer, "path:id": self.entry_in_path, "query:cursor": self.revision_cursor},
            "listChanges": {"bearer": self.bearer, "query:since": self.since},
            "listEntries": {
                "bearer": self.bearer,
                "query:since": self.since,
                "query:cursor": self.cursor,
                "query:speaker": self.speaker_in_query,
            },
            "searchEntries": {
                "bearer": self.bearer,
                "query:q": self.searched_word,
                "query:cursor": self.search_cursor,
                "query:speaker": self.speaker_in_query,
            },
            "createSpeaker": {"bearer": self.bearer, "body:id": self.speaker_in_body, "header:Idempotency-Key": self.member_key},
            **{name: {"bearer": self.bearer, "path:id": self.speaker_in_path} for name in ("renameSpeaker", "deleteSpeaker")},
            **{
                name: {"bearer": self.bearer, "path:id": self.entry_in_path}
                for name in (
                    "getEntry",
                    "changeEntry",
                    "answerSuggestions",
                    "deleteEntry",
                    "removeAudio",
                    "restoreEntry",
                    "getAudioUrl",
                    "getWaveform",
                    "getBundle",
                    "getTranscript",
                    "getTranscriptFile",
                    "correctSegment",
                    "correctSegments",
                    "nameSpeakers",
                    "putTranscript",
                    "addAudio",
                )
            },
            "addNote": {"bearer": self.bearer, "path:id": self.entry_in_path, "body:id": self.note_in_body},
            **{
                name: {"bearer": self.bearer, "path:id": self.entry_in_path, "path:note": self.note_in_path}
                for name in ("changeNote", "deleteNote")
            },
            "putObject": {
                "path:key": self.upload_key,
                "query:X-Amz-Credential": self.upload_key,
                "query:X-Amz-Signature": self.upload_key,
                "query:uploadId": self.upload_set,
            },
            "getRecording": {
                "path:tenant": self.recording,
                "path:user": self.recording,
                "path:object": self.recording,
                "path:filename": self.recording,
                "query:signature": self.recording,
            },
            "listImports": {"bearer": self.bearer, "query:cursor": self.list_cursor},
            "getImportReport": {"bearer": self.bearer, "path:id": self.import_in_path, "query:cursor": self.report_cursor},
            **{name: {"bearer": self.bearer, "path:id": self.import_in_path} for name in ("getImport", "deleteImport")},
            **{
                name: {"bearer": self.bearer, "path:id": self.upload_in_path}
                for name in ("renewUploadUrl", "openUploadParts", "listUploadParts", "cancelUploadParts", "completeUpload")
            },
            "createExport": {
                "bearer": self.bearer,
                "header:Idempotency-Key": self.idempotency,
                "body:email": self.export_address,
                "body:entry_ids": self.named_in_export,
                "body:since_export": self.named_in_export,
            },
            "estimateExport": {
                "bearer": self.bearer,
                "body:email": self.export_address,
                "body:entry_ids": self.named_in_export,
                "body:since_export": self.named_in_export,
            },
            "getExport": {"bearer": self.bearer, "path:id": self.export_in_path},
            "revokeExport": {"bearer": self.bearer, "path:id": self.export_in_path},
            "getExportUrl": {"bearer": self.bearer, "path:id": self.export_in_path},
            "mailExport": {"bearer": self.bearer, "path:id": self.export_in_path, "header:Idempotency-Key": self.member_key},
            "listExportSchedules": {"bearer": self.bearer, "query:cursor": self.list_cursor},
            **{
                name: {"bearer": self.bearer, "path:id": self.schedule_in_path}
                for name in ("getExportSchedule", "changeExportSchedule", "deleteExportSchedule")
            },
            "runExportSchedule": {"bearer": self.bearer, "path:id": self.schedule_in_path, "header:Idempotency-Key": self.member_key},
            **{name: {"path:token": self.unsubscribe} for name in ("openUnsubscribeLink", "stopScheduleMail")},
            "openExportLink": {"path:token": self.link},
            "startExportDownload": {"path:token": self.link},
            "getExportFile": {"path:token": self.link, "query:signature": self.link},
        }

    def probes(self):
        """All of a pass; fails when openapi.yaml has an operation, parameter or member that the table does not know."""
        operations = []
        usual = {"bearer": self.bearer, "header:Idempotency-Key": self.member_key}
        for template, item in CONTRACT.document["paths"].items():
            for method, operation in item.items():
                if method not in ("get", "post", "put", "patch", "delete"):
                    continue
                name = operation["operationId"]
                operations.append((name, method.upper(), template, needed_scopes(operation)))
                wanted = positions(operation, item) - PLAIN
                if name not in self.rows and "bearer" in wanted and wanted <= usual.keys():
                    self.rows[name] = {position: usual[position] for position in usual if position in wanted}
                assert name in self.rows, f"{name} ({method.upper()} {template}) has no row in the probe matrix"
                row = set(self.rows[name])
                assert row == wanted, f"the row of {name} names {sorted(row)}, openapi.yaml has {sorted(wanted)}"
        unknown = set(self.rows) - {name for name, *_ in operations}
        assert not unknown, f"rows without an operation: {unknown}"
        # Creating comes last: an actor that has made something under the owner's id has one of that id from then on.
        for name, method, template, needed in sorted(operations, key=lambda o: o[0] in ("createEntry", "createSpeaker")):
            for position, maker in self.rows[name].items():
                for actor in self.askers(is_first=position == next(iter(self.rows[name]))):
                    made = list(maker(name, method, template, position, actor))
                    if not self.long and not actor.signed_in and made and (actor.authorization or "bearer" in self.rows[name]):
                        made = self.random.sample(made, min(len(made), 1 if actor.authorization and not actor.genuine else 2))
                    yield from (Probe(name, position, actor, *one) for one in made)
                if position.startswith(("path:", "query:")) and (holders := [actor for actor in self.lent if actor.may(needed)]):
                    for actor in holders if self.long else self.random.sample(holders, 1):
                        made = list(maker(name, method, template, position, actor))
                        made = made if self.long else self.random.sample(made, min(len(made), 2))
                        yield from (Probe(name, position, actor, *one) for one in made)
            if "bearer" in self.rows[name]:
                yield from (Probe(name, "bearer", *one) for one in self.by_tokens(name, method, template, needed))

    def askers(self, is_first):
        """Who asks at one position. What refuses a token has not read what is named: in a quick pass every refused token asks at an
        operation's first position, and at each of the rest one that the service signed and two others, which the seed chooses."""
        if self.long or is_first:
            return self.actors
        refused = [actor for actor in self.actors if not actor.signed_in and actor.authorization]
        genuine, others = [a for a in refused if a.genuine], [a for a in refused if not a.genuine]
        chosen = [self.random.choice(genuine), *self.random.sample(others, 2)]
        return [actor for actor in self.actors if actor.signed_in or not actor.authorization or actor in chosen]

    def some(self, items, count):
        items = list(items)
        return items if self.long else items[:count]
