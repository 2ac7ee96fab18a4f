import DiaryCrypto
import WireFormats

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

/// When a breaker opens, and for how long.
package struct BreakerPolicy: Sendable, Equatable {
    /// Failures in a row.
    package var failures = 5
    /// Length of the first wait; each further one is twice as long.
    package var baseSeconds: Double
    package var capSeconds: Double
    /// After wrong keys or settings.
    package var refusedSeconds: Double

    /// The wait before jitter.
    /// - Parameter opened: how often it has opened in a row, from 1.
    package func ceiling(opened: Int) -> Double {
        var seconds = baseSeconds
        for _ in 1..<max(1, opened) where seconds < capSeconds { seconds *= 2 }
        return min(seconds, capSeconds)
    }

    /// No engine's `Retry-After` holds for longer than a day.
    package static func bounded(_ retryAfter: Double?) -> Double? {
        retryAfter.flatMap { $0.isFinite ? min(max(0, $0), 86_400) : nil }
    }
}

extension BreakerPolicy {
    package init(_ limits: Limits) {
        self.init(baseSeconds: limits.retryBaseSeconds, capSeconds: limits.retryCapSeconds, refusedSeconds: limits.retryCapSeconds)
    }
}

/// Names an engine across processes: those with the same key are one, and what is learnt of one call holds for the next.
package struct EngineKey: Sendable, Hashable {
    /// nil: the process's own, for all apps.
    package let app: TenantID?
    package let stage: EngineStage
    package let name: String
    /// Changes with the settings and the secret, of which it tells nothing.
    package let revision: String

    package init(app: TenantID?, stage: EngineStage, name: String, revision: String) {
        self.app = app
        self.stage = stage
        self.name = name
        self.revision = revision
    }

    package init(_ settings: EngineSettings) {
        let parts = [settings.kind.rawValue, settings.url, settings.model, settings.secret, settings.revision].map { $0 ?? "" }
        // Each part with its length, so that no two lists are written alike.
        let text = (parts + settings.command).map { "\($0.utf8.count):\($0)" }.joined()
        self.init(
            app: settings.app, stage: settings.stage, name: settings.name,
            revision: Hex.encode(Array(SHA256.digest(Array(text.utf8)).prefix(6))))
    }
}

extension EngineSettings {
    /// The settings as those of an app's engine.
    /// - Parameter secret: as stored, sealed; nil without one. Another one is another revision.
    package func owned(by app: TenantID, secret: [UInt8]?) -> EngineSettings {
        var settings = revised(by: secret)
        settings.app = app
        return settings
    }

    /// The settings as those of an engine of the process, or of no particular app.
    /// - Parameter secret: of which the revision keeps 48 bits of a hash.
    package func revised(by secret: [UInt8]?) -> EngineSettings {
        var settings = self
        settings.revision = secret.map { Hex.encode(Array(SHA256.digest($0).prefix(6))) }
        return settings
    }
}
