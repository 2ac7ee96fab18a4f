import DiaryCore
import Glibc

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
