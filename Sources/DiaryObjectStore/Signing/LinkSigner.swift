package import DiaryCrypto
package import FoundationEssentials

/// A link's two query parameters.
package struct LinkSignature: Sendable, Equatable {
    /// Seconds since 1970.
    package let expires: Int64
    /// HMAC-SHA256, base64url, 43 characters.
    package let signature: String

    package var query: String { "expires=\(expires)&signature=\(signature)" }
}

package enum LinkVerdict: Sendable, Equatable {
    case valid
    /// Ours, but too old: the holder may ask for a new one.
    case expired
    case invalid
}

/// Time-bound signatures of links to recordings and exports. Each purpose has its own key, so that no link passes for another.
package struct LinkSigner: Sendable {
    private let key: SecretBytes

    package init(key: SecretBytes) { self.key = key }

    /// - Parameters:
    ///   - purpose: a constant such as `audio`; never from a request.
    ///   - fields: what the link names, in a fixed order. `["a", "bc"]` and `["ab", "c"]` have different signatures.
    package func sign(purpose: String, fields: [String], expiresAt: Date) -> LinkSignature {
        let expires = AmzDate(expiresAt).seconds
        let code = HMACSHA256.code(Self.message(fields, expires: expires), key: subkey(purpose))
        return LinkSignature(expires: expires, signature: Base64URL.encode(code))
    }

    /// Takes both parameters as they stand in the query, decoded.
    package func verify(purpose: String, fields: [String], expires: String, signature: String, at now: Date) -> LinkVerdict {
        guard expires.utf8.count <= 12, let end = Int64(expires), end >= 0, String(end) == expires, let code = Base64URL.decode(signature),
            HMACSHA256.isValid(code, Self.message(fields, expires: end), key: subkey(purpose))
        else { return .invalid }
        return now.timeIntervalSince1970 < Double(end) ? .valid : .expired
    }

    private func subkey(_ purpose: String) -> SecretBytes {
        HKDFSHA256.derive(key, info: "diary/v1/link/\(purpose)")
    }

    /// Every field with its length before it.
    private static func message(_ fields: [String], expires: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        for field in fields + [String(expires)] {
            withUnsafeBytes(of: UInt64(field.utf8.count).bigEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: field.utf8)
        }
        return bytes
    }
}
