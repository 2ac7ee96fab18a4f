import DiaryCrypto
package import FoundationEssentials

/// The AAC in MP4 that the service makes of a recording in another form, for players and exports. An object of its own.
package struct PlayableCopy: Sendable, Equatable {
    package static let format = AudioFormat.m4a

    package var object: UUID
    package var sizeBytes: Int64
    package var sha256: [UInt8]
    /// False when the app keeps only copies (`recordings.keep_original`).
    package var isOriginalKept: Bool

    package init(object: UUID, sizeBytes: Int64, sha256: [UInt8], isOriginalKept: Bool) {
        self.object = object
        self.sizeBytes = sizeBytes
        self.sha256 = sha256
        self.isOriginalKept = isOriginalKept
    }
}

extension PlayableCopy {
    /// The id under which the first copy of a recording is stored. It follows from the recording's, so that the copy is found also by a database
    /// that was restored from before its row was written, where the app keeps no original (decision 0009).
    package static func object(of original: UUID) -> UUID {
        UUID(octets: SHA256.digest(Array("diary/v1/copy".utf8) + original.octets).prefix(16)) ?? original
    }
}

/// An object that a player plays, and what it is called.
package struct PlayableRecording: Sendable, Equatable {
    package var object: UUID
    package var filename: String
    /// Nil until it has been measured.
    package var sizeBytes: Int64?
    package var sha256: [UInt8]?
}

/// The results of a recording's verification besides its facts: the playable copy and the waveform.
package struct NewRendition: Sendable {
    /// nil for a recording that is played as it is.
    package var copy: PlayableCopy?
    /// Engines hear the copy.
    package var isCopyHeard: Bool = false
    /// Sealed (`Vault.Part.waveform`); its version is 1.
    package var waveform: SealedResult

    package init(copy: PlayableCopy?, isCopyHeard: Bool = false, waveform: SealedResult) {
        self.copy = copy
        self.isCopyHeard = isCopyHeard
        self.waveform = waveform
    }
}

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
