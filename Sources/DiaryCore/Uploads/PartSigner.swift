package import FoundationEssentials

/// Makes signed PUT URLs of parts; local arithmetic only.
package protocol PartSigner: Sendable {
    func sign(_ part: PartKey, contentType: String, length: Int64, at now: Date, lifetime: Double) -> UploadTarget
}
