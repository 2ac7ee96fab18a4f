import Synchronization

/// Payloads of verified tokens by the SHA-256 of the token, so that a signature is checked once per process (decision D7).
///
/// Two generations: when the young one reaches half the capacity it becomes the old one and the old one is dropped. A token
/// that is used moves back to the young one. The caller checks whether a payload is current: entries are kept beyond `exp`.
final class VerifiedTokenCache: Sendable {
    private struct Generations {
        var young: [[UInt8]: AccessTokenPayload] = [:]
        var old: [[UInt8]: AccessTokenPayload] = [:]
    }

    private let half: Int
    private let generations = Mutex(Generations())

    init(capacity: Int) { half = max(1, capacity / 2) }

    func payload(_ digest: [UInt8]) -> AccessTokenPayload? {
        generations.withLock { generations in
            if let payload = generations.young[digest] { return payload }
            guard let payload = generations.old.removeValue(forKey: digest) else { return nil }
            insert(payload, digest, &generations)
            return payload
        }
    }

    func insert(_ payload: AccessTokenPayload, for digest: [UInt8]) {
        generations.withLock { insert(payload, digest, &$0) }
    }

    func remove(_ digest: [UInt8]) {
        generations.withLock {
            $0.young[digest] = nil
            $0.old[digest] = nil
        }
    }

    func removeAll() { generations.withLock { $0 = Generations() } }

    private func insert(_ payload: AccessTokenPayload, _ digest: [UInt8], _ generations: inout Generations) {
        if generations.young.count >= half {
            generations.old = generations.young
            generations.young = [:]
            generations.young.reserveCapacity(half)
        }
        generations.old[digest] = nil
        generations.young[digest] = payload
    }
}
