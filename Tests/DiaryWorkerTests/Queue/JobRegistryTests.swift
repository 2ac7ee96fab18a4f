import DiaryCore
import DiaryTesting
import Testing

@testable import DiaryWorker

@Suite("The registration of jobs")
struct JobRegistryTests {
    private static let oneSlotEach = Dictionary(
        uniqueKeysWithValues: [QueueName.media, .speech, .text, .exports, .imports, .mail].map { ($0, QueueSlots(short: 1)) })

    private static func refusal(
        of jobs: [JobKind], catalogue: JobCatalogue = .diary, slots: [QueueName: QueueSlots] = oneSlotEach
    ) -> JobRegistrationError? {
        let registered = jobs.map { ScriptedJob(kind: $0) { _ async throws(JobStop) in } }
        do throws(JobRegistrationError) {
            _ = try JobLoop(
                queue: ScriptedJobStore(), jobSignals: PollingOnly(), jobs: registered, catalogue: catalogue,
                configuration: WorkerConfiguration(name: "test", slots: slots, limits: Limits()), logger: JobLoopTests.logger)
            return nil
        } catch {
            return error
        }
    }

    @Test("every kind with its job and its queue starts")
    func complete() {
        #expect(Self.refusal(of: JobCatalogue.diary.kinds) == nil)
    }

    @Test("a kind without a job stops the start, with a message that names it", arguments: JobCatalogue.diary.kinds)
    func forgotten(kind: JobKind) throws {
        let refusal = try #require(Self.refusal(of: JobCatalogue.diary.kinds.filter { $0 != kind }))

        #expect(refusal == .notRegistered(kind))
        #expect(refusal.description == "job kind \(kind): no job is registered for it")
    }

    @Test("a job without a description, and one registered twice, stop the start")
    func undescribed() {
        let unknown = JobKind(rawValue: "of_another_version")

        #expect(Self.refusal(of: JobCatalogue.diary.kinds + [unknown]) == .notDescribed(unknown))
        #expect(Self.refusal(of: JobCatalogue.diary.kinds + [.mail]) == .registeredTwice(.mail))
    }

    @Test("a queue without slots stops the start")
    func noWorkers() {
        var slots = Self.oneSlotEach
        slots[.speech] = nil

        #expect(Self.refusal(of: JobCatalogue.diary.kinds, slots: slots) == .noWorkers(.speech, for: .transcribe))
    }

    @Test("a fault in the catalogue stops the start")
    func catalogueFault() {
        let faulty = JobCatalogue([.verify])

        #expect(Self.refusal(of: [.verify], catalogue: faulty) == .catalogue(.unknownSuccessor(of: .verify, .transcribe)))
    }

    @Test("a job runs under the retry policy of its description")
    func policy() throws {
        let jobs = JobCatalogue.diary.kinds.map { ScriptedJob(kind: $0) { _ async throws(JobStop) in } }
        let configuration = WorkerConfiguration(name: "test", slots: Self.oneSlotEach, limits: Limits())

        let registry = try JobRegistry(jobs, catalogue: .diary, configuration: configuration)

        #expect(registry[.mail]?.retries == .mail(Limits()))
        #expect(registry[.verify]?.retries == RetryPolicy(Limits()))
        #expect(registry.kinds(of: .speech) == [.transcribe])
    }

    @Test("C6: mails have a queue of their own")
    func mailAlone() throws {
        let mail = try #require(JobCatalogue.diary[.mail])

        #expect(JobCatalogue.diary.descriptors.filter { $0.queue == mail.queue }.map(\.kind) == [.mail])
    }
}
