import Synchronization

/// Servers that did not answer a connection in time. For a minute they are tried after the others: a frozen first server must not cost
/// each connection its timeout.
final class SilentServers: Sendable {
    private static let memory = Duration.seconds(60)

    private let since = Mutex<[ServerPlace: ContinuousClock.Instant]>([:])

    func note(_ place: ServerPlace) { since.withLock { $0[place] = .now } }

    func forget(_ place: ServerPlace) { since.withLock { $0[place] = nil } }

    /// The places in their order, those that were silent apart.
    func separated(_ places: [ServerPlace]) -> (answering: [ServerPlace], silent: [ServerPlace]) {
        let silent = since.withLock { since in
            since = since.filter { .now - $0.value < Self.memory }
            return Set(since.keys)
        }
        return (places.filter { !silent.contains($0) }, places.filter { silent.contains($0) })
    }
}
