package import DiaryCore

/// Reads a range of one object from its beginning. One reader: calls of `next` do not overlap.
package protocol ByteReader: AnyObject, Sendable {
    /// Bytes of the whole object, whatever the range.
    var objectSize: Int64 { get }
    /// The next `count` bytes, fewer only at the range's end, turned into the caller's bytes on the thread that read them (decision 0027), or at
    /// once where a few have been read before.
    /// - Returns: nil after the range's end and after `close`.
    func next(
        _ count: Int, through transform: @escaping @Sendable ([UInt8]) throws(ObjectStoreError) -> [UInt8]
    ) async throws(ObjectStoreError) -> [UInt8]?
    /// Releases what the reader holds; so do its last byte and its deinitialisation.
    func close()
}
