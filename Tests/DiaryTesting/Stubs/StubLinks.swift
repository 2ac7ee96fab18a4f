import DiaryCore
import DiaryCrypto
package import FoundationEssentials
import WireFormats

/// Signs with an unkeyed hash.
package struct StubLinks: LinkSigning {
    package init() {}

    package func sign(purpose: String, fields: [String], expiresAt: Date) -> String {
        Base64URL.encode(SHA256.digest(Array("\(purpose) \(fields) \(expiresAt.timeIntervalSince1970)".utf8)))
    }
    package func isValid(_ signature: String, purpose: String, fields: [String], expiresAt: Date) -> Bool {
        signature == sign(purpose: purpose, fields: fields, expiresAt: expiresAt)
    }
}
