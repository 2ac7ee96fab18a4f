package import DiaryCore
import FoundationEssentials
import Synchronization

/// Breakers of one process.
package final class LocalBreakers: EngineBreakers {
    /// Far more than a service has engines; those of settings that were changed since are among them.
    private static let most = 10_000

    private let marks = Mutex<[EngineKey: BreakerMark]>([:])
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
        change(engine) { mark in
            mark.opened = max(mark.opened, 1)
            mark.ends = max(mark.ends, ends)
            mark.isRefused = isRefused
        }
    }

    private func change<Result>(_ engine: EngineKey, _ change: (inout BreakerMark) -> Result) -> Result {
        marks.withLock { marks in
            var mark = marks[engine] ?? BreakerMark()
            let result = change(&mark)
            if marks.count >= Self.most, marks[engine] == nil { marks.removeAll() }
            marks[engine] = mark == BreakerMark() ? nil : mark
            return result
        }
    }
}
