/// One member of a PATCH body: not there, `null`, or a value.
package enum Patch<Value: Sendable>: Sendable {
    case absent
    case clear
    case set(Value)

    /// The value after the patch.
    package func applied(to old: Value?) -> Value? {
        switch self {
        case .absent: old
        case .clear: nil
        case .set(let value): value
        }
    }
}

extension Patch: Equatable where Value: Equatable {}
