import DiaryCrypto
package import FoundationEssentials

extension PlayableCopy {
    /// The id under which the first copy of a recording is stored. It follows from the recording's, so that the copy is found also by a database
    /// that was restored from before its row was written, where the app keeps no original (decision 0046).
    package static func object(of original: UUID) -> UUID {
        UUID(octets: SHA256.digest(Array("diary/v1/copy".utf8) + original.octets).prefix(16)) ?? original
    }
}
