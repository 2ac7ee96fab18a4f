/// An entry that waits for parts, or has expired within the last day, and its upload.
package struct AwaitingParts: Sendable {
    package var upload: AwaitingUpload
    package var parts: PartUpload
}

/// What the sweep of parts reads: ids, times and sizes.
package protocol PartSweepStore: Sendable {
    /// In order of their entries.
    func awaitingParts(after: EntryID?, limit: Int) async throws(WorkError) -> [AwaitingParts]
    /// Finds the uploads, among these, that no waiting entry has.
    func orphans(among uploads: [StoredPartUpload]) async throws(WorkError) -> [StoredPartUpload]
}
