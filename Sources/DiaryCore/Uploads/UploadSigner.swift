package import FoundationEssentials

/// Makes signed PUT URLs; local arithmetic only, so that creating an entry works while the store is unavailable (A8).
package protocol UploadSigner: Sendable {
    func sign(_ key: ObjectKey, contentType: String, length: Int64, sha256: [UInt8]?, at now: Date, lifetime: Double) -> UploadTarget
}
