import DiaryCore
import DiaryCrypto

/// Staging that clients send to, and that is plain until it is verified.
extension SealedObjectStore {
    func isPlain(_ key: ObjectKey) -> Bool { staging == .plain && key.kind == .staging }

    func putPlain(_ key: ObjectKey, from body: any ByteStream, length: Int64, sha256: [UInt8]?) async throws -> [UInt8] {
        let source = PlainSource(body, sha256: sha256)
        try await bytes.put(key, length: length, from: source)
        guard let digest = source.digest else { throw ObjectStoreError.unavailable(full: false) }
        return digest
    }

    /// Seals while it copies, then deletes. What is stored has the digest that was verified: between the check and the copy a client may have
    /// sent other bytes where the service cannot refuse them.
    func seal(_ key: ObjectKey, to final: ObjectKey, with dataKey: DataKey, sha256: [UInt8]?) async throws(ObjectStoreError) {
        // A body that has been sent in part cannot be sent again, so the copy begins anew.
        for attempt in 1... {
            do throws(ObjectStoreError) {
                return try await sealOnce(key, to: final, with: dataKey, sha256: sha256)
            } catch {
                guard error == .unavailable(full: false), attempt < 3, !Task.isCancelled else { throw error }
            }
        }
    }

    private func sealOnce(_ key: ObjectKey, to final: ObjectKey, with dataKey: DataKey, sha256: [UInt8]?) async throws(ObjectStoreError) {
        let taken = try await bytes.head(final, leading: SealedObjectHeader.count)
        guard let staged = try await bytes.head(key) else {
            if taken == nil { throw .missing }
            return
        }
        if let taken {
            try Self.requirePromoted(taken, size: staged.size)
        } else {
            do {
                let reader = try await bytes.get(key, range: 0..<staged.size)
                let source = try SealingSource(PlainStream(reader), length: staged.size, sha256: sha256, key: final, sealedBy: dataKey)
                try await bytes.put(final, length: SealedObjectLayout.sealedLength(ofPlain: staged.size), from: source)
            } catch ObjectStoreError.alreadyExists {
                // Another promotion ended first.
                guard let made = try await bytes.head(final, leading: SealedObjectHeader.count) else { throw .unavailable(full: false) }
                try Self.requirePromoted(made, size: staged.size)
            } catch let error as ObjectStoreError {
                throw error
            } catch {
                throw .unavailable(full: false)
            }
        }
        try await bytes.delete(key)
    }

    /// An earlier promotion that was interrupted made the final object: it has the length of what is in staging.
    private static func requirePromoted(_ object: ByteObject, size: Int64) throws(ObjectStoreError) {
        guard let header = try? SealedObjectHeader(of: object), header.plainLength == size else { throw .alreadyExists }
    }
}
