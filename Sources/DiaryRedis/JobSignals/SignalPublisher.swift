import DiaryCore
import RedisClient
import Synchronization

/// Adds signals to the streams without anybody waiting for it. While one is under way, later ones of its kind gather.
final class SignalPublisher: Sendable {
    private struct Line {
        var isBusy = false
        var gathered = 0
    }

    /// A burst wakes this many workers at once; each of them works until nothing is left.
    private static let burst = 16

    private let client: RedisClient
    private let streams: SignalStreams
    private let undelivered: @Sendable (JobKind) -> Void
    private let lines = Mutex<[JobKind: Line]>([:])

    /// - Parameter undelivered: a signal that did not reach Redis.
    init(client: RedisClient, streams: SignalStreams, undelivered: @escaping @Sendable (JobKind) -> Void) {
        self.client = client
        self.streams = streams
        self.undelivered = undelivered
    }

    func publish(_ kind: JobKind) {
        let isFirst = lines.withLock { lines in
            if lines[kind, default: Line()].isBusy {
                lines[kind, default: Line()].gathered = min(lines[kind, default: Line()].gathered + 1, Self.burst)
                return false
            }
            lines[kind, default: Line()].isBusy = true
            return true
        }
        if isFirst { send(kind, 1) }
    }

    private func send(_ kind: JobKind, _ count: Int) {
        let command: [RedisArgument] = ["XADD", streams.key(kind), "MAXLEN", "~", 1000, "*", "k", 1]
        for _ in 1..<max(count, 1) { client.submit(command) { _ in } }
        client.submit(command) { [self] result in
            if case .failure = result { undelivered(kind) }
            let next = lines.withLock { lines in
                let gathered = lines[kind]?.gathered ?? 0
                lines[kind] = Line(isBusy: gathered > 0, gathered: 0)
                return gathered
            }
            if next > 0 { send(kind, next) }
        }
    }
}
