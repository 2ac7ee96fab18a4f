package import FoundationEssentials

/// The object's own key, and each segment's nonce and additional data.
///
/// The key is HKDF of the purpose's subkey, salted with the header's 32 random bytes and named with the object id. It seals
/// this object alone, so the segment number suffices as a nonce.
struct SegmentCipher: Sendable {
    let header: SealedObjectHeader
    let segmentCount: Int64
    private let key: SecretBytes

    init(key: DataKey, purpose: SealPurpose, header: SealedObjectHeader) {
        self.header = header
        self.key = HKDFSHA256.derive(
            key.subkey(purpose), salt: header.salt, info: Array("diary/v1/object".utf8) + header.objectID.bytes)
        segmentCount = SealedObjectLayout.segmentCount(ofPlain: header.plainLength)
    }

    /// - Parameter target: 16 bytes longer than `plain`.
    func seal(_ index: Int64, _ plain: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Result<Void, CryptoError> {
        let (nonce, additional) = parameters(index)
        return nonce.withUnsafeBytes { nonce in
            additional.withUnsafeBytes { additional in
                GCMContext.seal(plain, key: key, nonce: nonce, additional: additional, into: target)
            }
        }
    }

    func open(_ index: Int64, _ sealed: ArraySlice<UInt8>) throws(CryptoError) -> [UInt8] {
        let (nonce, additional) = parameters(index)
        return try AES256GCM.open(sealed, key: key, nonce: nonce[...], additional: additional)
    }

    /// - Parameter target: 16 bytes shorter than `sealed`.
    func open(_ index: Int64, _ sealed: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Result<Void, CryptoError> {
        let (nonce, additional) = parameters(index)
        return nonce.withUnsafeBytes { nonce in
            additional.withUnsafeBytes { additional in
                do throws(CryptoError) {
                    return try GCMContext.opening(with: key).open(sealed, nonce: nonce, additional: additional, into: target)
                } catch {
                    return .failure(error)
                }
            }
        }
    }

    /// Nonce: 4 zero bytes and the segment number. Additional data: format version, object id, segment number, total plain
    /// length, last flag; all of fixed length.
    private func parameters(_ index: Int64) -> (nonce: [UInt8], additional: [UInt8]) {
        var nonce: [UInt8] = [0, 0, 0, 0]
        nonce.append(bigEndian: index)
        var additional = [SealedObjectHeader.version] + header.objectID.bytes
        additional.append(bigEndian: index)
        additional.append(bigEndian: header.plainLength)
        additional.append(index == segmentCount - 1 ? 1 : 0)
        return (nonce, additional)
    }
}

/// Opens single segments of a sealed object, in any order, from any thread.
package struct SegmentOpener: Sendable {
    private let cipher: SegmentCipher

    /// - Parameter objectID: the object the caller asked the store for. Pass it wherever it is known: without it, another
    ///   whole object of the same user opens in its place.
    /// - Throws: `wrongKey` when another data key sealed it or it is another object.
    package init(key: DataKey, purpose: SealPurpose, header: SealedObjectHeader, objectID: UUID? = nil) throws(CryptoError) {
        guard header.keyID == key.id, objectID == nil || objectID == header.objectID else { throw .wrongKey }
        cipher = SegmentCipher(key: key, purpose: purpose, header: header)
    }

    /// - Parameter sealed: exactly the segment with its tag (`SealedObjectLayout.sealedRange(ofSegment:total:)`).
    /// - Throws: `malformed` for a wrong number or length (a truncated object), `refused` when altered or out of place.
    package func open(segment index: Int64, _ sealed: ArraySlice<UInt8>) throws(CryptoError) -> [UInt8] {
        guard let plain = SealedObjectLayout.plainLength(ofSegment: index, total: cipher.header.plainLength),
            sealed.count == plain + AES256GCM.tagSize
        else { throw .malformed }
        return try cipher.open(index, sealed)
    }

    /// As `open(segment:_:)`, into memory of the caller's.
    /// - Parameter target: exactly as long as the segment's plaintext; zeros when it is refused.
    package func open(
        segment index: Int64, _ sealed: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
    ) -> Result<Void, CryptoError> {
        guard let plain = SealedObjectLayout.plainLength(ofSegment: index, total: cipher.header.plainLength),
            sealed.count == plain + AES256GCM.tagSize, target.count == plain
        else { return .failure(.malformed) }
        return cipher.open(index, sealed, into: target)
    }
}
