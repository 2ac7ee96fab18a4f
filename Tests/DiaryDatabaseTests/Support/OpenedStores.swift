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
    let searches: PostgresSearchStore
    let exports: PostgresExportStore
    let imports: PostgresImportStore
    let importRuns: PostgresImportRunStore
    let profiles: PostgresProfileStore
    let accounts: PostgresSignInStore
    let identities: PostgresIdentityStore
    let linked: PostgresLinkedIdentityStore
    let grants: PostgresAppleGrantStore
    let sessions: PostgresSessionStore
    let apiTokens: PostgresAPITokenStore
    let credentials: PostgresCredentialStore
    let queue: PostgresJobQueue
    let transcriptions: PostgresTranscriptionStore
    let builds: PostgresExportBuildStore
    let mails: PostgresMailQueueStore
    let sweep: PostgresSweepStore
    let keys: [PostgresKeyStore]
    let erasures: PostgresErasureStore
    let deletions: PostgresDeletionStore
    let idempotency: PostgresIdempotencyKeyStore
    let usage: PostgresUsageStore
    let consents: PostgresConsentStore
    let parts: PostgresPartUploadStore
    let engines: PostgresEngineStore
    let offers: PostgresEngineDirectory
    let speakers: PostgresSpeakerStore
    let schedules: PostgresExportScheduleStore
    let due: PostgresDueScheduleStore

    /// - Parameter other: nil opens them for the caller, as the product does.
    init(_ database: MigratedDatabase, for other: Person?) throws {
        let member = MemberTransaction(pool: try database.pool(.api), opensFor: { other?.member ?? $0 })
        func owner(_ pool: ConnectionPool) -> OwnerTransaction {
            OwnerTransaction(pool: pool, opensFor: { tenant, user in other.map { ($0.owner.tenant, $0.owner.user) } ?? (tenant, user) })
        }
        entries = PostgresEntryStore(transaction: member, uploadTransaction: owner(try database.pool(.api)))
        searches = PostgresSearchStore(transaction: member)
        parts = PostgresPartUploadStore(transaction: member, uploadTransaction: owner(try database.pool(.api)))
        exports = PostgresExportStore(transaction: member, linkTransaction: owner(try database.pool(.api)))
        imports = PostgresImportStore(transaction: member, uploadTransaction: owner(try database.pool(.api)))
        profiles = PostgresProfileStore(transaction: member)
        accounts = PostgresSignInStore(transaction: owner(try database.pool(.auth)))
        identities = PostgresIdentityStore(
            transaction: owner(try database.pool(.auth)),
            members: MemberTransaction(pool: try database.pool(.auth), opensFor: { other?.member ?? $0 }))
        linked = PostgresLinkedIdentityStore(transaction: member)
        grants = PostgresAppleGrantStore(transaction: owner(try database.pool(.worker)))
        sessions = PostgresSessionStore(transaction: member)
        apiTokens = PostgresAPITokenStore(transaction: member)
        idempotency = PostgresIdempotencyKeyStore(transaction: member)
        credentials = PostgresCredentialStore(
            transaction: owner(try database.pool(.auth)),
            members: MemberTransaction(pool: try database.pool(.auth), opensFor: { other?.member ?? $0 }))
        let worker = owner(try database.pool(.worker))
        queue = PostgresJobQueue(transaction: worker)
        transcriptions = PostgresTranscriptionStore(transaction: worker)
        builds = PostgresExportBuildStore(transaction: worker, snapshot: database.settings(.worker), logger: .quiet)
        importRuns = PostgresImportRunStore(transaction: worker)
        mails = PostgresMailQueueStore(transaction: worker)
        sweep = PostgresSweepStore(transaction: owner(try database.pool(.worker)))
        usage = PostgresUsageStore(transaction: worker)
        consents = PostgresConsentStore(transaction: worker)
        erasures = PostgresErasureStore(transaction: member)
        deletions = PostgresDeletionStore(transaction: owner(try database.pool(.worker)))
        engines = PostgresEngineStore(transaction: worker)
        speakers = PostgresSpeakerStore(transaction: member)
        schedules = PostgresExportScheduleStore(transaction: member, linkTransaction: owner(try database.pool(.api)))
        due = PostgresDueScheduleStore(transaction: worker)
        offers = PostgresEngineDirectory(transaction: owner(try database.pool(.api)))
        keys = try [MigratedDatabase.Role.api, .auth, .worker].map { PostgresKeyStore(transaction: owner(try database.keyPool($0))) }
    }

    // The tables that each role's stores read (C3), sorted, with `schema_migrations`, which the start of the service reads.
    static let apiTables = [
        "api_tokens", "app_engines", "apple_grants", "audit_events", "deletions", "entries", "entry_renditions", "entry_revisions",
        "entry_segments",
        "export_parts", "export_schedules", "exports", "idempotency_keys", "identities", "import_items", "imports", "jobs",
        "retired_token_keys", "schema_migrations",
        "segment_corrections", "sessions", "speaker_profiles",
        "speech_parts", "sync_epoch", "tags", "tenants", "usage_days", "user_sync", "users", "workers",
    ]
    static let authTables = [
        "api_tokens", "apple_grants", "email_codes", "identities", "mails", "sessions", "sign_in_challenges", "tenants", "user_sync",
        "users",
    ]
    static let workerTables = [
        "app_engines", "app_secrets", "apple_grants", "deletions", "due_jobs", "entries", "entry_renditions", "entry_revisions",
        "entry_segments", "export_parts", "export_schedules", "exports", "identities", "import_items", "imports", "jobs", "mails",
        "paused_work", "queue_use", "queue_used", "schema_migrations",
        "segment_corrections", "speaker_profiles",
        "speech_parts", "tags",
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
