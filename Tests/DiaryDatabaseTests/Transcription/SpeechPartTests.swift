import DiaryCore
import FoundationEssentials
import PostgresClient
import Testing

@testable import DiaryDatabase

@Suite("Heard parts of long recordings", .serialized, .timeLimit(.minutes(3)))
struct SpeechPartTests {
    private static let object = UUID()
    private static let engine = "far/m"

    private func part(_ index: Int, _ sealed: [UInt8] = [7]) -> StoredSpeechPart {
        StoredSpeechPart(
            index: index, fromMilliseconds: Int64(index) * 1_000, toMilliseconds: Int64(index) * 1_000 + 1_000, sealed: sealed)
    }

    /// A recording that is being transcribed.
    private func transcribing() async throws -> (fixture: WorkerFixture, job: LeasedJob) {
        let fixture = try await WorkerFixture.make()
        try await fixture.ready(.transcribe)
        let job = try await fixture.claim(.transcribe)
        try await fixture.begin(job)
        return (fixture, job)
    }

    private func keep(_ part: StoredSpeechPart, _ job: LeasedJob, in fixture: WorkerFixture) async throws(WorkError) {
        try await fixture.transcriptions.keep(
            part, used: UsageAmount(audioMilliseconds: 1_000, inputTokens: 3, outputTokens: 2, cost: 7), keyID: fixture.person.keyID,
            object: Self.object, engine: Self.engine, job)
    }

    /// Of the account and of the app: calls, and what they used.
    private func counted(_ fixture: WorkerFixture) async throws -> String? {
        let sums = "concat_ws(' ', calls, audio_ms, input_tokens, output_tokens, cost) as sums"
        return try await fixture.database.text(
            "select string_agg(sums, ', ') from (select \(sums) from usage_days union all select \(sums) from usage_app_days) d")
    }

    private func kept(_ job: LeasedJob, in fixture: WorkerFixture, engine: String = engine) async throws -> [StoredSpeechPart] {
        try await fixture.transcriptions.parts(
            of: EntryID(job.subject), object: Self.object, engine: engine, of: fixture.person.owner)
    }

    private func count(_ fixture: WorkerFixture) async throws -> Int64 {
        try await fixture.database.int("select count(*) from speech_parts")
    }

    @Test("parts come back in order, of their engine and recording only; one with the same number takes the other's place")
    func order() async throws {
        let (fixture, job) = try await transcribing()
        for index in [0, 2, 1] { try await keep(part(index), job, in: fixture) }
        try await keep(part(1, [8, 8]), job, in: fixture)

        #expect(try await kept(job, in: fixture) == [part(0), part(1, [8, 8]), part(2)])
        #expect(try await kept(job, in: fixture, engine: "far").isEmpty)
        #expect(
            try await fixture.transcriptions.parts(
                of: EntryID(job.subject), object: UUID(), engine: Self.engine, of: fixture.person.owner
            ).isEmpty)
    }

    @Test("what a part used is counted with it: once when the same part comes again, once more when it was heard again")
    func used() async throws {
        let (fixture, job) = try await transcribing()
        try await keep(part(0), job, in: fixture)
        // The commit's reply was lost, and the worker writes the very same bytes again.
        try await keep(part(0), job, in: fixture)
        #expect(try await counted(fixture) == "1 1000 3 2 7, 1 1000 3 2 7")

        try await keep(part(0, [8]), job, in: fixture)
        try await keep(part(1), job, in: fixture)
        #expect(try await counted(fixture) == "3 3000 9 6 21, 3 3000 9 6 21")
    }

    @Test("the result takes the parts away in its own transaction; a retry leaves them")
    func finish() async throws {
        let (fixture, job) = try await transcribing()
        try await keep(part(0), job, in: fixture)
        try await fixture.queue.retry(job, code: .speechUnavailable, afterSeconds: -1)
        let again = try await fixture.claim(.transcribe)
        #expect(try await kept(again, in: fixture).count == 1)

        #expect(await refusal { () throws(WorkError) in try await fixture.finish(job) } == .leaseLost)
        #expect(try await count(fixture) == 1)
        try await fixture.finish(again)

        #expect(try await count(fixture) == 0)
    }

    @Test("A3: a worker that lost its lease keeps nothing")
    func fenced() async throws {
        let (fixture, stale) = try await transcribing()
        try await fixture.expire(stale)
        _ = try await fixture.queue.rescue(limit: 10, maxCrashes: 3)
        let second = try await fixture.claim(.transcribe)
        try await keep(part(0), second, in: fixture)

        #expect(await refusal { () throws(WorkError) in try await keep(part(0, [9]), stale, in: fixture) } == .leaseLost)
        #expect(try await kept(second, in: fixture) == [part(0)])
        #expect(try await counted(fixture) == "1 1000 3 2 7, 1 1000 3 2 7")
    }

    @Test("a deleted entry takes its parts along, and ends the job that would keep another")
    func deleted() async throws {
        let (fixture, job) = try await transcribing()
        try await keep(part(0), job, in: fixture)
        _ = try await fixture.entries.delete(
            EntryID(job.subject), expecting: nil, keyID: fixture.person.keyID, by: fixture.person.member)
        #expect(try await count(fixture) == 0)

        #expect(await refusal { () throws(WorkError) in try await keep(part(1), job, in: fixture) } == .ownerGone)

        #expect(try await count(fixture) == 0)
        #expect(try await fixture.state(job) == "done 1 0 0")
        // The caller counts it: the answer was paid for.
        #expect(try await counted(fixture) == "1 1000 3 2 7, 1 1000 3 2 7")
    }

    @Test("a part sealed under a key that is no longer live is not kept")
    func deadKey() async throws {
        let (fixture, job) = try await transcribing()
        try await fixture.database.change("update user_sync set key_id = gen_random_uuid()")

        #expect(await refusal { () throws(WorkError) in try await keep(part(0), job, in: fixture) } == .ownerGone)
        #expect(try await count(fixture) == 0)
    }

    @Test("parts of a recording that failed are swept after a week; those that a job still waits for stay")
    func swept() async throws {
        let (fixture, job) = try await transcribing()
        let sweep = PostgresSweepStore(pool: try fixture.database.pool(.worker))
        try await keep(part(0), job, in: fixture)
        try await fixture.database.change("update speech_parts set created_at = now() - interval '8 days'")

        _ = try await sweep.end(.speechParts, most: 100)
        #expect(try await count(fixture) == 1)
        try await fixture.queue.discard(job, code: .speechUnavailable)
        try await fixture.database.change("update speech_parts set created_at = now() - interval '6 days'")
        _ = try await sweep.end(.speechParts, most: 100)
        #expect(try await count(fixture) == 1)
        try await fixture.database.change("update speech_parts set created_at = now() - interval '8 days'")

        _ = try await sweep.end(.speechParts, most: 100)

        #expect(try await count(fixture) == 0)
    }
}
