/// Circuit breakers of engines, shared by all workers while that is possible. An engine that fails several times in a row is asked no more
/// for a while, then by one call alone, and by all again when that one is answered.
package protocol EngineBreakers: Sendable {
    /// - Parameter probeSeconds: how long a probe may take; no other call goes out meanwhile.
    func admit(_ engine: EngineKey, probeSeconds: Double) async -> BreakerVerdict
    /// After each call that was admitted.
    func ended(_ engine: EngineKey, _ ending: BreakerEnding) async -> BreakerChange
}

package enum BreakerVerdict: Sendable, Equatable {
    case admitted
    /// The one call that finds out whether the engine works again.
    case probe
    /// - after: seconds until it may be asked again.
    /// - isRefused: the engine does not accept the service's key or settings.
    case open(after: Double, isRefused: Bool)
}

package enum BreakerEnding: Sendable, Equatable {
    /// Also with the answer that this one recording or text cannot be worked on.
    case answered
    /// - retryAfter: seconds, as the answer says.
    case failed(retryAfter: Double?)
    /// Wrong key or settings: an operator must act.
    case refused
    /// It was not asked, or its answer was not waited for.
    case unused
}

package enum BreakerChange: Sendable, Equatable {
    case none
    /// The first time since it was last answered.
    case opened
    /// The first time since it was last answered.
    case refused
    case closed
}

/// An engine that is not asked at the moment, for operators.
package struct OpenBreaker: Sendable, Equatable {
    package var engine: EngineKey
    package var isRefused: Bool
    /// Failures in a row.
    package var failures: Int
    /// Until the next call; 0 while that is under way, and when none has come yet.
    package var seconds: Double

    package init(engine: EngineKey, isRefused: Bool, failures: Int, seconds: Double) {
        self.engine = engine
        self.isRefused = isRefused
        self.failures = failures
        self.seconds = seconds
    }
}
