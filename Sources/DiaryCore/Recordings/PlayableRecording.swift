package import FoundationEssentials

/// An object that a player plays, and what it is called.
package struct PlayableRecording: Sendable, Equatable {
    package var object: UUID
    package var filename: String
    /// Nil until it has been measured.
    package var sizeBytes: Int64?
    package var sha256: [UInt8]?
}
