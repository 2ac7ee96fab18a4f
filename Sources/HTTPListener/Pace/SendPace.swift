import NIOCore

/// How fast a client takes an answer, counted only while bytes wait for it (F4).
struct SendPace {
    /// Since when bytes wait; nil when the client has taken all.
    private(set) var since: NIODeadline?
    private var takenBefore = 0
    private(set) var taken = 0
    private var progress = NIODeadline.uptimeNanoseconds(0)

    /// - Parameters:
    ///   - sent: all bytes ever given to the channel.
    ///   - unsent: those of them the kernel has not taken.
    mutating func update(sent: Int, unsent: Int, at now: NIODeadline) {
        guard unsent > 0 else { return since = nil }
        let total = sent - unsent
        if since == nil {
            since = now
            progress = now
            takenBefore = total
            taken = 0
        } else if total - takenBefore > taken {
            taken = total - takenBefore
            progress = now
        }
    }

    /// The channel does not report bytes it writes, so they are polled.
    func nextCheck(_ limits: ListenerLimits, from now: NIODeadline) -> NIODeadline? {
        since == nil ? nil : now + seconds(min(1, limits.writeStall / 4))
    }

    func isTooSlow(_ limits: ListenerLimits, at now: NIODeadline) -> Bool {
        guard let since else { return false }
        if now - progress >= seconds(limits.writeStall) { return true }
        let total = Double((now - since).nanoseconds) / 1_000_000_000
        return total >= limits.writeGrace && Double(taken) < total * limits.bodyBytesPerSecond
    }

    /// When a client at the lowest rate allowed would have begun to take as much; nil when it has taken all.
    func virtualStart(_ limits: ListenerLimits) -> NIODeadline? {
        since.map { $0 + seconds(Double(taken) / max(1, limits.bodyBytesPerSecond)) }
    }
}
