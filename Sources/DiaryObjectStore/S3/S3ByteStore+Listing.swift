package import DiaryCore
package import FoundationEssentials
import S3Client

extension S3ByteStore {
    package func list(
        _ prefix: ObjectPrefix, after: ObjectKey?, olderThan: Date, limit: Int
    ) async throws(ObjectStoreError) -> ByteListing {
        var continuation: String?
        while true {
            let page = try await ObjectStoreError.mapping { [continuation] () async throws(S3Error) in
                try await client.list(
                    prefix: names[prefix], after: after.map { names[$0] }, continuation: continuation, limit: min(max(1, limit), 1_000))
            }
            let found = page.entries.compactMap { entry in
                names.key(of: entry.key).map { ByteObject(key: $0, size: entry.size, storedAt: entry.storedAt) }
            }
            let next = page.continuation == nil ? nil : found.last?.key
            // A page of names that are no objects' has nothing that the next one could begin after.
            if !found.isEmpty || page.continuation == nil {
                return ByteListing(objects: found.filter { $0.storedAt < olderThan }, next: next)
            }
            continuation = page.continuation
        }
    }

    /// Also deletes objects of the user's prefix that are not named as objects are, what a bucket with versions keeps of them, and uploads in
    /// parts that were not completed.
    package func deleteAll(_ kind: ObjectKey.Kind, of owner: Owner, most: Int) async throws(ObjectStoreError) -> Int {
        guard most > 0 else { return 0 }
        let prefix = names[ObjectPrefix(kind, of: owner)]
        return try await ObjectStoreError.mapping { () async throws(S3Error) in
            if kind == .staging { try await client.abortUploads(prefix: prefix) }
            var deleted = 0
            while deleted < most {
                let page = try await client.list(prefix: prefix, limit: min(most - deleted, 1_000))
                guard !page.entries.isEmpty else { break }
                let result = try await client.delete(page.entries.map { S3Version($0.key) })
                guard result.failed.isEmpty else { throw S3Error.left("DeleteObjects") }
                deleted += page.entries.count
            }
            // What earlier deletions hid is deleted with the last objects.
            if deleted < most, try await client.keepsVersions() { try await client.deleteVersions(prefix: prefix) }
            return deleted
        }
    }
}
