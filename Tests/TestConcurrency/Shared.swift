import Synchronization

/// A value that a test shares with what it tests.
final class Shared<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    var now: Value { value.withLock { $0 } }

    func set(_ new: Value) { value.withLock { $0 = new } }

    @discardableResult
    func change<Result: Sendable>(_ change: @Sendable (inout Value) -> Result) -> Result { value.withLock { change(&$0) } }
}
