/// Percent encoding (RFC 3986 section 2.1).
@usableFromInline
package enum PercentEncoding {
    /// Everything but unreserved characters, in upper-case hex; a space is `%20`.
    @inlinable
    package static func encode(_ bytes: some Sequence<UInt8>, keepingSlash: Bool = false) -> String {
        encode(bytes: Array(bytes), keepingSlash: keepingSlash)
    }

    @usableFromInline
    static func encode(bytes: [UInt8], keepingSlash: Bool) -> String {
        encode(bytes) { isUnreserved($0) || (keepingSlash && $0 == UInt8(ascii: "/")) }
    }

    static func encode(_ bytes: [UInt8], keeping isKept: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count + 16)
        for byte in bytes {
            if isKept(byte) {
                out.append(byte)
            } else {
                out.append(UInt8(ascii: "%"))
                out.append(digits[Int(byte >> 4)])
                out.append(digits[Int(byte & 15)])
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// Nil when a `%` is not followed by two hex digits.
    @inlinable
    package static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> [UInt8]? {
        decode(bytes: Array(text.utf8), plusIsSpace: plusIsSpace)
    }

    @usableFromInline
    static func decode(bytes: [UInt8], plusIsSpace: Bool) -> [UInt8]? {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(Hex.value), let low = rest.next().flatMap(Hex.value) else { return nil }
                out.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: out.append(0x20)
            default: out.append(byte)
            }
        }
        return out
    }

    /// Nil for a broken escape, for bytes that are not UTF-8 and for U+0000.
    @inlinable
    package static func decodeText(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
        // Most texts have nothing to decode.
        if !text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == 0 || plusIsSpace && $0 == UInt8(ascii: "+") }) {
            return String(text)
        }
        guard let bytes = decode(bytes: Array(text.utf8), plusIsSpace: plusIsSpace), !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The one encoding that all equivalent spellings share; text with a broken escape is taken literally.
    @inlinable
    package static func canonical(_ text: some StringProtocol, keepingSlash: Bool = false) -> String {
        canonical(text: String(text), keepingSlash: keepingSlash)
    }

    @usableFromInline
    static func canonical(text: String, keepingSlash: Bool) -> String {
        if text.utf8.allSatisfy({ isUnreserved($0) || (keepingSlash && $0 == UInt8(ascii: "/")) }) { return text }
        return encode(decode(text) ?? Array(text.utf8), keepingSlash: keepingSlash)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

/// `application/x-www-form-urlencoded` (WHATWG URL, section 5.2).
package enum FormEncoding {
    package static func bytes(_ fields: [(name: String, value: String)]) -> [UInt8] {
        Array(fields.map { "\(escape($0.name))=\(escape($0.value))" }.joined(separator: "&").utf8)
    }

    private static func escape(_ text: String) -> String {
        let escaped = PercentEncoding.encode(Array(text.utf8)) { isKept($0) || $0 == 0x20 }
        return String(decoding: escaped.utf8.map { $0 == 0x20 ? UInt8(ascii: "+") : $0 }, as: UTF8.self)
    }

    private static func isKept(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
