package import DiaryCore
package import FoundationEssentials
import WireFormats

extension AppleNotification.Kind {
    init(_ type: String) {
        switch type {
        case "email-disabled": self = .emailDisabled
        case "email-enabled": self = .emailEnabled
        case "consent-revoked": self = .consentRevoked
        // The documentation says "account-deleted", the service has sent "account-delete".
        case "account-deleted", "account-delete": self = .accountDeleted
        default: self = .other
        }
    }
}

/// Verifies Apple's server-to-server notifications: JWTs signed with the keys of the ID tokens.
package struct AppleNotificationVerifier: Sendable {
    private let issuer: IDTokenIssuer
    private let signature: ProviderSignature
    private let leeway: Int64
    /// Seconds, for a notification without `exp`.
    private static let usualLifetime: Int64 = 24 * 60 * 60

    package init(issuer: IDTokenIssuer, keys: JWKSCache, leeway: Int64 = 60) {
        self.issuer = issuer
        self.leeway = leeway
        signature = ProviderSignature(issuer: issuer, keys: keys)
    }

    /// - Parameter token: the `payload` of the request's body.
    /// - Parameter audiences: the client ids of all tenants; `audience` of the result is the one that matched.
    package func read(_ token: String, audiences: Set<String>, at now: Date) async throws(IDTokenFailure) -> AppleNotification {
        let payload = try await signature.payload(of: token, audiences: audiences)
        guard let notification = JSONParser.object(payload, .jose).flatMap({ notification($0, audiences, now) }) else { throw .refused }
        return notification
    }

    private func notification(_ object: JSONObject, _ audiences: Set<String>, _ now: Date) -> AppleNotification? {
        guard let name = object["iss"]?.string, issuer.isNamed(name),
            let audience = object["aud"]?.string, audiences.contains(where: { $0.hasSameBytes(as: audience) }),
            let id = object["jti"]?.string, IDTokenPayload.isSubject(id),
            let now = Int64(exactly: now.timeIntervalSince1970.rounded(.down)), IDTokenPayload.calendar.contains(now),
            let issuedAt = object["iat"]?.integer, IDTokenPayload.calendar.contains(issuedAt), issuedAt <= now + leeway
        else { return nil }
        var expiresAt = issuedAt + Self.usualLifetime
        if let given = object["exp"] {
            guard let seconds = given.integer, IDTokenPayload.calendar.contains(seconds), seconds > issuedAt else { return nil }
            expiresAt = seconds
        }
        // Apple sends the event as JSON inside a string; its documentation shows an object.
        guard now < expiresAt + leeway,
            let event = object["events"].flatMap({ $0.object ?? $0.string.flatMap { JSONParser.object(Array($0.utf8), .jose) } }),
            let type = event["type"]?.string,
            let subject = event["sub"]?.string, IDTokenPayload.isSubject(subject)
        else { return nil }
        return AppleNotification(
            id: id, audience: audience, kind: .init(type), subject: subject,
            address: event["email"]?.string.flatMap { MailAddress($0) },
            happenedAt: Self.date(event["event_time"]?.integer) ?? Date(timeIntervalSince1970: Double(issuedAt)),
            expiresAt: Date(timeIntervalSince1970: Double(expiresAt + leeway)))
    }

    /// Apple sends milliseconds; its documentation says seconds.
    private static func date(_ time: Int64?) -> Date? {
        guard let time, (0...IDTokenPayload.calendar.upperBound * 1000).contains(time) else { return nil }
        return Date(timeIntervalSince1970: time > 100_000_000_000 ? Double(time) / 1000 : Double(time))
    }
}
