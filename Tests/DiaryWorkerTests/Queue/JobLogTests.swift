import DiaryCore
import DiaryTesting
import Logging
import TestSupport
import Testing

@testable import DiaryWorker

@Suite("Log lines of jobs", .timeLimit(.minutes(1)))
struct JobLogTests {
    @Test(
        "a line names job, app and what the job is about, never the user; tries and milliseconds are numbers",
        arguments: JobCatalogue.diary.kinds)
    func fields(kind: JobKind) async throws {
        let job = LeasedJob.make(kind)
        let store = ScriptedJobStore([job])
        let lines = RecordedLines()
        let work = ScriptedJob(kind: kind) { _ async throws(JobStop) in }
        let catalogue = JobCatalogue.of([kind])
        let slots = Dictionary(uniqueKeysWithValues: catalogue.descriptors.map { ($0.queue, QueueSlots(short: 1)) })
        let loop = try JobLoop(
            queue: store, jobSignals: PollingOnly(), jobs: [work], catalogue: catalogue,
            configuration: WorkerConfiguration(name: "test", slots: slots, limits: JobLoopTests.limits),
            logger: lines.logger)

        let ended = try await JobLoopTests.running(loop) { await eventually { lines.all.contains { $0.message == "job ended" } } }

        #expect(ended)
        let line = try #require(lines.all.first { $0.message == "job ended" })
        let about = try #require(JobCatalogue.diary[kind]?.subject.name)
        #expect(line.metadata["job"] == "\(job.id)")
        #expect(line.metadata["tenant"] == "\(job.owner.tenant)")
        #expect(line.metadata[about] == "\(job.subject.lowercaseText)")
        #expect(!line.metadata.values.contains { "\($0)".contains("\(job.owner.user)") })
        for name in ["attempt", "duration_ms"] {
            guard case .stringConvertible(let value)? = line.metadata[name], value is any BinaryInteger else {
                Issue.record("\(name) is no number")
                continue
            }
        }
    }
}
