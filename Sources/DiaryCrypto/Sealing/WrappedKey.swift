package import FoundationEssentials

/// A data key sealed under a master key, as the key store keeps it.
package struct WrappedKey: Sendable, Equatable {
    package let keyID: UUID
    /// The master key that opens it.
    package let masterID: String
    /// 77 bytes: version, key id, nonce, sealed secret, tag (docs/sealed-format.md).
    package let bytes: [UInt8]

    package init(keyID: UUID, masterID: String, bytes: [UInt8]) {
        self.keyID = keyID
        self.masterID = masterID
        self.bytes = bytes
    }
}
