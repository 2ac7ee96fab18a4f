import Foundation
import PostgresClient

@testable import DiaryCore
@testable import DiaryDatabase

/// A user with one entry, and the store that the API uses.
struct EntryFixture: Sendable {
    let database: MigratedDatabase
    let person: Person
    let store: PostgresEntryStore
    let id: EntryID

    var member: Member { person.member }
    var keyID: UUID { person.keyID }

    static func make(_ entry: (Person, EntryID) -> NewEntry) async throws -> EntryFixture {
        let database = try await MigratedDatabase.shared()
        let fixture = EntryFixture(
            database: database, person: try await Person.make(in: database), store: PostgresEntryStore(pool: try database.pool(.api)),
            id: EntryID(UUIDv7.make()))
        _ = try await fixture.store.create(entry(fixture.person, fixture.id), by: fixture.person.member)
        return fixture
    }

    /// Evaluates an expression on the entry's row, as the superuser.
    func columns(_ expression: String) async throws -> String? {
        try await database.text("select (\(expression))::text from entries where id = $1", .uuid(id.uuid))
    }

    func jobs() async throws -> String? {
        try await database.text(
            "select string_agg(kind || ' ' || state, ', ' order by created_at, kind) from jobs where subject = $1", .uuid(id.uuid))
    }
}

/// Restarts in an app without limits on what engines use.
extension EntryStore {
    func retry(_ id: EntryID, keyID: UUID, job: JobID, claim: KeyClaim?, by member: Member) async throws(DiaryError) -> CompleteOutcome {
        try await retry(id, within: UsageLimits(), keyID: keyID, job: job, claim: claim, by: member)
    }

    func reprocess(
        _ id: EntryID, _ run: NewRun, keyID: UUID, job: JobID, claim: KeyClaim?, by member: Member
    ) async throws(DiaryError) -> CompleteOutcome {
        try await reprocess(id, run, within: UsageLimits(), keyID: keyID, job: job, claim: claim, by: member)
    }
}

extension PostgresEntryStore {
    /// As `completeUpload` for the recording that the entry waits for at this moment.
    func completeUpload(
        _ id: EntryID, size: Int64, keyID: UUID, job: NewJob, by member: Member
    ) async throws(DiaryError) -> CompleteOutcome {
        let object = try await entry(id, of: member)?.facts.object
        return try await completeUpload(id, object: object ?? UUID(), size: size, keyID: keyID, job: job, by: member).outcome
    }
}
