import DiaryCore

/// Asks the engines of a chain in order until one answers.
///
/// - An engine that a gate refuses, that fails for good or by its configuration is passed over.
/// - An engine that fails temporarily is passed over or waited for, as its settings say.
struct EngineChain<Engine: Sendable>: Sendable {
    let engines: [ConfiguredEngine<Engine>]
    let gates: [any EngineGate]

    /// The same call of each engine.
    func first<Answer: Sendable>(
        _ call: EngineCall, none code: ProcessingCode,
        _ body: (ConfiguredEngine<Engine>, CallSteps) async throws(ProviderFailure) -> (answer: Answer, use: EngineUse?)
    ) async throws(ProviderFailure) -> (answer: Answer, engine: EngineSettings) {
        try await first(none: code, announcing: { _ async throws(ProviderFailure) in call }, body)
    }

    /// - Parameters:
    ///   - announcing: what a call of the engine would ask, for the gates.
    ///   - body: one call of one engine; what it says and asks between its requests. Its use is nil when nothing was asked.
    /// - Throws: when none answered. What may pass comes before what an operator must mend, and that before what is final.
    func first<Answer: Sendable>(
        none code: ProcessingCode, announcing call: (ConfiguredEngine<Engine>) async throws(ProviderFailure) -> EngineCall,
        _ body: (ConfiguredEngine<Engine>, CallSteps) async throws(ProviderFailure) -> (answer: Answer, use: EngineUse?)
    ) async throws(ProviderFailure) -> (answer: Answer, engine: EngineSettings) {
        var failures: [ProviderFailure] = []
        for engine in engines {
            // It begins from the start.
            if !failures.isEmpty { JobProgress.forget() }
            do throws(ProviderFailure) {
                return (try await ask(engine, try await call(engine), body), engine.settings)
            } catch {
                failures.append(error)
                // A cancelled job stops here and asks no further engine.
                if Task.isCancelled || (error.treatment == .retry && engine.settings.afterFailure == .wait) { break }
            }
        }
        throw Self.decisive(failures) ?? ProviderFailure(.configuration, code: code, cause: "the chain has no engine")
    }

    /// Before what is to be asked has been fetched; each call is admitted all the same.
    /// - Throws: when the gates would let no engine go on with such a call.
    func admitted(_ call: EngineCall) async throws(ProviderFailure) {
        var failures: [ProviderFailure] = []
        for engine in engines {
            do throws(ProviderFailure) {
                try await steps(of: engine.settings, call).admitNext()
                return
            } catch {
                failures.append(error)
            }
        }
        if let failure = Self.decisive(failures) { throw failure }
    }

    private func ask<Answer: Sendable>(
        _ engine: ConfiguredEngine<Engine>, _ call: EngineCall,
        _ body: (ConfiguredEngine<Engine>, CallSteps) async throws(ProviderFailure) -> (answer: Answer, use: EngineUse?)
    ) async throws(ProviderFailure) -> Answer {
        var admitted: [any EngineGate] = []
        do throws(ProviderFailure) {
            for gate in gates {
                try await gate.admit(engine.settings, call)
                admitted.append(gate)
            }
        } catch {
            for gate in admitted.reversed() { await gate.ended(engine.settings, call, .notCalled) }
            throw Self.refusal(error)
        }
        let result: Result<(answer: Answer, use: EngineUse?), ProviderFailure>
        do throws(ProviderFailure) { result = .success(try await body(engine, steps(of: engine.settings, call))) } catch {
            result = .failure(error)
        }
        for gate in admitted.reversed() {
            switch result {
            case .success(let made): await gate.ended(engine.settings, call, made.use.map(EngineResult.answered) ?? .notCalled)
            case .failure(let failure): await gate.ended(engine.settings, call, .failed(failure))
            }
        }
        return try result.get().answer
    }

    private func steps(of engine: EngineSettings, _ call: EngineCall) -> CallSteps {
        CallSteps(
            admit: { [gates] () async throws(ProviderFailure) in
                do throws(ProviderFailure) {
                    for gate in gates { try await gate.admitsStill(engine, call) }
                } catch {
                    throw Self.refusal(error)
                }
            },
            note: { JobProgress.report($0) })
    }

    private static func refusal(_ failure: ProviderFailure) -> ProviderFailure {
        var refusal = failure
        refusal.isTry = false
        return refusal
    }

    /// Of several that may pass, the one that may pass first. It counts as a try when any of the engines was asked.
    static func decisive(_ failures: [ProviderFailure]) -> ProviderFailure? {
        let passing = failures.filter { $0.treatment == .retry }
        var decisive =
            passing.min { ($0.retryAfter ?? 0) < ($1.retryAfter ?? 0) }
            ?? failures.last { $0.treatment == .configuration } ?? failures.last
        // An outage counts as a try when another engine of the chain was asked.
        decisive?.isTry = failures.contains(where: \.isTry)
        return decisive
    }
}

extension ProviderFailure {
    /// The app has no longer the engine that the owner named for the run.
    static func noSuchEngine(_ code: ProcessingCode) -> ProviderFailure {
        ProviderFailure(.permanent, code: code, cause: "the chain does not have the engine that was asked for")
    }
}
