package import FoundationEssentials

/// Signs the fields of a link. Each purpose has its own key, so that a playback link is never accepted as an export link.
package protocol LinkSigning: Sendable {
    /// Base64url of an HMAC over purpose, fields (unambiguously joined) and whole seconds of `expiresAt`.
    func sign(purpose: String, fields: [String], expiresAt: Date) -> String
    func isValid(_ signature: String, purpose: String, fields: [String], expiresAt: Date) -> Bool
}
