package import FoundationEssentials

/// Signs what a link names. Purposes have keys of their own, so that a playback link is never an export link.
package protocol LinkSigning: Sendable {
    /// Base64url of an HMAC over purpose, fields (unambiguously joined) and whole seconds of `expiresAt`.
    func sign(purpose: String, fields: [String], expiresAt: Date) -> String
    func isValid(_ signature: String, purpose: String, fields: [String], expiresAt: Date) -> Bool
}
