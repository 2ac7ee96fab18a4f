import NIOCore

/// How fast a body comes, counted only while the server waits for the client (F4).
struct BodyPace {
    private(set) var bytes = 0
    /// It is held in memory until it is whole.
    var isCollected = false
    private var waited = TimeAmount.nanoseconds(0)
    private var waitingSince: NIODeadline?
    private var stopped = false

    mutating func waits(from now: NIODeadline) {
        if waitingSince == nil { waitingSince = now }
    }

    mutating func received(_ count: Int, at now: NIODeadline) {
        bytes += count
        if let since = waitingSince { waited = waited + (now - since) }
        waitingSince = nil
    }

    /// No more checks.
    mutating func stop() { stopped = true }

    /// When a client at the lowest rate allowed would have begun to send as much; nil while the server does not wait. Bytes that are held in
    /// memory do not make a client a quicker one.
    func virtualStart(_ limits: ListenerLimits) -> NIODeadline? {
        let credited = isCollected ? 0 : bytes
        return waitingSince.map { $0 - waited + seconds(Double(credited) / max(1, limits.bodyBytesPerSecond)) }
    }

    /// Once the grace is used up the rate is checked every second.
    func nextCheck(_ limits: ListenerLimits) -> NIODeadline? {
        guard !stopped, let since = waitingSince else { return nil }
        let left = seconds(isCollected ? min(limits.bodyGrace, limits.collectedBody) : limits.bodyGrace) - waited
        return since + max(left, seconds(min(1, limits.bodyGrace)))
    }

    func isTooSlow(_ limits: ListenerLimits, at now: NIODeadline) -> Bool {
        guard !stopped, let since = waitingSince else { return false }
        if now - since >= seconds(limits.bodyStall) { return true }
        let total = Double((waited + (now - since)).nanoseconds) / 1_000_000_000
        if isCollected, total >= limits.collectedBody { return true }
        return total >= limits.bodyGrace && Double(bytes) < total * limits.bodyBytesPerSecond
    }
}

func seconds(_ value: Double) -> TimeAmount { .nanoseconds(Int64(min(max(value, 0), 1_000_000) * 1_000_000_000)) }

/// Thrown to the reader of a body that the client sends slower than `ListenerLimits.bodyBytesPerSecond`.
package struct BodyTooSlow: Error {}
