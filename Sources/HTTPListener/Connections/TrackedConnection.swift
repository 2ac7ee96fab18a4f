import NIOCore
import Synchronization

/// One connection as the table sees it: written on its event loop, read by whoever makes room.
final class TrackedConnection: Sendable {
    let channel: any Channel
    /// What the cap per address counts by; nil where one address carries many clients.
    let prefix: [UInt8]?
    /// Ours until its event loop has looked for bytes once.
    private let since = Atomic<UInt64>(TrackedConnection.ours)
    private let active = Atomic(false)
    private let leaving = Atomic(false)
    private let held = Atomic(0)

    private static let ours = UInt64.max

    init(channel: any Channel, prefix: [UInt8]?) {
        self.channel = channel
        self.prefix = prefix
    }

    /// The client has something to do; the earlier `since`, the sooner the connection is closed to make room.
    func waitsForClient(since moment: NIODeadline) {
        since.store(min(moment.uptimeNanoseconds, NIODeadline.now().uptimeNanoseconds), ordering: .relaxed)
    }

    /// We have something to do: such a connection is not closed to make room.
    func isOurTurn() { since.store(Self.ours, ordering: .relaxed) }

    /// Answered to the end; only the client's own closing is waited for.
    func isDone() { since.store(0, ordering: .relaxed) }

    /// nil when it is our turn.
    var waitingSince: UInt64? {
        let value = since.load(ordering: .relaxed)
        return value == Self.ours ? nil : value
    }

    /// - Returns: true the first time.
    func becomesActive() -> Bool { !active.exchange(true, ordering: .acquiringAndReleasing) }

    /// - Returns: true the first time.
    func leaves() -> Bool { !leaving.exchange(true, ordering: .acquiringAndReleasing) }
    var isLeaving: Bool { leaving.load(ordering: .acquiring) }

    /// Bytes of its answers that wait in this process. - Returns: how many more than before.
    func holds(_ bytes: Int) -> Int { bytes - held.exchange(bytes, ordering: .relaxed) }
    var heldBytes: Int { held.load(ordering: .relaxed) }
}
