package import DiaryCore
package import FoundationEssentials

/// What a provider states about a user, after every check has passed.
package struct IDTokenClaims: Sendable, Equatable {
    package enum RealUser: Int64, Sendable {
        case unsupported = 0
        case unknown = 1
        case likelyReal = 2
    }

    package var provider: IdentityProvider
    /// The provider's canonical name, whichever spelling `iss` had. Together with the subject it is the identity; the address is not
    /// part of it.
    package var issuer: String
    package var subject: String
    /// The client id that the token was issued for: Apple's code exchange needs it as `client_id`.
    package var audience: String
    /// nil when the token has none, or none that mail can be sent to.
    package var address: MailAddress?
    /// The provider verified this address by mail at some time.
    package var isAddressVerified: Bool
    /// The address is Apple's relay, which identifies this person in this team's apps only.
    package var isPrivateRelay: Bool
    /// Google Workspace's domain (`hd`).
    package var hostedDomain: String?
    /// Apple's estimate, on the first sign-in of a device only.
    package var realUser: RealUser?
    package var issuedAt: Date
    package var expiresAt: Date
    var codeHash: String?

    /// The provider operates the mailbox, so this person owns it now. Only then may the address link to an account that
    /// proved it by mail; `isAddressVerified` alone may be years old, and the domain may have another owner since.
    ///
    /// - Google's rule: a gmail.com address (googlemail.com is the same in some countries), or verified with `hd` present ("Verify the Google ID token on your server side").
    ///   Unverified is refused for both.
    /// - Apple has no such rule. Decision: its own domains and the relay's.
    package var isAuthoritativeForAddress: Bool {
        guard isAddressVerified, let domain = address?.domain else { return false }
        switch provider {
        case .google: return ["gmail.com", "googlemail.com"].contains(domain) || hostedDomain != nil
        case .apple: return ["privaterelay.appleid.com", "icloud.com", "me.com", "mac.com"].contains(domain)
        }
    }
}

extension IDTokenClaims: CustomStringConvertible, CustomReflectable {
    /// Without subject and address, because descriptions are logged.
    package var description: String { "<ID token claims>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
