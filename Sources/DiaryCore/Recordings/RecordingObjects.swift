package import FoundationEssentials

/// The objects of an entry's recording: what was uploaded, and its copy.
package struct RecordingObjects: Sendable, Equatable {
    package var original: UUID?
    package var copy: UUID? = nil

    package init(original: UUID?, copy: UUID? = nil) {
        self.original = original
        self.copy = copy
    }

    /// Every key at which their bytes may be stored, including that of a copy that the row does not name.
    package func keys(of owner: Owner) -> [ObjectKey] {
        let places = [(ObjectKey.Kind.staging, original), (.audio, original), (.audio, copy ?? original.map(PlayableCopy.object))]
        return places.compactMap { kind, object in object.map { ObjectKey(kind: kind, owner: owner, object: $0) } }
    }
}

extension StoredEntry {
    /// With the copy only where it was read.
    package var recordingObjects: RecordingObjects { RecordingObjects(original: facts.object, copy: copy?.object) }
}
