/// The plaintext of an entry's sealed parts: version byte 1, then fields, each a tag byte, a length (4 bytes, big-endian) and UTF-8. A list
/// of 50 entries opens 100 of them, and JSON took most of that time (decision 0013). Unknown tags are skipped, so that a later version's
/// part can still be read.
struct PartFields {
    private(set) var bytes: [UInt8] = [1]

    mutating func add(_ tag: UInt8, _ text: String?) {
        guard let text else { return }
        let count = UInt32(clamping: text.utf8.count)
        bytes.append(tag)
        for shift in [UInt32(24), 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: count >> shift)) }
        bytes.append(contentsOf: text.utf8)
    }

    /// - Returns: false when the bytes are not of this form.
    @inline(__always)
    static func read(_ bytes: Span<UInt8>, _ field: (_ tag: UInt8, _ text: String) -> Void) -> Bool {
        guard !bytes.isEmpty, bytes[0] == 1 else { return false }
        var at = 1
        while at < bytes.count {
            guard bytes.count - at >= 5 else { return false }
            let count = Int(bytes[at + 1]) << 24 | Int(bytes[at + 2]) << 16 | Int(bytes[at + 3]) << 8 | Int(bytes[at + 4])
            guard bytes.count - at - 5 >= count else { return false }
            field(bytes[at], text(bytes.extracting(at + 5..<at + 5 + count)))
            at += 5 + count
        }
        return true
    }

    private static func text(_ bytes: Span<UInt8>) -> String {
        do { return String(copying: try UTF8Span(validating: bytes)) } catch {
            // The service writes UTF-8 only; other bytes become replacement characters.
            return String(
                decoding: [UInt8](capacity: bytes.count) { out in for index in bytes.indices { out.append(bytes[index]) } }, as: UTF8.self)
        }
    }
}
