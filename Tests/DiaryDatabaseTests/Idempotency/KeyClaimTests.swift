import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

/// Keys of writes (`Idempotency-Key`) are stored in the transaction of the write.
@Suite("Keys of writes", .timeLimit(.minutes(2)))
struct KeyClaimTests {
    private func failed() async throws -> EntryFixture {
        let fixture = try await EntryFixture.make { $0.voice($1) }
        try await fixture.database.change(
            "update entries set status = 'failed', stage = 'transcribe' where id = $1", .uuid(fixture.id.uuid))
        return fixture
    }

    private func claim(_ fixture: EntryFixture, request: [UInt8] = [1]) -> KeyClaim {
        KeyClaim(operation: .reprocess, keyHash: [7], requestHash: request, subject: fixture.id.uuid)
    }

    private func retry(_ fixture: EntryFixture, _ claim: KeyClaim?) async throws(DiaryError) -> CompleteOutcome {
        try await fixture.store.retry(
            fixture.id, keyID: fixture.keyID, job: JobID(UUIDv7.make()), claim: claim, by: fixture.member)
    }

    @Test("a retry stores its key with its job, and one that does nothing stores none")
    func stored() async throws {
        let fixture = try await failed()
        let keys = PostgresIdempotencyKeyStore(pool: try fixture.database.pool(.api))
        func known(_ operation: KeyClaim.Operation = .reprocess) async throws -> KnownKey? {
            try await keys.known(operation, keyHash: [7], of: fixture.member)
        }

        #expect(try await retry(fixture, claim(fixture)).name == "enqueued")
        let stored = try #require(try await known())
        #expect(stored.requestHash == [1] && stored.subject == fixture.id.uuid)
        #expect(try await known(.exportMail) == nil, "a key belongs to one operation")

        var other = claim(fixture)
        other.keyHash = [8]
        #expect(try await retry(fixture, other).name == "already")
        #expect(try await keys.known(.reprocess, keyHash: [8], of: fixture.member) == nil)
    }

    @Test("a write whose key another request has stored meanwhile is undone")
    func taken() async throws {
        let fixture = try await failed()
        _ = try await retry(fixture, claim(fixture))
        try await fixture.database.change("update entries set status = 'failed' where id = $1", .uuid(fixture.id.uuid))
        let (jobs, row) = (try await fixture.jobs(), try await fixture.columns("change_number"))

        let refused = await refusal { () throws(DiaryError) in try await retry(fixture, claim(fixture, request: [2])) }

        #expect(refused?.code == .concurrentChange)
        #expect(try await fixture.jobs() == jobs)
        #expect(try await fixture.columns("change_number") == row)
        #expect(try await fixture.columns("status") == "failed")
    }

    @Test("a proof by a code stores its key as the role of sign-in, once, and only in the member's own transaction")
    func codes() async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let store = PostgresCredentialStore(pool: try database.pool(.auth))
        let claim = KeyClaim(operation: .memberProof, keyHash: [7], requestHash: [1], subject: person.owner.user.uuid)
        for code in [[21], [22]] as [[UInt8]] {
            _ = try await store.mailCode(
                .make(.reauthenticate, code), mail: person.mail(.reauthenticationCode), to: person.owner,
                requester: .member(person.member), limits: Limits())
        }
        func prove(_ code: [UInt8]) async throws(DiaryError) -> Bool {
            try await store.prove(person.member, by: .make(.reauthenticate, code), claim: claim)
        }
        func count(_ rows: String) async throws -> Int64 {
            try await database.int("select count(*) from \(rows)", .uuid(person.owner.user.uuid))
        }
        let (keys, open) = ("idempotency_keys where user_id = $1", "email_codes where user_id = $1 and used_at is null")

        #expect(try await !prove([20]))
        #expect(try await count(keys) == 0)
        #expect(try await prove([21]))
        #expect(try await count(keys) == 1)
        #expect(try await count(open) == 1)
        #expect(await refusal { () throws(DiaryError) in try await prove([22]) }?.code == .concurrentChange)
        #expect(try await count(open) == 1, "the second code is not used up")
    }

    @Test("every operation that takes a key can store it")
    func operations() async throws {
        let database = try await MigratedDatabase.shared()
        let person = try await Person.make(in: database)
        let transaction = MemberTransaction(pool: try database.pool(.api))

        for operation in KeyClaim.Operation.allCases {
            let claim = KeyClaim(operation: operation, keyHash: [1], requestHash: [2], subject: UUID())
            _ = try await transaction.run(person.member, [claim.statement(of: person.owner)])
        }

        let stored = try await database.int("select count(*) from idempotency_keys where user_id = $1", .uuid(person.owner.user.uuid))
        #expect(stored == KeyClaim.Operation.allCases.count)
    }
}
