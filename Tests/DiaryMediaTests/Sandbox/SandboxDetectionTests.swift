import Synchronization
import Testing

@testable import DiaryMedia

@Suite("Detection of the sandbox", .timeLimit(.minutes(1)))
struct SandboxDetectionTests {
    private final class Trials: Sendable {
        private let rest: Mutex<[SandboxDetection.Trial]>
        private let without: SandboxDetection.Trial

        /// - Parameter without: namespaces.
        init(_ outcomes: [SandboxDetection.Trial], without: SandboxDetection.Trial = .works) {
            rest = Mutex(outcomes)
            self.without = without
        }

        func next(_ isolation: Sandbox.Isolation) -> SandboxDetection.Trial {
            guard isolation == .namespaces else { return without }
            return rest.withLock { $0.isEmpty ? .undecided : $0.removeFirst() }
        }
    }

    private func detected(_ trials: Trials) async throws -> Sandbox.Isolation {
        try await SandboxDetection(pause: .zero, trial: { trials.next($0) }).run().isolation
    }

    @Test(
        "D4: a trial that fails once, or that the machine was too busy for, leaves the worker its sandbox",
        arguments: [[.works], [.fails, .works], [.undecided, .fails, .works]] as [[SandboxDetection.Trial]])
    func again(_ outcomes: [SandboxDetection.Trial]) async throws {
        #expect(try await detected(Trials(outcomes)) == .namespaces)
    }

    @Test("a sandbox that fails each time, where the program runs without one, does not work here")
    func refused() async throws {
        #expect(try await detected(Trials([.fails, .fails, .fails])) == .limitsOnly)
    }

    @Test("D4: where the machine fails nothing is said of the sandbox")
    func undecided() async throws {
        let failing = [
            Trials([.fails, .undecided, .fails]), Trials([.undecided, .undecided, .undecided]),
            Trials([.fails, .fails, .fails], without: .fails), Trials([.fails, .fails, .fails], without: .undecided),
        ]
        for trials in failing { await #expect(throws: SandboxDetection.Failure.self) { _ = try await detected(trials) } }
    }
}
