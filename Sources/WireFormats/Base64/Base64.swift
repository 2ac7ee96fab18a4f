import DiaryCrypto

/// RFC 4648 §4 with padding, as `x-amz-checksum-sha256` has it; strict in both directions.
enum Base64 {
    static func encode(_ bytes: [UInt8]) -> String {
        let unpadded = Base64URL.encode(bytes).utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - unpadded.count % 4) % 4)
        return String(decoding: unpadded + padding, as: UTF8.self)
    }

    /// Nil for anything `encode` does not print.
    static func decode(_ text: String) -> [UInt8]? {
        let unpadded = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }.filter { $0 != UInt8(ascii: "=") }
        guard let bytes = Base64URL.decode(String(decoding: unpadded, as: UTF8.self)), encode(bytes) == text else { return nil }
        return bytes
    }
}
