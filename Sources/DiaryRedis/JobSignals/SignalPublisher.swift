import DiaryCore
import Synchronization

/// Adds signals to the streams; the caller does not wait. While a signal is being sent, later ones of its kind are coalesced.
final class SignalPublisher: Sendable {
    private struct Pending {
        var isSending = false
        /// Signals to send when the current one is done; at most `burst`.
        var coalesced = 0
    }

    /// A burst wakes this many workers at once; each of them works until no job is left.
    private static let burst = 16

    private let client: RedisClient
    private let streams: SignalStreams
    private let undelivered: @Sendable (JobKind) -> Void
    private let pending = Mutex<[JobKind: Pending]>([:])

    /// - Parameter undelivered: a signal that did not reach Redis.
    init(client: RedisClient, streams: SignalStreams, undelivered: @escaping @Sendable (JobKind) -> Void) {
        self.client = client
        self.streams = streams
        self.undelivered = undelivered
    }

    func publish(_ kind: JobKind) {
        let isFirst = pending.withLock { pending in
            if pending[kind, default: Pending()].isSending {
                pending[kind, default: Pending()].coalesced = min(pending[kind, default: Pending()].coalesced + 1, Self.burst)
                return false
            }
            pending[kind, default: Pending()].isSending = true
            return true
        }
        if isFirst { send(kind, 1) }
    }

    private func send(_ kind: JobKind, _ count: Int) {
        let command: [RedisArgument] = ["XADD", streams.key(kind), "MAXLEN", "~", 1000, "*", "k", 1]
        for _ in 1..<max(count, 1) { client.submit(command) { _ in } }
        client.submit(command) { [self] result in
            if case .failure = result { undelivered(kind) }
            let next = pending.withLock { pending in
                let coalesced = pending[kind]?.coalesced ?? 0
                pending[kind] = Pending(isSending: coalesced > 0)
                return coalesced
            }
            if next > 0 { send(kind, next) }
        }
    }
}

/// Names of the streams: `<prefix><kind>`.
struct SignalStreams: Sendable {
    let prefix: String
    let group: RedisArgument

    func key(_ kind: JobKind) -> RedisArgument { RedisArgument(prefix + kind.rawValue) }

    func kind(_ key: [UInt8]) -> JobKind? {
        guard key.starts(with: prefix.utf8) else { return nil }
        return JobKind(rawValue: String(decoding: key.dropFirst(prefix.utf8.count), as: UTF8.self))
    }
}
