/// A field of a merge patch (RFC 7396): left alone, cleared or set.
package enum Patch<Value: Sendable>: Sendable {
    case absent, clear, set(Value)

    package func applied(to old: Value?) -> Value? {
        switch self {
        case .absent: old
        case .clear: nil
        case .set(let value): value
        }
    }
}

extension Patch<String> {
    /// A text without blanks at its ends; one of blanks alone clears.
    var trimmed: Patch<String> {
        guard case .set(let text) = self else { return self }
        let trimmed = SingleLine.trimmed(text)
        return trimmed.isEmpty ? .clear : .set(trimmed)
    }
}
