import CLibzip
import Glibc
import Synchronization

/// Reads an archive that another program made. Its directory is checked as a whole first (`ZipDirectory`); members are then read one piece
/// at a time, several at once if need be. Nothing is written, and no name of the archive becomes a path. Calls block on the disk.
package final class ZipReader: Sendable {
    private let file: UnlinkedTempFile
    /// libzip's handle belongs to one thread at a time.
    private let archive: Mutex<OpaquePointer>

    /// - Parameters:
    ///   - file: the archive, at its start.
    ///   - each: is told of every member, in the order of the directory.
    package init(_ file: UnlinkedTempFile, limits: ZipReadLimits = ZipReadLimits(), each: (ZipEntry) -> Void) throws(ZipReadError) {
        let directory = try ZipDirectory(file, limits)
        try directory.read(file, limits, each)
        self.file = file
        archive = Mutex(try Self.open(file, count: directory.count))
    }

    deinit { archive.withLock { zip_discard($0) } }

    private static func open(_ file: UnlinkedTempFile, count: Int) throws(ZipReadError) -> OpaquePointer {
        let descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw .file(errno) }
        guard let stream = fdopen(descriptor, "r") else {
            let code = errno
            close(descriptor)
            throw .file(code)
        }
        var error = zip_error_t()
        zip_error_init(&error)
        defer { zip_error_fini(&error) }
        // The source closes the stream.
        guard let source = zip_source_filep_create(stream, 0, -1, &error) else {
            fclose(stream)
            throw .library(code: error.zip_err, system: error.sys_err)
        }
        guard let archive = zip_open_from_source(source, ZIP_RDONLY, &error) else {
            let code = error.zip_err
            zip_source_free(source)
            throw [ZIP_ER_NOZIP, ZIP_ER_INCONS, ZIP_ER_MULTIDISK].contains(code) ? .damaged : .library(code: code, system: error.sys_err)
        }
        guard zip_get_num_entries(archive, 0) == Int64(count) else {
            zip_discard(archive)
            throw .damaged
        }
        return archive
    }

    /// - Throws: its `fault`; `damagedMember` when its own header says something else than the directory.
    package func open(_ entry: ZipEntry) throws(ZipReadError) -> ZipMemberReader {
        if let fault = entry.fault { throw fault }
        guard entry.kind == .file else { throw .specialFile }
        try checkHeader(of: entry)
        return try ZipMemberReader(archive: self, entry)
    }

    private func checkHeader(of entry: ZipEntry) throws(ZipReadError) {
        let header = try ZipDirectory.bytes(file, at: entry.offset, count: 30 + entry.nameLength)
        guard header.is(0x0403_4B50, at: 0), header.two(at: 8) == entry.method, header.two(at: 6) & 0x2041 == 0,
            header.two(at: 26) == UInt16(clamping: entry.nameLength), ZipDirectory.path(header[30...]) == entry.path
        else { throw .damagedMember }
    }

    func withArchive<Value: Sendable>(_ body: (OpaquePointer) -> Value) -> Value { archive.withLock { body($0) } }
}
