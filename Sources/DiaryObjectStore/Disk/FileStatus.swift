import FoundationEssentials
import Glibc

/// What `stat` says, as far as the store asks.
struct FileStatus: Sendable {
    let isRegular: Bool
    /// False for an open file that has lost its last name.
    let isNamed: Bool
    let size: Int64
    /// Last change of the inode: also set when a file gets or loses a name, so a promoted object counts from its promotion.
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
