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
