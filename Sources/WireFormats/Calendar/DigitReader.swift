/// Reads ASCII text with decimal numbers of fixed width.
struct DigitReader {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    var isAtEnd: Bool { bytes.isEmpty }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let first = bytes.first, UInt32(first) == character.value else { return false }
        bytes.removeFirst()
        return true
    }

    private mutating func digit() -> Int? {
        guard let first = bytes.first, first >= 0x30, first <= 0x39 else { return nil }
        bytes.removeFirst()
        return Int(first - 0x30)
    }

    /// - Parameter width: at most 18 digits, so that nothing overflows.
    mutating func number(_ width: Int) -> Int? {
        var value = 0
        for _ in 0..<width {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// One digit or more, as nanoseconds; what comes after the ninth is cut.
    mutating func fraction() -> Int? {
        var value = 0
        var count = 0
        while let digit = digit() {
            count += 1
            if count <= 9 { value = value * 10 + digit }
        }
        guard count > 0 else { return nil }
        for _ in min(count, 9)..<9 { value *= 10 }
        return value
    }
}
