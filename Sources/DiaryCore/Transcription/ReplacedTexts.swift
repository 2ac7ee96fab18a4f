/// What a worker's result replaces, kept in the write of the result.
package struct ReplacedTexts: Sendable, Equatable {
    package var revisions: [SealedRevision] = []
    /// Of an entry that was recognised before: the version of the owner's corrections among `revisions`, 0 when there were none. The write is
    /// refused when they have changed since.
    package var corrections: Int64? = nil

    package init(revisions: [SealedRevision] = [], corrections: Int64? = nil) {
        self.revisions = revisions
        self.corrections = corrections
    }

    /// What a first result replaces.
    package static let nothing = ReplacedTexts()
}
