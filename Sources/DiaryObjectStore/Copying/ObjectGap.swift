package import DiaryCore

/// An object that an export of its app lacks.
package struct ObjectGap: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// A row names it, and it is not in the store.
        case missing = "missing_object"
        /// The store does not return it whole.
        case unreadable
        /// The store did not serve it at any try, and did serve others.
        case unanswered
    }

    package let kind: Kind
    package let key: ObjectKey
}
