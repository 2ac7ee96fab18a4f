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
