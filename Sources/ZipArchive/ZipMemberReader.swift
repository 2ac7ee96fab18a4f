import CLibzip
import Synchronization

/// One member of an archive, uncompressed while it is read. One reader: calls of `read` do not overlap.
package final class ZipMemberReader: Sendable {
    /// Used under the archive's lock alone.
    private struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private struct State {
        var file: Handle?
        var delivered: Int64 = 0
    }

    private let archive: ZipReader
    package let entry: ZipEntry
    private let state: Mutex<State>

    init(archive: ZipReader, _ entry: ZipEntry) throws(ZipReadError) {
        self.archive = archive
        self.entry = entry
        state = Mutex(State())
        let index = UInt64(entry.index)
        let path = entry.path
        let opened = archive.withArchive { handle -> Handle? in
            var stat = zip_stat_t()
            zip_stat_init(&stat)
            // The member of that number is the one that was checked.
            guard zip_stat_index(handle, index, zip_flags_t(ZIP_FL_ENC_RAW), &stat) == 0, let name = stat.name,
                ZipDirectory.path(Array(String(cString: name).utf8)) == path,
                stat.size == UInt64(entry.size), stat.comp_size == UInt64(entry.compressedSize),
                let file = zip_fopen_index(handle, index, 0)
            else { return nil }
            return Handle(pointer: file)
        }
        guard let opened else { throw .damagedMember }
        state.withLock { $0.file = opened }
    }

    deinit {
        archive.withArchive { _ in
            state.withLock { if let file = $0.file { _ = zip_fclose(file.pointer) } }
        }
    }

    /// Up to `max` bytes; empty at the end, where length and checksum have been found right.
    package func read(max: Int) throws(ZipReadError) -> [UInt8] {
        let entry = entry
        let result: Result<[UInt8], ZipReadError> = archive.withArchive { _ in
            state.withLock { state in
                guard let file = state.file?.pointer else { return .failure(.damagedMember) }
                var count: Int64 = 0
                let bytes = [UInt8](unsafeUninitializedCapacity: Swift.max(1, max)) { buffer, initialized in
                    count = zip_fread(file, buffer.baseAddress, UInt64(buffer.count))
                    initialized = Int(Swift.max(0, count))
                }
                guard count >= 0 else {
                    let error = zip_file_get_error(file)
                    let (code, system) = error.map { (zip_error_code_zip($0), zip_error_code_system($0)) } ?? (ZIP_ER_INTERNAL, 0)
                    // What the file system fails to give is no fault of the archive.
                    return .failure(
                        [ZIP_ER_READ, ZIP_ER_MEMORY, ZIP_ER_SEEK].contains(code) ? .library(code: code, system: system) : .damagedMember)
                }
                state.delivered += count
                guard state.delivered <= entry.size, count > 0 || state.delivered == entry.size else { return .failure(.damagedMember) }
                return .success(bytes)
            }
        }
        return try result.get()
    }
}
