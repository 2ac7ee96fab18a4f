package import FoundationEssentials

/// One sealed column value: version, key id, nonce, ciphertext, tag; 45 bytes longer than the plaintext.
package enum SealedPart {
    package static func seal(
        _ plain: [UInt8], key: DataKey, purpose: SealPurpose = .content, context: PartContext
    ) throws(CryptoError) -> [UInt8] {
        try seal(plain, key: key, purpose: purpose, context: context, nonce: SecureRandom.bytes(AES256GCM.nonceSize))
    }

    static func seal(
        _ plain: [UInt8], key: DataKey, purpose: SealPurpose, context: PartContext, nonce: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        try AES256GCM.seal(
            plain, key: key.subkey(purpose), nonce: nonce, additional: context.additional,
            after: SealedPrefix(keyID: key.id, nonce: nonce).bytes)
    }

    /// - Throws: `wrongKey` when another data key sealed it, `refused` when it was altered or belongs to another context.
    package static func open(
        _ sealed: [UInt8], key: DataKey, purpose: SealPurpose = .content, context: PartContext
    ) throws(CryptoError) -> [UInt8] {
        let prefix = try SealedPrefix(parsing: sealed)
        guard prefix.keyID == key.id else { throw .wrongKey }
        return try AES256GCM.open(
            sealed.dropFirst(SealedPrefix.count), key: key.subkey(purpose), nonce: prefix.nonce, additional: context.additional)
    }

    /// The data key that opens it; nil for bytes that are not in the format. Not authenticated: use it only to look the key up.
    package static func keyID(of sealed: [UInt8]) -> UUID? { try? SealedPrefix(parsing: sealed).keyID }
}

/// The one place a sealed part belongs to. It does not open in another (G3).
package struct PartContext: Sendable, Equatable {
    package let table: String
    package let part: String
    package let tenant: UUID
    package let user: UUID
    package let row: UUID
    /// The part's own content version.
    package let version: Int64

    package init(table: String, part: String, tenant: UUID, user: UUID, row: UUID, version: Int64) {
        self.table = table
        self.part = part
        self.tenant = tenant
        self.user = user
        self.row = row
        self.version = version
    }

    /// Texts carry their length and the rest has a fixed one, so that different contexts never give the same bytes.
    var additional: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(96)
        bytes.append(SealedPrefix.version)
        bytes.append(counted: table)
        bytes.append(counted: part)
        bytes.append(tenant)
        bytes.append(user)
        bytes.append(row)
        bytes.append(bigEndian: version)
        return bytes
    }
}

/// What a subkey of a user's data key is for. Bytes sealed for one purpose do not open for another.
package enum SealPurpose: String, Sendable, CaseIterable {
    case content, audio, index, export
}

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
