package import FoundationEssentials

/// Rows that still name objects which are no longer wanted. The SQL function `sweep_` and the name finds them; they forget what is deleted.
package enum EndedObjects: String, Sendable, CaseIterable {
    /// Zips of exports that have ended, and what the building of exports kept.
    case exportParts = "export_parts"
    case imports
    /// Recordings that their rows say are removed.
    case removedAudio = "removed_audio"
}

package struct EndedObject: Sendable, Equatable {
    package var owner: Owner
    /// The id of the export, import or entry.
    package var id: UUID
    package var object: UUID
    /// Every key at which its bytes may be stored.
    package var keys: [ObjectKey]

    package init(owner: Owner, id: UUID, object: UUID, keys: [ObjectKey]) {
        self.owner = owner
        self.id = id
        self.object = object
        self.keys = keys
    }
}
