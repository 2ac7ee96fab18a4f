import NIOCore
import WireFormats

extension ByteBuffer {
    /// A document that is one object.
    /// - Parameter capacity: bytes it is likely to need.
    static func json(capacity: Int = 512, _ write: (inout JSONWriter) -> Void) -> ByteBuffer {
        var writer = JSONWriter(capacity: capacity)
        writer.object(write)
        return writer.withDocument { document in unsafe document.withUnsafeBytes { unsafe ByteBuffer(bytes: $0) } }
    }
}
