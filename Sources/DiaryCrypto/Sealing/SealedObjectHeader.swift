package import FoundationEssentials

/// The first 73 bytes of a sealed object. Its values are unauthenticated until a segment has opened with them.
package struct SealedObjectHeader: Sendable, Equatable {
    static let version: UInt8 = 1
    static let saltSize = 32

    /// Bytes: version 1, key id 16, salt 32, object id 16, plain length 8.
    package static let count = 1 + 16 + saltSize + 16 + 8

    package let keyID: UUID
    let salt: [UInt8]
    package let objectID: UUID
    package let plainLength: Int64

    init(keyID: UUID, salt: [UInt8], objectID: UUID, plainLength: Int64) throws(CryptoError) {
        guard salt.count == Self.saltSize, (0...SealedObjectLayout.maximumPlainLength).contains(plainLength) else {
            throw .invalidLength
        }
        self.keyID = keyID
        self.salt = salt
        self.objectID = objectID
        self.plainLength = plainLength
    }

    /// - Parameter bytes: the object's start; more than the header may follow.
    package init(parsing bytes: [UInt8]) throws(CryptoError) {
        guard let version = bytes.first else { throw .malformed }
        guard version == Self.version else { throw .unsupportedVersion }
        guard bytes.count >= Self.count, let keyID = UUID(bytes: bytes[1..<17]), let objectID = UUID(bytes: bytes[49..<65]) else {
            throw .malformed
        }
        let length = bytes[65..<73].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard length <= UInt64(SealedObjectLayout.maximumPlainLength) else { throw .malformed }
        self.keyID = keyID
        salt = Array(bytes[17..<49])
        self.objectID = objectID
        plainLength = Int64(length)
    }

    var bytes: [UInt8] {
        var bytes = [Self.version] + keyID.bytes + salt + objectID.bytes
        bytes.append(bigEndian: plainLength)
        return bytes
    }
}
