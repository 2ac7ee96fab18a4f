import DiaryCore
import DiaryObjectStore
import Foundation
import TestSupport

/// Parts whose readings are counted, and wait until a test opens the gate.
final class GatedParts: PartByteStore {
    private let bytes: any PartByteStore
    private let count = Shared(0)
    private let isOpen = Shared(false)

    init(_ bytes: any PartByteStore) { self.bytes = bytes }

    var readings: Int { count.now }
    func open() { isOpen.set(true) }

    func getPart(_ part: PartKey, leading: Int) async throws(ObjectStoreError) -> (leading: [UInt8], size: Int64, rest: any ByteReader) {
        count.change { $0 += 1 }
        _ = await eventually { isOpen.now }
        return try await bytes.getPart(part, leading: leading)
    }
    func putPart(_ part: PartKey, length: Int64, from source: any ByteSource) async throws {
        try await bytes.putPart(part, length: length, from: source)
    }
    func parts(_ key: ObjectKey, _ upload: String) async throws(ObjectStoreError) -> [(number: Int, size: Int64)] {
        try await bytes.parts(key, upload)
    }
    func deleteParts(_ key: ObjectKey, _ upload: String?) async throws(ObjectStoreError) { try await bytes.deleteParts(key, upload) }
    func listParts(olderThan: Date, after: StoredPartUpload?, limit: Int) async throws(ObjectStoreError) -> StoredPartUploads {
        try await bytes.listParts(olderThan: olderThan, after: after, limit: limit)
    }
}
