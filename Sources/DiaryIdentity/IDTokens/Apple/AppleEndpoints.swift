package import DiaryCore
package import DiaryCrypto
import WireFormats

/// Bodies and answers of `/auth/token` and `/auth/revoke`; `CurlAppleAccounts` makes the calls.
/// Both are POSTs of `application/x-www-form-urlencoded`. Bodies hold secrets.
package enum AppleEndpoints {
    package static let contentType = "application/x-www-form-urlencoded"
    /// More than any answer of Apple has.
    package static let maximumBytes = 32 * 1024

    /// - Parameter redirectURI: only when the authorization request had one (web).
    package static func exchange(code: String, clientID: String, secret: String, redirectURI: String? = nil) -> [UInt8] {
        var fields: [(name: String, value: String)] = [
            ("client_id", clientID), ("client_secret", secret), ("code", code), ("grant_type", "authorization_code"),
        ]
        if let redirectURI { fields.append(("redirect_uri", redirectURI)) }
        return FormEncoding.bytes(fields)
    }

    package static func revocation(ofRefreshToken token: SecretBytes, clientID: String, secret: String) -> [UInt8] {
        FormEncoding.bytes([
            ("client_id", clientID), ("client_secret", secret), ("token", String(decoding: token.bytes(), as: UTF8.self)),
            ("token_type_hint", "refresh_token"),
        ])
    }

    package static func tokens(status: Int, body: [UInt8]) throws(AppleFailure) -> AppleTokens {
        guard status == 200 else { throw failure(status: status, body: body) }
        guard body.count <= maximumBytes, let object = JSONParser.object(body, .jose),
            let refreshToken = object["refresh_token"]?.string, (1...4096).contains(refreshToken.utf8.count)
        else { throw .unavailable }
        return AppleTokens(refreshToken: SecretBytes(Array(refreshToken.utf8)), idToken: object["id_token"]?.string)
    }

    /// Apple answers 200 also for a token that was no longer valid.
    package static func revoked(status: Int, body: [UInt8]) throws(AppleFailure) {
        guard status == 200 else { throw failure(status: status, body: body) }
    }

    private static func failure(status: Int, body: [UInt8]) -> AppleFailure {
        guard (400...499).contains(status), status != 408, status != 429 else { return .unavailable }
        guard body.count <= maximumBytes, let error = JSONParser.object(body, .jose)?["error"]?.string else {
            return status == 401 ? .clientRefused : .requestRefused
        }
        switch error {
        case "invalid_grant": return .grantRefused
        case "invalid_client", "unauthorized_client": return .clientRefused
        default: return .requestRefused
        }
    }
}

/// Apple's tokens for an authorization code.
package struct AppleTokens: Sendable {
    /// Stored sealed, only to be revoked when the account is deleted.
    package let refreshToken: SecretBytes
    /// To be compared with the token the client sent (`IDTokenVerifier.verifyExchanged`).
    package let idToken: String?
}
