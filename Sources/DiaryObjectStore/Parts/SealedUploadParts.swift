package import DiaryCore
package import DiaryCrypto
package import FoundationEssentials

/// Uploads in parts over a store that seals its staging: each part is a sealed object of its own, with a salt of its own, so that a part that comes
/// again never meets a nonce twice. Joining opens and seals again, a segment at a time.
package struct SealedUploadParts: UploadParts, PartReceiver {
    let bytes: any PartByteStore
    let objects: SealedObjectStore
    let joins = RunningJoins()

    package init(bytes: any PartByteStore, objects: SealedObjectStore) {
        self.bytes = bytes
        self.objects = objects
    }

    package var smallestPart: Int64 { 1_048_576 }

    /// Nothing is stored before the first part.
    package func begin(_ key: ObjectKey, contentType: String) async throws(ObjectStoreError) -> String { UUIDv7.make().lowercaseText }

    package func receive(_ part: PartKey, from body: any ByteStream, length: Int64, sealedBy dataKey: DataKey) async throws -> [UInt8] {
        let source = try SealingSource(body, length: length, sha256: nil, key: part.sealedAs, sealedBy: dataKey)
        try await bytes.putPart(part, length: SealedObjectLayout.sealedLength(ofPlain: length), from: source)
        guard let digest = source.digest else { throw ObjectStoreError.unavailable(full: false) }
        return digest
    }

    package func put(_ part: PartKey, _ bytes: [UInt8], sealedBy dataKey: DataKey) async throws(ObjectStoreError) {
        do {
            _ = try await receive(part, from: BufferedBody(bytes), length: Int64(bytes.count), sealedBy: dataKey)
        } catch let error as ObjectStoreError {
            throw error
        } catch {
            throw .unavailable(full: false)
        }
    }

    package func arrived(_ upload: PartUpload) async throws(ObjectStoreError) -> [ArrivedPart] {
        try await bytes.parts(upload.key, upload.id).compactMap { part in
            guard let length = upload.length(of: part.number), part.size == SealedObjectLayout.sealedLength(ofPlain: length) else {
                return nil
            }
            return ArrivedPart(number: part.number, size: length)
        }
    }

    /// Calls for one upload share one join. Another process may join the upload as well: one of the two then finds the object and throws `alreadyExists`.
    package func join(_ upload: PartUpload, of parts: [ArrivedPart], sealedBy dataKey: DataKey) async throws(ObjectStoreError) {
        try await joins.run(upload) { () async throws(ObjectStoreError) in try await joinOnce(upload, of: parts, sealedBy: dataKey) }
    }

    private func joinOnce(_ upload: PartUpload, of parts: [ArrivedPart], sealedBy dataKey: DataKey) async throws(ObjectStoreError) {
        do {
            _ = try await objects.put(
                upload.key, from: JoinedParts(upload, parts, bytes, openedBy: dataKey), length: upload.size, sha256: nil, sealedBy: dataKey)
        } catch ObjectStoreError.alreadyExists {
            // The process that joined it may have ended before it was durable, and the parts are deleted next. A promoted one is durable.
            do throws(ObjectStoreError) { try await objects.confirmDurable(upload.key) } catch .missing {}
            throw .alreadyExists
        } catch let error as ObjectStoreError {
            throw error
        } catch {
            throw .unavailable(full: false)
        }
    }

    package func discard(_ key: ObjectKey, id: String?) async throws(ObjectStoreError) { try await bytes.deleteParts(key, id) }

    package func list(olderThan: Date, after: StoredPartUpload?, limit: Int) async throws(ObjectStoreError) -> StoredPartUploads {
        try await bytes.listParts(olderThan: olderThan, after: after, limit: limit)
    }
}

extension PartKey {
    /// The name that a part is sealed under: its object id is made of object, upload and number, so that no part opens in another's place
    /// (docs/sealed-format.md).
    var sealedAs: ObjectKey {
        var text = Array("diary/v1/part".utf8) + key.object.octets + Array(upload.utf8)
        withUnsafeBytes(of: UInt32(clamping: number).bigEndian) { text.append(contentsOf: $0) }
        let object = UUID(octets: SHA256.digest(text).prefix(16)) ?? key.object
        return ObjectKey(kind: key.kind, tenant: key.tenant, user: key.user, object: object)
    }
}

/// Parts of uploads as bytes, where they lie until they are joined.
package protocol PartByteStore: Sendable {
    /// Stores a part in place of an earlier one of its number. It is durable when this returns; a put that fails or is cancelled leaves what was
    /// there.
    func putPart(_ part: PartKey, length: Int64, from source: any ByteSource) async throws
    /// The numbers and stored sizes of an upload's parts, in order; empty for an upload that is not there.
    /// - Throws: `missing` for a name that is no upload's of this store.
    func parts(_ key: ObjectKey, _ upload: String) async throws(ObjectStoreError) -> [(number: Int, size: Int64)]
    /// A part's first bytes and a reader of the others. Both are of one version of the part, also when it is replaced meanwhile.
    /// - Throws: `missing`.
    func getPart(_ part: PartKey, leading: Int) async throws(ObjectStoreError) -> (leading: [UInt8], size: Int64, rest: any ByteReader)
    /// - Parameter upload: nil for every upload of the key.
    func deleteParts(_ key: ObjectKey, _ upload: String?) async throws(ObjectStoreError)
    func listParts(olderThan: Date, after: StoredPartUpload?, limit: Int) async throws(ObjectStoreError) -> StoredPartUploads
}
