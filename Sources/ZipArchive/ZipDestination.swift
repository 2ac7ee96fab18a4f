import CLibzip
import Glibc

/// libzip's seekable output over an open descriptor. libzip sees it as a file that does not exist yet, so it never reads it
/// as an archive; `commit` cuts the file to what was written.
final class ZipDestination {
    private let descriptor: Int32
    private let run: ZipRun
    private var writeOffset: Int64 = 0
    private var readOffset: Int64 = 0
    private var end: Int64 = 0
    /// Written by libzip, 8 KiB at a time, and not to the file yet.
    private var tail = ZipTail()
    /// Held here at most, in bytes. A pipe's reader gets shorter members from there, without a way through the file.
    private let mostInMemory: Int
    private var error: (zip: Int32, system: Int32) = (0, 0)

    init(descriptor: Int32, run: ZipRun) {
        self.descriptor = descriptor
        self.run = run
        mostInMemory = run.pipe == nil ? ZipTail.blockSize : ZipPipe.mostInMemory
    }

    /// The source owns this object from here; libzip's FREE releases it.
    func makeSource(_ error: inout zip_error_t) -> OpaquePointer? {
        let this = Unmanaged.passRetained(self)
        let source = zip_source_function_create(
            { state, data, length, command in
                guard let state else { return -1 }
                let this = Unmanaged<ZipDestination>.fromOpaque(state)
                if command == ZIP_SOURCE_FREE {
                    this.release()
                    return 0
                }
                return this.takeUnretainedValue().handle(command, data, length)
            }, this.toOpaque(), &error)
        if source == nil { this.release() }
        return source
    }

    private static let supported = ZipCommands.mask([
        ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
        ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_SUPPORTS,
        ZIP_SOURCE_BEGIN_WRITE, ZIP_SOURCE_COMMIT_WRITE, ZIP_SOURCE_ROLLBACK_WRITE, ZIP_SOURCE_WRITE,
        ZIP_SOURCE_SEEK_WRITE, ZIP_SOURCE_TELL_WRITE, ZIP_SOURCE_REMOVE,
    ])

    func handle(_ command: zip_source_cmd_t, _ data: UnsafeMutableRawPointer?, _ length: UInt64) -> Int64 {
        switch command {
        case ZIP_SOURCE_SUPPORTS: return Self.supported
        case ZIP_SOURCE_ERROR: return ZipCommands.writeError(error.zip, error.system, data, length)
        case ZIP_SOURCE_STAT: return refuse(ZIP_ER_READ, ENOENT)  // no archive yet
        case ZIP_SOURCE_BEGIN_WRITE, ZIP_SOURCE_REMOVE: return empty()
        case ZIP_SOURCE_ROLLBACK_WRITE: return forget()
        case ZIP_SOURCE_COMMIT_WRITE:
            return attempt(ZIP_ER_WRITE) { () throws(ZipError) in
                try flush()
                try DescriptorIO.truncate(descriptor, to: end)
            }
        case ZIP_SOURCE_WRITE: return write(data, length)
        case ZIP_SOURCE_SEEK_WRITE: return seekToWrite(data, length)
        case ZIP_SOURCE_TELL_WRITE: return writeOffset
        case ZIP_SOURCE_OPEN:
            readOffset = 0
            return 0
        case ZIP_SOURCE_READ: return read(data, length)
        case ZIP_SOURCE_CLOSE: return 0
        case ZIP_SOURCE_SEEK: return seek(&readOffset, data, length)
        case ZIP_SOURCE_TELL: return readOffset
        default: return refuse(ZIP_ER_OPNOTSUPP, 0)
        }
    }

    private func empty() -> Int64 {
        _ = forget()
        return attempt(ZIP_ER_WRITE) { () throws(ZipError) in try DescriptorIO.truncate(descriptor) }
    }

    /// The file stays as it is: `ZipRun` empties it when the reader of a pipe has been told why.
    private func forget() -> Int64 {
        (writeOffset, readOffset, end) = (0, 0, 0)
        tail = ZipTail()
        return 0
    }

    private func write(_ data: UnsafeMutableRawPointer?, _ length: UInt64) -> Int64 {
        guard let data, let count = Int(exactly: length) else { return refuse(ZIP_ER_INVAL, 0) }
        tail.write(UnsafeRawBufferPointer(start: data, count: count), at: writeOffset)
        writeOffset += Int64(count)
        end = max(end, writeOffset)
        guard tail.count < mostInMemory || attempt(ZIP_ER_WRITE, flush) == 0 else { return -1 }
        return Int64(count)
    }

    private func flush() throws(ZipError) {
        var offset = tail.start
        for block in tail.blocks {
            try block.withUnsafeBufferPointer { bytes throws(ZipError) in
                try DescriptorIO.write(descriptor, UnsafeRawBufferPointer(bytes), at: offset)
            }
            offset += Int64(block.count)
        }
        tail = ZipTail(at: writeOffset)
    }

    /// libzip goes back once for each member, to write its header again, and then on to the end: everything before is final.
    private func seekToWrite(_ data: UnsafeMutableRawPointer?, _ length: UInt64) -> Int64 {
        let before = writeOffset
        guard seek(&writeOffset, data, length) == 0 else { return -1 }
        guard (tail.start...tail.end).contains(writeOffset) || attempt(ZIP_ER_WRITE, flush) == 0 else {
            writeOffset = before
            return -1
        }
        guard let pipe = run.pipe else { return 0 }
        // A reader may have it already.
        guard writeOffset >= pipe.settled else { return refuse(ZIP_ER_INTERNAL, EIO) }
        if writeOffset == end, writeOffset > before { handOver(to: pipe) }
        return 0
    }

    /// Everything written is final. Short members are gathered into a block.
    private func handOver(to pipe: ZipPipe) {
        // What a long member has left in the file.
        pipe.settle(tail.start)
        let start = tail.start
        let blocks = tail.takeFullBlocks()
        if !blocks.isEmpty { pipe.hand(blocks, at: start) }
    }

    private func read(_ data: UnsafeMutableRawPointer?, _ length: UInt64) -> Int64 {
        guard let data, let count = Int(exactly: length) else { return refuse(ZIP_ER_INVAL, 0) }
        do throws(ZipError) {
            try flush()
            let got = try DescriptorIO.read(descriptor, UnsafeMutableRawBufferPointer(start: data, count: count), at: readOffset)
            readOffset += Int64(got)
            return Int64(got)
        } catch {
            run.fail(error)
            return refuse(ZIP_ER_READ, EIO)
        }
    }

    private func seek(_ offset: inout Int64, _ data: UnsafeMutableRawPointer?, _ length: UInt64) -> Int64 {
        guard let data else { return refuse(ZIP_ER_INVAL, 0) }
        var failure = zip_error_t()
        zip_error_init(&failure)
        defer { zip_error_fini(&failure) }
        let target = zip_source_seek_compute_offset(UInt64(offset), UInt64(end), data, length, &failure)
        guard target >= 0 else { return refuse(failure.zip_err, failure.sys_err) }
        offset = target
        return 0
    }

    private func attempt(_ code: Int32, _ body: () throws(ZipError) -> Void) -> Int64 {
        do throws(ZipError) {
            try body()
            return 0
        } catch {
            run.fail(error)
            return refuse(code, EIO)
        }
    }

    private func refuse(_ code: Int32, _ system: Int32) -> Int64 {
        error = (code, system)
        return -1
    }
}

/// C macros and variadic functions that Swift does not import.
enum ZipCommands {
    /// The `ZIP_SOURCE_MAKE_COMMAND_BITMASK` of all, combined.
    static func mask(_ commands: [zip_source_cmd_t]) -> Int64 {
        commands.reduce(0) { $0 | 1 << Int64($1.rawValue) }
    }

    /// The reply to `ZIP_SOURCE_ERROR`: two ints, libzip's code and `errno`.
    static func writeError(_ code: Int32, _ system: Int32, _ data: UnsafeMutableRawPointer?, _ length: UInt64) -> Int64 {
        let size = 2 * MemoryLayout<Int32>.size
        guard let data, length >= UInt64(size) else { return -1 }
        data.storeBytes(of: code, as: Int32.self)
        data.storeBytes(of: system, toByteOffset: MemoryLayout<Int32>.size, as: Int32.self)
        return Int64(size)
    }
}
