import BlockingCalls
import CLibzip
import Glibc
import Synchronization

/// A temporary file without a name: the kernel frees it with its last descriptor, also after a `kill -9`. Its calls block on the disk.
package final class UnlinkedTempFile: Sendable {
    /// Open for reading and writing; closed with this object.
    package let descriptor: Int32
    private let appending = Mutex(())

    /// - Parameter folder: an existing folder on the file system that holds the bytes.
    package convenience init(folder: String) throws(ZipError) {
        do throws(ZipError) {
            try self.init(nameless: folder)
        } catch .file(EOPNOTSUPP), .file(EISDIR), .file(EINVAL) {
            // A file system or kernel without O_TMPFILE.
            try self.init(unlinking: folder)
        }
    }

    init(nameless folder: String) throws(ZipError) {
        // O_TMPFILE and O_EXCL: the kernel never lets it be linked into a folder later.
        let descriptor = open(folder, 0o20000000 | O_DIRECTORY | O_RDWR | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(errno) }
        self.descriptor = descriptor
    }

    /// For file systems without `O_TMPFILE`: the name exists between two system calls.
    init(unlinking folder: String) throws(ZipError) {
        let name = "\(folder)/.\(String(UInt64.random(in: .min ... .max), radix: 36))"
        let descriptor = open(name, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(errno) }
        guard unlink(name) == 0 else {
            let code = errno
            close(descriptor)
            throw .file(code)
        }
        self.descriptor = descriptor
    }

    /// A file that another program has written. Its name goes, and its bytes when this object does. A link or anything but a regular file
    /// is refused: the program may have been made to write one.
    package init(taking path: String) throws(ZipError) {
        guard let descriptor = UntrustedFile.descriptor(of: path, isWritten: true) else { throw .file(EINVAL) }
        guard unlink(path) == 0 else {
            let code = errno
            close(descriptor)
            throw .file(code)
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    package var size: Int64 {
        get throws(ZipError) { try DescriptorIO.size(descriptor) }
    }

    /// Appends the bytes.
    /// - Returns: the offset of the slice.
    @discardableResult
    package func append(_ bytes: [UInt8]) throws(ZipError) -> Int64 {
        let result: Result<Int64, ZipError> = appending.withLock { _ in
            do throws(ZipError) {
                let end = try DescriptorIO.size(descriptor)
                try bytes.withUnsafeBufferPointer { buffer throws(ZipError) in
                    try DescriptorIO.write(descriptor, UnsafeRawBufferPointer(buffer), at: end)
                }
                return .success(end)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Up to `count` bytes; fewer only at the end of the file.
    package func read(offset: Int64, count: Int) throws(ZipError) -> [UInt8] {
        guard offset >= 0, count > 0 else { return [] }
        let available = try size - offset
        guard available > 0 else { return [] }
        let wanted = min(count, Int(clamping: available))
        var failure: ZipError?
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, initialized in
            do throws(ZipError) {
                initialized = try DescriptorIO.read(descriptor, UnsafeMutableRawBufferPointer(buffer), at: offset)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }
}

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

/// A range of a temporary file as a member, for content composed before the archive is written.
package final class TempFileSlice: ZipMemberSource {
    private let file: UnlinkedTempFile
    private let range: Range<Int64>
    private let position: Mutex<Int64>

    package init(file: UnlinkedTempFile, offset: Int64, length: Int64) {
        let start = max(offset, 0)
        let (end, overflow) = start.addingReportingOverflow(max(length, 0))
        self.file = file
        range = start..<(overflow ? Int64.max : end)
        position = Mutex(start)
    }

    package func open() throws { position.withLock { $0 = range.lowerBound } }

    package func read(max: Int) throws -> [UInt8] {
        let start = position.withLock { $0 }
        let bytes = try file.read(offset: start, count: min(max, Int(clamping: range.upperBound - start)))
        position.withLock { $0 = start + Int64(bytes.count) }
        return bytes
    }

    package func close() {}
}
