import Synchronization

/// Servers that did not answer a connection in time. For a minute they are tried after the others: a frozen first server must not cost
/// each connection its timeout.
final class SilentServers: Sendable {
    private static let memory = Duration.seconds(60)

    private let since = Mutex<[ServerEndpoint: ContinuousClock.Instant]>([:])

    func note(_ endpoint: ServerEndpoint) { since.withLock { $0[endpoint] = .now } }

    func forget(_ endpoint: ServerEndpoint) { since.withLock { $0[endpoint] = nil } }

    /// The endpoints in their order, those that were silent apart.
    func separated(_ endpoints: [ServerEndpoint]) -> (answering: [ServerEndpoint], silent: [ServerEndpoint]) {
        let silent = since.withLock { since in
            since = since.filter { .now - $0.value < Self.memory }
            return Set(since.keys)
        }
        return (endpoints.filter { !silent.contains($0) }, endpoints.filter { silent.contains($0) })
    }
}
