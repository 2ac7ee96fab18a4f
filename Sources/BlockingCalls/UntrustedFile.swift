import Glibc

/// A file in a folder that another program writes to. The program may have been made to put something else in its place: a link to a file
/// that only this process may read, a pipe to which nothing is written.
///
/// Its calls block on the disk.
package struct UntrustedFile: Sendable, Equatable {
    package let path: String
    /// Bytes, when it was opened first.
    package let size: Int

    /// - Returns: nil for anything but a regular file with one name that can be opened.
    package init?(_ path: String) {
        guard let descriptor = Self.descriptor(of: path, isWritten: false) else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.path = path
        size = Int(status.st_size)
    }

    /// Opens the file for each chunk: a descriptor kept open would outlive a transfer that is given up.
    /// - Returns: fewer bytes than asked for when the file ends; none beyond its end; nil when it cannot be read, or is no such file any
    ///   more.
    package func read(at offset: Int, count: Int) -> [UInt8]? {
        guard let descriptor = Self.descriptor(of: path, isWritten: false) else { return nil }
        defer { close(descriptor) }
        var read = -1
        let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
            repeat {
                read = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            } while read < 0 && errno == EINTR
            filled = max(0, read)
        }
        return read < 0 ? nil : bytes
    }

    /// Follows no link in the last place of the path and waits for no other end of a pipe. The folders before it are the caller's own.
    /// - Parameter isWritten: opens it for writing too.
    /// - Returns: nil for anything but a regular file; also for one with a second name, which may be that of a file elsewhere. The caller
    ///   closes it.
    package static func descriptor(of path: String, isWritten: Bool) -> Int32? {
        let descriptor = open(path, (isWritten ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
