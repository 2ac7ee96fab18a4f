import DiaryCore
import DiaryTesting
import Foundation
import Logging
import TestSupport
import Testing

@testable import DiaryWorker

@Suite("The gate of circuit breakers", .timeLimit(.minutes(1)))
struct BreakerGateTests {
    private static let call = EngineCall(owner: .someone, entry: EntryID(UUID()))
    private static let engine = EngineSettings(
        name: "groq", stage: .speech, kind: .openai, url: "https://api.groq.example/v1", secret: "groq-key", timeoutSeconds: 100)

    private func failure(_ gate: BreakerGate, _ engine: EngineSettings = engine) async -> ProviderFailure? {
        do throws(ProviderFailure) {
            try await gate.admit(engine, Self.call)
            return nil
        } catch {
            return error
        }
    }

    @Test("an engine that failed is refused until its wait is over, which counts as no try; one that refused the service is passed over")
    func refuses() async {
        let breakers = ScriptedBreakers()
        let gate = BreakerGate(breakers: breakers, logger: .quiet)
        #expect(await failure(gate) == nil)

        breakers.verdict.set(.open(after: 40, isRefused: false))
        let failing = await failure(gate)
        breakers.verdict.set(.open(after: 900, isRefused: true))
        let refused = await failure(gate)

        #expect(failing?.treatment == .retry && failing?.code == .enginePaused && failing?.retryAfter == 40 && failing?.isTry == false)
        #expect(refused?.treatment == .configuration && refused?.retryAfter == 900 && refused?.isTry == false)
        #expect(breakers.probeSeconds.now == 130)
        #expect(
            failing.map { JobStop($0).outcome } == .wait(.enginePaused, after: 40)
                && refused.map { JobStop($0).outcome } == .wait(.enginePaused, after: 900))
    }

    @Test("a program's probe may take as long as its recording gives it")
    func probeOfProgram() async throws {
        let breakers = ScriptedBreakers()
        let program = EngineSettings(name: "w", stage: .speech, kind: .command, command: ["/bin/x"], timeoutSeconds: 100)
        let call = EngineCall(owner: .someone, entry: EntryID(UUID()), audioSeconds: 3_600)

        try await BreakerGate(breakers: breakers, logger: .quiet).admit(program, call)

        #expect(breakers.probeSeconds.now == 100 + 7_200 + 30)
    }

    @Test("what each answer says about the engine: a recording that it cannot read is an answer, a cancelled call is none")
    func endings() {
        func ending(_ treatment: ProviderFailure.Treatment, after: Double? = nil, cancelled: Bool = false) -> BreakerEnding {
            BreakerGate.ending(
                .failed(ProviderFailure(treatment, code: .speechTimeout, retryAfter: after, cause: "x").fromEngine), isCancelled: cancelled)
        }

        #expect(BreakerGate.ending(.answered(EngineUse()), isCancelled: false) == .answered)
        #expect(BreakerGate.ending(.notCalled, isCancelled: false) == .unused)
        #expect(ending(.retry, after: 30) == .failed(retryAfter: 30))
        #expect(ending(.retry, cancelled: true) == .unused)
        #expect(ending(.permanent) == .answered)
        #expect(ending(.configuration) == .refused)
        #expect(
            BreakerGate.ending(.failed(.waiting(code: .engineBusy, after: 1, cause: "x")), isCancelled: false) == .unused)
        for treatment in [ProviderFailure.Treatment.permanent, .configuration] {
            var withdrawn = ProviderFailure(treatment, code: .consentRequired, cause: "a gate ended the call between two parts")
            withdrawn.isTry = false
            #expect(BreakerGate.ending(.failed(withdrawn), isCancelled: false) == .unused)
        }
    }

    @Test(
        "what went wrong on a worker's machine, before the engine was asked or after, says nothing of the engine",
        arguments: [ProviderFailure.Treatment.retry, .permanent, .configuration])
    func ofTheMachine(treatment: ProviderFailure.Treatment) {
        let failure = ProviderFailure(treatment, code: .storageUnavailable, cause: "no space for a part of the recording")

        #expect(BreakerGate.ending(.failed(failure), isCancelled: false) == .unused)
    }

    @Test("A10: an operator is told once that an engine refuses the service: app and engine, no address and no name of a secret")
    func tells() async throws {
        let (breakers, lines) = (ScriptedBreakers(), RecordedLines())
        let gate = BreakerGate(breakers: breakers, logger: lines.logger)
        let refusal = ProviderFailure(.configuration, code: .speechUnavailable, cause: "401").fromEngine

        breakers.change.set(.refused)
        await gate.ended(Self.engine, Self.call, .failed(refusal))
        breakers.change.set(.none)
        for _ in 0..<5 { await gate.ended(Self.engine, Self.call, .failed(refusal)) }

        #expect(lines.all.count == 1)
        let line = try #require(lines.all.first)
        #expect(line.metadata["engine"] == "groq" && line.metadata["stage"] == "speech" && line.metadata["tenant"] == "all")
        let words = line.message + line.metadata.description
        #expect(!words.contains("example") && !words.contains("groq-key"))
        #expect(breakers.endings.now == Array(repeating: .refused, count: 6))
    }

    @Test("a call that was cancelled still says that it was not answered: its probe must not stay out")
    func cancelled() async {
        let breakers = ScriptedBreakers()
        let gate = BreakerGate(breakers: breakers, logger: .quiet)
        let busy = ProviderFailure(.retry, code: .unexpected, cause: "cancelled").fromEngine

        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            await gate.ended(Self.engine, Self.call, .failed(busy))
        }
        task.cancel()
        await task.value

        #expect(breakers.endings.now == [.unused])
    }

    @Test("local engines have no breaker: their failures are the recordings'")
    func local() async {
        let breakers = ScriptedBreakers()
        let gate = BreakerGate(breakers: breakers, logger: .quiet)
        breakers.verdict.set(.open(after: 40, isRefused: false))
        let local = EngineSettings(name: "local", stage: .speech, kind: .local)

        #expect(await failure(gate, local) == nil)
        await gate.ended(local, Self.call, .failed(ProviderFailure(.retry, code: .speechTimeout, cause: "x")))

        #expect(breakers.endings.now.isEmpty)
    }
}

private final class ScriptedBreakers: EngineBreakers {
    let verdict = Shared(BreakerVerdict.admitted)
    let change = Shared(BreakerChange.none)
    let endings = Shared<[BreakerEnding]>([])
    let probeSeconds = Shared(0.0)

    func admit(_ engine: EngineKey, probeSeconds: Double) async -> BreakerVerdict {
        self.probeSeconds.set(probeSeconds)
        return verdict.now
    }

    func ended(_ engine: EngineKey, _ ending: BreakerEnding) async -> BreakerChange {
        // As a request that a cancelled task does not send.
        if Task.isCancelled { return .none }
        endings.change { $0.append(ending) }
        return change.now
    }
}
