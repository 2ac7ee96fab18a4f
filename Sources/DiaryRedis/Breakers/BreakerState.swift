import DiaryCore

/// What is known of one engine. `BreakerScript` does the same arithmetic in Lua.
struct BreakerState: Sendable, Equatable {
    /// In a row.
    var failures = 0
    /// Times in a row that it opened; 0 is closed, but for a `Retry-After`.
    var opened = 0
    /// No call before, in seconds since 1970.
    var ends = 0.0
    /// A probe is under way until then.
    var probe = 0.0
    var isRefused = false

    /// Kept so long after `ends`.
    static let memory = 86_400.0

    /// - Parameter now: seconds since 1970.
    mutating func admit(_ policy: BreakerPolicy, probeSeconds: Double, now: Double) -> BreakerVerdict {
        if ends > now { return .open(after: ends - now, isRefused: isRefused) }
        guard opened > 0 else { return .admitted }
        if probe > now { return .open(after: min(probe - now, Self.pending(policy, opened)), isRefused: isRefused) }
        probe = now + probeSeconds
        return .probe
    }

    /// Seconds after which to look again while a probe is under way, which may take minutes.
    static func pending(_ policy: BreakerPolicy, _ opened: Int) -> Double { min(max(policy.ceiling(opened: opened), 1), 30) }

    /// - Parameter jitter: from 0 to 1.
    mutating func end(_ ending: BreakerEnding, _ policy: BreakerPolicy, jitter: Double, now: Double) -> BreakerChange {
        switch ending {
        case .answered:
            // A call that began before: the wait holds.
            if ends > now {
                failures = 0
                return .none
            }
            let wasOpen = opened > 0
            self = BreakerState()
            return wasOpen ? .closed : .none
        case .unused:
            probe = 0
            return .none
        case .refused:
            let isFirst = !isRefused
            isRefused = true
            opened = max(opened, 1)
            ends = max(ends, now + policy.refusedSeconds)
            probe = 0
            return isFirst ? .refused : .none
        case .failed(let retryAfter):
            failures += 1
            let after = BreakerPolicy.bounded(retryAfter)
            let opens = opened > 0 ? ends <= now : failures >= policy.failures
            if opens {
                opened += 1
                probe = 0
            }
            if let after {
                ends = max(ends, now + after)
            } else if opens {
                // Full jitter, but for the lowest tenth: it must be open at all.
                ends = now + policy.ceiling(opened: opened) * (0.1 + 0.9 * jitter)
            }
            return opens && opened == 1 ? .opened : .none
        }
    }
}
