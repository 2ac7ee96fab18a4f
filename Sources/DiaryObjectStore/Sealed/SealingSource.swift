import DiaryCore
import DiaryCrypto
import Synchronization

/// Seals a body for a byte store. It gathers a segment's worth of what arrives; hashing and sealing are left to the thread that stores it.
/// Holds about three segments (200 KiB).
final class SealingSource: ByteSource {
    private struct Intake {
        var received: Int64 = 0
        var hasReachedHalf = false
        var isHalfJustStored = false
        var hasEnded = false
    }

    private struct Sealing: ~Copyable {
        var sealer: SegmentSealer
        /// Nil where no digest is wanted.
        var hash: SHA256Stream?
        var header: [UInt8]
        var digest: [UInt8]?
    }

    private let body: any ByteStream
    private let length: Int64
    private let expected: [UInt8]?
    private let intake = Mutex(Intake())
    private let sealing: Mutex<Sealing>

    /// - Parameters:
    ///   - length: of the plaintext, as announced.
    ///   - sha256: its digest, when announced.
    ///   - isHashed: whether `digest` is wanted.
    /// - Throws: `lengthMismatch` for a length that no object has.
    init(
        _ body: any ByteStream, length: Int64, sha256: [UInt8]? = nil, isHashed: Bool = true, key: ObjectKey, sealedBy dataKey: DataKey
    ) throws(ObjectStoreError) {
        guard (0...SealedObjectLayout.maximumPlainLength).contains(length) else { throw .lengthMismatch }
        let sealer: SegmentSealer
        do {
            sealer = try SegmentSealer(key: dataKey, purpose: key.purpose, objectID: key.object, plainLength: length)
        } catch {
            throw .unavailable(full: false)
        }
        self.body = body
        self.length = length
        expected = sha256
        let header = sealer.header
        sealing = Mutex(Sealing(sealer: sealer, hash: isHashed ? SHA256Stream() : nil, header: header))
    }

    /// The plaintext's SHA-256, once the last piece has been stored; nil where none is wanted.
    var digest: [UInt8]? { sealing.withLock { $0.digest } }

    func next() async throws -> DeferredBytes? {
        var intake = self.intake.withLock { $0 }
        if intake.isHalfJustStored { try Failpoint.putHalfBody.hit() }
        intake.isHalfJustStored = false
        guard !intake.hasEnded else {
            // Everything is written, nothing is synced.
            try Failpoint.putBeforeFsync.hit()
            return nil
        }
        let piece = try await gather(&intake)
        self.intake.withLock { [intake] in $0 = intake }
        let isLast = intake.hasEnded
        return DeferredBytes { [self] () throws(ObjectStoreError) in try isLast ? finish(piece) : seal(piece) }
    }

    /// Bodies arrive in pieces of some KiB. The first half is handed over at its end, for the failpoint.
    private func gather(_ intake: inout Intake) async throws -> [UInt8] {
        var pending: [UInt8] = []
        while let chunk = try await body.next() {
            try Task.checkCancellation()
            intake.received += Int64(chunk.count)
            guard intake.received <= length else { throw ObjectStoreError.lengthMismatch }
            if pending.isEmpty { pending = chunk } else { pending += chunk }
            if !intake.hasReachedHalf, intake.received >= length - intake.received {
                intake.hasReachedHalf = true
                intake.isHalfJustStored = true
                return pending
            }
            if pending.count >= SealedObjectLayout.segmentSize { return pending }
        }
        intake.hasEnded = true
        guard intake.received == length else { throw ObjectStoreError.lengthMismatch }
        return pending
    }

    private func seal(_ plain: [UInt8]) throws(ObjectStoreError) -> [UInt8] {
        try sealing.withLock { sealing throws(ObjectStoreError) in
            try Self.seal(plain, &sealing)
        }
    }

    /// Seals what is left and the last segment.
    private func finish(_ plain: [UInt8]) throws(ObjectStoreError) -> [UInt8] {
        try sealing.withLock { sealing throws(ObjectStoreError) in
            let sealed = try Self.seal(plain, &sealing)
            let digest = sealing.hash?.finish()
            if let expected, expected != digest { throw .checksumMismatch }
            sealing.digest = digest
            do { return sealed + (try sealing.sealer.finish()) } catch { throw .unavailable(full: false) }
        }
    }

    private static func seal(_ plain: [UInt8], _ sealing: inout Sealing) throws(ObjectStoreError) -> [UInt8] {
        sealing.hash?.update(plain)
        do {
            let sealed = try sealing.sealer.seal(plain)
            guard !sealing.header.isEmpty else { return sealed }
            defer { sealing.header = [] }
            return sealing.header + sealed
        } catch {
            throw .unavailable(full: false)
        }
    }
}
