/// base64url without padding (RFC 4648 section 5, as RFC 7515 uses it).
package enum Base64URL {
    package static func encode(_ bytes: [UInt8]) -> String { Base64Codec.url.encode(bytes) }

    /// Strict, so that one value has one spelling: nil for padding, white space, the other alphabet, an impossible length
    /// or trailing bits that are not zero.
    package static func decode(_ text: String) -> [UInt8]? { Base64Codec.url.decode(text[...]) }
}
