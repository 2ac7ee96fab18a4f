import CLibcrypto

/// The owner of a `BIGNUM`.
struct BigNumber: ~Copyable {
    let pointer: OpaquePointer

    init?(owning pointer: OpaquePointer?) {
        guard let pointer else { return nil }
        self.pointer = pointer
    }

    /// Unsigned, most significant byte first.
    init?(_ bytes: [UInt8]) {
        guard let count = Int32(exactly: bytes.count) else { return nil }
        self.init(owning: bytes.withUnsafeBytes { BN_bin2bn($0.bytes, count, nil) })
    }

    deinit { BN_free(pointer) }

    var bits: Int { Int(BN_num_bits(pointer)) }
    var isOdd: Bool { BN_is_odd(pointer) == 1 }

    /// Left-padded with zeros; nil when the number needs more.
    func bytes(count: Int32) -> [UInt8]? { Self.bytes(of: pointer, count: count) }

    /// For a number that another structure owns.
    static func bytes(of pointer: OpaquePointer?, count: Int32) -> [UInt8]? {
        guard let pointer, count >= 0 else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, initialized in
            initialized = max(0, Int(BN_bn2binpad(pointer, buffer.baseAddress, count)))
        }
        return bytes.count == Int(count) ? bytes : nil
    }

    /// Gives the number to a C structure that will free it.
    consuming func release() -> OpaquePointer {
        let pointer = pointer
        discard self
        return pointer
    }
}
