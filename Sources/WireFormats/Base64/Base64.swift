/// base64 with padding (RFC 4648 section 4).
package enum Base64 {
    package static func encode(_ bytes: [UInt8]) -> String {
        Base64Codec.standard.encode(bytes) + String(repeating: "=", count: (3 - bytes.count % 3) % 3)
    }

    /// Nil for anything `encode` does not print.
    package static func decode(_ text: String) -> [UInt8]? {
        guard text.utf8.count % 4 == 0 else { return nil }
        var digits = text[...]
        for _ in 0..<2 where digits.utf8.last == UInt8(ascii: "=") { digits = Substring(digits.utf8.dropLast()) }
        return Base64Codec.standard.decode(digits)
    }
}
