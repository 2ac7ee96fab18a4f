package import DiaryCrypto
package import FoundationEssentials

/// Token keys and the times from which each of them signs. The state of each key follows from these times alone, so that all processes
/// agree without communicating: the key that began last signs; later ones are published only; earlier ones verify until their last token
/// has expired.
package struct SigningKeySchedule: Sendable {
    package struct Key: Sendable {
        package let id: String
        package let pair: P256PrivateKey
        package let signsFrom: Date

        package init(_ pair: P256PrivateKey, signsFrom: Date) {
            id = SigningKeyRing.keyID(of: pair.publicKey)
            self.pair = pair
            self.signsFrom = signsFrom
        }
    }

    package enum State: String, Sendable {
        /// Published, does not sign yet.
        case next
        case signing
        /// Verifies tokens that it signed before.
        case old
        /// Its last token has expired: it neither signs nor verifies.
        case ended
    }

    /// Ordered by the time from which they sign.
    package let keys: [Key]
    /// Seconds from the moment another key signs until the last token of this one is no longer accepted.
    package let tokenSeconds: Double
    /// Keys of the key database that were retired once: a restore brought them back. They are not in `keys`.
    package let restoredIDs: [String]

    /// - Parameter accessTokenSeconds: an access token's lifetime; the verifiers' leeway and the time until all processes have
    ///   switched are added.
    package init(_ keys: [Key], accessTokenSeconds: Int, restoredIDs: [String] = []) {
        self.restoredIDs = restoredIDs
        self.keys = keys.sorted { ($0.signsFrom, $0.id) < ($1.signsFrom, $1.id) }
        tokenSeconds = Double(accessTokenSeconds) + 120
    }

    /// When the key at `index` ends; nil while no other one follows.
    package func end(of index: Int) -> Date? {
        let next = keys.dropFirst(index + 1).first
        return next.map { $0.signsFrom.addingTimeInterval(tokenSeconds) }
    }

    package func state(of index: Int, at now: Date) -> State {
        guard let key = keys.dropFirst(index).first else { return .ended }
        if key.signsFrom > now { return .next }
        guard let next = keys.dropFirst(index + 1).first, next.signsFrom <= now else { return .signing }
        return next.signsFrom.addingTimeInterval(tokenSeconds) > now ? .old : .ended
    }

    /// The keys that sign and verify now; nil when no key has begun.
    package func ring(at now: Date) -> SigningKeyRing? {
        let living = keys.enumerated().map { (key: $0.element, state: state(of: $0.offset, at: now)) }.filter { $0.state != .ended }
        guard let current = living.first(where: { $0.state == .signing }) else { return nil }
        return SigningKeyRing(current: current.key.pair, verifying: living.filter { $0.state != .signing }.map(\.key.pair.publicKey))
    }
}
