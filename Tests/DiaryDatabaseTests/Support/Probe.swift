import DiaryCrypto
import Foundation
import PostgresClient
import TestDatabases
import TestSupport

@testable import DiaryCore
@testable import DiaryDatabase

/// One method of one store, called with the parameters of the seed data's own user.
struct Probe: Sendable {
    let name: String
    /// Sign-in sees its whole tenant, so only rows of other tenants are closed to it.
    var seesTenant = false
    /// Of the person's address, before it is run.
    var wantsProof = false
    /// Inserts the rows that the call reads; runs for every user of the tests.
    var seed: @Sendable (SeedData) -> Statement? = { _ in nil }
    /// - Returns: whether anything was returned.
    let run: @Sendable (OpenedStores, SeedData) async throws -> Bool

    static var all: [Probe] {
        members + tags + parts + links + signIn + providers + keys + workers + sweeper + erasure + engines + retention + schedules + imports
            + speakers + apiTokens
    }

    private static let words = SealedColumn(bytes: [1], version: 2)

    private static let members: [Probe] = [
        Probe(name: "entry") { try await $0.entries.entry($1.text, of: $1.person.member) != nil },
        Probe(name: "recording") { try await $0.entries.recording($1.text, of: $1.person.member) != nil },
        Probe(
            name: "waveform",
            seed: {
                Statement(
                    """
                    insert into entry_renditions (tenant_id, user_id, entry_id, object_id, size_bytes, sha256, waveform, key_id)
                    values ($1, $2, $3, $4, 5, 'digest', 'sealed', $5)
                    """, $0.person.owner.parameters + [.uuid($0.text.uuid), .uuid($0.copied), .uuid($0.person.keyID)])
            }
        ) { try await $0.entries.waveform(of: $1.text, $1.person.member)?.sealed != nil },
        Probe(name: "linkGeneration of a copy") { try await $0.entries.linkGeneration(of: $1.copied, $1.person.owner) != nil },
        Probe(name: "transcript") { stores, seedData in
            guard let id = seedData.worked[.clean] else { throw NotWhatWasExpected() }
            return try await stores.entries.transcript(id, timed: true, of: seedData.person.member)?.segments != nil
        },
        Probe(name: "revisions") {
            try await $0.entries.revisions(of: $1.text, .edited, before: nil, limit: 9, of: $1.person.member)?.revisions.isEmpty == false
        },
        Probe(name: "rewritePersonal with corrections and an earlier text") { stores, seedData in
            guard let id = seedData.worked[.clean] else { throw NotWhatWasExpected() }
            var rewrite = PersonalRewrite(id: id, sealed: words, expecting: 1)
            rewrite.replaced = SealedRevision(layer: .edited, number: 1, sealed: [1])
            rewrite.corrections = CorrectionsWrite(sealed: [1], segmentsVersion: 1, machineVersion: 0)
            return try await stores.entries.rewritePersonal(rewrite, keyID: seedData.person.keyID, by: seedData.person.member).name
                == "written"
        },
        Probe(name: "create") { try await $0.entries.create($1.person.text(), by: $1.person.member).entry != nil },
        Probe(name: "create with key") {
            try await $0.entries.create($1.person.voice(idempotency: [5]), by: $1.person.member).entry != nil
        },
        Probe(name: "create again") { try await $0.entries.create($1.person.text($1.text), by: $1.person.member).entry != nil },
        Probe(
            name: "create again with key",
            seed: {
                Statement(
                    "insert into idempotency_keys (tenant_id, user_id, operation, key_hash, request_hash, subject) values ($1, $2, 'entry', '\\x09', '\\x01', $3)",
                    $0.person.owner.parameters + [.uuid($0.text.uuid)])
            }
        ) {
            try await $0.entries.create($1.person.text(idempotency: [9]), by: $1.person.member).entry != nil
        },
        Probe(name: "changes from the beginning") {
            try await !feed($0.entries.changes(from: .beginning, limit: 9, of: $1.person.member)).isEmpty
        },
        Probe(name: "changes after") {
            try await !feed($0.entries.changes(from: .after(changeNumber: 1), limit: 9, of: $1.person.member)).isEmpty
        },
        Probe(name: "changes since") {
            try await !feed(
                $0.entries.changes(from: .changedSince(Date(timeIntervalSince1970: 0)), limit: 9, of: $1.person.member)
            ).isEmpty
        },
        Probe(name: "list newest first") {
            try await !$0.entries.list(DateQuery(from: nil, to: nil, order: .newestFirst, after: nil, limit: 9), of: $1.person.member)
                .entries
                .isEmpty
        },
        Probe(name: "list oldest first") {
            try await !$0.entries.list(DateQuery(from: nil, to: nil, order: .oldestFirst, after: nil, limit: 9), of: $1.person.member)
                .entries
                .isEmpty
        },
        Probe(name: "list with a filter, in short") {
            try await !$0.entries.list(
                DateQuery(
                    from: nil, to: nil, order: .newestFirst, after: nil, limit: 9, filter: EntryFilter(isFavorite: false)),
                of: $1.person.member
            )
            .entries.isEmpty
        },
        Probe(name: "onThisDay") {
            let query = OnThisDayQuery(day: DayOfYear("06-01"), now: .now, limit: 9)
            return try await !$0.entries.onThisDay(query, of: $1.person.member).isEmpty
        },
        Probe(name: "words of a search") {
            try await !$0.searches.words(
                DateQuery(from: nil, to: nil, order: .newestFirst, after: nil, limit: 9), bytes: 1 << 20, of: $1.person.member
            ).entries.isEmpty
        },
        Probe(name: "found by a search") { try await !$0.searches.found([$1.text], bytes: 1, of: $1.person.member).isEmpty },
        Probe(name: "days") {
            guard let (first, last) = (CalendarDay("0001-01-01"), CalendarDay("9999-12-31")) as? (CalendarDay, CalendarDay) else {
                throw NotWhatWasExpected()
            }
            return try await !$0.entries.days(from: first, to: last, of: $1.person.member).isEmpty
        },
        Probe(name: "rewritePersonal") {
            try await $0.entries.rewritePersonal(
                PersonalRewrite(id: $1.text, sealed: words, expecting: 1), keyID: $1.person.keyID, by: $1.person.member
            ).name
                == "written"
        },
        Probe(name: "delete") {
            try await $0.entries.delete($1.text, expecting: nil, keyID: $1.person.keyID, by: $1.person.member).name == "written"
        },
        Probe(name: "create in a batch") {
            try await $0.entries.create([$1.person.text(), $1.person.voice()], by: $1.person.member).contains { $0.entry != nil }
        },
        Probe(name: "entries") { try await !$0.entries.entries([$1.text, $1.awaiting], of: $1.person.member).isEmpty },
        Probe(name: "rewritePersonal in a batch") {
            let rewrites = [PersonalRewrite(id: $1.text, sealed: words, expecting: 1)]
            return try await $0.entries.rewritePersonal(rewrites, keyID: $1.person.keyID, by: $1.person.member).first?.name == "written"
        },
        Probe(name: "whole") { try await $0.entries.whole($1.text, of: $1.person.member) != nil },
        Probe(name: "copy") {
            let copy = NewEntryCopy(
                id: EntryID(UUIDv7.make()), source: $1.text, keyID: $1.person.keyID, personal: [1], labelHashes: [], segments: [1])
            return try await $0.entries.copy(copy, by: $1.person.member) != nil
        },
        Probe(name: "delete in a batch") {
            guard case .deleted? = try await $0.entries.delete([$1.text], keyID: $1.person.keyID, by: $1.person.member).first else {
                return false
            }
            return true
        },
        Probe(name: "completeUpload") {
            try await $0.entries.completeUpload(
                $1.awaiting, object: $1.upload.object, size: 5, keyID: $1.person.keyID, job: NewJob(.verify), by: $1.person.member
            ).outcome.name == "enqueued"
        },
        Probe(name: "reopenUpload") {
            try await $0.entries.reopenUpload(
                $1.awaiting, UploadReopening(keyID: $1.person.keyID, windowSeconds: 60, object: UUID()), by: $1.person.member) != nil
        },
        Probe(
            name: "openDeviceUpload",
            seed: {
                Statement(
                    "update entries set on_device = true where tenant_id = $1 and user_id = $2 and id = $3",
                    $0.person.owner.parameters + [.uuid($0.awaiting.uuid)])
            }
        ) {
            let upload = DeviceUpload(
                facts: GivenFacts(kind: .voice, sizeBytes: 5, contentType: "audio/mp4"), object: UUID(), keyID: $1.person.keyID,
                windowSeconds: 60)
            return try await $0.entries.openDeviceUpload($1.awaiting, upload, by: $1.person.member) != nil
        },
        Probe(name: "giveTranscript") {
            let write = TranscriptWrite(
                id: $1.awaiting, machine: SealedColumn(bytes: [1], version: 1), recognise: .always, personalVersion: 1,
                status: .awaitingUpload, stage: .verify, replacesSegments: true, segments: [1])
            return try await $0.entries.giveTranscript(write, keyID: $1.person.keyID, by: $1.person.member).name == "written"
        },
        Probe(name: "retry") {
            try await $0.entries.retry($1.failed, keyID: $1.person.keyID, job: JobID(UUID()), claim: nil, by: $1.person.member).name
                == "enqueued"
        },
        Probe(
            name: "reprocess",
            seed: {
                Statement(
                    "update entries set status = 'failed', stage = 'transcribe' where tenant_id = $1 and user_id = $2 and id = $3",
                    $0.person.owner.parameters + [.uuid($0.refused.uuid)])
            }
        ) {
            try await $0.entries.reprocess(
                $1.refused, NewRun(stage: .transcribe), keyID: $1.person.keyID, job: JobID(UUID()), claim: nil, by: $1.person.member
            ).name == "enqueued"
        },
        Probe(name: "export create", wantsProof: true) { stores, seedData in
            // In another user's transaction the address is not proved, and the answer says so.
            try await stores.exports.create(try seedData.person.export(), by: seedData.person.member).export != nil
        },
        Probe(name: "estimate") {
            switch try await $0.exports.estimate(
                RequestedSelection(.days(try day("2026-01-01"), try day("2026-12-31"))), tags: nil, includeAudio: true,
                of: $1.person.member)
            {
            case .success(let counts): counts.entries > 0
            case .failure: false
            }
        },
        Probe(name: "export") { try await $0.exports.export($1.ready, of: $1.person.member) != nil },
        Probe(name: "exports") {
            try await !$0.exports.exports(before: nil, limit: 9, schedule: nil, status: nil, of: $1.person.member).isEmpty
        },
        Probe(name: "takeOwnDownload") {
            try await $0.exports.takeOwnDownload($1.ready, part: nil, by: $1.person.member, requestID: nil) != nil
        },
        Probe(name: "takeOwnDownload of a part") {
            try await $0.exports.takeOwnDownload($1.inParts, part: 2, by: $1.person.member, requestID: nil) != nil
        },
        Probe(name: "mail export", wantsProof: true) { try await $0.exports.mail($1.person.again($1.ready), by: $1.person.member) != nil },
        Probe(name: "export revoke") { try await $0.exports.revoke($1.ready, by: $1.person.member) },
        Probe(name: "profile") {
            _ = try await $0.profiles.profile(of: $1.person.member)
            return true
        },
        Probe(name: "change profile") {
            _ = try await $0.profiles.change(
                StoredProfilePatch(nameSealed: .set([1]), rest: ProfilePatch(hostedProcessingConsent: true)),
                matching: nil, keyID: $1.person.keyID,
                by: $1.person.member)
            return true
        },
        Probe(name: "statistics") { try await $0.profiles.statistics(of: $1.person.member, at: .now).total.entries > 0 },
        Probe(
            name: "events",
            seed: {
                Statement(
                    "select record_event($1, $2, 'signed_in', 'member', $3, 'r')",
                    $0.person.owner.parameters + [.uuid($0.person.member.session.uuid)])
            }
        ) { try await !$0.profiles.events(nil, before: nil, limit: 9, of: $1.person.member).isEmpty },
        Probe(
            name: "known key",
            seed: {
                KeyClaim(operation: .reprocess, keyHash: [5, 5], requestHash: [1], subject: $0.failed.uuid).statement(of: $0.person.owner)
            }
        ) { try await $0.idempotency.known(.reprocess, keyHash: [5, 5], of: $1.person.member) != nil },
        Probe(name: "begin key") {
            try await $0.idempotency.begin(
                KeyClaim(operation: .batch, keyHash: [6], requestHash: [1], subject: UUID()), by: $1.person.member)
            return false
        },
        Probe(
            name: "finish key",
            seed: { KeyClaim(operation: .batch, keyHash: [7], requestHash: [1], subject: UUID()).statement(of: $0.person.owner) }
        ) {
            try await $0.idempotency.finish(
                KeyClaim(operation: .batch, keyHash: [7], requestHash: [1], subject: UUID()), results: ["201"], by: $1.person.member)
            return false
        },
        Probe(name: "sessions") { try await !$0.sessions.sessions(of: $1.person.member).isEmpty },
        Probe(name: "end session") { try await $0.sessions.end($1.person.member.session, by: $1.person.member, requestID: nil) },
        Probe(name: "end all sessions") {
            try await $0.sessions.endAll(keepingOwn: false, by: $1.person.member, requestID: nil)
            return false
        },
    ]

    private static let links: [Probe] = [
        Probe(name: "uploadState") { try await $0.entries.uploadState($1.upload.object, of: $1.person.owner) != .gone },
        Probe(name: "linkGeneration") { try await $0.entries.linkGeneration(of: $1.upload.object, $1.person.owner) != nil },
        Probe(name: "uploadArrived") { try await $0.entries.uploadArrived($1.upload.object, of: $1.person.owner) },
        Probe(name: "linkedExport") { try await $0.exports.linkedExport($1.ready, of: $1.person.owner) != nil },
        Probe(name: "takeDownload of a part") {
            try await $0.exports.takeDownload($1.inParts, part: 1, of: $1.person.owner, requestID: nil) != nil
        },
        Probe(name: "takeDownload") { try await $0.exports.takeDownload($1.ready, part: nil, of: $1.person.owner, requestID: nil) != nil },
    ]

    private static func session() -> NewSession {
        NewSession(id: SessionID(UUID()), deviceSealed: nil, refreshHash: [1], idleSeconds: 10, absoluteSeconds: 10)
    }

    private static let signIn: [Probe] = [
        Probe(name: "register", seesTenant: true) { stores, seedData in
            let account = NewAccount(
                owner: Owner(tenant: seedData.person.owner.tenant, user: UserID(UUID())), keyID: UUID(), emailHash: SecureRandom.bytes(32),
                emailSealed: [1],
                signUp: SignUp(passwordPHC: "p"))
            return try await stores.accounts.register(
                account, code: NewCode(id: UUID(), hash: [1], registrationHash: [8], lifetimeSeconds: 10, requesterHash: [1]),
                mail: seedData.person.mail())
        },
        Probe(name: "emailIdentity", seesTenant: true) {
            try await $0.accounts.emailIdentity($1.person.emailHash, tenant: $1.person.owner.tenant) != nil
        },
        Probe(name: "issueCode", seesTenant: true) {
            try await $0.accounts.issueCode(
                NewCode(id: UUID(), hash: [1], registrationHash: [8], lifetimeSeconds: 10, requesterHash: [1]), SignUp(passwordPHC: "p"),
                mail: $1.person.mail(),
                to: $1.person.owner, limits: .plenty)
        },
        Probe(name: "reissueCode", seesTenant: true) {
            try await $0.accounts.reissueCode(
                NewCode(id: UUID(), hash: [1], registrationHash: [8], lifetimeSeconds: 10, requesterHash: [1]), mail: $1.person.mail(),
                to: $1.person.owner,
                limits: .plenty)
        },
        Probe(name: "queue", seesTenant: true) {
            try await $0.accounts.queue($1.person.mail(), to: $1.person.owner, perHour: 9)
            return true
        },
        Probe(name: "verifyEmail", seesTenant: true) {
            try await $0.accounts.verifyEmail(
                $1.person.emailHash, owner: $1.person.owner, registrationHash: [8], codeHash: $1.code, maxTries: 5, session: session())
        },
        Probe(name: "verifyEmail, wrong code", seesTenant: true) {
            try await $0.accounts.verifyEmail(
                $1.person.emailHash, owner: $1.person.owner, registrationHash: [8], codeHash: [0], maxTries: 5, session: session())
        },
        Probe(name: "openSession", seesTenant: true) {
            try await $0.accounts.openSession(
                session(), for: $1.person.owner, by: "phc-of-the-account", rehashed: (emailHash: $1.person.emailHash, phc: "other"))
        },
        Probe(name: "rotate", seesTenant: true) {
            try await $0.accounts.rotate(
                $1.person.member.session, of: $1.person.owner, .from(1, $1.person.refreshHash, to: [2])
            ).isRotated
        },
        Probe(name: "endReused", seesTenant: true) {
            try await $0.accounts.endReused($1.person.member.session, of: $1.person.owner, requestID: nil)
            return false
        },
        Probe(name: "mailCode", seesTenant: true) {
            try await $0.credentials.mailCode(
                .make(.login), mail: $1.person.mail(.signInCode), to: $1.person.owner, requester: .client([1]), limits: Limits())
        },
        Probe(name: "signIn by code", seesTenant: true) {
            try await $0.credentials.signIn(.make(.login, $1.loginCode), of: $1.person.owner, session: session())
        },
        Probe(name: "reset", seesTenant: true) {
            try await $0.credentials.reset(
                .make(.reset, $1.resetCode), of: $1.person.owner, passwordPHC: "new", endingTokens: true, session: session(),
                mail: $1.person.mail(.passwordChanged))
        },
        Probe(name: "wrong reset", seesTenant: true) {
            try await $0.credentials.reset(
                .make(.reset, [0]), of: $1.person.owner, passwordPHC: "new", endingTokens: true, session: session(),
                mail: $1.person.mail(.passwordChanged))
        },
        Probe(name: "prove by code", seesTenant: true) {
            try await $0.credentials.prove($1.person.member, by: .make(.reauthenticate, $1.proofCode), claim: nil)
        },
        Probe(name: "changeAddress", seesTenant: true) {
            try await $0.credentials.changeAddress(
                .make(.address, $1.addressCode), by: $1.person.member, mail: nil, requestID: nil, claim: nil)
        },
        Probe(name: "changePassword", seesTenant: true, wantsProof: true) {
            try await $0.credentials.changePassword(
                "new", replacing: "phc-of-the-account", endingTokens: true, by: $1.person.member, session: session(), mail: nil)
        },
        Probe(name: "credentials", seesTenant: true) {
            _ = try await $0.credentials.credentials(of: $1.person.member, freshSeconds: 600)
            return true
        },
        Probe(name: "prove", seesTenant: true) {
            try await $0.credentials.prove($1.person.member)
            return false
        },
    ]

    private static func feed(_ outcome: FeedOutcome) -> [StoredEntry] {
        if case .page(let page, _, _, _, _) = outcome { page.entries } else { [] }
    }
}

extension Limits {
    /// More codes than the seed data has.
    fileprivate static var plenty: Limits {
        var limits = Limits()
        limits.codesPerHour = 9
        return limits
    }
}
