/// The erasure of an account, and its receipt.
package struct ErasureFeature: Sendable {
    package let erase: EraseAccount
    let erasures: any ErasureStore
    let serviceKeys: ServiceKeys

    init(_ ports: FeaturePorts) {
        erase = EraseAccount(
            erasures: ports.erasures, keys: ports.memberKeys, hasher: ports.hasher, guesses: ports.guesses,
            serviceKeys: ports.serviceKeys, limits: ports.limits, clock: ports.clock)
        erasures = ports.erasures
        serviceKeys = ports.serviceKeys
    }

    /// Reads the progress of an erasure, for the holder of its receipt.
    package func deletion(_ receipt: String) async throws(DiaryError) -> Deletion {
        guard let receipt = ErasureReceipt(parsing: receipt),
            let deletion = try await erasures.deletion(receiptHash: receipt.hash(serviceKeys))
        else { throw .notFound }
        return deletion
    }
}

extension DiaryFeatures {
    package var erasure: ErasureFeature { ErasureFeature(ports) }
}
