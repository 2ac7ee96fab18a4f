import Logging
import NIOCore
import Synchronization

/// Sent to the pipeline of a connection that is evicted.
struct Eviction: Sendable {}

/// All connections of a listener. Over a cap a new connection stays and the one longest without progress is closed (F4).
final class ConnectionTable: Sendable {
    fileprivate struct State {
        var connections: [ObjectIdentifier: TrackedConnection] = [:]
        var perAddress: [[UInt8]: Int] = [:]
        /// Being closed; no longer counted.
        var closing = 0
        /// Accepted, but its pipeline does not receive events yet.
        var activating = 0
        var isDraining = false
        var evicted = 0
        var reported = NIODeadline.uptimeNanoseconds(0)

        var count: Int { connections.count - closing }
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

    // MARK: Adding and removing

    /// Counts a connection just accepted, and evicts others over a cap.
    func admit(_ channel: any Channel) {
        let connection = TrackedConnection(channel: channel, prefix: trusted.prefix(of: channel.remoteAddress))
        let candidates = state.withLock { state in
            state.connections[ObjectIdentifier(channel)] = connection
            state.activating += 1
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
                candidates = state.slowestOverall(max(excess, Self.batch(limits.connections)), except: connection)
            }
            for candidate in candidates { state.startClosing(candidate) }
            return candidates
        }
        channel.closeFuture.whenComplete { _ in self.remove(connection) }
        close(candidates)
    }

    /// Some at once, so that a flood of new connections does not cost a pass over all of them for each.
    private static func batch(_ cap: Int) -> Int { max(1, cap / 64) }

    func connection(of channel: any Channel) -> TrackedConnection? {
        state.withLock { $0.connections[ObjectIdentifier(channel)] }
    }

    /// Including those being closed.
    var all: [TrackedConnection] { state.withLock { Array($0.connections.values) } }

    func activate(_ connection: TrackedConnection) {
        if connection.activate() { state.withLock { $0.activating -= 1 } }
    }

    private func remove(_ connection: TrackedConnection) {
        activate(connection)
        setHeldBytes(0, of: connection)
        state.withLock { state in
            guard state.connections.removeValue(forKey: ObjectIdentifier(connection.channel)) != nil else { return }
            if connection.isClosing { state.closing -= 1 } else { state.uncount(connection) }
        }
    }

    /// At the cap without an eviction candidate: new connections wait in the kernel's queue.
    var isFull: Bool {
        state.withLock { state in
            state.count >= limits.connections && !state.connections.values.contains { !$0.isClosing && $0.waitingSince != nil }
        }
    }

    // MARK: Eviction

    /// Counts the unsent bytes of answers; over the limit the slowest reader is closed.
    func setHeldBytes(_ bytes: Int, of connection: TrackedConnection) {
        let more = connection.setHeldBytes(bytes)
        guard more != 0 else { return }
        let total = held.add(more, ordering: .relaxed).newValue
        guard more > 0, total > limits.answerBytes else { return }
        let candidates = state.withLock { state in
            let candidates = state.slowest(1) { $0.heldBytes > 0 }
            for candidate in candidates { state.startClosing(candidate) }
            return candidates
        }
        close(candidates)
    }

    /// Closes some connections after an accept failed because the process or the machine has no descriptors left.
    func evict() {
        let candidates = state.withLock { state in
            let candidates = state.slowestOverall(Self.batch(limits.connections), except: nil)
            for candidate in candidates { state.startClosing(candidate) }
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
        logger.warning(
            "connections evicted",
            metadata: ["closed": .stringConvertible(report.closed), "open": .stringConvertible(report.open)])
    }

    // MARK: Ending

    var isDraining: Bool { state.withLock { $0.isDraining } }
    var hasActivating: Bool { state.withLock { $0.activating > 0 } }

    /// Every connection, also a later one, ends after the answers to what its client has sent.
    func drain() {
        // A connection added after this line reads it when it begins.
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
    fileprivate mutating func startClosing(_ connection: TrackedConnection) {
        guard connection.startClosing() else { return }
        closing += 1
        uncount(connection)
    }

    fileprivate mutating func uncount(_ connection: TrackedConnection) {
        guard let prefix = connection.prefix, let count = perAddress[prefix] else { return }
        perAddress[prefix] = count > 1 ? count - 1 : nil
    }

    /// If one address holds more than an eighth of all connections, those closed are its own, as far as it has candidates: it does not push
    /// out other clients.
    fileprivate func slowestOverall(_ number: Int, except kept: TrackedConnection?) -> [TrackedConnection] {
        if let largest = perAddress.max(by: { $0.value < $1.value }), largest.value * 8 > count {
            let found = slowest(number) { $0.prefix == largest.key && $0 !== kept }
            if !found.isEmpty { return found }
        }
        return slowest(number) { $0 !== kept }
    }

    fileprivate func slowest(_ number: Int, where matches: (TrackedConnection) -> Bool) -> [TrackedConnection] {
        var waiting: [(since: UInt64, connection: TrackedConnection)] = []
        for connection in connections.values where !connection.isClosing {
            if let since = connection.waitingSince, matches(connection) { waiting.append((since, connection)) }
        }
        return waiting.sorted { $0.since < $1.since }.prefix(number).map(\.connection)
    }
}
