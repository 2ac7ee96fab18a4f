import DiaryCore
import FoundationEssentials
import WireFormats

/// Reads the claims of an ID token (OpenID Connect Core 1.0 sections 2 and 3.1.3.7). Unknown claims are ignored,
/// because providers add some, and so is what a claim says that nothing depends on, or that is null or empty.
struct IDTokenPayload {
    private let object: JSONObject

    /// 1970 to 9999: sums with a leeway cannot overflow.
    static let calendar: ClosedRange<Int64> = 0...253_402_300_799

    init?(_ bytes: [UInt8]) {
        guard let object = JSONParser.object(bytes, .jose) else { return nil }
        self.object = object
    }

    /// Checks everything but the nonce.
    func claims(_ issuer: IDTokenIssuer, audiences: Set<String>, policy: IDTokenPolicy, now: Date) -> IDTokenClaims? {
        guard let name = object["iss"]?.string, issuer.isNamed(name),
            let audience = audience(in: audiences),
            let subject = object["sub"]?.string, Self.isSubject(subject),
            let times = times(policy, now: now),
            case .some(let codeHash) = optional("c_hash", \.string)
        else { return nil }
        let address = object["email"]?.string.flatMap { MailAddress($0) }
        let isVerified = object["email_verified"]?.flag == true
        let domain = object["hd"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        return IDTokenClaims(
            provider: issuer.provider, issuer: issuer.name, subject: subject, audience: audience, address: address,
            isAddressVerified: address != nil && isVerified, isPrivateRelay: object["is_private_email"]?.flag == true, hostedDomain: domain,
            realUser: object["real_user_status"]?.integer.flatMap(IDTokenClaims.RealUser.init(rawValue:)), issuedAt: times.issued,
            expiresAt: times.expires,
            codeHash: codeHash)
    }

    var nonce: String? { object["nonce"]?.string }

    /// Each of the token's audiences must be one of the tenant's; with several, `azp` too (section 3.1.3.7, steps 3 to 5). With one,
    /// `azp` may be another client of the same project: Google writes the Android app there.
    private func audience(in ours: Set<String>) -> String? {
        guard let value = object["aud"], let named = value.string.map({ [$0] }) ?? value.strings, let first = named.first,
            named.allSatisfy({ name in ours.contains { $0.hasSameBytes(as: name) } }),
            case .some(let party) = optional("azp", \.string)
        else { return nil }
        if named.count == 1 { return first }
        guard let party, named.contains(where: { $0.hasSameBytes(as: party) }) else { return nil }
        return party
    }

    private func times(_ policy: IDTokenPolicy, now: Date) -> (issued: Date, expires: Date)? {
        guard let now = Int64(exactly: now.timeIntervalSince1970.rounded(.down)), Self.calendar.contains(now),
            let issued = object["iat"]?.integer, Self.calendar.contains(issued),
            let expires = object["exp"]?.integer, Self.calendar.contains(expires),
            case .some(let notBefore) = optional("nbf", \.integer), Self.calendar.contains(notBefore ?? 0),
            expires > issued, expires - issued <= policy.maximumLifetime + policy.leeway,
            now < expires + policy.leeway, issued <= now + policy.leeway, now - issued <= policy.maximumAge + policy.leeway,
            (notBefore ?? 0) <= now + policy.leeway
        else { return nil }
        return (Date(timeIntervalSince1970: Double(issued)), Date(timeIntervalSince1970: Double(expires)))
    }

    /// `.some(nil)` when the member is absent, null or empty, nil when it is of another type.
    private func optional<Value>(_ name: String, _ read: (JSONValue) -> Value?) -> Value?? {
        guard let value = object[name], value != .null, value != .string("") else { return .some(nil) }
        return read(value).map { .some($0) }
    }

    /// Section 2: at most 255 ASCII characters.
    static func isSubject(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension JSONValue {
    /// Apple writes booleans as strings on some platforms.
    var flag: Bool? {
        switch self {
        case .bool(let value): value
        case .string("true"): true
        case .string("false"): false
        default: nil
        }
    }
}
