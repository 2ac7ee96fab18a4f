package import DiaryCore
package import FoundationEssentials

/// What a provider says about somebody, after every check has passed.
package struct IDTokenClaims: Sendable, Equatable {
    package enum RealUser: Int64, Sendable {
        case unsupported = 0
        case unknown = 1
        case likelyReal = 2
    }

    package var provider: IdentityProvider
    /// The provider's one name, whichever spelling `iss` had. With the subject it is the identity; the address never is.
    package var issuer: String
    package var subject: String
    /// Which of our audiences the token was made for: Apple's code exchange needs it as `client_id`.
    package var audience: String
    /// nil when none was given, or none that mail can be sent to.
    package var address: MailAddress?
    /// The provider has seen a mail to this address answered, at some time.
    package var isAddressVerified: Bool
    /// Apple forwards; the address stands for this person in this team's apps only.
    package var isPrivateRelay: Bool
    /// Google Workspace's domain (`hd`).
    package var hostedDomain: String?
    /// Apple's guess, on the first sign-in of a device only.
    package var realUser: RealUser?
    package var issuedAt: Date
    package var expiresAt: Date
    var codeHash: String?

    /// The provider runs the mailbox, so this person owns it today. Only then may the address link to an account that
    /// proved it by mail; `isAddressVerified` alone may be years old and the domain somebody else's by now.
    ///
    /// - Google's rule: a gmail.com address, or verified with `hd` present ("Verify the Google ID token on your server side").
    ///   Unverified is refused for both.
    /// - Apple has no such rule. Decision: its own domains and the relay's.
    package var isAuthoritativeForAddress: Bool {
        guard isAddressVerified, let domain = address?.domain else { return false }
        switch provider {
        case .google: return domain == "gmail.com" || hostedDomain != nil
        case .apple: return ["privaterelay.appleid.com", "icloud.com", "me.com", "mac.com"].contains(domain)
        }
    }
}

extension IDTokenClaims: CustomStringConvertible, CustomReflectable {
    /// Never a subject or an address: descriptions end up in logs.
    package var description: String { "<ID token claims>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
