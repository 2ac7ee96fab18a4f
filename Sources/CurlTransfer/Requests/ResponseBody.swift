/// A response's body, pulled chunk by chunk: what is not asked for stays with the sender (about 64 KiB are kept here).
///
/// For one reader; it must not leave the scope it was given to.
package struct ResponseBody: AsyncSequence {
    package typealias Element = [UInt8]

    let transfer: Transfer

    package struct AsyncIterator: AsyncIteratorProtocol {
        let transfer: Transfer

        /// - Returns: the next bytes, never none of them; nil at the end of a complete body.
        /// - Throws: `TransferError`, also when the body ends before its time.
        package mutating func next() async throws -> [UInt8]? { try await transfer.nextChunk() }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(transfer: transfer) }
}

@available(*, unavailable)
extension ResponseBody: Sendable {}
