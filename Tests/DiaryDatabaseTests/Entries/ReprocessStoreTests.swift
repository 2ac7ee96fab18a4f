import Foundation
import PostgresClient
import Testing

@testable import DiaryCore
@testable import DiaryDatabase

@Suite("Runs of finished entries", .serialized, .timeLimit(.minutes(2)))
struct ReprocessStoreTests {
    private let fixture: WorkerFixture

    init() async throws { fixture = try await WorkerFixture.make() }

    /// Of the machine's part that a run writes first.
    private let version = WorkerFixture.written + 1

    private func reprocess(
        _ id: EntryID, _ run: NewRun = NewRun(stage: .transcribe), claim: KeyClaim? = nil
    ) async throws -> CompleteOutcome {
        try await fixture.entries.reprocess(
            id, run, keyID: fixture.person.keyID, job: fixture.nextJob(), claim: claim, by: fixture.person.member)
    }

    private func facts(_ id: EntryID) async throws -> EntryFacts {
        try #require(try await fixture.entries.entry(id, of: fixture.person.member)?.facts)
    }

    private func row(_ id: EntryID) async throws -> String? {
        try await fixture.database.text(
            "select concat_ws(' ', status, stage, stage_code, rerun_from, asked_engine, asked_language) from entries where id = $1",
            .uuid(id.uuid))
    }

    private func layers(_ id: EntryID) async throws -> String? {
        try await fixture.database.text(
            "select string_agg(layer || ' ' || number || ' ' || encode(sealed, 'hex'), ', ' order by layer) from entry_revisions where entry_id = $1",
            .uuid(id.uuid))
    }

    @Test("of 20 parallel requests one starts a run; its worker is told what was asked, and every stage after it goes on as usual")
    func begins() async throws {
        let id = try await fixture.transcribed()

        let outcomes = try await parallel(20) { _ in
            try await reprocess(id, NewRun(stage: .transcribe, language: "de", engine: "whisper")).name
        }

        #expect(outcomes.count { $0 == "enqueued" } == 1 && outcomes.count { $0 == "already" } == 19)
        #expect(try await row(id) == "transcribing transcribe transcribe whisper de")
        #expect(try await fixture.entries.entry(id, of: fixture.person.member)?.machine?.bytes == [6], "the text of before")
        let job = try await fixture.claim(.transcribe)
        let begun = try await fixture.transcriptions.beginEntry(job)
        #expect(begun.run == EntryRun(rerunFrom: .transcribe, engine: "whisper", language: "de"))

        let replaced = ReplacedTexts(
            revisions: [SealedRevision(layer: .raw, number: 2, sealed: [1]), SealedRevision(layer: .clean, number: 2, sealed: [2])],
            corrections: 0)
        let next = try await fixture.transcriptions.finishTranscribe(
            job, machine: fixture.words(version, [8]), segments: fixture.words(version, [9]), language: "de",
            insteadOf: begun.entry.facts.language, replaced: replaced)

        #expect(next == .clean)
        #expect(try await row(id) == "cleaning clean transcribe")
        #expect(try await layers(id) == "clean 2 02, raw 2 01")
        #expect(try await facts(id).language == "de")
        try await fixture.finishStages(after: .transcribe, version: version)
        #expect(try await row(id) == "transcribed")
        #expect(try await facts(id).processing == nil)
    }

    @Test("a language that the owner sets while a recording is heard stays, in the first run and in later ones")
    func languageSetMeanwhile() async throws {
        let (member, keyID) = (fixture.person.member, fixture.person.keyID)
        let id = EntryID(try await fixture.ready(.transcribe))
        func hear(_ heard: String, setting language: Patch<String>, version: Int64) async throws -> String? {
            let job = try await fixture.claim(.transcribe)
            let begun = try await fixture.transcriptions.beginEntry(job).entry
            var rewrite = PersonalRewrite(
                id: id, sealed: SealedColumn(bytes: [1], version: begun.version + 1), expecting: begun.version)
            rewrite.facts.language = language
            #expect(try await fixture.entries.rewritePersonal(rewrite, keyID: keyID, by: member).name == "written")
            _ = try await fixture.transcriptions.finishTranscribe(
                job, machine: fixture.words(version), segments: fixture.words(version), language: heard,
                insteadOf: begun.facts.language)
            try await fixture.finishStages(after: .transcribe, version: version)
            return try await facts(id).language
        }

        #expect(try await hear("en", setting: .set("fr"), version: 1) == "fr")
        _ = try await reprocess(id, NewRun(stage: .transcribe, language: "it"))
        #expect(try await hear("it", setting: .clear, version: version) == nil)
        _ = try await reprocess(id)
        #expect(try await hear("en", setting: .absent, version: version + WorkerFixture.written) == "en")
    }

    @Test("a run that fails for good leaves the texts, and the finished entry says why", arguments: [NewRun.Stage.transcribe, .clean])
    func fails(stage: NewRun.Stage) async throws {
        let id = try await fixture.transcribed()
        #expect(try await reprocess(id, NewRun(stage: stage, engine: "x")).name == "enqueued")
        let job = try await fixture.claim(stage.kind)
        _ = try await fixture.transcriptions.beginEntry(job)

        try await fixture.queue.discard(job, code: .speechUnavailable)

        let facts = try await facts(id)
        #expect(facts.status == .transcribed)
        #expect(
            facts.processing?.stage == stage.kind && facts.processing?.code == .speechUnavailable && facts.processing?.action == .retry)
        #expect(try await row(id) == "transcribed \(stage) speech_unavailable")
        #expect(try await fixture.entries.entry(id, of: fixture.person.member)?.machine?.bytes == [6])
        #expect(try await reprocess(id, NewRun(stage: stage)).name == "enqueued", "the way on")
    }

    @Test("one that failed for a reason that stays says so")
    func failsForGood() async throws {
        let id = try await fixture.transcribed()
        _ = try await reprocess(id)
        try await fixture.queue.discard(try await fixture.claim(.transcribe), code: .languageUnsupported)

        #expect(try await facts(id).processing?.action == .changeLanguage)
        var rewrite = PersonalRewrite(id: id, sealed: SealedColumn(bytes: [1], version: 2), expecting: 1)
        rewrite.facts.language = .set("de")
        _ = try await fixture.entries.rewritePersonal(rewrite, keyID: fixture.person.keyID, by: fixture.person.member)
        #expect(try await facts(id).processing == nil, "another language takes the reason away, and nothing is left to tell")
    }

    @Test(
        "other words or a language take away the code of a repetition that failed, a note or tag does not; nothing, of one that waits for consent"
    )
    func dismissed() async throws {
        let (member, keyID) = (fixture.person.member, fixture.person.keyID)
        func change(_ rewrite: inout PersonalRewrite, _ what: String) {
            rewrite.changesWords = what == "words"
            if what == "language" { rewrite.facts.language = .set("de") }
            if what == "favorite" { rewrite.facts.favorite = true }
        }
        for (code, what, isLeft) in [
            (ProcessingCode.cleanupRejected, "note", true), (.cleanupRejected, "favorite", true), (.cleanupRejected, "words", false),
            (.cleanupRejected, "language", false), (.consentRequired, "words", true),
        ] {
            let id = try await fixture.transcribed()
            try await fixture.database.change(
                "update entries set language = 'de', stage = 'clean', stage_code = $2 where id = $1", .uuid(id.uuid), .text(code.rawValue))
            var rewrite = PersonalRewrite(id: id, sealed: SealedColumn(bytes: [1], version: 2), expecting: 1)
            change(&rewrite, what)
            #expect(try await facts(id).failedRun?.code == (code == .consentRequired ? nil : code))
            #expect(try await fixture.entries.rewritePersonal(rewrite, keyID: keyID, by: member).name == "written")
            #expect(try await facts(id).processing?.code == (isLeft ? code : nil), "\(what)")
        }
    }

    @Test("a recording that failed as longer than a day's minutes starts again when a day has more, or where parts of it are kept")
    func overTheDay() async throws {
        let (member, keyID) = (fixture.person.member, fixture.person.keyID)
        for hasParts in [false, true] {
            let id = EntryID(try await fixture.ready(.transcribe))
            try await fixture.database.change("update entries set duration_s = 61 where id = $1", .uuid(id.uuid))
            let job = try await fixture.claim(.transcribe)
            _ = try await fixture.transcriptions.beginEntry(job)
            if hasParts {
                try await fixture.transcriptions.keep(
                    StoredSpeechPart(index: 0, fromMilliseconds: 0, toMilliseconds: 30_000, sealed: [7]), used: UsageAmount(),
                    keyID: keyID, object: UUID(), engine: "far", job)
            }
            try await fixture.queue.discard(job, code: .budgetExceeded)
            func retry(_ minutes: Int64) async throws -> String {
                try await fixture.entries.retry(
                    id, within: UsageLimits(minutesPerDay: minutes), keyID: keyID, job: fixture.nextJob(), claim: nil, by: member
                ).name
            }
            func run(_ minutes: Int64) async throws -> String {
                try await fixture.entries.reprocess(
                    id, NewRun(stage: .transcribe), within: UsageLimits(minutesPerDay: minutes), keyID: keyID, job: fixture.nextJob(),
                    claim: nil, by: member
                ).name
            }

            if hasParts {
                #expect(try await retry(1) == "enqueued")
            } else {
                #expect(try await retry(1) == "already")
                #expect(try await run(1) == "already")
                #expect(try await row(id) == "failed transcribe budget_exceeded")
                #expect(try await run(2) == "enqueued")
                try await fixture.queue.discard(try await fixture.claim(.transcribe), code: .budgetExceeded)
                #expect(try await retry(2) == "enqueued")
            }
            try await fixture.database.change("update jobs set state = 'done' where state = 'ready'")
        }
    }

    @Test("an entry that never had its texts and fails again is failed, and what was asked is forgotten")
    func neverFinished() async throws {
        let id = EntryID(try await fixture.ready(.transcribe))
        try await fixture.queue.discard(try await fixture.claim(.transcribe), code: .speechUnavailable)
        #expect(try await reprocess(id, NewRun(stage: .clean)).name == "already", "there are no words to clean")

        #expect(try await reprocess(id, NewRun(stage: .transcribe, engine: "x")).name == "enqueued")
        try await fixture.queue.discard(try await fixture.claim(.transcribe), code: .speechUnavailable)

        #expect(try await row(id) == "failed transcribe speech_unavailable")
    }

    @Test("an entry whose recording was refused, one that is being worked on, and a text are not processed again")
    func refused() async throws {
        let checked = EntryID(try await fixture.ready(.verify))
        #expect(try await reprocess(checked).name == "already")
        try await fixture.queue.discard(try await fixture.claim(.verify), code: .mediaUnreadable)
        #expect(try await reprocess(checked).name == "already")
        let text = fixture.person.text()
        _ = try await fixture.entries.create(text, by: fixture.person.member)
        #expect(try await reprocess(text.id).name == "already")
        #expect(try await reprocess(EntryID(UUID())).name == "missing")
        #expect(try await fixture.database.int("select count(*) from jobs where state in ('ready', 'leased')") == 0)
    }

    @Test("a key is stored with the run that it starts, and not with one that does not start")
    func key() async throws {
        let id = try await fixture.transcribed()
        let claim = KeyClaim(operation: .reprocess, keyHash: [1, 2], requestHash: [3], subject: id.uuid)

        #expect(try await reprocess(id, claim: claim).name == "enqueued")
        let other = KeyClaim(operation: .reprocess, keyHash: [4], requestHash: [3], subject: id.uuid)
        #expect(try await reprocess(id, claim: other).name == "already")

        #expect(
            try await fixture.database.text("select string_agg(operation || encode(key_hash, 'hex'), ',') from idempotency_keys")
                == "reprocess0102")
    }

    @Test("a result that has not kept the corrections of now is refused as a whole, and written with them takes them away")
    func corrected() async throws {
        let id = try await fixture.transcribed()
        let (member, keyID) = (fixture.person.member, fixture.person.keyID)
        var rewrite = PersonalRewrite(id: id, sealed: SealedColumn(bytes: [1], version: 2), expecting: 1)
        rewrite.corrections = CorrectionsWrite(sealed: [5], segmentsVersion: 1, machineVersion: WorkerFixture.written)
        #expect(try await fixture.entries.rewritePersonal(rewrite, keyID: keyID, by: member).name == "written")
        _ = try await reprocess(id)
        let job = try await fixture.claim(.transcribe)
        _ = try await fixture.transcriptions.beginEntry(job)
        #expect(
            try await fixture.transcriptions.corrections(id, of: fixture.person.owner)
                == StoredCorrections(sealed: SealedColumn(bytes: [5], version: 2), segmentsVersion: 1))
        func finish(_ version: Int64) async throws(WorkError) -> JobKind? {
            let revision = SealedRevision(layer: .corrected, number: version, sealed: [7])
            return try await fixture.transcriptions.finishTranscribe(
                job, machine: fixture.words(self.version, [8]), segments: fixture.words(self.version, [9]), language: "de",
                insteadOf: "en", replaced: ReplacedTexts(revisions: [revision], corrections: version))
        }

        let before = try await fixture.dump()
        let refusal = await refusal { () throws(WorkError) in try await finish(1) }
        #expect(refusal?.isOutage == true, "it is repeated")
        #expect(try await fixture.dump().changed(since: before).isEmpty)

        #expect(try await finish(2) == .clean)
        #expect(try await layers(id) == "corrected 2 07")
        #expect(try await fixture.entries.transcript(id, timed: true, of: member)?.corrections == nil)
    }

    @Test("a cleaned text is written with the corrections of now, and not refused for another change of the owner")
    func cleanedWithCorrections() async throws {
        let id = try await fixture.transcribed()
        let (member, keyID) = (fixture.person.member, fixture.person.keyID)
        _ = try await reprocess(id, NewRun(stage: .clean))
        let job = try await fixture.claim(.clean)
        _ = try await fixture.transcriptions.beginEntry(job)
        func write(_ version: Int64, corrects: Bool) async throws -> String {
            var rewrite = PersonalRewrite(id: id, sealed: SealedColumn(bytes: [1], version: version), expecting: version - 1)
            if corrects {
                rewrite.corrections = CorrectionsWrite(sealed: [5], segmentsVersion: 1, machineVersion: WorkerFixture.written)
            }
            return try await fixture.entries.rewritePersonal(rewrite, keyID: keyID, by: member).name
        }
        func finish(corrections: Int64, personal: Int64?) async throws(WorkError) -> JobKind? {
            try await fixture.transcriptions.finishMachine(
                job, machine: fixture.words(version, [8]), replaced: ReplacedTexts(corrections: corrections, personal: personal),
                waiting: nil)
        }

        #expect(try await write(2, corrects: true) == "written")
        let refusal = await refusal { () throws(WorkError) in try await finish(corrections: 0, personal: 1) }
        #expect(refusal?.isOutage == true, "it is repeated")
        #expect(try await fixture.entries.entry(id, of: member)?.machine?.bytes == [6])
        #expect(try await write(3, corrects: false) == "written")

        #expect(try await finish(corrections: 2, personal: 2) == nil)
        #expect(try await fixture.entries.entry(id, of: member)?.machine?.bytes == [8])
        #expect(try await write(4, corrects: true) == "conflict", "they were made for the text of before")
    }
}
