import Glibc

/// Positioned reads and writes of whole buffers; an interrupted call is continued.
enum DescriptorIO {
    static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(ZipError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
            if count < 0 {
                if errno == EINTR { continue }
                throw .file(errno)
            }
            guard count > 0 else { throw .file(EIO) }
            done += count
        }
    }

    /// Fills the buffer unless the file ends before.
    /// - Returns: the number of bytes read.
    static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(ZipError) -> Int {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
            if count < 0 {
                if errno == EINTR { continue }
                throw .file(errno)
            }
            if count == 0 { break }
            done += count
        }
        return done
    }

    static func truncate(_ descriptor: Int32, to size: Int64 = 0) throws(ZipError) {
        while ftruncate(descriptor, off_t(size)) != 0 {
            guard errno == EINTR else { throw .file(errno) }
        }
    }

    static func size(_ descriptor: Int32) throws(ZipError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .file(errno) }
        return Int64(status.st_size)
    }
}
