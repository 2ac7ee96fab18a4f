package import DiaryCore
package import FoundationEssentials

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
