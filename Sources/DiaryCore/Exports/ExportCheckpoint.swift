package import FoundationEssentials

/// What a try to build an export in several parts left for the next one: `exports.work_object_id` and the rows of `export_parts`.
package struct ExportCheckpoint: Sendable {
    package struct Part: Sendable {
        package var entryCount: Int
        /// nil until it is stored.
        package var object: UUID?
        package var sizeBytes: Int64?

        package init(entryCount: Int, object: UUID?, sizeBytes: Int64?) {
            self.entryCount = entryCount
            self.object = object
            self.sizeBytes = sizeBytes
        }
    }

    /// The sealed `ExportPlan` of the snapshot.
    package var object: UUID
    /// In order.
    package var parts: [Part]

    package init(object: UUID, parts: [Part]) {
        self.object = object
        self.parts = parts
    }
}
