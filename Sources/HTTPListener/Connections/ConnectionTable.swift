import Logging
import NIOCore
import Synchronization

/// Told to a connection that has waited longest for its client, when another wants its place.
struct Eviction: Sendable {}

/// All connections of a listener. Over a cap the incoming gets in and the one that has been longest without progress goes (F4).
final class ConnectionTable: Sendable {
    fileprivate struct State {
        var connections: [ObjectIdentifier: TrackedConnection] = [:]
        var perAddress: [[UInt8]: Int] = [:]
        /// Told to go, not closed yet; no longer counted.
        var leaving = 0
        /// Accepted, not yet ready to be told anything.
        var arriving = 0
        var isDraining = false
        var evicted = 0
        var reported = NIODeadline.uptimeNanoseconds(0)

        var count: Int { connections.count - leaving }
    }

    private let state = Mutex<State>(State())
    private let held = Atomic(0)
    private let limits: ListenerLimits
    private let trusted: TrustedProxies
    private let logger: Logger

    init(limits: ListenerLimits, trusted: TrustedProxies, logger: Logger) {
        self.limits = limits
        self.trusted = trusted
        self.logger = logger
    }

    // MARK: Coming and going

    /// Counts a connection just accepted, and sends others away when there is no room.
    func admit(_ channel: any Channel) {
        let connection = TrackedConnection(channel: channel, prefix: trusted.prefix(of: channel.remoteAddress))
        let candidates = state.withLock { state in
            state.connections[ObjectIdentifier(channel)] = connection
            state.arriving += 1
            var candidates: [TrackedConnection] = []
            if let prefix = connection.prefix {
                state.perAddress[prefix, default: 0] += 1
                let excess = state.perAddress[prefix, default: 0] - limits.connectionsPerAddress
                if excess > 0 {
                    let number = max(excess, Self.batch(limits.connectionsPerAddress))
                    candidates = state.slowest(number) { $0.prefix == prefix && $0 !== connection }
                }
            }
            let excess = state.count - limits.connections
            if candidates.isEmpty, excess > 0 {
                candidates = state.slowestOfAll(max(excess, Self.batch(limits.connections)), but: connection)
            }
            for candidate in candidates { state.leaves(candidate) }
            return candidates
        }
        channel.closeFuture.whenComplete { _ in self.remove(connection) }
        close(candidates)
    }

    /// Some at once, so that a flood of incomings does not make us look at every connection for each of them.
    private static func batch(_ cap: Int) -> Int { max(1, cap / 64) }

    func connection(of channel: any Channel) -> TrackedConnection? {
        state.withLock { $0.connections[ObjectIdentifier(channel)] }
    }

    /// Those that are here now, also the leaving ones.
    var all: [TrackedConnection] { state.withLock { Array($0.connections.values) } }

    func becomesActive(_ connection: TrackedConnection) {
        if connection.becomesActive() { state.withLock { $0.arriving -= 1 } }
    }

    private func remove(_ connection: TrackedConnection) {
        becomesActive(connection)
        holds(0, connection)
        state.withLock { state in
            guard state.connections.removeValue(forKey: ObjectIdentifier(connection.channel)) != nil else { return }
            if connection.isLeaving { state.leaving -= 1 } else { state.uncount(connection) }
        }
    }

    /// Nobody can be sent away either: incomings wait in the kernel's queue.
    var isFull: Bool {
        state.withLock { state in
            state.count >= limits.connections && !state.connections.values.contains { !$0.isLeaving && $0.waitingSince != nil }
        }
    }

    // MARK: Making room

    /// Counts what waits in memory for a client to take it; over the limit the slowest taker goes.
    func holds(_ bytes: Int, _ connection: TrackedConnection) {
        let more = connection.holds(bytes)
        guard more != 0 else { return }
        let total = held.add(more, ordering: .relaxed).newValue
        guard more > 0, total > limits.answerBytes else { return }
        let candidates = state.withLock { state in
            let candidates = state.slowest(1) { $0.heldBytes > 0 }
            for candidate in candidates { state.leaves(candidate) }
            return candidates
        }
        close(candidates)
    }

    /// For an accept that failed because the process or the machine has no descriptors left.
    func evict() {
        let candidates = state.withLock { state in
            let candidates = state.slowestOfAll(Self.batch(limits.connections), but: nil)
            for candidate in candidates { state.leaves(candidate) }
            return candidates
        }
        close(candidates)
    }

    private func close(_ candidates: [TrackedConnection]) {
        guard !candidates.isEmpty else { return }
        for candidate in candidates {
            candidate.channel.eventLoop.execute { candidate.channel.pipeline.fireUserInboundEventTriggered(Eviction()) }
        }
        let report: (closed: Int, open: Int)? = state.withLock { state in
            state.evicted += candidates.count
            guard NIODeadline.now() >= state.reported + .seconds(10) else { return nil }
            state.reported = .now()
            defer { state.evicted = 0 }
            return (state.evicted, state.count)
        }
        guard let report else { return }
        logger.warning("connections closed to make room", metadata: ["closed": "\(report.closed)", "open": "\(report.open)"])
    }

    // MARK: Ending

    var isDraining: Bool { state.withLock { $0.isDraining } }
    var hasArriving: Bool { state.withLock { $0.arriving > 0 } }

    /// Every connection ends after the answers to what it has sent; whoever comes later too.
    func drain() {
        // Whoever comes after this line sees it when it begins.
        state.withLock { $0.isDraining = true }
        for connection in all {
            connection.channel.eventLoop.execute { connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
        }
    }

    func closeAll() {
        for connection in all { connection.channel.close(promise: nil) }
    }
}

extension ConnectionTable.State {
    fileprivate mutating func leaves(_ connection: TrackedConnection) {
        guard connection.leaves() else { return }
        leaving += 1
        uncount(connection)
    }

    fileprivate mutating func uncount(_ connection: TrackedConnection) {
        guard let prefix = connection.prefix, let count = perAddress[prefix] else { return }
        perAddress[prefix] = count > 1 ? count - 1 : nil
    }

    /// An address that holds more than an eighth of all pays first, so that a crowd from one place does not push out everybody else.
    fileprivate func slowestOfAll(_ number: Int, but incoming: TrackedConnection?) -> [TrackedConnection] {
        if let crowd = perAddress.max(by: { $0.value < $1.value }), crowd.value * 8 > count {
            let found = slowest(number) { $0.prefix == crowd.key && $0 !== incoming }
            if !found.isEmpty { return found }
        }
        return slowest(number) { $0 !== incoming }
    }

    fileprivate func slowest(_ number: Int, where isMeant: (TrackedConnection) -> Bool) -> [TrackedConnection] {
        var waiting: [(since: UInt64, connection: TrackedConnection)] = []
        for connection in connections.values where !connection.isLeaving {
            if let since = connection.waitingSince, isMeant(connection) { waiting.append((since, connection)) }
        }
        return waiting.sorted { $0.since < $1.since }.prefix(number).map(\.connection)
    }
}
