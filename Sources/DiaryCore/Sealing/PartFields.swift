/// The plaintext of an entry's sealed parts: version byte 1, then fields, each a tag byte, a length (4 bytes, big-endian) and UTF-8. A list
/// of 50 entries opens 100 of them, and JSON took most of that time (decision 0005). Fields with unknown tags, which a later version has
/// written, are passed over by readers and kept in their place by writers.
struct PartFields {
    /// A field that this version does not know, and where it stands.
    struct Unknown: Sendable, Equatable {
        /// The tag of the known field before it, 0 at the start, and that field's place among those with the tag.
        var after: UInt8
        var count: Int
        /// Tag, length and value.
        var bytes: [UInt8]
    }

    private(set) var bytes: [UInt8] = [1]
    private let unknown: [Unknown]

    /// - Parameter unknown: of the part that is written anew.
    init(keeping unknown: [Unknown] = []) {
        self.unknown = unknown
        keep(after: 0) { _ in true }
    }

    /// A field that occurs at most once. Each known tag is added once, in ascending order, also when it has no value.
    mutating func add(_ tag: UInt8, _ text: String?) { add(tag, text.map { [$0] } ?? []) }

    /// One field for each text.
    mutating func add(_ tag: UInt8, _ texts: [String]) {
        for (index, text) in texts.enumerated() {
            let count = UInt32(clamping: text.utf8.count)
            bytes.append(tag)
            for shift in [UInt32(24), 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: count >> shift)) }
            bytes.append(contentsOf: text.utf8)
            keep(after: tag) { $0 == index + 1 }
        }
        // Those whose known field is gone.
        keep(after: tag) { $0 > texts.count }
    }

    private mutating func keep(after tag: UInt8, where isHere: (_ count: Int) -> Bool) {
        for field in unknown where field.after == tag && isHere(field.count) { bytes += field.bytes }
    }

    /// - Parameters:
    ///   - known: the tags that `field` takes.
    ///   - lists: those of them that may come more than once.
    /// - Returns: the fields with other tags; nil when the bytes are not of this form.
    @inline(__always)
    static func read(
        _ bytes: Span<UInt8>, known: ClosedRange<UInt8>, lists: ClosedRange<UInt8>? = nil, _ field: (_ tag: UInt8, _ text: String) -> Void
    ) -> [Unknown]? {
        guard !bytes.isEmpty, bytes[0] == 1 else { return nil }
        var unknown: [Unknown] = []
        var last: (tag: UInt8, count: Int) = (0, 0)
        var at = 1
        while at < bytes.count {
            guard bytes.count - at >= 5 else { return nil }
            let tag = bytes[at]
            let count = Int(bytes[at + 1]) << 24 | Int(bytes[at + 2]) << 16 | Int(bytes[at + 3]) << 8 | Int(bytes[at + 4])
            guard bytes.count - at - 5 >= count else { return nil }
            if known.contains(tag) {
                field(tag, text(bytes.extracting(at + 5..<at + 5 + count)))
                last = (tag, last.tag == tag && lists?.contains(tag) == true ? last.count + 1 : 1)
            } else {
                unknown.append(Unknown(after: last.tag, count: last.count, bytes: copy(bytes.extracting(at..<at + 5 + count))))
            }
            at += 5 + count
        }
        return unknown
    }

    private static func text(_ bytes: Span<UInt8>) -> String {
        do { return String(copying: try UTF8Span(validating: bytes)) } catch {
            // The service writes UTF-8 only; other bytes become replacement characters.
            return String(decoding: copy(bytes), as: UTF8.self)
        }
    }

    private static func copy(_ bytes: Span<UInt8>) -> [UInt8] {
        [UInt8](capacity: bytes.count) { out in for index in bytes.indices { out.append(bytes[index]) } }
    }
}
