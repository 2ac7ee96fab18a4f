package import DiaryCrypto
import WireFormats

package protocol RateLimiter: Sendable {
    /// Charges one call against every policy, or none when one of them refuses. Never throws: without Redis it limits in this process.
    /// - Parameter subject: an opaque keyed hash (user or address), never the value itself; two with a slash between them for an address in
    ///   a network that is limited too.
    func charge(_ policies: [RatePolicy], subject: String) async -> [RateVerdict]
    /// Refunds one call that was charged a moment ago. Never throws.
    /// - Parameters:
    ///   - policies: of those that `charge` allowed; the others stay charged.
    ///   - subject: as it was charged.
    func refund(_ policies: [RatePolicy], subject: String) async
    /// Removes all charges: after a success that follows failures.
    func reset(_ policy: RatePolicy, subject: String) async
}

package struct RateVerdict: Sendable, Equatable {
    package var policy: RatePolicy
    package var allowed: Bool
    package var remaining: Int
    /// Seconds until `remaining` is full again (rate) or the window ends (quota).
    package var resetSeconds: Int
    /// Seconds to wait before the next call can pass; 0 when allowed.
    package var retryAfterSeconds: Int

    package init(policy: RatePolicy, allowed: Bool, remaining: Int, resetSeconds: Int, retryAfterSeconds: Int) {
        self.policy = policy
        self.allowed = allowed
        self.remaining = remaining
        self.resetSeconds = resetSeconds
        self.retryAfterSeconds = retryAfterSeconds
    }
}

/// The subject of a limit's count in the limiter's store: 32 hex digits of a keyed hash, never an id or an address.
package enum RateSubjectName {
    package static func user(_ user: UserID, key: SecretBytes) -> String { hash(Array("user/".utf8) + user.uuid.octets, key: key) }

    package static func hash(_ message: [UInt8], key: SecretBytes) -> String {
        Hex.encode(Array(HMACSHA256.code(message, key: key).prefix(16)))
    }
}

/// Removes a caller's charges from the limiter's store.
package protocol RateForgetting: Sendable {
    /// - Returns: false when the store is unavailable; its content expires by itself.
    func forget(_ subject: String) async -> Bool
}
