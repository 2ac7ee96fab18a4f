import BlockingCalls
package import DiaryCore
package import FoundationEssentials

extension DiskByteStore: PartByteStore {
    package func putPart(_ part: PartKey, length: Int64, from source: any ByteSource) async throws {
        let parts = parts
        let incoming = try await pool.run { () throws(ObjectStoreError) in
            try IncomingFile(in: tree, length: length) { name throws(ObjectStoreError) in try parts.publish(name, as: part) }
        }
        try await write(source, to: incoming)
    }

    package func parts(_ key: ObjectKey, _ upload: String) async throws(ObjectStoreError) -> [(number: Int, size: Int64)] {
        try await pool.run { () throws(ObjectStoreError) in try parts.sizes(key, upload) }
    }

    package func getPart(
        _ part: PartKey, leading: Int
    ) async throws(ObjectStoreError) -> (leading: [UInt8], size: Int64, rest: any ByteReader) {
        try await pool.run { () throws(ObjectStoreError) in
            let file = try parts.file(part)
            let size = try file.status().size
            let first = try file.read(at: 0, count: Int(min(size, Int64(leading))))
            return (first, size, try FileReader(file, range: Int64(first.count)..<size, pool: pool))
        }
    }

    package func deleteParts(_ key: ObjectKey, _ upload: String?) async throws(ObjectStoreError) {
        try await pool.run { () throws(ObjectStoreError) in try parts.remove(key, upload) }
    }

    package func listParts(olderThan: Date, after: StoredPartUpload?, limit: Int) async throws(ObjectStoreError) -> StoredPartUploads {
        try await pool.run { () throws(ObjectStoreError) in try parts.list(olderThan: olderThan, after: after, limit: max(1, limit)) }
    }
}
