package import DiaryCrypto
import WireFormats

/// The service's token keys at one moment: one signs, all verify. A `kid` is the key's RFC 7638 thumbprint. `SigningKeySchedule` says when
/// keys are added and removed.
package struct SigningKeyRing: Sendable {
    package let currentKeyID: String
    let current: P256PrivateKey
    private let verifying: [String: P256PublicKey]

    package init(current: P256PrivateKey, verifying: [P256PublicKey] = []) {
        self.current = current
        currentKeyID = Self.keyID(of: current.publicKey)
        var keys = [currentKeyID: current.publicKey]
        for key in verifying { keys[Self.keyID(of: key)] = key }
        self.verifying = keys
    }

    /// The ids of all that verify.
    package var keyIDs: Set<String> { Set(verifying.keys) }

    /// The key for exactly this id; there is no default key.
    func key(_ keyID: String) -> VerificationKey? { verifying[keyID].map(VerificationKey.es256) }

    /// SHA-256 over the required members in lexical order, base64url (RFC 7638 section 3).
    package static func keyID(of key: P256PublicKey) -> String {
        let members = #"{"crv":"P-256","kty":"EC","x":"\#(Base64URL.encode(key.x))","y":"\#(Base64URL.encode(key.y))"}"#
        return Base64URL.encode(SHA256.digest(Array(members.utf8)))
    }

    /// The public keys as an RFC 7517 set, the current one first.
    package var jwks: String {
        let others = verifying.keys.filter { $0 != currentKeyID }.sorted()
        let keys = ([currentKeyID] + others).compactMap { keyID in
            verifying[keyID].map { key in
                #"{"kty":"EC","crv":"P-256","x":"\#(Base64URL.encode(key.x))","y":"\#(Base64URL.encode(key.y))","kid":"\#(keyID)","use":"sig","alg":"ES256"}"#
            }
        }
        return #"{"keys":["# + keys.joined(separator: ",") + "]}"
    }
}
