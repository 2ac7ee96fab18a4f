package import DiaryCore
import DiaryCrypto
package import HTTPListener
import HTTPTypes

/// A route's limits: charged before its handler has any effect, and announced on every answer of the route
/// (draft-ietf-httpapi-ratelimit-headers: `RateLimit-Policy` and `RateLimit`).
struct RateGate: Sendable {
    let limiter: any RateLimiter
    let key: SecretBytes

    func charge(_ policies: [RatePolicy], _ subject: RateSubject) async -> [RateVerdict] {
        guard !policies.isEmpty else { return [] }
        // Both networks of an IPv6 client in one round trip.
        let charged = if case .client(let address) = subject, address.site != nil { policies + policies.map(\.ofNetwork) } else { policies }
        return await limiter.charge(charged, subject: opaque(subject))
    }

    /// Charges limits that the answer does not announce.
    func passes(_ policies: [RatePolicy], _ subject: RateSubject) async -> Bool {
        Self.refusal(await charge(policies, subject)) == nil
    }

    /// - Parameter verdicts: of the charge.
    /// - Returns: the verdicts, for those policies as if the call had not been made.
    func refund(_ policies: [RatePolicy], _ subject: RateSubject, verdicts: [RateVerdict]) async -> [RateVerdict] {
        guard !policies.isEmpty else { return verdicts }
        await limiter.refund(policies, subject: opaque(subject))
        return verdicts.map { verdict in
            guard policies.contains(verdict.policy) else { return verdict }
            var verdict = verdict
            verdict.remaining += 1
            return verdict
        }
    }

    /// 32 hex digits of a keyed hash; of an IPv6 client those of its /48, a slash, and those of its /64.
    func opaque(_ subject: RateSubject) -> String {
        switch subject {
        case .client(let address):
            (address.site.map { RateSubjectName.hash(Array("site/".utf8) + $0, key: key) + "/" } ?? "")
                + RateSubjectName.hash(Array("client/".utf8) + address.prefix, key: key)
        case .user(let user): RateSubjectName.user(user, key: key)
        }
    }

    static func refusal(_ verdicts: [RateVerdict]) -> DiaryError? {
        let refused = verdicts.filter { !$0.allowed }
        guard let wait = refused.map(\.retryAfterSeconds).max() else { return nil }
        return DiaryError(.rateLimited, retryAfter: max(1, wait), cause: refused.map(\.policy.name).joined(separator: ","))
    }

    static func announce(_ verdicts: [RateVerdict], in headers: inout HTTPFields) {
        guard !verdicts.isEmpty, let policyName = FieldNames.rateLimitPolicy, let stateName = FieldNames.rateLimit else { return }
        var policies = ""
        var states = ""
        for verdict in verdicts {
            let name = verdict.policy.name
            if !states.isEmpty {
                policies += ", "
                states += ", "
            }
            switch verdict.policy.shape {
            case .rate(let limit, let window, _), .quota(let limit, let window): policies += "\"\(name)\";q=\(limit);w=\(window)"
            case .backoff(let free, _, let longest): policies += "\"\(name)\";q=\(free);w=\(longest)"
            }
            states += "\"\(name)\";r=\(verdict.remaining);t=\(verdict.resetSeconds)"
        }
        headers[policyName] = policies
        headers[stateName] = states
    }
}

/// The subject a limit is counted for.
package enum RateSubject: Sendable {
    case client(ClientAddress)
    case user(UserID)
}
