package import AWSSigning
package import DiaryCrypto

extension SigV4Credentials {
    /// `ACCESS_KEY_ID:SECRET_ACCESS_KEY[:SESSION_TOKEN]`: as one secret, so that a key is never used with another one's token. None of the
    /// three holds a colon.
    package init?(_ secret: SecretBytes) {
        let parts = String(decoding: secret.bytes(), as: UTF8.self).split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let id = parts.first, parts.allSatisfy({ !$0.isEmpty }), !id.contains("/") else { return nil }
        self.init(
            accessKeyID: String(id), secret: SecretBytes(Array(parts[1].utf8)),
            sessionToken: parts.dropFirst(2).first.map { String($0) })
    }
}
