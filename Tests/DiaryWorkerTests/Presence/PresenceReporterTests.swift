import DiaryCore
import Logging
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import DiaryWorker

@Suite("Reports of a worker", .timeLimit(.minutes(1)))
struct PresenceReporterTests {
    /// Counts reports; refuses the first ones.
    private final class ScriptedPresence: WorkerPresence {
        private let state = Mutex((reports: 0, withdrawn: 0))
        private let refusals: Int

        init(refusals: Int = 0) { self.refusals = refusals }

        var reports: Int { state.withLock { $0.reports } }
        var withdrawn: Int { state.withLock { $0.withdrawn } }

        func report(_ worker: WorkerIdentity, hears: Bool) async throws(DiaryError) {
            let count = state.withLock { state in
                state.reports += 1
                return state.reports
            }
            if count <= refusals { throw .unavailable(cause: "08006") }
        }

        func withdraw(_ worker: WorkerIdentity) async throws(DiaryError) { state.withLock { $0.withdrawn += 1 } }

        func alive() async throws(DiaryError) -> AliveWorkers { reports > 0 ? .hearing : .gone }
    }

    @Test("reports again and again, also after failures, and withdraws at the beginning of a graceful stop")
    func reports() async throws {
        let presence = ScriptedPresence(refusals: 3)
        let lines = RecordedLines()
        let reporter = PresenceReporter(
            presence: presence, worker: WorkerIdentity(name: "test", version: "0"), logger: lines.logger, every: 0.005)
        let group = ServiceGroup(configuration: .init(services: [.init(service: reporter)], gracefulShutdownSignals: [], logger: .quiet))

        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            #expect(await eventually { presence.reports >= 6 })
            #expect(presence.withdrawn == 0)
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }

        #expect(presence.withdrawn == 1)
        #expect(lines.all.map(\.message) == ["worker not reported", "worker not reported", "worker not reported"])
    }
}
