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

package struct EntryPatch: Sendable {
    package var title = Patch<String>.absent
    package var edited = Patch<String>.absent
    package var tags = Patch<[String]>.absent
    package var mood = Patch<String>.absent

    /// Changes nothing.
    package static let unchanged = EntryPatch()
}

/// What `If-Match` names.
package enum VersionMatch: Sendable, Equatable {
    /// `*`, or no condition where none is required.
    case any
    case exactly(Int64)
}
