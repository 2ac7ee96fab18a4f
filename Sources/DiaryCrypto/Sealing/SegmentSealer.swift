package import FoundationEssentials

/// Seals one object of known length from pieces of any size; holds at most one segment of plaintext.
///
/// Not copyable: a copy would seal other bytes under a segment number, and so a nonce, that is already used.
package struct SegmentSealer: ~Copyable, Sendable {
    /// The first `SealedObjectHeader.count` bytes of the sealed object; write them before any segment.
    package let header: [UInt8]

    private let cipher: SegmentCipher
    private var next: Int64 = 0
    private var received: Int64 = 0
    private var pending: [UInt8] = []
    private var ended = false

    /// - Parameter plainLength: 0 to `SealedObjectLayout.maximumPlainLength`.
    package init(key: DataKey, purpose: SealPurpose, objectID: UUID, plainLength: Int64) throws(CryptoError) {
        try self.init(
            key: key, purpose: purpose, objectID: objectID, plainLength: plainLength,
            salt: SecureRandom.bytes(SealedObjectHeader.saltSize))
    }

    init(key: DataKey, purpose: SealPurpose, objectID: UUID, plainLength: Int64, salt: [UInt8]) throws(CryptoError) {
        let parsed = try SealedObjectHeader(keyID: key.id, salt: salt, objectID: objectID, plainLength: plainLength)
        header = parsed.bytes
        cipher = SegmentCipher(key: key, purpose: purpose, header: parsed)
    }

    /// - Returns: the segments that are now complete, sealed; often none. The last segment comes from `finish`.
    /// - Throws: `lengthMismatch` when more bytes come than announced; the sealer cannot be used after that.
    package mutating func seal(_ chunk: [UInt8]) throws(CryptoError) -> [UInt8] { try seal(chunk[...]) }

    package mutating func seal(_ chunk: ArraySlice<UInt8>) throws(CryptoError) -> [UInt8] {
        guard !ended else { throw .finished }
        guard Int64(chunk.count) <= cipher.header.plainLength - received else {
            ended = true
            throw .lengthMismatch
        }
        received += Int64(chunk.count)
        let complete = (pending.count + chunk.count) / SealedObjectLayout.segmentSize
        let ready = Int(min(Int64(complete), cipher.segmentCount - 1 - next))
        guard ready > 0 else {
            pending += chunk
            return []
        }
        var outcome: Result<Void, CryptoError> = .success(())
        var rest = chunk
        let sealed = [UInt8](unsafeUninitializedCapacity: ready * SealedObjectLayout.sealedSegmentSize) { buffer, count in
            let target = UnsafeMutableRawBufferPointer(buffer)
            while count < ready * SealedObjectLayout.sealedSegmentSize {
                let slot = UnsafeMutableRawBufferPointer(rebasing: target[count..<count + SealedObjectLayout.sealedSegmentSize])
                let piece = rest.prefix(SealedObjectLayout.segmentSize - pending.count)
                rest = rest.dropFirst(piece.count)
                if pending.isEmpty {
                    outcome = piece.withUnsafeBytes { cipher.seal(next, $0, into: slot) }
                } else {
                    pending += piece
                    outcome = pending.withUnsafeBytes { cipher.seal(next, $0, into: slot) }
                    pending.removeAll(keepingCapacity: true)
                }
                guard case .success = outcome else { return }
                next += 1
                count += SealedObjectLayout.sealedSegmentSize
            }
        }
        if case .failure(let error) = outcome {
            ended = true
            throw error
        }
        pending += rest
        return sealed
    }

    /// - Returns: the last segment, sealed; without it the object is truncated and its end does not open.
    /// - Throws: `lengthMismatch` when fewer bytes came than announced.
    package mutating func finish() throws(CryptoError) -> [UInt8] {
        guard !ended else { throw .finished }
        ended = true
        guard received == cipher.header.plainLength else { throw .lengthMismatch }
        var outcome: Result<Void, CryptoError> = .success(())
        let sealed = [UInt8](unsafeUninitializedCapacity: pending.count + AES256GCM.tagSize) { buffer, count in
            let slot = UnsafeMutableRawBufferPointer(
                rebasing: UnsafeMutableRawBufferPointer(buffer)[..<(pending.count + AES256GCM.tagSize)])
            outcome = pending.withUnsafeBytes { cipher.seal(next, $0, into: slot) }
            if case .success = outcome { count = slot.count }
        }
        try outcome.get()
        return sealed
    }
}
