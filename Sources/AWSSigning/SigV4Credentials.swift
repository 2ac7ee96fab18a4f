package import DiaryCrypto

/// An access key pair, with a session token when it was issued for a while only.
package struct SigV4Credentials: Sendable {
    package let accessKeyID: String
    package let secret: SecretBytes
    package var sessionToken: String? = nil

    package init(accessKeyID: String, secret: SecretBytes, sessionToken: String? = nil) {
        self.accessKeyID = accessKeyID
        self.secret = secret
        self.sessionToken = sessionToken
    }
}
