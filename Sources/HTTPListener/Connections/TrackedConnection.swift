import NIOCore
import Synchronization

/// One connection as the table sees it: written on its event loop, read on any thread.
final class TrackedConnection: Sendable {
    let channel: any Channel
    /// What the cap per address counts by; nil for an address that carries many clients.
    let prefix: [UInt8]?
    /// When the wait for the client began. `busy` at first: not evictable until its event loop has polled the socket once.
    private let since = Atomic<UInt64>(TrackedConnection.busy)
    private let active = Atomic(false)
    private let closing = Atomic(false)
    private let held = Atomic(0)
    private let inputClosed = Atomic(false)

    private static let busy = UInt64.max

    init(channel: any Channel, prefix: [UInt8]?) {
        self.channel = channel
        self.prefix = prefix
    }

    /// The server waits for the client; the earlier `since`, the sooner the connection is evicted.
    func setWaiting(since moment: NIODeadline) {
        since.store(min(moment.uptimeNanoseconds, NIODeadline.now().uptimeNanoseconds), ordering: .relaxed)
    }

    /// The client waits for the server: the connection is not evicted.
    func setBusy() { since.store(Self.busy, ordering: .relaxed) }

    /// The last answer is out and only the client's close is awaited: the first to be closed.
    func setFinished() { since.store(0, ordering: .relaxed) }

    /// The client sends nothing more, and has probably gone.
    func setInputClosed() { inputClosed.store(true, ordering: .relaxed) }
    var isInputClosed: Bool { inputClosed.load(ordering: .relaxed) }

    /// nil while the connection may not be evicted.
    var waitingSince: UInt64? {
        let value = since.load(ordering: .relaxed)
        return value == Self.busy ? nil : value
    }

    /// - Returns: true the first time.
    func activate() -> Bool { !active.exchange(true, ordering: .acquiringAndReleasing) }

    /// - Returns: true the first time.
    func startClosing() -> Bool { !closing.exchange(true, ordering: .acquiringAndReleasing) }
    var isClosing: Bool { closing.load(ordering: .acquiring) }

    /// - Parameter bytes: of its answers that wait in this process.
    /// - Returns: how many more than before.
    func setHeldBytes(_ bytes: Int) -> Int { bytes - held.exchange(bytes, ordering: .relaxed) }
    var heldBytes: Int { held.load(ordering: .relaxed) }
}

/// State shared by the two handlers of a connection; used on its event loop alone.
final class ConnectionState {
    enum Framing: Equatable {
        /// A head is expected.
        case head
        /// A whole head has gone to the parser.
        case decoding
        case length(Int)
        case chunked
        /// Nothing more is taken from this connection.
        case refused
    }

    var framing = Framing.head
    /// When the first byte of an unfinished head came.
    var headSince: NIODeadline?
    /// Of the head that is being read, until it is accepted.
    var origin = OriginField()
    /// Bytes dropped after a refusal.
    var dropped = 0
    /// Bytes of answers given to the channel.
    var sent = 0
}
