import DiaryCrypto
import WireFormats

/// The cursor of a report: the number of the last item of a page.
package struct ReportCursor: Sendable, Equatable {
    package let number: Int64

    package var text: String { Base64URL.encode([4] + UInt64(bitPattern: number).bigEndianBytes) }
}

extension ReportCursor {
    package init?(parsing text: String) {
        guard text.utf8.count == 12, let bytes = Base64URL.decode(text), bytes.count == 9, bytes[0] == 4 else { return nil }
        let number = Int64(bitPattern: UInt64(bigEndianBytes: bytes[1...]))
        guard number > 0 else { return nil }
        self.init(number: number)
    }
}
