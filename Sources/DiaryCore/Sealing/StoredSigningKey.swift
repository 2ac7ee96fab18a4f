package import FoundationEssentials

/// A token key as the key database holds it.
package struct StoredSigningKey: Sendable, Equatable {
    /// The private key, sealed under a master of the ring.
    package struct Sealed: Sendable, Equatable {
        package var masterID: String
        package var bytes: [UInt8]
    }

    package var kid: String
    /// nil when it was retired.
    package var sealed: Sealed?
    package var publishedAt: Date
    package var signsFrom: Date

    /// The context that its sealed bytes are bound to.
    package static func context(_ kid: String) -> [String] { ["signing_keys", "sealed", kid] }
}
