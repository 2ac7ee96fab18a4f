import DiaryCore
import DiaryTesting
import Foundation
import TestSupport
import Testing

@testable import DiaryWorker

@Suite("Chains of engines")
struct EngineChainTests {
    private static let call = EngineCall(
        owner: Owner(tenant: TenantID(UUID()), user: UserID(UUID())), entry: EntryID(UUID()), audioSeconds: 3)
    private let asked = Shared<[String]>([])

    private func engine(_ name: String, _ afterFailure: EngineSettings.AfterFailure = .next) -> ConfiguredEngine<String> {
        ConfiguredEngine(EngineSettings(name: name, stage: .speech, kind: .openai, afterFailure: afterFailure), name)
    }

    private func ask(
        _ engines: [ConfiguredEngine<String>], _ gates: [any EngineGate] = [], failing: [String: ProviderFailure] = [:]
    ) async -> Result<String, ProviderFailure> {
        do throws(ProviderFailure) {
            let made = try await EngineChain(engines: engines, gates: gates).first(Self.call, none: .speechUnavailable) {
                (engine, steps) async throws(ProviderFailure) in
                asked.set(asked.now + [engine.engine])
                do throws(ProviderFailure) { try await steps.admitNext() } catch {
                    var failure = error
                    failure.use = EngineUse(audioSeconds: 2)
                    throw failure
                }
                if let failure = failing[engine.engine] { throw failure }
                return (answer: engine.engine, use: EngineUse(audioSeconds: 3))
            }
            return .success(made.answer + " as " + made.engine.name)
        } catch {
            return .failure(error)
        }
    }

    private static let busy = ProviderFailure(.retry, code: .speechUnavailable, retryAfter: 30, cause: "429")
    private static let sooner = ProviderFailure(.retry, code: .speechTimeout, retryAfter: 10, cause: "timeout")
    private static let refused = ProviderFailure(.configuration, code: .speechUnavailable, cause: "401")
    private static let unreadable = ProviderFailure(.permanent, code: .mediaUnreadable, cause: "400")

    @Test("the first engine that answers is the last one asked")
    func order() async {
        #expect(await ask([engine("a"), engine("b"), engine("c")], failing: ["a": Self.busy]) == .success("b as b"))
        #expect(asked.now == ["a", "b"])
    }

    @Test("an engine that fails for the moment is waited for where its settings say so, one with a wrong key is not")
    func waits() async {
        #expect(await ask([engine("a", .wait), engine("b")], failing: ["a": Self.busy]) == .failure(Self.busy))
        #expect(await ask([engine("c", .wait), engine("d")], failing: ["c": Self.refused]) == .success("d as d"))
        #expect(asked.now == ["a", "c", "d"])
    }

    @Test("of several failures the one that passes first decides, then what an operator can mend, then what is final")
    func decides() async {
        let engines = ["a", "b", "c"].map { engine($0) }
        #expect(await ask(engines, failing: ["a": Self.busy, "b": Self.sooner, "c": Self.unreadable]) == .failure(Self.sooner))
        #expect(await ask(engines, failing: ["a": Self.refused, "b": Self.unreadable, "c": Self.unreadable]) == .failure(Self.refused))
        #expect(
            await ask(engines, failing: ["a": Self.unreadable, "b": Self.unreadable, "c": Self.unreadable]) == .failure(Self.unreadable))
        #expect(await ask([]) == .failure(ProviderFailure(.configuration, code: .speechUnavailable, cause: "the chain has no engine")))
    }

    @Test("a wait counts as a try as soon as one engine was asked")
    func tries() async {
        let paused = ProviderFailure.waiting(code: .enginePaused, after: 5, cause: "open")
        let engines = [engine("a"), engine("b")]
        let gate = RecordingGate(refusing: ["a": paused, "b": paused])
        let half = RecordingGate(refusing: ["a": paused])

        #expect(await ask(engines, [gate]) == .failure(paused))
        var (plain, counted) = (Self.busy, paused)
        plain.isTry = false
        #expect(await ask([engine("a")], [RecordingGate(refusing: ["a": Self.busy])]) == .failure(plain))
        counted.isTry = true
        #expect(await ask(engines, [half], failing: ["b": Self.sooner]) == .failure(counted))
        #expect(await ask(engines, [half], failing: ["b": Self.unreadable]) == .failure(counted))
    }

    @Test("a gate may end a call between two of its requests: the next engine is asked, and of the one that was stopped nothing is learnt")
    func withdrawn() async {
        let gate = RecordingGate(stopping: ["a": Self.refused])

        #expect(await ask([engine("a"), engine("b")], [RecordingGate(), gate]) == .success("b as b"))
        #expect(gate.ended.now == ["a failed", "b answered"])

        var stopped = Self.refused
        (stopped.isTry, stopped.use) = (false, EngineUse(audioSeconds: 2))
        #expect(await ask([engine("a")], [gate]) == .failure(stopped))
        #expect(BreakerGate.ending(.failed(stopped), isCancelled: false) == .unused)
    }

    @Test("percent that an engine told is forgotten when the next one begins from the start")
    func progress() async {
        let percents = Shared<[Int?]>([])
        await JobProgress.$current.withValue(JobProgress { percent in percents.change { $0.append(percent) } }) {
            _ = try? await EngineChain(engines: [engine("a"), engine("b")], gates: []).first(Self.call, none: .speechUnavailable) {
                (engine, steps) async throws(ProviderFailure) in
                if engine.engine == "b" { return (answer: "b", use: EngineUse()) }
                for done in [0.5, 2, -1, .nan] { steps.report(done) }
                throw Self.busy
            }
        }
        #expect(percents.now == [50, 100, 0, nil])
    }

    @Test("an engine that answers without having been asked is told to the gates as not called: its answer opens and closes nothing")
    func nothingToAsk() async throws {
        let gate = RecordingGate()

        let made = try await EngineChain(engines: [engine("a")], gates: [gate]).first(Self.call, none: .speechUnavailable) {
            (engine, _) async throws(ProviderFailure) in
            (answer: engine.engine, use: nil)
        }

        #expect(made.answer == "a" && gate.ended.now == ["a notCalled"])
    }

    @Test("a gate may refuse an engine; those that admitted it before are told, and of every call how it ended")
    func gates() async {
        let first = RecordingGate()
        let second = RecordingGate(refusing: ["a": Self.busy])

        #expect(await ask([engine("a"), engine("b")], [first, second]) == .success("b as b"))

        #expect(asked.now == ["b"])
        #expect(first.ended.now == ["a notCalled", "b answered"])
        #expect(second.ended.now == ["b answered"])
    }
}

private struct RecordingGate: EngineGate {
    var refusing: [String: ProviderFailure] = [:]
    /// Between the requests of a call.
    var stopping: [String: ProviderFailure] = [:]
    let ended = Shared<[String]>([])

    func admit(_ engine: EngineSettings, _ call: EngineCall) async throws(ProviderFailure) {
        if let failure = refusing[engine.name] { throw failure }
    }

    func admitsStill(_ engine: EngineSettings, _ call: EngineCall) async throws(ProviderFailure) {
        if let failure = stopping[engine.name] { throw failure }
    }

    func ended(_ engine: EngineSettings, _ call: EngineCall, _ result: EngineResult) async {
        let word =
            switch result {
            case .answered: "answered"
            case .failed: "failed"
            case .notCalled: "notCalled"
            }
        ended.set(ended.now + ["\(engine.name) \(word)"])
    }
}
