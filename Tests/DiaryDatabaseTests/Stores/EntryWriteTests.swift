import DiaryCore
import Foundation
import Testing

@testable import DiaryDatabase

@Suite("Entry writes", .timeLimit(.minutes(2)))
struct EntryWriteTests {
    private func columns(_ database: MigratedDatabase, _ id: EntryID, _ expression: String) async throws -> String? {
        try await database.text("select (\(expression))::text from entries where id = $1", .uuid(id.uuid))
    }

    private func jobs(_ database: MigratedDatabase, _ id: EntryID) async throws -> String? {
        try await database.text(
            "select string_agg(kind || ' ' || state, ', ' order by created_at, kind) from jobs where subject = $1", .uuid(id.uuid))
    }

    @Test("of 20 parallel writers that read the same version exactly one wins, round after round")
    func compareAndSet() async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let store = PostgresEntryStore(pool: try database.pool(.api))
        let id = EntryID(UUIDv7.make())
        _ = try await store.create(person.text(id), by: person.member)

        for version in Int64(1)...10 {
            let outcomes = try await parallel(20) { writer in
                (
                    UInt8(writer),
                    try await store.rewritePersonal(
                        id, sealed: SealedColumn(bytes: [UInt8(writer)], version: version + 1), expecting: version, keyID: person.keyID,
                        by: person.member)
                )
            }

            let winners = outcomes.filter { $0.1.name == "written" }
            #expect(winners.count == 1)
            #expect(outcomes.count { $0.1.name == "conflict" } == 19)
            #expect(winners.first?.1.entry?.version == version + 1)
            #expect(
                try await store.entry(id, of: person.member)?.personal
                    == SealedColumn(bytes: [winners.first?.0 ?? 99], version: version + 1))
        }
    }

    @Test("writing what is missing says so, a stale version is a conflict, and neither changes a thing that a client sees")
    func missingAndStale() async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let store = PostgresEntryStore(pool: try database.pool(.api))
        let id = EntryID(UUIDv7.make())
        _ = try await store.create(person.text(id), by: person.member)
        let before = try await columns(database, id, "entries")
        let words = SealedColumn(bytes: [1], version: 2)

        #expect(
            try await store.rewritePersonal(EntryID(UUID()), sealed: words, expecting: 1, keyID: person.keyID, by: person.member).name
                == "missing")
        #expect(try await store.rewritePersonal(id, sealed: words, expecting: 7, keyID: person.keyID, by: person.member).name == "conflict")
        #expect(try await store.delete(id, expecting: 7, keyID: person.keyID, by: person.member).name == "conflict")
        #expect(try await store.delete(EntryID(UUID()), expecting: nil, keyID: person.keyID, by: person.member).name == "missing")
        #expect(try await columns(database, id, "entries") == before)
    }

    @Test("deleting leaves a tombstone without words, no segments, and no waiting job; a job under lease finds nothing to do")
    func delete() async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let store = PostgresEntryStore(pool: try database.pool(.api))
        let id = EntryID(UUIDv7.make())
        _ = try await store.create(person.voice(id), by: person.member)
        _ = try await store.completeUpload(id, size: 1_000, keyID: person.keyID, job: JobID(UUIDv7.make()), by: person.member)
        try await database.change("update entries set machine = 'words', machine_version = 1 where id = $1", .uuid(id.uuid))
        try await database.change(
            "insert into entry_segments (tenant_id, user_id, entry_id, sealed, version, key_id) values ($1, $2, $3, 'words', 1, $4)",
            .uuid(person.owner.tenant.uuid), .uuid(person.owner.user.uuid), .uuid(id.uuid), .uuid(person.keyID))
        #expect(try await store.segments(id, of: person.member)?.version == 1)

        let outcome = try await store.delete(id, expecting: 1, keyID: person.keyID, by: person.member)

        #expect(outcome.entry?.facts.deletedAt != nil)
        #expect(outcome.entry?.facts.changeNumber == 3)
        #expect(try await columns(database, id, "personal is null and machine is null and sha256 is null and stage is null") == "true")
        #expect(try await store.segments(id, of: person.member) == nil)
        #expect(try await store.entry(id, of: person.member) == nil)
        #expect(try await jobs(database, id) == "verify done")
        #expect(try await store.list(DateQuery(from: nil, to: nil, order: .newestFirst, after: nil, limit: 9), of: person.member).isEmpty)
        #expect(try await store.delete(id, expecting: nil, keyID: person.keyID, by: person.member).name == "missing")
        #expect(
            try await store.rewritePersonal(
                id, sealed: SealedColumn(bytes: [1], version: 2), expecting: 1, keyID: person.keyID, by: person.member
            ).name
                == "missing")
        #expect(try await store.completeUpload(id, size: 1, keyID: person.keyID, job: JobID(UUID()), by: person.member).name == "missing")
        #expect(try await store.retry(id, keyID: person.keyID, job: JobID(UUID()), by: person.member).name == "missing")
    }

    @Test("of 20 parallel deletes one writes the tombstone")
    func parallelDeletes() async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let store = PostgresEntryStore(pool: try database.pool(.api))
        let id = EntryID(UUIDv7.make())
        _ = try await store.create(person.text(id), by: person.member)

        let outcomes = try await parallel(20) { _ in try await store.delete(id, expecting: nil, keyID: person.keyID, by: person.member).name
        }

        #expect(outcomes.count { $0 == "written" } == 1)
        #expect(outcomes.count { $0 == "missing" } == 19)
    }

    @Test("20 parallel completes make exactly one verify job and the true size")
    func complete() async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let store = PostgresEntryStore(pool: try database.pool(.api))
        let id = EntryID(UUIDv7.make())
        _ = try await store.create(person.voice(id, size: 1_000), by: person.member)

        let outcomes = try await parallel(20) { _ in
            try await store.completeUpload(id, size: 1_234, keyID: person.keyID, job: JobID(UUIDv7.make()), by: person.member).name
        }

        #expect(outcomes.count { $0 == "enqueued" } == 1)
        #expect(outcomes.count { $0 == "already" } == 19)
        #expect(try await jobs(database, id) == "verify ready")
        #expect(try await columns(database, id, "status || ' ' || stage || ' ' || size_bytes") == "uploaded verify 1234")
        #expect(
            try await store.completeUpload(EntryID(UUID()), size: 1, keyID: person.keyID, job: JobID(UUID()), by: person.member).name
                == "missing")
    }

    @Test("a text is never completed or retried")
    func textHasNoWork() async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let store = PostgresEntryStore(pool: try database.pool(.api))
        let id = EntryID(UUIDv7.make())
        _ = try await store.create(person.text(id), by: person.member)

        #expect(try await store.completeUpload(id, size: 1, keyID: person.keyID, job: JobID(UUID()), by: person.member).name == "already")
        #expect(try await store.retry(id, keyID: person.keyID, job: JobID(UUID()), by: person.member).name == "already")
        #expect(try await jobs(database, id) == nil)
    }

    @Test(
        "what failed goes back to work where it stands: verify to verify, later stages to transcribe",
        arguments: ["verify", "transcribe", "clean"])
    func retry(stage: String) async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let store = PostgresEntryStore(pool: try database.pool(.api))
        let id = EntryID(UUIDv7.make())
        _ = try await store.create(person.voice(id), by: person.member)
        try await database.change(
            "update entries set status = 'failed', stage = $2, stage_attempt = 8, stage_code = 'speech_unavailable' where id = $1",
            .uuid(id.uuid),
            .text(stage))

        let outcomes = try await parallel(20) { _ in
            try await store.retry(id, keyID: person.keyID, job: JobID(UUIDv7.make()), by: person.member).name
        }

        let next = stage == "verify" ? "verify" : "transcribe"
        #expect(outcomes.count { $0 == "enqueued" } == 1)
        #expect(outcomes.count { $0 == "already" } == 19)
        #expect(try await jobs(database, id) == "\(next) ready")
        #expect(
            try await columns(database, id, "status || ' ' || stage || ' ' || stage_attempt || ' ' || (stage_code is null)")
                == "uploaded \(next) 0 true")
    }

    @Test("a recording that is itself the reason is not tried again; other reasons are", arguments: ProcessingCode.allCases)
    func retryableCodes(code: ProcessingCode) async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let store = PostgresEntryStore(pool: try database.pool(.api))
        let id = EntryID(UUIDv7.make())
        _ = try await store.create(person.voice(id), by: person.member)
        try await database.change(
            "update entries set status = 'failed', stage = 'verify', stage_code = $2 where id = $1", .uuid(id.uuid), .text(code.rawValue))
        #expect(try await store.entry(id, of: person.member)?.facts.processing?.retryable == code.retryableByOwner)

        let outcome = try await store.retry(id, keyID: person.keyID, job: JobID(UUIDv7.make()), by: person.member)

        #expect(outcome.name == (code.retryableByOwner ? "enqueued" : "already"))
    }

    @Test("a failed recording without a code goes back to work")
    func retryWithoutCode() async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let store = PostgresEntryStore(pool: try database.pool(.api))
        let id = EntryID(UUIDv7.make())
        _ = try await store.create(person.voice(id), by: person.member)
        try await database.change("update entries set status = 'failed', stage = 'verify', stage_code = null where id = $1", .uuid(id.uuid))

        #expect(try await store.retry(id, keyID: person.keyID, job: JobID(UUIDv7.make()), by: person.member).name == "enqueued")
    }
}
