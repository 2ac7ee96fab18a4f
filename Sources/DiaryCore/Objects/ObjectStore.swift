package import DiaryCrypto
package import FoundationEssentials

/// Where an object lies. Staging keys are what upload URLs cover; no URL covers a final key (D10).
package struct ObjectKey: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: String, Sendable { case staging, audio, export }

    package let kind: Kind
    package let tenant: TenantID
    package let user: UserID
    /// The object's own id, which its sealed segments are bound to; the same in staging and after the move.
    package let object: UUID

    package init(kind: Kind, tenant: TenantID, user: UserID, object: UUID) {
        self.kind = kind
        self.tenant = tenant
        self.user = user
        self.object = object
    }

    /// `staging/<tenant>/<user>/<object>`: only ids, so that a key tells nothing of a diary.
    package var description: String {
        let name = kind.rawValue.utf8
        let text = [UInt8](capacity: name.count + 3 * 37) { text in
            for byte in name { text.append(byte) }
            for id in [tenant.uuid, user.uuid, object] {
                text.append(UInt8(ascii: "/"))
                id.appendLowercase(to: &text)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Parses exactly what `description` prints; anything else (dots, escapes, upper case, another depth) is nil (D8).
    package init?(path: some StringProtocol) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, let kind = Kind(rawValue: String(parts[0])), let tenant = TenantID(parts[1]),
            let user = UserID(parts[2]), let object = UUID(uuidString: String(parts[3]))
        else { return nil }
        self.init(kind: kind, tenant: tenant, user: user, object: object)
        guard description == path else { return nil }
    }
}

package struct ObjectFacts: Sendable, Equatable {
    /// Bytes before sealing.
    package var size: Int64
    /// The data key that seals it.
    package var keyID: UUID

    package init(size: Int64, keyID: UUID) {
        self.size = size
        self.keyID = keyID
    }
}

package enum ObjectStoreError: Error, Sendable, Equatable {
    case missing
    /// An object is never overwritten.
    case alreadyExists
    /// Fewer or more bytes came than were announced.
    case lengthMismatch
    /// The body's SHA-256 is not the announced one.
    case checksumMismatch
    /// Truncated, reordered or sealed with another key.
    case damaged
    /// Disk full, read-only or failing; `full` maps to 507, the rest to 503.
    case unavailable(full: Bool)
}

/// A body that arrives in pieces; `nil` ends it.
package protocol ByteStream: AnyObject, Sendable {
    func next() async throws -> [UInt8]?
}

/// Objects at rest: sealed on the way in, opened on the way out, never whole in memory.
package protocol ObjectStore: Sendable {
    /// Seals while receiving: temp file, fsync, rename without overwriting, directory fsync.
    /// - Parameter sha256: when given, the plaintext's expected digest; a mismatch leaves nothing behind.
    /// - Returns: the plaintext's SHA-256.
    func put(
        _ key: ObjectKey, from body: any ByteStream, length: Int64, sha256: [UInt8]?, sealedBy dataKey: DataKey
    ) async throws -> [UInt8]
    /// Seals a finished local file (an export zip held by an open descriptor).
    func put(_ key: ObjectKey, descriptor: Int32, length: Int64, sealedBy dataKey: DataKey) async throws(ObjectStoreError)
    func facts(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectFacts
    /// The object is there for good when this returns: whoever put it may not have lived to bring its name to disk. Throws `missing`.
    func persist(_ key: ObjectKey) async throws(ObjectStoreError)
    /// Opens `range` of the plaintext; pieces of at most 64 KiB.
    func read(_ key: ObjectKey, range: Range<Int64>, openedBy dataKey: DataKey) async throws(ObjectStoreError) -> any ByteStream
    /// Staging to final, atomically; succeeds when it already happened.
    func promote(_ key: ObjectKey, to final: ObjectKey) async throws(ObjectStoreError)
    /// Deleting what is not there succeeds.
    func delete(_ key: ObjectKey) async throws(ObjectStoreError)
}
