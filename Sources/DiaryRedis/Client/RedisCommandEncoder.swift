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

/// One argument of a command: any bytes. Arguments are length-prefixed on the wire, so no byte needs escaping.
package struct RedisArgument: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }
    package init(_ text: String) { bytes = Array(text.utf8) }
    package init(_ number: some BinaryInteger) { bytes = Array(String(number).utf8) }
    package init(stringLiteral text: String) { self.init(text) }
    package init(integerLiteral number: Int64) { self.init(number) }
}
