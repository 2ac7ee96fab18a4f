package import FoundationEssentials

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
