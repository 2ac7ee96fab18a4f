import FoundationEssentials

/// The first 29 bytes of a wrapped key and of a sealed part: version, key id, nonce.
struct SealedPrefix {
    static let version: UInt8 = 1
    static let count = 1 + 16 + AES256GCM.nonceSize
    static let nonceRange = 17..<count

    let keyID: UUID
    let nonce: ArraySlice<UInt8>

    init(keyID: UUID, nonce: [UInt8]) {
        self.keyID = keyID
        self.nonce = nonce[...]
    }

    /// - Parameter bytes: the whole sealed value; it must be long enough for a tag.
    init(parsing bytes: [UInt8]) throws(CryptoError) {
        keyID = try bytes.span.withUnsafeBytes { bytes throws(CryptoError) in try Self.keyID(of: bytes) }
        nonce = bytes[Self.nonceRange]
    }

    /// The key id of bytes that are long enough for a prefix and a tag.
    static func keyID(of bytes: UnsafeRawBufferPointer) throws(CryptoError) -> UUID {
        guard let version = bytes.first else { throw .malformed }
        guard version == Self.version else { throw .unsupportedVersion }
        guard bytes.count >= Self.count + AES256GCM.tagSize else { throw .malformed }
        return UUID(uuid: bytes.loadUnaligned(fromByteOffset: 1, as: uuid_t.self))
    }

    var bytes: [UInt8] { [Self.version] + keyID.bytes + nonce }
}
