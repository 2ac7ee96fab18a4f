import CLibcrypto

/// Key material that is overwritten when its last reference is released, and that no description, dump or log shows.
///
/// The array given to `init` and the one returned by `bytes()` are plain copies that are not overwritten; keep them short-lived.
package struct SecretBytes: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let storage: Storage

    package init(_ bytes: [UInt8]) {
        storage = Storage(count: bytes.count) { target in
            bytes.withUnsafeBytes { target.copyMemory(from: $0) }
        }
    }

    /// - Parameter body: fills the whole buffer.
    init(count: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void) {
        storage = Storage(count: count, body)
    }

    package static func random(_ count: Int) -> SecretBytes {
        SecretBytes(count: count) { SecureRandom.fill($0) }
    }

    package var count: Int { storage.buffer.count }

    /// A copy, for calls that need an array.
    package func bytes() -> [UInt8] { withUnsafeBytes { Array($0) } }

    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withExtendedLifetime(storage) { body(UnsafeRawBufferPointer(storage.buffer)) }
    }

    package var description: String { "<secret>" }
    package var debugDescription: String { "<secret>" }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }

    /// Unchecked: the buffer is written before the initialiser returns and never again until `deinit`.
    private final class Storage: @unchecked Sendable {
        let buffer: UnsafeMutableRawBufferPointer

        init(count: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void) {
            buffer = .allocate(byteCount: count, alignment: 16)
            buffer.initializeMemory(as: UInt8.self, repeating: 0)
            body(buffer)
        }

        deinit {
            OPENSSL_cleanse(buffer.baseAddress, buffer.count)
            buffer.deallocate()
        }
    }
}
