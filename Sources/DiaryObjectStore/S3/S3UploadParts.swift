package import DiaryCore
package import DiaryCrypto
package import FoundationEssentials
import S3Client

/// Uploads in parts by the bucket's own multipart uploads: parts go from the client to the service, and the service joins them. They are plain, as
/// all of staging in a bucket is.
package struct S3UploadParts: UploadParts, PartSigner {
    let store: S3ByteStore

    package init(store: S3ByteStore) { self.store = store }

    private var client: S3Client { store.client }
    private var names: S3Names { store.names }

    /// S3's least for every part but the last.
    package var smallestPart: Int64 { 5 * 1_048_576 }

    package func begin(_ key: ObjectKey, contentType: String) async throws(ObjectStoreError) -> String {
        try await ObjectStoreError.mapping { () async throws(S3Error) in
            try await client.createUpload(names[key], contentType: contentType)
        }
    }

    package func put(_ part: PartKey, _ bytes: [UInt8], sealedBy dataKey: DataKey) async throws(ObjectStoreError) {
        _ = try await ObjectStoreError.mapping { () async throws(S3Error) in
            try await client.uploadPart(names[part.key], upload: part.upload, number: part.number, bytes)
        }
    }

    /// The content type was given when the upload was created, so none is signed.
    package func sign(_ part: PartKey, contentType: String, length: Int64, at now: Date, lifetime: Double) -> UploadTarget {
        let signed = client.presignedPart(
            names[part.key], upload: part.upload, number: part.number, S3UploadTerms(length: length), at: now, lifetime: lifetime)
        return UploadTarget(url: signed.url, headers: signed.headers, expiresAt: signed.expiresAt)
    }

    package func arrived(_ upload: PartUpload) async throws(ObjectStoreError) -> [ArrivedPart] {
        try await ObjectStoreError.mapping { () async throws(S3Error) in
            try await client.listParts(names[upload.key], upload: upload.id)
        }
        .filter { $0.size == upload.length(of: $0.number) }
        .map { ArrivedPart(number: $0.number, size: $0.size, tag: $0.etag) }
    }

    package func join(_ upload: PartUpload, of parts: [ArrivedPart], sealedBy dataKey: DataKey) async throws(ObjectStoreError) {
        // Not every service knows a condition here, so the store looks first.
        if try await isTaken(upload.key) { throw .alreadyExists }
        var listed: [S3Part] = []
        for part in parts {
            guard let tag = part.tag else { throw .missing }
            listed.append(S3Part(number: part.number, etag: tag, size: part.size))
        }
        do throws(S3Error) {
            try await client.completeUpload(names[upload.key], upload: upload.id, parts: listed, ifAbsent: store.guardsOverwrites)
        } catch {
            if error.isOfLostPart { throw .missing }
            guard try await hasEnded(upload, after: error) else { throw ObjectStoreError(error) }
            // It may have been joined by another call, and the recording been promoted since.
            throw try await isTaken(upload.key) ? .alreadyExists : .missing
        }
        // Asked again, as after a put: another recording of the key may have been promoted meanwhile.
        if try await store.head(upload.key.promoted) != nil {
            try await store.delete(upload.key)
            throw .alreadyExists
        }
    }

    /// Whether the upload is gone. radosgw answers 500 to the join of such an upload, so its parts are asked for.
    private func hasEnded(_ upload: PartUpload, after error: S3Error) async throws(ObjectStoreError) -> Bool {
        if error.reason == .noUpload { return true }
        guard error.reason == .unavailable else { return false }
        do throws(S3Error) {
            _ = try await client.listParts(names[upload.key], upload: upload.id)
            return false
        } catch {
            guard error.reason == .noUpload else { throw ObjectStoreError(error) }
            return true
        }
    }

    private func isTaken(_ key: ObjectKey) async throws(ObjectStoreError) -> Bool {
        if try await store.head(key) != nil { return true }
        return try await store.head(key.promoted) != nil
    }

    package func discard(_ key: ObjectKey, id: String?) async throws(ObjectStoreError) {
        let name = names[key]
        try await ObjectStoreError.mapping { () async throws(S3Error) -> Void in
            if let id { return try await client.abortUpload(name, upload: id) }
            try await client.abortUploads(prefix: name) { $0 == name }
        }
    }

    /// The service's listing says when an upload was created. For those that are old its parts are listed too: a request each.
    package func list(olderThan: Date, after: StoredPartUpload?, limit: Int) async throws(ObjectStoreError) -> StoredPartUploads {
        let prefix = names[ObjectPrefix(.staging)]
        var from = after.map { S3UploadMarker(key: names[$0.key], id: $0.id) }
        while true {
            let page = try await ObjectStoreError.mapping { [from] () async throws(S3Error) in
                try await client.listUploads(prefix: prefix, after: from, limit: limit)
            }
            let found = page.uploads.compactMap { upload in
                names.key(of: upload.key).map { StoredPartUpload(key: $0, id: upload.id, storedAt: upload.startedAt ?? .distantPast) }
            }
            // A page of names that are no objects' has nothing that the next one could begin after.
            if !found.isEmpty || page.next == nil {
                let next = page.next == nil ? nil : found.last
                return StoredPartUploads(
                    uploads: try await inactive(found.filter { $0.storedAt < olderThan }, since: olderThan), next: next)
            }
            from = page.next
        }
    }

    /// Of these uploads the ones without a later part, with the times of their last ones.
    private func inactive(_ uploads: [StoredPartUpload], since time: Date) async throws(ObjectStoreError) -> [StoredPartUpload] {
        var inactive: [StoredPartUpload] = []
        var failed = 0
        for var upload in uploads {
            do throws(S3Error) {
                let parts = try await client.listParts(names[upload.key], upload: upload.id)
                // Without the time of its parts an upload counts as new; the bucket's lifecycle rule must end it.
                upload.storedAt = parts.map { $0.storedAt ?? .distantFuture }.reduce(upload.storedAt, max)
                if upload.storedAt < time { inactive.append(upload) }
            } catch {
                // One upload that cannot be listed does not keep the others from the sweep.
                if error.reason != .noUpload { failed += 1 }
                guard failed < 3 else { throw ObjectStoreError(error) }
            }
        }
        return inactive
    }
}

extension S3Error {
    /// A part was replaced or went between its listing and the join.
    fileprivate var isOfLostPart: Bool { ["InvalidPart", "InvalidPartOrder"].contains(code) }
}

/// Signs PUT URLs of the bucket itself: recordings go from the client to the service and not through the API.
package struct S3UploadSigner: UploadSigner {
    let store: S3ByteStore

    package init(store: S3ByteStore) { self.store = store }

    package func sign(
        _ key: ObjectKey, contentType: String, length: Int64, sha256: [UInt8]?, at now: Date, lifetime: Double
    ) -> UploadTarget {
        let terms = S3UploadTerms(
            contentType: contentType, length: length, sha256: store.signsChecksums ? sha256 : nil, ifAbsent: store.guardsOverwrites)
        let signed = store.client.presignedPut(store.names[key], terms, at: now, lifetime: lifetime)
        return UploadTarget(url: signed.url, headers: signed.headers, expiresAt: signed.expiresAt)
    }
}
