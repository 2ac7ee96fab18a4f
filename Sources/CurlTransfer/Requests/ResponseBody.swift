/// A response's body, pulled chunk by chunk. At most about 64 KiB are buffered; the rest stays with the sender.
///
/// For one reader, within the scope it is passed to.
package struct ResponseBody: AsyncSequence {
    package typealias Element = [UInt8]

    let transfer: Transfer

    package struct AsyncIterator: AsyncIteratorProtocol {
        let transfer: Transfer

        /// - Returns: the next bytes, never empty; nil at the end of a complete body.
        /// - Throws: `TransferError`, also when the body ends early.
        package mutating func next() async throws -> [UInt8]? { try await transfer.nextChunk() }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(transfer: transfer) }
}

@available(*, unavailable)
extension ResponseBody: Sendable {}
