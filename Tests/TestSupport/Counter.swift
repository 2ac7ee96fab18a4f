import Synchronization

package final class Counter: Sendable {
    private let value = Mutex(0)

    package init() {}

    package var count: Int { value.withLock { $0 } }

    package func add() { value.withLock { $0 += 1 } }

    /// - Returns: the count with this call.
    package func next() -> Int {
        value.withLock {
            $0 += 1
            return $0
        }
    }
}
