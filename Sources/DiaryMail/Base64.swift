import FoundationEssentials

/// RFC 4648 section 4, padded.
enum Base64 {
    static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
