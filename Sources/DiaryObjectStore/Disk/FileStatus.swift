import FoundationEssentials
import Glibc

/// The fields of `stat` that the store uses.
struct FileStatus: Sendable {
    let isRegular: Bool
    /// False for an open file whose last name was removed.
    let isNamed: Bool
    let size: Int64
    /// Last change of the inode. Adding or removing a name sets it too, so that a moved object counts from its move.
    let changedAt: Date
    /// Device and inode: the same for two names of one file.
    let identity: [UInt64]

    init(_ status: stat) {
        isRegular = status.st_mode & S_IFMT == S_IFREG
        isNamed = status.st_nlink > 0
        size = Int64(status.st_size)
        changedAt = Date(timeIntervalSince1970: Double(status.st_ctim.tv_sec) + Double(status.st_ctim.tv_nsec) / 1e9)
        identity = [UInt64(status.st_dev), UInt64(status.st_ino)]
    }
}
