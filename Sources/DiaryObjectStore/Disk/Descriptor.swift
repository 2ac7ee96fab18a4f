import DiaryCore
import Glibc

/// Owns one file descriptor and closes it on deinitialisation.
final class Descriptor: Sendable {
    private let raw: Int32

    private init(owning raw: Int32) { self.raw = raw }

    deinit { close(raw) }

    /// The path of the root may contain symbolic links; nothing below it may (see `open(_:flags:)`).
    static func root(_ path: String) throws(ObjectStoreError) -> Descriptor {
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw .from(errno) }
        return try checked(Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    }

    /// Opens an entry of this directory: no symbolic link, and a pipe without blocking.
    func open(_ name: String, flags: Int32, mode: mode_t = 0) throws(ObjectStoreError) -> Descriptor {
        try Self.checked(openat(raw, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, mode))
    }

    func directory(_ name: String) throws(ObjectStoreError) -> Descriptor {
        try open(name, flags: O_RDONLY | O_DIRECTORY)
    }

    /// Opens a directory, making it (0700) when it is not there.
    func madeDirectory(_ name: String) throws(ObjectStoreError) -> Descriptor {
        if mkdirat(raw, name, 0o700) != 0, errno != EEXIST { throw .from(errno) }
        return try directory(name)
    }

    func status() throws(ObjectStoreError) -> FileStatus {
        var found = stat()
        guard fstat(raw, &found) == 0 else { throw .from(errno) }
        return FileStatus(found)
    }

    /// Whether entries may be made in this directory; false on a read-only file system.
    func isWritable() -> Bool { faccessat(raw, ".", W_OK | X_OK, AT_EACCESS) == 0 }

    /// The space of the file system that holds this file.
    func space() throws(ObjectStoreError) -> DiskSpace {
        var found = statvfs()
        guard fstatvfs(raw, &found) == 0 else { throw .from(errno) }
        let bytes = UInt64(found.f_bavail).multipliedReportingOverflow(by: UInt64(found.f_frsize))
        return DiskSpace(
            bytes: bytes.overflow ? .max : Int64(clamping: bytes.partialValue),
            files: found.f_files == 0 ? nil : Int64(clamping: found.f_favail))
    }

    /// The status of the entry itself, not of a link's target; nil when there is none.
    func status(of name: String) throws(ObjectStoreError) -> FileStatus? {
        var found = stat()
        guard fstatat(raw, name, &found, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw .from(errno)
        }
        return FileStatus(found)
    }

    func write(_ bytes: [UInt8]) throws(ObjectStoreError) {
        var failure: Int32 = 0
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let written = Glibc.write(raw, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if written > 0 {
                    rest = rest.dropFirst(written)
                } else if written == 0 || errno != EINTR {
                    failure = written == 0 ? EIO : errno
                    return
                }
            }
        }
        if failure != 0 { throw .from(failure) }
    }

    /// Up to `count` bytes; fewer only at the file's end.
    func read(at offset: Int64, count: Int) throws(ObjectStoreError) -> [UInt8] {
        try Self.read(raw, at: offset, count: count)
    }

    static func read(_ raw: Int32, at offset: Int64, count: Int) throws(ObjectStoreError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
            while filled < buffer.count {
                let got = pread(raw, buffer.baseAddress.map { $0 + filled }, buffer.count - filled, off_t(offset) + off_t(filled))
                if got == 0 { return }
                if got > 0 {
                    filled += got
                } else if errno != EINTR {
                    failure = errno
                    return
                }
            }
        }
        if failure != 0 { throw .from(failure) }
        return bytes
    }

    /// Lets the disk begin to write a range, so that a later `sync` has less to wait for.
    func startWriting(_ range: Range<Int64>) {
        _ = posix_fadvise(raw, off_t(range.lowerBound), off_t(range.upperBound - range.lowerBound), POSIX_FADV_DONTNEED)
    }

    func sync() throws(ObjectStoreError) {
        guard fsync(raw) == 0 else { throw .from(errno) }
    }

    /// An advisory lock, which ends with the process; false when another open file holds it.
    func lock() -> Bool { flock(raw, LOCK_EX | LOCK_NB) == 0 }

    /// Gives a file a second name; never replaces one (`alreadyExists`).
    func link(_ name: String, into directory: Descriptor, as newName: String) throws(ObjectStoreError) {
        guard linkat(raw, name, directory.raw, newName, 0) == 0 else { throw .from(errno) }
    }

    /// Replaces what has the new name.
    func rename(_ name: String, into directory: Descriptor, as newName: String) throws(ObjectStoreError) {
        guard renameat(raw, name, directory.raw, newName) == 0 else { throw .from(errno) }
    }

    /// False when there was none.
    @discardableResult
    func unlink(_ name: String) throws(ObjectStoreError) -> Bool {
        if unlinkat(raw, name, 0) == 0 { return true }
        guard errno == ENOENT else { throw .from(errno) }
        return false
    }

    /// Removes a directory when it is empty. Another process may have filled or removed it meanwhile; both count as success.
    func removeIfEmpty(_ name: String) throws(ObjectStoreError) {
        if unlinkat(raw, name, AT_REMOVEDIR) != 0, ![ENOENT, ENOTEMPTY, EEXIST, EBUSY].contains(errno) { throw .from(errno) }
    }

    /// The directory's entries, sorted, without `.` and `..`.
    func names() throws(ObjectStoreError) -> [String] {
        let copy = openat(raw, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { throw .from(errno) }
        guard let stream = fdopendir(copy) else {
            let code = errno
            close(copy)
            throw .from(code)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw .from(errno) }
                return names.sorted()
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: tuple.pointee)) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
    }

    private static func checked(_ raw: Int32) throws(ObjectStoreError) -> Descriptor {
        guard raw >= 0 else { throw .from(errno) }
        return Descriptor(owning: raw)
    }
}
