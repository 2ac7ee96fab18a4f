import Foundation
import PostgresClient
import TestDatabases
import TestSupport
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Windows of uploads", .serialized, .timeLimit(.minutes(2)))
struct UploadWindowTests {
    let fixture: WorkerFixture
    let store: PostgresSweepStore
    let upload: AwaitingUpload

    /// An entry that waits for a minute.
    init() async throws {
        fixture = try await WorkerFixture.make()
        store = PostgresSweepStore(pool: try fixture.database.pool(.worker))
        var entry = fixture.person.voice()
        entry.uploadWindowSeconds = 60
        _ = try await fixture.entries.create(entry, by: fixture.person.member)
        upload = try #require(try await store.awaitingUploads(olderThanSeconds: 0, after: nil, limit: 10).first)
    }

    private func facts() async throws -> EntryFacts {
        try #require(try await fixture.entries.entry(upload.entry, of: fixture.person.member)?.facts)
    }

    private func reopen(_ id: EntryID? = nil, object: UUID = UUID()) async throws -> EntryFacts? {
        let reopening = UploadReopening(keyID: fixture.person.keyID, windowSeconds: 3_600, object: object)
        return try await fixture.entries.reopenUpload(id ?? upload.entry, reopening, by: fixture.person.member)?.facts
    }

    /// As a sweeper does after `seconds`.
    private func expire(after seconds: Double = 120, object: UUID? = nil) async throws -> Bool {
        try await store.abandonUpload(
            upload, at: .now.addingTimeInterval(seconds), arrivedBefore: .now.addingTimeInterval(-60), object: object)
    }

    private func complete() async throws -> CompleteOutcome {
        try await fixture.entries.completeUpload(
            upload.entry, size: 1_000, keyID: fixture.person.keyID, job: NewJob(.verify), by: fixture.person.member)
    }

    @Test("an entry tells when it stops waiting while it waits; the sweeper reads the same time, and fails it then and not before")
    func window() async throws {
        let end = try #require(try await facts().uploadExpiresAt)
        #expect(abs(end.timeIntervalSince(try await facts().createdAt) - 60) < 5)
        #expect(abs(end.timeIntervalSince(upload.expiresAt)) < 0.001)
        let text = fixture.person.text()
        #expect(try await fixture.entries.create(text, by: fixture.person.member).entry?.facts.uploadExpiresAt == nil)

        #expect(try await expire(after: 0) == false)
        #expect(try await expire())

        #expect(try await facts().uploadExpiresAt == nil)
    }

    @Test("D7: an entry that has expired is looked for in the store for a day, page by page, and completed when its recording is there")
    func late() async throws {
        #expect(try await expire())
        #expect(try await store.lateUploads(after: nil, limit: 10).map(\.entry) == [upload.entry])
        let last = try #require(try await store.lateUploads(after: nil, limit: 1).last)
        #expect(last.object == upload.object && last.size == upload.size && abs(last.expiresAt.timeIntervalSince(upload.expiresAt)) < 0.001)
        #expect(try await store.lateUploads(after: (at: last.expiresAt, entry: last.entry), limit: 10).isEmpty)
        let age = "update entries set upload_expires_at = now() - interval"
        try await fixture.database.change("\(age) '25 hours'")
        #expect(try await store.lateUploads(after: nil, limit: 10).isEmpty)
        try await fixture.database.change("\(age) '23 hours'")
        #expect(try await store.lateUploads(after: nil, limit: 10).count == 1)

        try await store.completeUpload(last, size: last.size, job: NewJob(.verify))

        #expect(try await facts().status == .uploaded)
        #expect(try await store.lateUploads(after: nil, limit: 10).isEmpty)
    }

    @Test("a row that a process of the version before made waits for seven days")
    func older() async throws {
        try await fixture.database.change("update entries set upload_expires_at = null")

        let read = try #require(try await store.awaitingUploads(olderThanSeconds: 0, after: nil, limit: 10).first)

        #expect(abs(read.expiresAt.timeIntervalSince(read.createdAt) - 7 * 86_400) < 1)
        #expect(try await expire())
    }

    @Test(
        "an expired entry is opened again under its id, with its object, a new window and the next change number; then it is completed as usual"
    )
    func reopened() async throws {
        #expect(try await expire())
        #expect(try await facts().changeNumber == 2)

        let again = try #require(try await reopen())

        #expect(again.id == upload.entry && again.status == .awaitingUpload && again.processing == nil && again.changeNumber == 3)
        #expect(again.object == upload.object)
        #expect(abs((again.uploadExpiresAt ?? .distantPast).timeIntervalSinceNow - 3_600) < 60)
        #expect(try await fixture.entries.uploadState(upload.object, of: fixture.person.owner) == .awaiting)
        #expect(try await complete().name == "enqueued")
        #expect(try await fixture.database.int("select count(*) from jobs where state = 'ready' and kind = 'verify'") == 1)
        #expect(try await reopen() == nil)
    }

    @Test("a window that was renewed after the sweeper read the entry does not end at the old time")
    func renewed() async throws {
        #expect(try await reopen()?.object == upload.object)

        #expect(try await expire() == false)

        #expect(try await facts().status == .awaitingUpload)
        #expect(try await expire(after: 7_200))
    }

    @Test("D7: of a renewal and an expiry at the same moment the second sees the first, and the entry waits", arguments: [true, false])
    func sameMoment(renewalFirst: Bool) async throws {
        let holder = try DedicatedConnection(fixture.database.settings(.superuser), logger: .quiet)
        defer { holder.close() }
        _ = try await holder.run([Statement("begin")])
        let first =
            renewalFirst
            ? "upload_expires_at = clock_timestamp() + interval '1 hour'"
            : "status = 'failed', stage = 'verify', stage_code = 'upload_expired'"
        _ = try await holder.run([Statement("update entries set \(first)")])

        async let second = renewalFirst ? !expire() : reopen() != nil
        let waiting = """
            select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%update entries%'
            """
        try await fixture.someone(isCountedBy: waiting)
        #expect(try await fixture.database.int(waiting) == 1)
        _ = try await holder.run([Statement("commit")])

        #expect(try await second)
        #expect(try await facts().status == .awaitingUpload)
    }

    @Test(
        "D7: a recording that is found after the expiry is completed, by its app and by a sweeper that had read the entry before",
        arguments: [true, false])
    func found(byApp: Bool) async throws {
        #expect(try await expire())

        if byApp {
            #expect(try await complete().name == "enqueued")
        } else {
            try await store.completeUpload(upload, size: 1_000, job: NewJob(.verify))
        }

        let found = try await facts()
        #expect(found.status == .uploaded && found.processing?.code == nil && found.changeNumber == 3)
        #expect(try await fixture.database.int("select count(*) from jobs where state = 'ready' and kind = 'verify'") == 1)
        #expect(try await expire() == false)
    }

    @Test(
        "what was found for an entry before it was opened again for another recording completes nothing, neither by its app nor by a sweeper"
    )
    func foundBefore() async throws {
        #expect(try await expire(object: UUID()))

        for _ in 0..<2 {
            let outcome = try await fixture.entries.completeUpload(
                upload.entry, object: upload.object, size: 1_000, keyID: fixture.person.keyID, job: NewJob(.verify),
                by: fixture.person.member
            ).outcome
            #expect(outcome.name == "already")
            try await store.completeUpload(upload, size: 1_000, job: NewJob(.verify))
            #expect(try await facts().status != .uploaded)
            // The second time it waits.
            _ = try await reopen()
        }

        #expect(try await fixture.database.int("select count(*) from jobs where kind = 'verify'") == 0)
        #expect(try await complete().name == "enqueued")
    }

    @Test("an expired entry whose stored object is no recording gets another object, which a new upload can fill")
    func replaced() async throws {
        let other = UUID()

        #expect(try await expire(object: other))

        #expect(try await facts().object == other)
        #expect(try await fixture.entries.uploadState(upload.object, of: fixture.person.owner) == .gone)
        #expect(try await reopen()?.object == other)
    }

    @Test("a refused recording may be uploaded again, to a new object, after the codes that say that other bytes are stored than announced")
    func codes() async throws {
        for code in ProcessingCode.allCases {
            for (stage, digest) in [(JobKind.verify, [UInt8]?.some([1])), (.verify, nil), (.transcribe, nil)] {
                try await fixture.database.change(
                    """
                    update entries set status = 'failed', stage = $2, stage_code = $3, sha256 = $4, object_id = $5, uploaded_at = now()
                    where id = $1
                    """, .uuid(upload.entry.uuid), .text(stage.rawValue), .text(code.rawValue), .bytes(digest), .uuid(upload.object))
                let isRefused =
                    stage == .verify
                    && ([.uploadMissing, .uploadSizeMismatch, .uploadHashMismatch, .storageUnavailable].contains(code)
                        || code == .mediaUnreadable && digest == nil)
                let object = UUID()

                let again = try await reopen(object: object)

                let expected: UUID? = code == .uploadExpired ? upload.object : isRefused ? object : nil
                #expect(again?.object == expected, "\(code) \(stage) \(digest as Any)")
            }
        }
    }

    @Test(
        "an entry in processing, done or deleted is not opened again, and a text never",
        arguments: ["uploaded", "transcribing", "transcribed"])
    func others(status: String) async throws {
        try await fixture.database.change("update entries set status = $1, stage_code = null", .text(status))
        #expect(try await reopen() == nil)
        let text = fixture.person.text()
        _ = try await fixture.entries.create(text, by: fixture.person.member)
        #expect(try await reopen(text.id) == nil)

        _ = try await fixture.entries.delete(upload.entry, expecting: nil, keyID: fixture.person.keyID, by: fixture.person.member)

        #expect(try await reopen() == nil)
    }
}
