import CLibcrypto

/// SHA-256 (FIPS 180-4).
///
/// Uses libcrypto's low-level functions rather than EVP: the state is stored in the Swift value, nothing is allocated, and no step
/// can fail, so neither this nor HMAC and HKDF, which use it, have an error that could be mistaken for a digest.
package enum SHA256 {
    static let count = 32
    static let blockSize = 64

    /// - Returns: 32 bytes.
    package static func digest(_ bytes: [UInt8]) -> [UInt8] {
        var stream = SHA256Stream()
        stream.update(bytes)
        return stream.finish()
    }
}

/// SHA-256 over bytes that come in pieces. A value: a copy goes on independently.
package struct SHA256Stream: Sendable {
    private var context = SHA256_CTX()

    package init() { diary_sha256_init(&context) }

    package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    package mutating func update(_ bytes: ArraySlice<UInt8>) { bytes.withUnsafeBytes { update($0) } }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        diary_sha256_update(&context, bytes.baseAddress, bytes.count)
    }

    /// Ends the message; the stream then stands at the start of a new one.
    /// - Returns: 32 bytes.
    package mutating func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: SHA256.count) { buffer, count in
            finish(into: UnsafeMutableRawBufferPointer(buffer))
            count = SHA256.count
        }
    }

    /// - Parameter target: at least 32 bytes.
    mutating func finish(into target: UnsafeMutableRawBufferPointer) {
        diary_sha256_final(&context, target.baseAddress?.assumingMemoryBound(to: UInt8.self))
        diary_sha256_init(&context)
    }
}
