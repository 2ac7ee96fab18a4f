import CLibcrypto

/// libcrypto's generator, seeded and reseeded (also after a fork) from the kernel.
package enum SecureRandom {
    package static func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            fill(UnsafeMutableRawBufferPointer(buffer)[..<count])
            initialized = count
        }
    }

    static func fill(_ slice: Slice<UnsafeMutableRawBufferPointer>) {
        fill(UnsafeMutableRawBufferPointer(rebasing: slice))
    }

    /// Stops the process when the generator fails. That happens when the kernel's entropy source is unavailable, which no request can
    /// cause; continuing would produce an all-zero key or a repeated nonce, which reveals sealed content without an error.
    static func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        var rest = buffer[...]
        while !rest.isEmpty {
            let step = min(rest.count, 1 << 30)
            let piece = UnsafeMutableRawBufferPointer(rebasing: rest.prefix(step))
            guard RAND_bytes(piece.baseAddress, Int32(step)) == 1 else {
                fatalError("the secure random generator failed")
            }
            rest = rest.dropFirst(step)
        }
    }
}
