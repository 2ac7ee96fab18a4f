import CLibcrypto
package import FoundationEssentials

/// Opens many parts of one owner with the key set up once, because that takes as long as opening a short part. The plaintext is in a buffer
/// that the next part overwrites and `deinit` wipes.
package struct PartOpener: ~Copyable {
    private let keyID: UUID
    private let cipher: GCMContext
    private var plain: UnsafeMutableRawBufferPointer

    package init(key: DataKey, purpose: SealPurpose = .content) throws(CryptoError) {
        keyID = key.id
        cipher = try GCMContext.opening(with: key.subkey(purpose))
        plain = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
    }

    deinit {
        OPENSSL_cleanse(plain.baseAddress, plain.count)
        plain.deallocate()
    }

    /// - Parameter read: gets the plaintext, which is valid during the call only.
    /// - Throws: `wrongKey` when another data key sealed it, `refused` when it was altered or belongs to another context.
    package mutating func open<Value>(
        _ sealed: SealedBytes, at place: borrowing PartLocation, _ read: (Span<UInt8>) -> Value
    ) throws(CryptoError) -> Value {
        let count = try sealed.withUnsafeBytes { sealed throws(CryptoError) in
            guard try SealedPrefix.keyID(of: sealed) == keyID else { throw .wrongKey }
            let count = sealed.count - SealedPrefix.count - AES256GCM.tagSize
            reserve(count)
            try place.additional.withUnsafeBytes { additional in
                cipher.open(
                    UnsafeRawBufferPointer(rebasing: sealed[SealedPrefix.count...]),
                    nonce: UnsafeRawBufferPointer(rebasing: sealed[SealedPrefix.nonceRange]), additional: additional,
                    into: UnsafeMutableRawBufferPointer(rebasing: plain[..<count]))
            }.get()
            return count
        }
        return read(UnsafeRawBufferPointer(rebasing: plain[..<count]).bindMemory(to: UInt8.self).span)
    }

    private mutating func reserve(_ count: Int) {
        guard plain.count < count else { return }
        OPENSSL_cleanse(plain.baseAddress, plain.count)
        plain.deallocate()
        plain = UnsafeMutableRawBufferPointer.allocate(byteCount: count * 2, alignment: 16)
    }
}

/// The additional data of one kind of part, with the row and version of the part at hand.
package struct PartLocation: ~Copyable {
    fileprivate private(set) var additional: [UInt8]

    package init(_ context: PartContext) { additional = context.additional }

    /// Row and version are the last 24 bytes (`PartContext.additional`).
    package mutating func move(to row: UUID, version: Int64) {
        additional.removeLast(24)
        additional.append(row)
        additional.append(bigEndian: version)
    }
}
