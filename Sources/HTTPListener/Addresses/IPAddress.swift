/// An address as bytes: 4 or 16. IPv4 mapped into IPv6 is IPv4.
package struct IPAddress: Sendable, Hashable {
    package let bytes: [UInt8]

    package init?(_ text: some StringProtocol) {
        guard let bytes = text.contains(":") ? Self.v6(String(text)) : Self.v4(String(text)) else { return nil }
        let mapped = bytes.count == 16 && bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        self.bytes = mapped ? Array(bytes.suffix(4)) : bytes
    }

    private static func v4(_ text: String) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
                part.utf8.count == 1 || part.first != "0",
                let byte = UInt8(part)
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    private static func v6(_ text: String) -> [UInt8]? {
        // A zone names an interface of the peer's own machine.
        let address = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init) ?? ""
        var halves: [[UInt8]] = []
        for half in split(address) {
            guard let bytes = groups(half) else { return nil }
            halves.append(bytes)
        }
        switch halves.count {
        case 1: return halves[0].count == 16 ? halves[0] : nil
        case 2:
            let missing = 16 - halves[0].count - halves[1].count
            return missing >= 2 ? halves[0] + [UInt8](repeating: 0, count: missing) + halves[1] : nil
        default: return nil
        }
    }

    /// Splits at `::`.
    private static func split(_ text: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = text[...]
        while let place = rest.indices.first(where: { rest[$0...].hasPrefix("::") }) {
            parts.append(rest[..<place])
            rest = rest[place...].dropFirst(2)
        }
        return parts + [rest]
    }

    private static func groups(_ text: Substring) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        var bytes: [UInt8] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.contains(".") {
                guard let tail = v4(String(part)) else { return nil }
                bytes += tail
            } else {
                guard (1...4).contains(part.utf8.count), part.utf8.first != UInt8(ascii: "+"), let group = UInt16(part, radix: 16) else {
                    return nil
                }
                bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
            }
        }
        return bytes
    }

    /// True when the first `bits` are those of `network`.
    func isInside(_ network: IPAddress, bits: Int) -> Bool {
        guard bytes.count == network.bytes.count else { return false }
        for (index, (a, b)) in zip(bytes, network.bytes).enumerated() {
            let left = min(8, max(0, bits - index * 8))
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> left)
            guard a & mask == b & mask else { return false }
        }
        return true
    }
}
