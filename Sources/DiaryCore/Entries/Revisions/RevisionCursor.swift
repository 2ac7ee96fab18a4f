import DiaryCrypto
import WireFormats

/// The cursor of a list of revisions: the number of the last one of a page.
package struct RevisionCursor: Sendable, Equatable {
    package let number: Int64

    package var text: String { Base64URL.encode([3] + UInt64(bitPattern: number).bigEndianBytes) }
}

extension RevisionCursor {
    package init?(parsing text: String) {
        guard text.utf8.count == 12, let bytes = Base64URL.decode(text), bytes.count == 9, bytes[0] == 3 else { return nil }
        let number = Int64(bitPattern: UInt64(bigEndianBytes: bytes[1...]))
        guard number > 0 else { return nil }
        self.init(number: number)
    }
}
