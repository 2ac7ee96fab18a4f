import DiaryCore
package import DiaryCrypto
package import FoundationEssentials
import WireFormats

/// HMAC-SHA256 signatures of links to recordings and exports, 43 characters of base64url.
/// Each purpose has its own key, so that no link passes for another.
package struct LinkSigner: LinkSigning {
    let key: SecretBytes

    package init(key: SecretBytes) { self.key = key }

    /// - Parameters:
    ///   - purpose: a constant such as `audio`; never from a request.
    ///   - fields: what the link names, in a fixed order. `["a", "bc"]` and `["ab", "c"]` have different signatures.
    ///   - expiresAt: cut to whole seconds.
    package func sign(purpose: String, fields: [String], expiresAt: Date) -> String {
        Base64URL.encode(HMACSHA256.code(Self.message(fields, expires: Self.seconds(expiresAt) ?? 0), key: subkey(purpose)))
    }

    /// In constant time. The caller checks whether `expiresAt` has passed.
    package func isValid(_ signature: String, purpose: String, fields: [String], expiresAt: Date) -> Bool {
        guard let code = Base64URL.decode(signature), let expires = Self.seconds(expiresAt) else { return false }
        return HMACSHA256.isValid(code, Self.message(fields, expires: expires), key: subkey(purpose))
    }

    private func subkey(_ purpose: String) -> SecretBytes {
        HKDFSHA256.derive(key, info: "diary/v1/link/\(purpose)")
    }

    /// Nil for a time that no link has.
    private static func seconds(_ date: Date) -> Int64? {
        Int64(exactly: date.timeIntervalSince1970.rounded(.down)).flatMap { $0 >= 0 ? $0 : nil }
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
