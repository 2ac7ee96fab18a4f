import CLibzip
import Glibc

extension UnlinkedTempFile {
    /// What an ordinary user may still write in a folder, in bytes.
    package static func freeBytes(in folder: String) throws(ZipError) -> Int64 {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { throw .file(errno) }
        let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflow ? Int64.max : Int64(clamping: bytes)
    }
}

extension UnlinkedTempFile {
    /// Whether the file system frees a range of a file.
    var canFree: Bool { diary_free_range(descriptor, 0, 1) == 0 }

    /// Frees a range on the disk, where that is possible; it reads as zeros then.
    func free(_ range: Range<Int64>) {
        _ = diary_free_range(descriptor, off_t(range.lowerBound), off_t(range.upperBound - range.lowerBound))
    }
}
