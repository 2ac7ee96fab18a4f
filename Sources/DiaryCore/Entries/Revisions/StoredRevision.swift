package import FoundationEssentials

/// An earlier text as the database holds it. The sealed column's version is the revision's number.
package struct StoredRevision: Sendable {
    package var sealed: SealedColumn
    /// When the text was replaced.
    package var createdAt: Date

    package init(sealed: SealedColumn, createdAt: Date) {
        self.sealed = sealed
        self.createdAt = createdAt
    }
}

/// At most `limit` revisions of a layer and about 2 MiB of sealed text, at least one, the newest first.
package struct RevisionPage: Sendable {
    package var revisions: [StoredRevision]
    /// There are more after these.
    package var more: Bool

    package init(_ revisions: [StoredRevision], more: Bool) {
        self.revisions = revisions
        self.more = more
    }
}
