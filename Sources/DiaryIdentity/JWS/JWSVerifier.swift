package import DiaryCore
import WireFormats

/// Verifies compact JWS against a key set. The key that `kid` names fixes the algorithm; the token must name the same.
///
/// For tests and fuzz targets: with it they exercise `CompactJWS`, keys and signatures, which `ES256AccessTokens` and `ProviderSignature`
/// use.
package struct JWSVerifier: Sendable {
    let keys: JWKSet
    var maximumBytes = 8192

    /// The payload, after its signature was verified.
    package func payload(of token: String) throws(TokenRefused) -> [UInt8] {
        guard let jws = verified(token) else { throw TokenRefused() }
        return jws.payload
    }

    /// The payload of a JWT: a JSON object, `typ` absent or `JWT`, signed with a public key, and libjwt agrees.
    ///
    /// The caller checks issuer, audience, times and nonce.
    package func jwtPayload(of token: String) throws(TokenRefused) -> [UInt8] {
        guard let jws = verified(token), let key = keys.keys[jws.header.keyID],
            jws.header.type == nil || jws.header.type?.uppercased() == "JWT",
            JSONParser.object(jws.payload, .jose) != nil,
            LibjwtReading.agrees(token, key: key)
        else { throw TokenRefused() }
        return jws.payload
    }

    private func verified(_ token: String) -> CompactJWS? {
        guard let jws = CompactJWS(token, maximumBytes: maximumBytes),
            let key = keys.keys[jws.header.keyID],
            jws.header.algorithm.hasSameBytes(as: key.algorithm.rawValue),
            key.isValid(jws.signature, for: jws.signingInput)
        else { return nil }
        return jws
    }
}
