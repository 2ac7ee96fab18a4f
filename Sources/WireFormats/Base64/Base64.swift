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

/// base64url without padding (RFC 4648 section 5, as RFC 7515 uses it).
package enum Base64URL {
    package static func encode(_ bytes: [UInt8]) -> String { Base64Codec.url.encode(bytes) }

    /// Strict, so that one value has one spelling: nil for padding, white space, the other alphabet, an impossible length
    /// or trailing bits that are not zero.
    package static func decode(_ text: String) -> [UInt8]? { Base64Codec.url.decode(text[...]) }
}

/// The arithmetic of RFC 4648 sections 4 and 5, without padding. Neither direction takes constant time.
struct Base64Codec: Sendable {
    static let standard = Base64Codec("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    static let url = Base64Codec("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    private let alphabet: [UInt8]
    /// The value of each byte; 0xff marks one that is not in the alphabet.
    private let values: [UInt8]

    private init(_ alphabet: String) {
        self.alphabet = Array(alphabet.utf8)
        var values = [UInt8](repeating: 0xff, count: 256)
        for (value, character) in self.alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        self.values = values
    }

    func encode(_ bytes: [UInt8]) -> String {
        let characters = [UInt8](capacity: (bytes.count * 4 + 2) / 3) { target in
            let (alphabet, bytes) = (alphabet.span, bytes.span)
            func put(_ word: UInt32, _ count: Int, _ target: inout OutputSpan<UInt8>) {
                for place in 0..<count { target.append(alphabet[Int(word >> UInt32(18 - 6 * place)) & 0x3f]) }
            }
            var index = 0
            while bytes.count - index >= 3 {
                put(UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]), 4, &target)
                index += 3
            }
            switch bytes.count - index {
            case 1: put(UInt32(bytes[index]) << 16, 2, &target)
            case 2: put(UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8, 3, &target)
            default: break
            }
        }
        return String(decoding: characters, as: UTF8.self)
    }

    /// Strict, so that one value has one spelling: nil for padding, white space, the other alphabet, an impossible length
    /// or trailing bits that are not zero.
    func decode(_ text: Substring) -> [UInt8]? {
        let characters = text.utf8
        guard characters.count % 4 != 1 else { return nil }
        var isValid = true
        let bytes = [UInt8](capacity: characters.count * 3 / 4) { target in
            let values = values.span
            var word: UInt32 = 0
            var seen: UInt8 = 0
            var held = 0
            for character in characters {
                let value = values[Int(character)]
                seen |= value
                word = word << 6 | UInt32(value & 0x3f)
                held += 1
                if held == 4 {
                    target.append(UInt8(truncatingIfNeeded: word >> 16))
                    target.append(UInt8(truncatingIfNeeded: word >> 8))
                    target.append(UInt8(truncatingIfNeeded: word))
                    held = 0
                    word = 0
                }
            }
            switch held {
            case 2:
                target.append(UInt8(truncatingIfNeeded: word >> 4))
                isValid = word & 0x0f == 0
            case 3:
                target.append(UInt8(truncatingIfNeeded: word >> 10))
                target.append(UInt8(truncatingIfNeeded: word >> 2))
                isValid = word & 0x03 == 0
            default: break
            }
            // Values of the alphabet use six bits; only the mark sets the upper two.
            if seen & 0xc0 != 0 { isValid = false }
        }
        return isValid ? bytes : nil
    }
}
