/// base64url without padding (RFC 4648 section 5, as RFC 7515 uses it).
package enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// 0xff marks a character that is not in the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xff, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    package static func encode(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { target in
            alphabet.withUnsafeBufferPointer { alphabet in
                bytes.withUnsafeBufferPointer { bytes in
                    var position = 0
                    var index = 0
                    func put(_ word: UInt32, _ characters: Int) {
                        for place in 0..<characters {
                            target[position] = alphabet[Int(word >> UInt32(18 - 6 * place)) & 0x3f]
                            position += 1
                        }
                    }
                    while bytes.count - index >= 3 {
                        put(UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]), 4)
                        index += 3
                    }
                    switch bytes.count - index {
                    case 1: put(UInt32(bytes[index]) << 16, 2)
                    case 2: put(UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8, 3)
                    default: break
                    }
                    return position
                }
            }
        }
    }

    /// Strict, so that one value has one spelling: nil for padding, white space, the other alphabet, an impossible length
    /// or trailing bits that are not zero.
    package static func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { characters in
            let tail = characters.count % 4
            guard tail != 1 else { return nil }
            var valid = true
            let bytes = [UInt8](unsafeUninitializedCapacity: characters.count / 4 * 3 + 2) { target, count in
                values.withUnsafeBufferPointer { values in
                    var word: UInt32 = 0
                    var seen: UInt8 = 0
                    var held = 0
                    for character in characters {
                        let value = values[Int(character)]
                        seen |= value
                        word = word << 6 | UInt32(value & 0x3f)
                        held += 1
                        if held == 4 {
                            target[count] = UInt8(truncatingIfNeeded: word >> 16)
                            target[count + 1] = UInt8(truncatingIfNeeded: word >> 8)
                            target[count + 2] = UInt8(truncatingIfNeeded: word)
                            count += 3
                            held = 0
                            word = 0
                        }
                    }
                    switch held {
                    case 2:
                        target[count] = UInt8(truncatingIfNeeded: word >> 4)
                        count += 1
                        valid = word & 0x0f == 0
                    case 3:
                        target[count] = UInt8(truncatingIfNeeded: word >> 10)
                        target[count + 1] = UInt8(truncatingIfNeeded: word >> 2)
                        count += 2
                        valid = word & 0x03 == 0
                    default: break
                    }
                    // Values of the alphabet use six bits; only the mark sets the upper two.
                    if seen & 0xc0 != 0 { valid = false }
                }
            }
            return valid ? bytes : nil
        }
    }
}
