package import DiaryCore

/// An object that was not copied although it is at the source.
package struct CopyFinding: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The source cannot read it whole.
        case unreadable
        /// Other bytes are at its key at the target; they were left as they are.
        case different
        /// The target returned other bytes than were sent, each time; they were deleted there.
        case altered
        /// A store did not serve this object at any try, and did serve others. The next run tries it again.
        case unanswered
    }

    package let kind: Kind
    package let key: ObjectKey
}
