package import DiaryCore
package import DiaryCrypto
package import FoundationEssentials

/// Uploads in parts while objects move from one store to another (decision 0047). Uploads are begun in the first store. One whose parts have all arrived in
/// the other is joined there; one that lacks parts counts as gone, and begins anew in the first.
package struct PairedUploadParts: UploadParts {
    let first: any UploadParts
    let other: any UploadParts

    package var smallestPart: Int64 { first.smallestPart }

    package func begin(_ key: ObjectKey, contentType: String) async throws(ObjectStoreError) -> String {
        try await first.begin(key, contentType: contentType)
    }

    package func arrived(_ upload: PartUpload) async throws(ObjectStoreError) -> [ArrivedPart] {
        let here = try await found(first, upload)
        if let here, !here.isEmpty { return here }
        if let there = try await found(other, upload), upload.isComplete(there) { return there }
        guard let here else { throw .missing }
        return here
    }

    package func join(_ upload: PartUpload, of parts: [ArrivedPart], sealedBy dataKey: DataKey) async throws(ObjectStoreError) {
        let isHere = try await found(first, upload).map { !$0.isEmpty } ?? false
        try await (isHere ? first : other).join(upload, of: parts, sealedBy: dataKey)
    }

    package func discard(_ key: ObjectKey, id: String?) async throws(ObjectStoreError) {
        try await first.discard(key, id: id)
        try await other.discard(key, id: id)
    }

    /// Those of the first store. The other one's end with its folder, or by the bucket's lifecycle.
    package func list(olderThan: Date, after: StoredPartUpload?, limit: Int) async throws(ObjectStoreError) -> StoredPartUploads {
        try await first.list(olderThan: olderThan, after: after, limit: limit)
    }

    /// Nil when the store knows no such upload.
    private func found(_ store: any UploadParts, _ upload: PartUpload) async throws(ObjectStoreError) -> [ArrivedPart]? {
        do throws(ObjectStoreError) { return try await store.arrived(upload) } catch .missing { return nil }
    }
}
