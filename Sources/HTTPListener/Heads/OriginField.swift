/// The value of `Origin` (RFC 6454 section 7) in the lines of a head that were read so far, so that the answer to a head that is refused
/// can be for the page that sent it. One that is not whole, is longer than any origin, or came twice is none.
struct OriginField {
    private static let longest = 300
    /// `origin`, as `takeName` packs it.
    private static let expected: (name: UInt64, length: Int) = (0x6F72_6967_696E, 6)

    private var name: UInt64 = 0
    private var nameLength = 0
    private var isOpen = false
    private var count = 0
    private var bytes: [UInt8] = []

    mutating func beginName(_ byte: UInt8) {
        (name, nameLength) = (0, 0)
        takeName(byte)
    }

    /// In lower case: of the bytes of a name only letters become letters.
    mutating func takeName(_ byte: UInt8) {
        name = name << 8 | UInt64(byte | 0x20)
        nameLength += 1
    }

    mutating func endName() {
        isOpen = nameLength == Self.expected.length && name == Self.expected.name
        guard isOpen else { return }
        count += 1
        bytes = []
    }

    mutating func takeValue(_ byte: UInt8) {
        guard isOpen, bytes.count <= Self.longest, !bytes.isEmpty || !Self.isBlank(byte) else { return }
        bytes.append(byte)
    }

    mutating func endValue() { isOpen = false }

    /// Without the white space around it.
    var value: String? {
        guard count == 1, !isOpen, bytes.count <= Self.longest else { return nil }
        var text = bytes[...]
        while let last = text.last, Self.isBlank(last) { text = text.dropLast() }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
