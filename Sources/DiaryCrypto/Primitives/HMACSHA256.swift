import CLibcrypto

/// HMAC-SHA-256 (RFC 2104).
package enum HMACSHA256 {
    /// - Returns: 32 bytes.
    package static func code(_ message: [UInt8], key: SecretBytes) -> [UInt8] {
        var stream = HMACSHA256Stream(key: key)
        message.withUnsafeBytes { stream.update($0) }
        return [UInt8](unsafeUninitializedCapacity: SHA256.count) { buffer, count in
            stream.finish(into: UnsafeMutableRawBufferPointer(buffer))
            count = SHA256.count
        }
    }

    /// Compares in constant time.
    package static func isValid(_ code: [UInt8], _ message: [UInt8], key: SecretBytes) -> Bool {
        ConstantTime.equal(code, self.code(message, key: key))
    }
}

/// The code of one message; used once. `finish` leaves nothing of the key in the state: SHA-256's initialisation clears it.
struct HMACSHA256Stream: ~Copyable {
    private var inner = SHA256Stream()
    private var outer = SHA256Stream()

    init(key: SecretBytes) {
        withUnsafeTemporaryAllocation(byteCount: SHA256.blockSize, alignment: 16) { block in
            block.initializeMemory(as: UInt8.self, repeating: 0)
            key.withUnsafeBytes { key in
                if key.count <= SHA256.blockSize {
                    block.copyMemory(from: key)
                } else {
                    var stream = SHA256Stream()
                    stream.update(key)
                    stream.finish(into: block)
                }
            }
            for index in block.indices { block[index] ^= 0x36 }
            inner.update(UnsafeRawBufferPointer(block))
            for index in block.indices { block[index] ^= 0x36 ^ 0x5c }
            outer.update(UnsafeRawBufferPointer(block))
            OPENSSL_cleanse(block.baseAddress, block.count)
        }
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) { inner.update(bytes) }

    /// - Parameter target: at least 32 bytes.
    mutating func finish(into target: UnsafeMutableRawBufferPointer) {
        inner.finish(into: target)
        outer.update(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(target)[..<SHA256.count]))
        outer.finish(into: target)
    }
}
