import CHiredis
import NIOCore

/// A command as RESP2 bytes, made by hiredis.
enum RedisCommandEncoder {
    /// - Returns: nil when memory is short or the command has no word.
    static func encode(_ arguments: [RedisArgument]) -> ByteBuffer? {
        guard !arguments.isEmpty, let count = Int32(exactly: arguments.count) else { return nil }
        var lengths = arguments.map { $0.bytes.count }
        // One flat copy gives every word an address that lives through the call.
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
