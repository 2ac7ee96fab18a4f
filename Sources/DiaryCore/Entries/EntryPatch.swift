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
    package var title: Patch<String>
    package var edited: Patch<String>
    package var tags: Patch<[String]>
    package var mood: Patch<String>

    package init(
        title: Patch<String> = .absent, edited: Patch<String> = .absent, tags: Patch<[String]> = .absent, mood: Patch<String> = .absent
    ) {
        self.title = title
        self.edited = edited
        self.tags = tags
        self.mood = mood
    }
}

/// What `If-Match` names.
package enum VersionMatch: Sendable, Equatable {
    /// `*`, or no condition where none is required.
    case any
    case exactly(Int64)
}
