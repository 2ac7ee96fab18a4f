import CLibzip

/// Packs bytes as an archive holds them, before it is written: raw deflate (RFC 1951), with their CRC-32.
package final class Deflater {
    private static let blockSize = 1 << 16

    private let stream: UnsafeMutablePointer<z_stream>
    private var check: UInt32 = 0
    private var length: Int64 = 0
    private var block = [UInt8](repeating: 0, count: blockSize)

    package init() throws(ZipError) {
        stream = .allocate(capacity: 1)
        let status = diary_deflate_begin(stream)
        guard status == Z_OK else {
            stream.deallocate()
            throw .library(code: ZIP_ER_ZLIB, system: status)
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// All of a text at once.
    package func pack(_ bytes: [UInt8]) throws(ZipError) -> (packed: [UInt8], facts: PackedFacts) {
        let (packed, facts) = try finish(with: bytes)
        return (packed, facts)
    }

    /// - Returns: what is packed by now.
    package func append(_ bytes: [UInt8]) throws(ZipError) -> [UInt8] {
        // zlib answers null with its first value.
        guard !bytes.isEmpty else { return [] }
        check = bytes.withUnsafeBufferPointer { UInt32(truncatingIfNeeded: crc32_z(UInt(check), $0.baseAddress, $0.count)) }
        length += Int64(bytes.count)
        return try run(bytes, Z_NO_FLUSH)
    }

    /// Ends the bytes; the next ones are packed anew.
    /// - Parameter last: appended before.
    package func finish(with last: [UInt8] = []) throws(ZipError) -> (rest: [UInt8], facts: PackedFacts) {
        let rest = try append(last) + run([], Z_FINISH)
        let facts = PackedFacts(size: Int64(stream.pointee.total_out), crc32: check, length: length)
        guard deflateReset(stream) == Z_OK else { throw .library(code: ZIP_ER_ZLIB, system: Z_STREAM_ERROR) }
        (check, length) = (0, 0)
        return (rest, facts)
    }

    private func run(_ bytes: [UInt8], _ flush: Int32) throws(ZipError) -> [UInt8] {
        var packed: [UInt8] = []
        var status = Z_OK
        bytes.withUnsafeBufferPointer { input in
            // zlib reads from it only.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = UInt32(clamping: input.count)
            repeat {
                block.withUnsafeMutableBufferPointer { output in
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = UInt32(output.count)
                    status = deflate(stream, flush)
                }
                packed += block.prefix(Self.blockSize - Int(stream.pointee.avail_out))
            } while status == Z_OK && stream.pointee.avail_out == 0
        }
        // Nothing to do is no failure.
        guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR, stream.pointee.avail_in == 0 else {
            throw .library(code: ZIP_ER_ZLIB, system: status)
        }
        return packed
    }
}

/// A member's bytes that were packed before.
package struct PackedFacts: Sendable, Equatable {
    /// Packed, in bytes.
    package var size: Int64
    /// Sum and number of the bytes before they were packed.
    package var crc32: UInt32
    package var length: Int64
}
