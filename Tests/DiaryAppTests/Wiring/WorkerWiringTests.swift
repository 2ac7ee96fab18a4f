import DiaryCore
import DiaryCrypto
import ServiceLifecycle
import Testing

@testable import DiaryApp
@testable import DiaryWorker

@Suite("Wiring of the worker", .timeLimit(.minutes(1)))
struct WorkerWiringTests {
    @Test("every kind of job of the catalogue has its job")
    func jobs() async throws {
        try await WiredApplication().withWorkerServices { services in
            let loop = try #require(services.firstOf(JobLoop.self))

            for kind in JobCatalogue.diary.kinds { #expect(loop.registry[kind]?.job.kind == kind) }
        }
    }

    @Test("the queue for speech has the slots that settings give it, and each queue of the catalogue has some", arguments: [1, 5])
    func slots(count: Int) async throws {
        try await WiredApplication(["DIARY_SPEECH_SLOTS": "\(count)"]).withWorkerServices { services in
            let loop = try #require(services.firstOf(JobLoop.self))

            #expect(loop.configuration.slots[.speech] == QueueSlots.speech(count))
            for descriptor in JobCatalogue.diary.descriptors { #expect(loop.configuration.slots[descriptor.queue] != nil) }
        }
    }

    @Test("the log names each queue with its kinds of jobs and its slots for short and long ones, in one order")
    func queues() {
        let slots: [QueueName: QueueSlots] = [.speech: .speech(6), .media: QueueSlots(short: 2), .mail: QueueSlots(short: 4)]

        #expect(Application.queues(slots) == ["mail mail x4+1", "media verify x2+1", "speech transcribe x6+2"])
    }

    @Test("the folder of plain recordings stops last, after every service that uses it")
    func order() async throws {
        try await WiredApplication().withWorkerServices { services in
            #expect(services.first is TemporaryFolder)
            #expect(services.last is StopNotice, "the service manager hears of a stop before anything ends")
            #expect(services.firstOf(Sweeper.self) != nil)
            #expect(services.firstOf(Eraser.self) != nil)
        }
    }

    @Test("Apple grants are processed only with Apple's key")
    func apple() async throws {
        let key = [
            "DIARY_APPLE_TEAM_ID": "ABCDE12345", "DIARY_APPLE_KEY_ID": "ABCDE67890", "DIARY_APPLE_KEY": try P256PrivateKey.generate().pem,
        ]

        try await WiredApplication().withWorkerServices { #expect($0.firstOf(AppleGrantProcessor.self) == nil) }
        try await WiredApplication(key).withWorkerServices { #expect($0.firstOf(AppleGrantProcessor.self) != nil) }
    }

    @Test("a temporary folder that cannot be made stops the start, with the setting's name")
    func temporary() async throws {
        let wired = try WiredApplication(["DIARY_TEMPORARY": "/dev/null/tmp"])

        await #expect(throws: SettingsError("DIARY_TEMPORARY", "cannot be used as a folder")) {
            _ = try await wired.application.workerServices(wired.worker)
        }
    }
}

extension [any Service] {
    fileprivate func firstOf<Kind: Service>(_ kind: Kind.Type) -> Kind? {
        for service in self { if let found = service as? Kind { return found } }
        return nil
    }
}
