import CLibcrypto

/// MD5 (RFC 1321). Not for security: S3 servers check the bytes that they receive against `Content-MD5`.
package enum MD5 {
    /// - Returns: 16 bytes; nil where libcrypto does not offer it (FIPS).
    package static func digest(_ bytes: [UInt8]) -> [UInt8]? {
        var isDone = false
        let digest = [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            count = 16
            isDone = bytes.withUnsafeBytes { diary_md5($0.baseAddress, $0.count, buffer.baseAddress) == 1 }
            if !isDone { buffer.initialize(repeating: 0) }
        }
        return isDone ? digest : nil
    }
}
