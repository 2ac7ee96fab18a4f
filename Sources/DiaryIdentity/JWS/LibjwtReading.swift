import CLibjwt

/// Checks a token with libjwt after the checks of this target: it can only refuse more, never accept more.
///
/// Decisions, measured on libjwt 1.10.2 (Debian 12):
/// - It verifies nothing when the key is NULL and takes the algorithm from the token. So it sees a token only after the
///   header was compared with what the key fixes, always with a key, and its algorithm is compared again afterwards.
/// - It cannot carry this service's access tokens: `jwt_encode_str` writes `typ: JWT` over whatever was set, and `jwt_decode` refuses
///   any other `typ`. RFC 9068 requires `at+jwt`, which keeps an ID token from passing as an access token, so access tokens
///   are signed and verified with libcrypto (`ES256AccessTokens`), and libjwt reads the providers' ID tokens.
/// - It has no PS256, and a payload must be a JSON object.
enum LibjwtReading {
    static func agrees(_ token: String, key: VerificationKey) -> Bool {
        guard let algorithm = algorithm(of: key), let pem = key.pem, !pem.isEmpty else { return false }
        let bytes = Array(pem.utf8)
        guard let length = Int32(exactly: bytes.count) else { return false }
        var jwt: OpaquePointer?
        let status = bytes.withUnsafeBufferPointer { pem in
            // An empty buffer has no address, and NULL would mean "do not verify".
            guard let address = pem.baseAddress else { return Int32(-1) }
            return jwt_decode(&jwt, token, address, length)
        }
        defer { if let jwt { jwt_free(jwt) } }
        guard status == 0, let jwt else { return false }
        return jwt_get_alg(jwt) == algorithm
    }

    private static func algorithm(of key: VerificationKey) -> jwt_alg_t? {
        switch key {
        case .es256: JWT_ALG_ES256
        case .rs256: JWT_ALG_RS256
        case .ps256, .hs256: nil
        }
    }
}
