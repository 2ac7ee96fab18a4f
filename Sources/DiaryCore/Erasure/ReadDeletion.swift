/// Reads the progress of an erasure, for the holder of its receipt.
package struct ReadDeletion: Sendable {
    let erasures: any ErasureStore
    let serviceKeys: ServiceKeys

    package func run(_ receipt: String) async throws(DiaryError) -> Deletion {
        guard let receipt = ErasureReceipt(parsing: receipt),
            let deletion = try await erasures.deletion(receiptHash: receipt.hash(serviceKeys))
        else { throw .notFound }
        return deletion
    }
}
