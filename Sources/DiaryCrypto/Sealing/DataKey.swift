package import FoundationEssentials

/// A user's data key and its subkeys. Everything of the user is sealed under it, so destroying the key makes all of it unreadable.
package struct DataKey: Sendable {
    static let size = 32

    package let id: UUID
    let secret: SecretBytes
    private let content: SecretBytes
    private let audio: SecretBytes
    private let index: SecretBytes
    private let export: SecretBytes

    /// - Parameter secret: 32 bytes; a key of another length cannot be wrapped.
    package init(id: UUID, secret: SecretBytes) {
        func derived(_ purpose: SealPurpose) -> SecretBytes {
            HKDFSHA256.derive(secret, salt: id.bytes, info: "diary/v1/\(purpose.rawValue)")
        }
        self.id = id
        self.secret = secret
        content = derived(.content)
        audio = derived(.audio)
        index = derived(.index)
        export = derived(.export)
    }

    package static func generate() -> DataKey { DataKey(id: .random(), secret: .random(size)) }

    /// 32 bytes: HKDF of the secret, salt = the key id's bytes, info = `diary/v1/<purpose>`. Derived once.
    package func subkey(_ purpose: SealPurpose) -> SecretBytes {
        switch purpose {
        case .content: content
        case .audio: audio
        case .index: index
        case .export: export
        }
    }
}

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
