import DiaryCore
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

/// What is left on a disk for an ordinary user.
package struct DiskSpace: Sendable, Equatable {
    package var bytes: Int64
    /// nil on a file system that makes its inodes as it needs them.
    package var files: Int64?
}

extension ObjectStoreError {
    static func from(_ code: Int32) -> ObjectStoreError {
        switch code {
        case ENOENT: .missing
        case EEXIST: .alreadyExists
        // The store makes directories and regular files only: a link in its tree is hostile (D8).
        case ELOOP, ENOTDIR, EISDIR: .damaged
        // EFBIG: the process's own file size limit.
        case ENOSPC, EDQUOT, EFBIG: .unavailable(full: true)
        default: .unavailable(full: false)
        }
    }
}
