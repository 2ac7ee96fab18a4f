package import DiaryCore
import FoundationEssentials
import Synchronization

/// Breakers of one process.
package final class LocalBreakers: EngineBreakers {
    /// Far more than a service has engines; those of settings that were changed since are among them.
    private static let most = 10_000

    private let states = Mutex<[EngineKey: BreakerState]>([:])
    private let policy: BreakerPolicy
    private let now: @Sendable () -> Double
    private let jitter: @Sendable () -> Double

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - jitter: from 0 to 1.
    package init(
        _ policy: BreakerPolicy, now: @escaping @Sendable () -> Double = { Date().timeIntervalSince1970 },
        jitter: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
    ) {
        self.policy = policy
        self.now = now
        self.jitter = jitter
    }

    package func admit(_ engine: EngineKey, probeSeconds: Double) async -> BreakerVerdict {
        change(engine) { $0.admit(policy, probeSeconds: probeSeconds, now: now()) }
    }

    package func ended(_ engine: EngineKey, _ ending: BreakerEnding) async -> BreakerChange {
        change(engine) { $0.end(ending, policy, jitter: jitter(), now: now()) }
    }

    /// What other processes have found out.
    func hold(_ engine: EngineKey, seconds: Double, isRefused: Bool) {
        let ends = now() + seconds
        change(engine) { state in
            state.opened = max(state.opened, 1)
            state.ends = max(state.ends, ends)
            state.isRefused = isRefused
        }
    }

    private func change<Result>(_ engine: EngineKey, _ change: (inout BreakerState) -> Result) -> Result {
        states.withLock { states in
            var state = states[engine] ?? BreakerState()
            let result = change(&state)
            if states.count >= Self.most, states[engine] == nil { states.removeAll() }
            states[engine] = state == BreakerState() ? nil : state
            return result
        }
    }
}
