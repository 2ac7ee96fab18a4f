/// Strict percent-decoding (RFC 3986 section 2.1).
enum PercentDecoding {
    /// nil for a broken escape, for bytes that are not UTF-8 and for U+0000.
    static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
        // Most need nothing.
        if !text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == 0 || plusIsSpace && $0 == UInt8(ascii: "+") }) {
            return String(text)
        }
        var out: [UInt8] = []
        var rest = Array(text.utf8)[...]
        out.reserveCapacity(rest.count)
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
                out.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: out.append(0x20)
            default: out.append(byte)
            }
        }
        guard !out.contains(0) else { return nil }
        return String(validating: out, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8(truncatingIfNeeded: $0) }
    }
}
