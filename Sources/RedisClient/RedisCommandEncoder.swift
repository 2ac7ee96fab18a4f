import CHiredis
import NIOCore

/// Formats a command as RESP2 bytes with hiredis.
enum RedisCommandEncoder {
    /// - Returns: nil without arguments, or when memory is short.
    static func encode(_ arguments: [RedisArgument]) -> ByteBuffer? {
        guard !arguments.isEmpty, let count = Int32(exactly: arguments.count) else { return nil }
        var lengths = arguments.map { $0.bytes.count }
        // One flat copy gives every argument an address that is valid for the call.
        let flat = Array(arguments.map(\.bytes).joined()) + [0]
        return flat.withUnsafeBytes { raw -> ByteBuffer? in
            guard let base = raw.baseAddress?.assumingMemoryBound(to: CChar.self) else { return nil }
            var offset = 0
            var pointers: [UnsafePointer<CChar>?] = lengths.map { length in
                defer { offset += length }
                return base + offset
            }
            var target: UnsafeMutablePointer<CChar>?
            let written = redisFormatCommandArgv(&target, count, &pointers, &lengths)
            guard written > 0, let target else { return nil }
            defer { redisFreeCommand(target) }
            return ByteBuffer(bytes: UnsafeRawBufferPointer(start: target, count: Int(written)))
        }
    }
}
