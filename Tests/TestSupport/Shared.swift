import Synchronization

/// A value that a test shares with what it tests.
package final class Shared<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    package init(_ value: Value) { self.value = Mutex(value) }

    package var now: Value { value.withLock { $0 } }

    package func set(_ new: Value) { value.withLock { $0 = new } }

    @discardableResult
    package func change<Result: Sendable>(_ change: @Sendable (inout Value) -> Result) -> Result { value.withLock { change(&$0) } }
}
