import Glibc

/// A file on disk that a request's body holds, read in chunks while it is sent.
package struct BodyFile: Sendable, Equatable {
    package let path: String
    /// Bytes, when it was opened first.
    package let size: Int

    /// - Returns: nil for anything but a regular file that can be opened.
    package init?(_ path: String) {
        guard let descriptor = Self.opened(path) else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.path = path
        size = Int(status.st_size)
    }

    /// Opens the file for each chunk: a descriptor kept open would outlive a transfer that is given up.
    /// - Returns: fewer bytes than asked for when the file ends; none beyond its end; nil when it cannot be read.
    package func read(at offset: Int, count: Int) -> [UInt8]? {
        guard let descriptor = Self.opened(path) else { return nil }
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

    private static func opened(_ path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        return descriptor < 0 ? nil : descriptor
    }
}
