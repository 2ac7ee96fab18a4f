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
