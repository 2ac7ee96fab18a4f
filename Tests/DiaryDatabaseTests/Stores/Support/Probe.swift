import DiaryCrypto
import Foundation
import PostgresClient
import TestDatabases
import TestSupport

@testable import DiaryCore
@testable import DiaryDatabase

/// Every store, with transactions opened for the owner the test chooses instead of the caller.
struct OpenedStores: Sendable {
    let entries: PostgresEntryStore
    let exports: PostgresExportStore
    let profiles: PostgresProfileStore
    let accounts: PostgresAccountStore
    let identities: PostgresIdentityStore
    let linked: PostgresLinkedIdentityStore
    let grants: PostgresAppleGrantStore
    let sessions: PostgresSessionStore
    let credentials: PostgresCredentialStore
    let queue: PostgresJobQueue
    let transcriptions: PostgresTranscriptionStore
    let builds: PostgresExportBuildStore
    let mails: PostgresMailQueueStore
    let sweep: PostgresSweepStore
    let keys: [PostgresKeyStore]
    let erasures: PostgresErasureStore
    let deletions: PostgresDeletionStore

    /// - Parameter other: nil opens them for the caller, as the product does.
    init(_ database: MigratedDatabase, for other: Person?) throws {
        let member = MemberTransaction(pool: try database.pool(.api), opensFor: { other?.member ?? $0 })
        func owner(_ pool: ConnectionPool) -> OwnerTransaction {
            OwnerTransaction(pool: pool, opensFor: { tenant, user in other.map { ($0.owner.tenant, $0.owner.user) } ?? (tenant, user) })
        }
        entries = PostgresEntryStore(transaction: member, uploadTransaction: owner(try database.pool(.api)))
        exports = PostgresExportStore(transaction: member, linkTransaction: owner(try database.pool(.api)))
        profiles = PostgresProfileStore(transaction: member)
        accounts = PostgresAccountStore(transaction: owner(try database.pool(.auth)))
        identities = PostgresIdentityStore(
            transaction: owner(try database.pool(.auth)),
            members: MemberTransaction(pool: try database.pool(.auth), opensFor: { other?.member ?? $0 }))
        linked = PostgresLinkedIdentityStore(transaction: member)
        grants = PostgresAppleGrantStore(transaction: owner(try database.pool(.worker)))
        sessions = PostgresSessionStore(transaction: member)
        credentials = PostgresCredentialStore(
            transaction: owner(try database.pool(.auth)),
            members: MemberTransaction(pool: try database.pool(.auth), opensFor: { other?.member ?? $0 }))
        let worker = owner(try database.pool(.worker))
        queue = PostgresJobQueue(transaction: worker)
        transcriptions = PostgresTranscriptionStore(transaction: worker)
        builds = PostgresExportBuildStore(transaction: worker, snapshot: database.settings(.worker), logger: .quiet)
        mails = PostgresMailQueueStore(transaction: worker)
        sweep = PostgresSweepStore(transaction: owner(try database.pool(.worker)))
        erasures = PostgresErasureStore(transaction: member)
        deletions = PostgresDeletionStore(transaction: owner(try database.pool(.worker)))
        keys = try [MigratedDatabase.Role.api, .auth, .worker].map { PostgresKeyStore(transaction: owner(try database.keyPool($0))) }
    }

    // The tables that each role's stores read (C3), sorted, with `schema_migrations`, which the start of the service reads.
    static let apiTables = [
        "apple_grants", "audit_events", "deletions", "entries", "entry_segments", "exports", "idempotency_keys", "identities", "jobs",
        "retired_token_keys", "schema_migrations", "sessions", "sync_epoch", "tenants", "user_sync", "users", "workers",
    ]
    static let authTables = [
        "apple_grants", "email_codes", "identities", "mails", "sessions", "sign_in_challenges", "tenants", "user_sync", "users",
    ]
    static let workerTables = [
        "apple_grants", "deletions", "entries", "entry_segments", "exports", "identities", "jobs", "mails", "queue_use",
        "schema_migrations",
        "tenants", "user_sync", "users", "workers",
    ]

    /// The names of the stores here, by what stands between `Postgres` and `Store` in their types' names.
    var names: [String: String] {
        Mirror(reflecting: self).children.reduce(into: [:]) { names, store in
            guard let name = store.label, let type = "\(type(of: store.value))".firstMatch(of: /Postgres([A-Za-z]+?)(Store)?>?$/) else {
                return
            }
            names[String(type.1)] = name
        }
    }
}

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

    static var all: [Probe] { members + links + signIn + providers + keys + workers + sweeper + erasure }

    private static let words = SealedColumn(bytes: [1], version: 2)

    private static let members: [Probe] = [
        Probe(name: "entry") { try await $0.entries.entry($1.text, of: $1.person.member) != nil },
        Probe(name: "recording") { try await $0.entries.recording($1.text, of: $1.person.member) != nil },
        Probe(name: "segments") { stores, seedData in
            guard let id = seedData.worked[.clean] else { throw NotWhatWasExpected() }
            return try await stores.entries.segments(id, of: seedData.person.member) != nil
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
            try await !feed($0.entries.changes(from: .changedSince(Date(timeIntervalSince1970: 0)), limit: 9, of: $1.person.member)).isEmpty
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
        Probe(name: "rewritePersonal") {
            try await $0.entries.rewritePersonal(
                $1.text, sealed: words, expecting: 1, language: .absent, keyID: $1.person.keyID, by: $1.person.member
            ).name
                == "written"
        },
        Probe(name: "delete") {
            try await $0.entries.delete($1.text, expecting: nil, keyID: $1.person.keyID, by: $1.person.member).name == "written"
        },
        Probe(name: "completeUpload") {
            try await $0.entries.completeUpload($1.awaiting, size: 5, keyID: $1.person.keyID, job: NewJob(.verify), by: $1.person.member)
                .name
                == "enqueued"
        },
        Probe(name: "retry") {
            try await $0.entries.retry($1.failed, keyID: $1.person.keyID, job: JobID(UUID()), by: $1.person.member).name == "enqueued"
        },
        Probe(name: "export create", wantsProof: true) { stores, seedData in
            // In another user's transaction the address is not proved, and the answer says so.
            try await stores.exports.create(try seedData.person.export(), by: seedData.person.member).export != nil
        },
        Probe(name: "export") { try await $0.exports.export($1.ready, of: $1.person.member) != nil },
        Probe(name: "exports") { try await !$0.exports.exports(limit: 9, of: $1.person.member).isEmpty },
        Probe(name: "takeOwnDownload") {
            try await $0.exports.takeOwnDownload($1.ready, by: $1.person.member, requestID: nil) != nil
        },
        Probe(name: "mail export", wantsProof: true) { try await $0.exports.mail($1.person.again($1.ready), by: $1.person.member) != nil },
        Probe(name: "export revoke") { try await $0.exports.revoke($1.ready, by: $1.person.member) },
        Probe(name: "profile") {
            _ = try await $0.profiles.profile(of: $1.person.member)
            return true
        },
        Probe(name: "change profile") {
            _ = try await $0.profiles.change(
                StoredProfilePatch(nameSealed: .set([1]), rest: ProfilePatch(trainingConsent: true)), keyID: $1.person.keyID,
                by: $1.person.member)
            return true
        },
        Probe(name: "statistics") { try await $0.profiles.statistics(of: $1.person.member).total.entries > 0 },
        Probe(
            name: "events",
            seed: {
                Statement(
                    "select record_event($1, $2, 'signed_in', 'member', $3, 'r')",
                    $0.person.owner.parameters + [.uuid($0.person.member.session.uuid)])
            }
        ) { try await !$0.profiles.events(before: nil, limit: 9, of: $1.person.member).isEmpty },
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
        Probe(name: "takeDownload") { try await $0.exports.takeDownload($1.ready, of: $1.person.owner, requestID: nil) != nil },
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
                $1.person.member.session, of: $1.person.owner, .from(1, $1.person.refreshHash, to: [2])) == .rotated
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
                .make(.reset, $1.resetCode), of: $1.person.owner, passwordPHC: "new", session: session(),
                mail: $1.person.mail(.passwordChanged))
        },
        Probe(name: "wrong reset", seesTenant: true) {
            try await $0.credentials.reset(
                .make(.reset, [0]), of: $1.person.owner, passwordPHC: "new", session: session(), mail: $1.person.mail(.passwordChanged))
        },
        Probe(name: "prove by code", seesTenant: true) {
            try await $0.credentials.prove($1.person.member, by: .make(.reauthenticate, $1.proofCode))
        },
        Probe(name: "changeAddress", seesTenant: true) {
            try await $0.credentials.changeAddress(.make(.address, $1.addressCode), by: $1.person.member, mail: nil, requestID: nil)
        },
        Probe(name: "changePassword", seesTenant: true, wantsProof: true) {
            try await $0.credentials.changePassword(
                "new", replacing: "phc-of-the-account", by: $1.person.member, session: session(), mail: nil)
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
        if case .page(let page, _, _, _) = outcome { page.entries } else { [] }
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
