package import DiaryCore
package import Logging

/// Circuit breaker of each engine that a failure elsewhere can stop. What the service brings along itself (`local`) has none: there a
/// failure is about the recording.
package struct BreakerGate: EngineGate {
    /// Added to the engine's time limit, because the result is noted a little after the answer.
    private static let slack = 30.0

    let breakers: any EngineBreakers
    let logger: Logger

    package init(breakers: any EngineBreakers, logger: Logger) {
        self.breakers = breakers
        self.logger = logger
    }

    package func admit(_ engine: EngineSettings, _ call: EngineCall) async throws(ProviderFailure) {
        guard engine.kind != .local else { return }
        let limit = engine.timeLimit(audioSeconds: call.audioSeconds)
        let verdict = await breakers.admit(EngineKey(engine), probeSeconds: limit + Self.slack)
        guard case .open(let after, let isRefused) = verdict else { return }
        // As the failure that opened it: the chain passes over an engine that an operator must mend, and waits for one that it is to wait for.
        throw .waiting(
            isRefused ? .configuration : .retry, code: .enginePaused, after: after,
            cause: isRefused ? "the engine has refused the service" : "the engine has failed several times")
    }

    package func ended(_ engine: EngineSettings, _ call: EngineCall, _ result: EngineResult) async {
        guard engine.kind != .local else { return }
        let ending = Self.ending(result, isCancelled: Task.isCancelled)
        let (breakers, key) = (breakers, EngineKey(engine))
        // Unstructured: the outcome of a cancelled call is noted too.
        let change = await Task { await breakers.ended(key, ending) }.value
        log(engine, change)
    }

    static func ending(_ result: EngineResult, isCancelled: Bool) -> BreakerEnding {
        switch result {
        case .answered: .answered
        case .notCalled: .unused
        // This machine failed, or a gate ended the call between two requests: that says nothing about the engine.
        case .failed(let failure) where !failure.isFromEngine: .unused
        case .failed(let failure):
            switch failure.treatment {
            case .permanent: .answered
            case .configuration: .refused
            case .retry: isCancelled ? .unused : .failed(retryAfter: failure.retryAfter)
            }
        }
    }

    /// Names app and engine; no address, no key.
    private func log(_ engine: EngineSettings, _ change: BreakerChange) {
        let metadata: Logger.Metadata = [
            "engine": "\(engine.name)", "stage": "\(engine.stage.rawValue)", "tenant": "\(engine.app?.description ?? "all")",
        ]
        switch change {
        case .none: break
        case .opened: logger.warning("engine fails: not asked for a while", metadata: metadata)
        case .refused: logger.error("engine refuses the service: key or settings are wrong, not asked any more", metadata: metadata)
        case .closed: logger.notice("engine answers again", metadata: metadata)
        }
    }
}
