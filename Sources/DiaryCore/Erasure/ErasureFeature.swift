/// The erasure of an account, and its receipt.
package struct ErasureFeature: Sendable {
    package let erase: EraseAccount
    package let readDeletion: ReadDeletion

    init(_ ports: FeaturePorts) {
        erase = EraseAccount(
            erasures: ports.erasures, keys: ports.memberKeys, hasher: ports.hasher, guesses: ports.guesses,
            serviceKeys: ports.serviceKeys, limits: ports.limits, clock: ports.clock)
        readDeletion = ReadDeletion(erasures: ports.erasures, serviceKeys: ports.serviceKeys)
    }
}

extension DiaryFeatures {
    package var erasure: ErasureFeature { ErasureFeature(ports) }
}

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
