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

/// Bounds of what is read of an archive that another program made.
package struct ZipReadLimits: Sendable, Equatable {
    /// libzip holds about 250 bytes of memory for each.
    package var members = 250_000
    /// Size of the central directory, in bytes.
    package var directoryBytes: Int64 = 64 << 20
    /// Size of all members together, uncompressed, as the directory states.
    package var totalBytes: Int64 = 20 << 30
    /// Uncompressed to compressed, of members above `ratioFrom`. Deflate reaches 1,032; text seldom passes 50.
    package var ratio: Int64 = 500
    package var ratioFrom: Int64 = 16 << 20

    package init(
        members: Int = 250_000, directoryBytes: Int64 = 64 << 20, totalBytes: Int64 = 20 << 30, ratio: Int64 = 500,
        ratioFrom: Int64 = 16 << 20
    ) {
        self.members = members
        self.directoryBytes = directoryBytes
        self.totalBytes = totalBytes
        self.ratio = ratio
        self.ratioFrom = ratioFrom
    }
}

/// Why an archive, or one member of it, is not read. The descriptions hold neither names nor contents.
package enum ZipReadError: Error, Sendable, Equatable, CustomStringConvertible {
    /// No end record: no zip, or one that was cut off.
    case noArchive
    /// Records that contradict each other or the file's length.
    case damaged
    /// More than one end record: readers would disagree about the members.
    case ambiguous
    case tooManyMembers
    /// All members together, uncompressed.
    case tooLarge
    /// A member that claims to unpack to many times its size.
    case suspiciousRatio
    /// Two members share bytes of the file.
    case overlapping
    case duplicateName
    /// A name that is absolute, climbs (`..`) or holds a backslash or a control or direction-changing character.
    case unsafeName
    case encrypted
    case unsupportedMethod
    /// A symbolic link or another special file.
    case specialFile
    /// The member unpacks to another length or checksum than the directory states, or does not unpack.
    case damagedMember
    /// The file itself: `errno`.
    case file(Int32)
    /// libzip's code (`ZIP_ER_…`) and the `errno` or zlib code behind it.
    case library(code: Int32, system: Int32)

    package var description: String {
        switch self {
        case .noArchive: "zip: no archive"
        case .damaged: "zip: damaged"
        case .ambiguous: "zip: more than one end record"
        case .tooManyMembers: "zip: too many members"
        case .tooLarge: "zip: too large unpacked"
        case .suspiciousRatio: "zip: suspicious compression ratio"
        case .overlapping: "zip: members overlap"
        case .duplicateName: "zip: duplicate name"
        case .unsafeName: "zip: unsafe name"
        case .encrypted: "zip: encrypted"
        case .unsupportedMethod: "zip: unsupported compression method"
        case .specialFile: "zip: special file"
        case .damagedMember: "zip: damaged member"
        case .file(let code): "zip: file error \(code)"
        case .library(let code, let system): "zip: libzip error \(code), system \(system)"
        }
    }
}
