/// RFC 3986 percent encoding as SigV4 wants it: everything but unreserved characters, upper-case hex, a space is `%20`.
enum PercentEncoding {
    static func encode(_ bytes: some Sequence<UInt8>, keepingSlash: Bool = false) -> String {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.underestimatedCount + 16)
        for byte in bytes {
            if isUnreserved(byte) || (keepingSlash && byte == UInt8(ascii: "/")) {
                out.append(byte)
            } else {
                out.append(UInt8(ascii: "%"))
                out.append(digit(byte >> 4))
                out.append(digit(byte & 15))
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// Nil when a `%` is not followed by two hex digits. A `+` stays a `+`.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var out: [UInt8] = []
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                out.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(value), let low = rest.next().flatMap(value) else { return nil }
            out.append(high << 4 | low)
        }
        return out
    }

    /// The one encoding all equivalent storedNames share; text with a broken escape is taken literally.
    static func canonical(_ text: some StringProtocol, keepingSlash: Bool = false) -> String {
        if text.utf8.allSatisfy({ isUnreserved($0) || (keepingSlash && $0 == UInt8(ascii: "/")) }) { return String(text) }
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

    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
