import DiaryCore
import ZipArchive

/// A member from a temporary file. Opening it passes `Failpoint.exportMidZip`, after which it is named: the kill point between two members
/// of the zip (P31).
final class MidZipSource: ZipMemberSource {
    private let slice: TempFileSlice

    init(_ slice: TempFileSlice) { self.slice = slice }

    func open() throws {
        try Failpoint.exportMidZip.hit()
        try slice.open()
    }

    func read(max: Int) throws -> [UInt8] { try slice.read(max: max) }

    func close() { slice.close() }
}
