import CLibcrypto

/// HKDF-SHA-256 (RFC 5869), extract then expand.
package enum HKDFSHA256 {
    /// - Parameter count: at most 8,160 bytes (255 blocks); a constant of the caller, never input.
    package static func derive(_ key: SecretBytes, salt: [UInt8] = [], info: String, count: Int = 32) -> SecretBytes {
        derive(key, salt: salt, info: Array(info.utf8), count: count)
    }

    static func derive(_ key: SecretBytes, salt: [UInt8] = [], info: [UInt8], count: Int = 32) -> SecretBytes {
        precondition((0...255 * SHA256.count).contains(count), "HKDF gives at most 255 blocks")
        let extracted = SecretBytes(count: SHA256.count) { target in
            var stream = HMACSHA256Stream(key: SecretBytes(salt))
            key.withUnsafeBytes { stream.update($0) }
            stream.finish(into: target)
        }
        return SecretBytes(count: count) { expand(extracted, info: info, into: $0) }
    }

    private static func expand(_ key: SecretBytes, info: [UInt8], into target: UnsafeMutableRawBufferPointer) {
        withUnsafeTemporaryAllocation(byteCount: SHA256.count, alignment: 16) { block in
            var rest = target[...]
            var number: UInt8 = 0
            while !rest.isEmpty {
                var stream = HMACSHA256Stream(key: key)
                if number > 0 { stream.update(UnsafeRawBufferPointer(block)) }
                number += 1
                info.withUnsafeBytes { stream.update($0) }
                withUnsafeBytes(of: number) { stream.update($0) }
                stream.finish(into: block)
                let piece = rest.prefix(SHA256.count)
                UnsafeMutableRawBufferPointer(rebasing: piece).copyMemory(from: UnsafeRawBufferPointer(rebasing: block[..<piece.count]))
                rest = rest.dropFirst(SHA256.count)
            }
            OPENSSL_cleanse(block.baseAddress, block.count)
        }
    }
}
