import DiaryCrypto
import Foundation
import PostgresClient
import TestDatabases
import TestSupport

@testable import DiaryCore
@testable import DiaryDatabase

/// A separate database with one user, and jobs that the stores' own calls bring into the state a test needs.
struct WorkerFixture: Sendable {
    let database: MigratedDatabase
    let person: Person
    let entries: PostgresEntryStore
    let exports: PostgresExportStore
    let accounts: PostgresSignInStore
    let queue: PostgresJobQueue
    let transcriptions: PostgresTranscriptionStore
    let builds: PostgresExportBuildStore
    let mails: PostgresMailQueueStore
    let imports: PostgresImportStore
    let importRuns: PostgresImportRunStore

    static func make() async throws -> WorkerFixture { try await make(in: try await MigratedDatabase.make()) }

    static func make(in database: MigratedDatabase, person: Person? = nil) async throws -> WorkerFixture {
        let members = try database.pool(.api)
        let made = if let person { person } else { try await Person.make(in: database) }
        let workers = try database.pool(.worker)
        return WorkerFixture(
            database: database, person: made, entries: PostgresEntryStore(pool: members),
            exports: PostgresExportStore(pool: members), accounts: PostgresSignInStore(pool: try database.pool(.auth)),
            queue: PostgresJobQueue(pool: workers), transcriptions: PostgresTranscriptionStore(pool: workers),
            builds: PostgresExportBuildStore(pool: workers, snapshot: database.settings(.worker), logger: .quiet),
            mails: PostgresMailQueueStore(pool: workers), imports: PostgresImportStore(pool: members),
            importRuns: PostgresImportRunStore(pool: workers))
    }

    static let facts = MediaFacts(durationSeconds: 12.5, codec: "aac", channels: 1, sampleRate: 44_100)

    func words(_ version: Int64, _ bytes: [UInt8] = [6]) -> SealedResult {
        SealedResult(sealed: bytes, version: version, keyID: person.keyID)
    }

    /// Of the machine's part, which every stage but verify writes once.
    static func version(after kind: JobKind) -> Int64 { Int64(JobCatalogue.diary.stages.firstIndex(of: kind) ?? 0) }

    /// Of the part of an entry that has been through all stages.
    static let written = Int64(JobCatalogue.diary.stages.count - 1)

    func nextJob() -> JobID { JobID(UUIDv7.make()) }

    /// The only ready job of this kind.
    func claim(_ kind: JobKind, worker: String = "w") async throws -> LeasedJob {
        guard let job = try await queue.claim([kind], limit: 1, worker: worker, leaseSeconds: 60).first else { throw NotWhatWasExpected() }
        return job
    }

    /// A job of this kind, ready; the jobs before it done.
    /// - Returns: its subject.
    @discardableResult
    func ready(_ kind: JobKind) async throws -> UUID {
        if kind == .verify { return try await uploaded() }
        if kind == .export { return try await requested() }
        if kind == .importing { return try await sent() }
        guard let before = JobCatalogue.diary.descriptors.first(where: { $0.successor == kind })?.kind else { throw NotWhatWasExpected() }
        try await ready(before)
        try await finish(try await claim(before))
        let subject = try await database.text(
            "select subject::text from jobs where user_id = $1 and kind = $2 and state = 'ready' order by created_at desc limit 1",
            .uuid(person.owner.user.uuid), .text(kind.rawValue))
        guard let subject = subject.flatMap(UUID.init(uuidString:)) else { throw NotWhatWasExpected() }
        return subject
    }

    /// An entry that every stage has worked on.
    func transcribed() async throws -> EntryID {
        let id = EntryID(try await ready(.transcribe))
        try await finish(try await claim(.transcribe))
        try await finishStages(after: .transcribe, version: Self.version(after: .transcribe))
        return id
    }

    /// Works on the stages that follow, each of which writes the machine's part once more.
    func finishStages(after kind: JobKind, version: Int64) async throws {
        var (kind, version) = (kind, version)
        while let next = JobCatalogue.diary.successor(of: kind)?.kind {
            (kind, version) = (next, version + 1)
            let job = try await claim(kind)
            _ = try await transcriptions.beginEntry(job)
            _ = try await transcriptions.finishMachine(job, machine: words(version))
        }
    }

    private func uploaded() async throws -> UUID {
        let entry = person.voice()
        _ = try await entries.create(entry, by: person.member)
        _ = try await entries.completeUpload(entry.id, size: 1_000, keyID: person.keyID, job: NewJob(.verify), by: person.member)
        return entry.id.uuid
    }

    private func sent() async throws -> UUID {
        let new = NewImport(
            id: ImportID(UUIDv7.make()), sizeBytes: 1_000, sha256: nil, object: UUID(), keyID: person.keyID, windowSeconds: 3_600,
            requestHash: SecureRandom.bytes(8))
        _ = try await imports.create(new, by: person.member)
        _ = try await imports.complete(new.id, keyID: person.keyID, job: NewJob(.importing), by: person.member)
        return new.id.uuid
    }

    private func requested() async throws -> UUID {
        let export = try person.export(request: SecureRandom.bytes(8))
        _ = try await exports.create(export, by: person.member)
        return export.id.uuid
    }

    func begin(_ job: LeasedJob) async throws(WorkError) {
        guard let subject = JobCatalogue.diary[job.kind]?.subject else { return }
        switch subject {
        case .entry: _ = try await transcriptions.beginEntry(job)
        case .export: _ = try await builds.beginExport(job)
        case .mail: _ = try await mails.beginMail(job)
        case .importing: _ = try await importRuns.beginImport(job)
        }
    }

    /// How kinds of jobs end that do more than to write the machine's part of an entry. A test fails when one is missing.
    static let ends: [JobKind: @Sendable (WorkerFixture, LeasedJob) async throws(WorkError) -> JobKind?] = [
        .verify: { fixture, job async throws(WorkError) in
            try await fixture.transcriptions.finishVerify(
                job, facts: facts, size: 1_001, sha256: SecureRandom.bytes(32),
                rendition: NewRendition(copy: nil, waveform: fixture.words(1))
            ).next
        },
        .transcribe: { fixture, job async throws(WorkError) in
            try await fixture.transcriptions.finishTranscribe(
                job, machine: fixture.words(1), segments: fixture.words(1), language: "en", insteadOf: "de")
        },
        .export: { fixture, job async throws(WorkError) in
            try await fixture.builds.finishPart(job, part: 1, entries: 3, object: UUID(), keyID: fixture.person.keyID, size: 77)
            return try await fixture.builds.finishExport(
                job, keyID: fixture.person.keyID, size: 77, entryCount: 3, changesUpto: 3,
                expiresAt: Date(timeIntervalSinceNow: 3_600), kept: nil, mail: fixture.person.mail(.exportReady, subject: job.subject))
        },
        .mail: { fixture, job async throws(WorkError) in try await fixture.mails.finishMail(job) },
        .importing: { fixture, job async throws(WorkError) in try await fixture.importRuns.finishImport(job) },
    ]

    @discardableResult
    func finish(_ job: LeasedJob) async throws(WorkError) -> JobKind? {
        if let end = Self.ends[job.kind] { return try await end(self, job) }
        return try await transcriptions.finishMachine(job, machine: words(Self.version(after: job.kind)))
    }

    /// As if the worker had been suspended too long.
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

extension JobQueue {
    /// A claim without bounds for accounts: of short jobs, and of long ones for what is left of the limit.
    func claim(_ kinds: [JobKind], limit: Int, worker: String, leaseSeconds: Double) async throws(WorkError) -> [LeasedJob] {
        var claim = JobClaim(kinds, of: .media, limit: limit, worker: worker, leaseSeconds: leaseSeconds)
        var jobs = try await self.claim(claim)
        claim.isLong = true
        claim.limit -= jobs.count
        if claim.limit > 0 { jobs += try await self.claim(claim) }
        return jobs
    }
}
