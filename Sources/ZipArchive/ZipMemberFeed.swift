import CLibzip
import Glibc

/// A member's source as libzip pulls it: 8 KiB at a time from blocks of `blockSize`, counted against the stated length.
final class ZipMemberFeed {
    static let blockSize = 1 << 18

    private let unpackedLength: Int64
    /// Bytes that `source` returns.
    private let sourceLength: Int64
    private let method: ZipMember.Method
    private let source: any ZipMemberSource
    private let run: ZipRun
    private var block: [UInt8] = []
    private var blockOffset = 0
    private var delivered: Int64 = 0
    private var isOpen = false
    private var isAtEnd = false
    private var error: (zip: Int32, system: Int32) = (0, 0)

    init(member: ZipMember, run: ZipRun) {
        (unpackedLength, sourceLength) = (member.length, member.sourceLength)
        method = member.method
        source = member.source
        self.run = run
    }

    deinit { close() }

    /// The source owns this object from here; libzip's FREE releases it.
    func makeSource(_ archive: OpaquePointer) -> OpaquePointer? {
        let this = Unmanaged.passRetained(self)
        let source = zip_source_function(
            archive,
            { state, data, length, command in
                guard let state else { return -1 }
                let this = Unmanaged<ZipMemberFeed>.fromOpaque(state)
                if command == ZIP_SOURCE_FREE {
                    this.release()
                    return 0
                }
                return this.takeUnretainedValue().handle(command, data, length)
            }, this.toOpaque())
        if source == nil { this.release() }
        return source
    }

    private static let supported = ZipCommands.mask([
        ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, ZIP_SOURCE_SUPPORTS,
    ])

    private func handle(_ command: zip_source_cmd_t, _ data: UnsafeMutableRawPointer?, _ length: UInt64) -> Int64 {
        switch command {
        case ZIP_SOURCE_SUPPORTS: return Self.supported
        case ZIP_SOURCE_ERROR: return ZipCommands.writeError(error.zip, error.system, data, length)
        case ZIP_SOURCE_STAT: return stat(data, length)
        case ZIP_SOURCE_OPEN: return open()
        case ZIP_SOURCE_READ: return read(data, length)
        case ZIP_SOURCE_CLOSE:
            close()
            return 0
        default: return refuse(ZIP_ER_OPNOTSUPP, 0)
        }
    }

    /// The stated length decides, before the first byte, whether the local header is ZIP64.
    private func stat(_ data: UnsafeMutableRawPointer?, _ length: UInt64) -> Int64 {
        guard let data, length >= UInt64(MemoryLayout<zip_stat_t>.size) else { return refuse(ZIP_ER_INVAL, 0) }
        let stat = data.assumingMemoryBound(to: zip_stat_t.self)
        zip_stat_init(stat)
        stat.pointee.size = UInt64(unpackedLength)
        stat.pointee.valid = UInt64(ZIP_STAT_SIZE)
        // libzip copies what is packed by the method that the member has.
        if case .packed(let size, let crc32) = method {
            stat.pointee.comp_size = UInt64(size)
            stat.pointee.comp_method = UInt16(ZIP_CM_DEFLATE)
            stat.pointee.crc = crc32
            stat.pointee.valid |= UInt64(ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_CRC)
        }
        return Int64(MemoryLayout<zip_stat_t>.size)
    }

    private func open() -> Int64 {
        (block, blockOffset, delivered, isAtEnd) = ([], 0, 0, false)
        do {
            try run.waitForRoom()
            try source.open()
            isOpen = true
            return 0
        } catch {
            return refuse(.memberFailed(error), ZIP_ER_OPEN)
        }
    }

    private func read(_ data: UnsafeMutableRawPointer?, _ length: UInt64) -> Int64 {
        guard let data, let wanted = Int(exactly: length) else { return refuse(ZIP_ER_INVAL, 0) }
        if run.isCancelled { return refuse(ZIP_ER_CANCELLED, 0) }
        if blockOffset == block.count, !isAtEnd {
            let status = nextBlock()
            guard status == 0 else { return status }
        }
        let count = min(wanted, block.count - blockOffset)
        block[blockOffset..<blockOffset + count].withUnsafeBytes { bytes in
            UnsafeMutableRawBufferPointer(start: data, count: count).copyMemory(from: bytes)
        }
        blockOffset += count
        return Int64(count)
    }

    private func nextBlock() -> Int64 {
        do {
            block = try source.read(max: Self.blockSize)
        } catch {
            return refuse(.memberFailed(error), ZIP_ER_READ)
        }
        blockOffset = 0
        delivered += Int64(block.count)
        guard delivered <= sourceLength else { return refuse(.lengthMismatch, ZIP_ER_READ) }
        if block.isEmpty {
            guard delivered == sourceLength else { return refuse(.lengthMismatch, ZIP_ER_READ) }
            isAtEnd = true
            run.memberCompleted()
        }
        return 0
    }

    private func close() {
        guard isOpen else { return }
        isOpen = false
        block = []
        blockOffset = 0
        source.close()
    }

    private func refuse(_ failure: ZipError, _ code: Int32) -> Int64 {
        run.fail(failure)
        return refuse(code, EIO)
    }

    private func refuse(_ code: Int32, _ system: Int32) -> Int64 {
        error = (code, system)
        return -1
    }
}
