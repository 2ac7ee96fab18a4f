import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Entry writes", .timeLimit(.minutes(2)))
struct EntryWriteTests {
    @Test("of 20 parallel writers that read the same version exactly one wins, round after round")
    func compareAndSet() async throws {
        let fixture = try await EntryFixture.make { $0.text($1) }

        for version in Int64(1)...10 {
            let outcomes = try await parallel(20) { writer in
                (
                    UInt8(writer),
                    try await fixture.store.rewritePersonal(
                        PersonalRewrite(
                            id: fixture.id, sealed: SealedColumn(bytes: [UInt8(writer)], version: version + 1), expecting: version),
                        keyID: fixture.keyID,
                        by: fixture.member)
                )
            }

            let winners = outcomes.filter { $0.1.name == "written" }
            #expect(winners.count == 1)
            let losers = outcomes.filter { $0.1.name == "conflict" }
            #expect(losers.count == 19)
            #expect(losers.allSatisfy { $0.1.entry?.personal?.bytes == winners.first.map { [$0.0] } }, "each gets what won")
            #expect(winners.first?.1.entry?.version == version + 1)
            #expect(
                try await fixture.store.entry(fixture.id, of: fixture.member)?.personal
                    == SealedColumn(bytes: [winners.first?.0 ?? 99], version: version + 1))
        }
    }

    @Test("writing a missing entry reports it missing, a stale version is a conflict, and neither changes anything a client sees")
    func missingAndStale() async throws {
        let fixture = try await EntryFixture.make { $0.text($1) }
        let before = try await fixture.columns("entries")
        let words = SealedColumn(bytes: [1], version: 2)

        #expect(
            try await fixture.store.rewritePersonal(
                PersonalRewrite(id: EntryID(UUID()), sealed: words, expecting: 1), keyID: fixture.keyID, by: fixture.member
            )
            .name
                == "missing")
        #expect(
            try await fixture.store.rewritePersonal(
                PersonalRewrite(id: fixture.id, sealed: words, expecting: 7), keyID: fixture.keyID, by: fixture.member
            ).name
                == "conflict")
        let kept = try await fixture.store.delete(fixture.id, expecting: 7, keyID: fixture.keyID, by: fixture.member)
        #expect(kept.name == "conflict" && kept.entry?.facts.id == fixture.id && kept.entry?.version == 1)
        #expect(try await fixture.store.delete(EntryID(UUID()), expecting: nil, keyID: fixture.keyID, by: fixture.member).name == "missing")
        #expect(try await fixture.columns("entries") == before)
    }

    @Test("deleting leaves a tombstone without text, no segments, and no waiting job; a leased job finds nothing to do")
    func delete() async throws {
        let fixture = try await EntryFixture.make { $0.voice($1) }
        _ = try await fixture.store.completeUpload(fixture.id, size: 1_000, keyID: fixture.keyID, job: NewJob(.verify), by: fixture.member)
        try await fixture.database.change("update entries set machine = 'words', machine_version = 1 where id = $1", .uuid(fixture.id.uuid))
        try await fixture.database.change(
            "insert into entry_segments (tenant_id, user_id, entry_id, sealed, version, key_id) values ($1, $2, $3, 'words', 1, $4)",
            .uuid(fixture.person.owner.tenant.uuid), .uuid(fixture.person.owner.user.uuid), .uuid(fixture.id.uuid), .uuid(fixture.keyID))
        #expect(try await fixture.store.transcript(fixture.id, timed: true, of: fixture.member)?.segments?.version == 1)

        let outcome = try await fixture.store.delete(fixture.id, expecting: 1, keyID: fixture.keyID, by: fixture.member)

        #expect(outcome.entry?.facts.deletedAt != nil)
        #expect(outcome.entry?.facts.changeNumber == 3)
        #expect(try await fixture.columns("personal is null and machine is null and sha256 is null and stage is null") == "true")
        #expect(try await fixture.store.transcript(fixture.id, timed: true, of: fixture.member) == nil)
        #expect(try await fixture.database.int("select count(*) from entry_segments where entry_id = $1", .uuid(fixture.id.uuid)) == 0)
        #expect(try await fixture.store.entry(fixture.id, of: fixture.member) == nil)
        #expect(try await fixture.jobs() == "verify done")
        #expect(
            try await fixture.store.list(DateQuery(from: nil, to: nil, order: .newestFirst, after: nil, limit: 9), of: fixture.member)
                .isEmpty)
        #expect(try await fixture.store.delete(fixture.id, expecting: nil, keyID: fixture.keyID, by: fixture.member).name == "missing")
        #expect(
            try await fixture.store.rewritePersonal(
                PersonalRewrite(id: fixture.id, sealed: SealedColumn(bytes: [1], version: 2), expecting: 1), keyID: fixture.keyID,
                by: fixture.member
            ).name
                == "missing")
        #expect(
            try await fixture.store.completeUpload(fixture.id, size: 1, keyID: fixture.keyID, job: NewJob(.verify), by: fixture.member).name
                == "missing")
        #expect(
            try await fixture.store.retry(fixture.id, keyID: fixture.keyID, job: JobID(UUID()), claim: nil, by: fixture.member).name
                == "missing")
    }

    @Test("of 20 parallel deletes one writes the tombstone")
    func parallelDeletes() async throws {
        let fixture = try await EntryFixture.make { $0.text($1) }

        let outcomes = try await parallel(20) { _ in
            try await fixture.store.delete(fixture.id, expecting: nil, keyID: fixture.keyID, by: fixture.member).name
        }

        #expect(outcomes.count { $0 == "written" } == 1)
        #expect(outcomes.count { $0 == "missing" } == 19)
    }

    @Test("20 parallel completes make exactly one verify job and the true size")
    func complete() async throws {
        let fixture = try await EntryFixture.make { $0.voice($1, size: 1_000) }

        let outcomes = try await parallel(20) { _ in
            try await fixture.store.completeUpload(fixture.id, size: 1_234, keyID: fixture.keyID, job: NewJob(.verify), by: fixture.member)
                .name
        }

        #expect(outcomes.count { $0 == "enqueued" } == 1)
        #expect(outcomes.count { $0 == "already" } == 19)
        #expect(try await fixture.jobs() == "verify ready")
        #expect(try await fixture.columns("status || ' ' || stage || ' ' || size_bytes") == "uploaded verify 1234")
        #expect(
            try await fixture.store.completeUpload(EntryID(UUID()), size: 1, keyID: fixture.keyID, job: NewJob(.verify), by: fixture.member)
                .name
                == "missing")
    }

    @Test("a text is never completed or retried")
    func textHasNoWork() async throws {
        let fixture = try await EntryFixture.make { $0.text($1) }

        #expect(
            try await fixture.store.completeUpload(fixture.id, size: 1, keyID: fixture.keyID, job: NewJob(.verify), by: fixture.member).name
                == "already")
        #expect(
            try await fixture.store.retry(fixture.id, keyID: fixture.keyID, job: JobID(UUID()), claim: nil, by: fixture.member).name
                == "already")
        #expect(try await fixture.jobs() == nil)
    }

    @Test(
        "a failed stage is retried from where it stands",
        arguments: JobCatalogue.diary.restarts.map { ($0.stage.rawValue, $0.status.rawValue) })
    func retry(stage: String, status: String) async throws {
        let fixture = try await EntryFixture.make { $0.voice($1) }
        try await fixture.database.change(
            "update entries set status = 'failed', stage = $2, stage_attempt = 8, stage_code = 'speech_unavailable' where id = $1",
            .uuid(fixture.id.uuid),
            .text(stage))

        let outcomes = try await parallel(20) { _ in
            try await fixture.store.retry(fixture.id, keyID: fixture.keyID, job: JobID(UUIDv7.make()), claim: nil, by: fixture.member).name
        }

        #expect(outcomes.count { $0 == "enqueued" } == 1)
        #expect(outcomes.count { $0 == "already" } == 19)
        #expect(try await fixture.jobs() == "\(stage) ready")
        #expect(
            try await fixture.columns("status || ' ' || stage || ' ' || stage_attempt || ' ' || (stage_code is null)")
                == "\(status) \(stage) 0 true")
    }

    @Test("an entry that failed in a stage of a later version is not retried, and its stage is not shown")
    func unknownStage() async throws {
        let fixture = try await EntryFixture.make { $0.voice($1) }
        try await fixture.database.change(
            "update entries set status = 'failed', stage = 'of_another_version', stage_code = 'speech_unavailable' where id = $1",
            .uuid(fixture.id.uuid))

        let outcome = try await fixture.store.retry(
            fixture.id, keyID: fixture.keyID, job: JobID(UUIDv7.make()), claim: nil, by: fixture.member)

        #expect(outcome.name == "already")
        #expect(try await fixture.jobs() == nil)
        let facts = try #require(try await fixture.store.entry(fixture.id, of: fixture.member)?.facts)
        #expect(facts.status == .failed && facts.processing == nil)
    }

    @Test("a failure of the recording itself is not retried; other failures are", arguments: ProcessingCode.allCases)
    func retryableCodes(code: ProcessingCode) async throws {
        let fixture = try await EntryFixture.make { $0.voice($1) }
        try await fixture.database.change(
            "update entries set status = 'failed', stage = 'verify', stage_code = $2 where id = $1", .uuid(fixture.id.uuid),
            .text(code.rawValue))
        let action = try await fixture.store.entry(fixture.id, of: fixture.member)?.facts.processing?.action
        #expect((action == .retry || action == .giveConsent) == code.retryableByOwner)

        let outcome = try await fixture.store.retry(
            fixture.id, keyID: fixture.keyID, job: JobID(UUIDv7.make()), claim: nil, by: fixture.member)

        #expect(outcome.name == (code.retryableByOwner ? "enqueued" : "already"))
    }

    @Test(
        "a recording whose language was not recognised is retried after a change of the language, and not before",
        arguments: [
            (Patch.absent, "already"), (.set("fr"), "already"), (.set("en"), "enqueued"), (.clear, "enqueued"),
        ] as [(Patch<String>, String)])
    func changedLanguage(language: Patch<String>, outcome: String) async throws {
        let fixture = try await EntryFixture.make { $0.voice($1) }
        try await fixture.database.change(
            "update entries set language = 'fr', status = 'failed', stage = 'transcribe', stage_code = 'language_unsupported' where id = $1",
            .uuid(fixture.id.uuid))
        let facts = try #require(try await fixture.store.entry(fixture.id, of: fixture.member)?.facts)
        #expect(facts.processing?.code == .languageUnsupported && facts.processing?.action == .changeLanguage)

        let written = try await fixture.store.rewritePersonal(
            PersonalRewrite(
                id: fixture.id, sealed: SealedColumn(bytes: [1], version: 2), expecting: 1, facts: FactsPatch(language: language)),
            keyID: fixture.keyID,
            by: fixture.member)

        #expect(written.name == "written")
        let changed = try #require(try await fixture.store.entry(fixture.id, of: fixture.member)?.facts)
        #expect(changed.language == language.applied(to: "fr"))
        #expect((changed.processing?.action == .retry) == (outcome == "enqueued"))
        let retried = try await fixture.store.retry(
            fixture.id, keyID: fixture.keyID, job: JobID(UUIDv7.make()), claim: nil, by: fixture.member)
        #expect(retried.name == outcome)
    }

    @Test("a failed recording without a code is retried")
    func retryWithoutCode() async throws {
        let fixture = try await EntryFixture.make { $0.voice($1) }
        try await fixture.database.change(
            "update entries set status = 'failed', stage = 'verify', stage_code = null where id = $1", .uuid(fixture.id.uuid))

        #expect(
            try await fixture.store.retry(fixture.id, keyID: fixture.keyID, job: JobID(UUIDv7.make()), claim: nil, by: fixture.member).name
                == "enqueued")
    }
}
