/// How many entries of a zip were imported, and how many were not, by reason.
package struct ImportCounts: Sendable, Equatable {
    package var created: Int64 = 0
    /// The account had them.
    package var unchanged: Int64 = 0
    /// Nothing of theirs can be kept here.
    package var skipped: Int64 = 0
    /// They are damaged or too large, or the account's limits were reached.
    package var failed: Int64 = 0

    package init(created: Int64 = 0, unchanged: Int64 = 0, skipped: Int64 = 0, failed: Int64 = 0) {
        self.created = created
        self.unchanged = unchanged
        self.skipped = skipped
        self.failed = failed
    }
}
