import DiaryCore
import DiaryCrypto
import Foundation
import PostgresClient
import TestDatabases

@testable import DiaryDatabase

/// A database of its own with one person, and jobs brought to where a test wants them by the stores' own calls.
struct WorkerFixture: Sendable {
    let database: MigratedDatabase
    let person: Person
    let entries: PostgresEntryStore
    let exports: PostgresExportStore
    let accounts: PostgresAccountStore
    let work: PostgresWorkStore

    static func make() async throws -> WorkerFixture { try await make(in: try await MigratedDatabase.make()) }

    static func make(in database: MigratedDatabase, person: Person? = nil) async throws -> WorkerFixture {
        let members = try database.pool(.api)
        let made = if let person { person } else { try await Person.make(in: database) }
        return WorkerFixture(
            database: database, person: made, entries: PostgresEntryStore(pool: members),
            exports: PostgresExportStore(pool: members), accounts: PostgresAccountStore(pool: try database.pool(.auth)),
            work: PostgresWorkStore(pool: try database.pool(.worker), snapshot: database.settings(.worker), logger: TestDatabase.quiet))
    }

    static let facts = MediaFacts(durationSeconds: 12.5, codec: "aac", channels: 1, sampleRate: 44_100)

    func words(_ version: Int64, _ bytes: [UInt8] = [6]) -> SealedResult {
        SealedResult(sealed: bytes, version: version, keyID: person.keyID)
    }

    func nextJob() -> JobID { JobID(UUIDv7.make()) }

    /// The only ready job of this kind.
    func claim(_ kind: JobKind, worker: String = "w") async throws -> LeasedJob {
        guard let job = try await work.claim([kind], limit: 1, worker: worker, leaseSeconds: 60).first else { throw NotWhatWasExpected() }
        return job
    }

    /// A job of this kind, ready; the jobs before it done.
    @discardableResult
    func ready(_ kind: JobKind) async throws -> UUID {
        switch kind {
        case .verify:
            let entry = person.voice()
            _ = try await entries.create(entry, by: person.member)
            _ = try await entries.completeUpload(entry.id, size: 1_000, keyID: person.keyID, job: nextJob(), by: person.member)
            return entry.id.uuid
        case .transcribe:
            let entry = try await ready(.verify)
            try await finish(try await claim(.verify))
            return entry
        case .clean:
            let entry = try await ready(.transcribe)
            try await finish(try await claim(.transcribe))
            return entry
        case .export:
            let export = try person.export(request: SecureRandom.bytes(8))
            _ = try await exports.create(export, by: person.member)
            return export.id.uuid
        case .mail:
            let export = try await ready(.export)
            try await finish(try await claim(.export))
            guard let mail = try await database.text("select id::text from mails where subject = $1", .uuid(export)),
                let id = UUID(uuidString: mail)
            else { throw NotWhatWasExpected() }
            return id
        }
    }

    func begin(_ job: LeasedJob) async throws(WorkError) {
        switch job.kind {
        case .verify, .transcribe, .clean: _ = try await work.beginEntry(job)
        case .export: _ = try await work.beginExport(job)
        case .mail: _ = try await work.beginMail(job)
        }
    }

    func finish(_ job: LeasedJob) async throws(WorkError) {
        switch job.kind {
        case .verify: try await work.finishVerify(job, facts: Self.facts, size: 1_001, sha256: SecureRandom.bytes(32), next: nextJob())
        case .transcribe: try await work.finishTranscribe(job, machine: words(1), segments: words(1), language: "en", next: nextJob())
        case .clean: try await work.finishClean(job, machine: words(2))
        case .export:
            try await work.finishExport(
                job, object: UUID(), keyID: person.keyID, size: 77, entryCount: 3, expiresAt: Date(timeIntervalSinceNow: 3_600),
                mail: person.mail(.exportReady, subject: job.subject), mailJob: nextJob())
        case .mail: try await work.finishMail(job)
        }
    }

    /// As if the worker had slept too long.
    func expire(_ job: LeasedJob) async throws {
        try await database.change(
            "update jobs set lease_until = clock_timestamp() - interval '1 s' where id = $1 and state = 'leased'", .uuid(job.id.uuid))
    }

    func state(_ job: LeasedJob) async throws -> String? {
        try await database.text("select concat_ws(' ', state, attempt, errors, crashes, code) from jobs where id = $1", .uuid(job.id.uuid))
    }

    func living(_ kind: JobKind, _ subject: UUID) async throws -> Int64 {
        try await database.int(
            "select count(*) from jobs where subject = $1 and kind = $2 and state in ('ready', 'leased')", .uuid(subject),
            .text(kind.rawValue))
    }

    func dump() async throws -> Dump { try await Dump.of(person.owner, in: database) }
}
