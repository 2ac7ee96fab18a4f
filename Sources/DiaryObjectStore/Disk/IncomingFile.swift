import DiaryCore
import DiaryCrypto
import FoundationEssentials
import Glibc
import Synchronization

/// An object on its way in: a locked 0600 file in `tmp` that holds sealed segments only. Used from the pool's threads.
final class IncomingObject: Sendable {
    private struct State: ~Copyable {
        var sealer: SegmentSealer
        var hash = SHA256Stream()
        var received: Int64 = 0
        /// Nil once published or abandoned.
        var file: Descriptor?
    }

    private let tree: ObjectTree
    private let key: ObjectKey
    private let length: Int64
    private let name: String
    private let state: Mutex<State>

    /// - Throws: `alreadyExists` before a byte is received, also for a staging key whose recording has been promoted.
    init(_ key: ObjectKey, in tree: ObjectTree, length: Int64, sealedBy dataKey: DataKey) throws(ObjectStoreError) {
        guard (0...SealedObjectLayout.maximumPlainLength).contains(length) else { throw .lengthMismatch }
        guard try tree.status(key) == nil, try tree.status(key.promoted) == nil else { throw .alreadyExists }
        let sealer: SegmentSealer
        do {
            sealer = try SegmentSealer(key: dataKey, purpose: key.purpose, objectID: key.object, plainLength: length)
        } catch {
            throw .unavailable(full: false)
        }
        let header = sealer.header
        self.tree = tree
        self.key = key
        self.length = length
        let file: Descriptor
        (name, file) = try tree.lockedTemporary()
        state = Mutex(State(sealer: sealer, file: file))
        do throws(ObjectStoreError) {
            try file.write(header)
        } catch {
            abandon()
            throw error
        }
    }

    /// Seals and writes what came, a segment's worth at a time. Throws `lengthMismatch` before writing a byte too many.
    func append(_ bytes: [UInt8]) throws(ObjectStoreError) {
        try state.withLock { state throws(ObjectStoreError) in
            guard let file = state.file else { throw .unavailable(full: false) }
            guard Int64(bytes.count) <= length - state.received else { throw .lengthMismatch }
            var start = 0
            while start < bytes.count {
                let piece = bytes[start..<min(bytes.count, start + SealedObjectLayout.segmentSize)]
                start = piece.endIndex
                state.hash.update(piece)
                let sealed: [UInt8]
                do { sealed = try state.sealer.seal(piece) } catch { throw .unavailable(full: false) }
                try file.write(sealed)
            }
            state.received += Int64(bytes.count)
        }
    }

    /// Writes the last segment.
    /// - Returns: the plaintext's SHA-256.
    func finish(expecting sha256: [UInt8]?) throws(ObjectStoreError) -> [UInt8] {
        try state.withLock { state throws(ObjectStoreError) in
            guard let file = state.file else { throw .unavailable(full: false) }
            guard state.received == length else { throw .lengthMismatch }
            let digest = state.hash.finish()
            if let sha256, sha256 != digest { throw .checksumMismatch }
            let sealed: [UInt8]
            do { sealed = try state.sealer.finish() } catch { throw .unavailable(full: false) }
            try file.write(sealed)
            return digest
        }
    }

    /// File to disk, name into place, folders to disk.
    /// - Throws: `alreadyExists`, also when another put of the same staging key was promoted while this one received.
    func publish() throws(ObjectStoreError) {
        try state.withLock { state throws(ObjectStoreError) in
            guard let file = state.file else { throw .unavailable(full: false) }
            guard try tree.status(key.promoted) == nil else { throw .alreadyExists }
            try file.sync()
            try tree.publish(name, from: tree.temporary, as: key)
            try withdrawIfPromoted()
        }
        // The object is safe; a second name left in `tmp` costs nothing and is wiped at the next start.
        abandon()
    }

    /// After the link: a promotion that frees the staging name has made the final one before, so one of the two is seen.
    private func withdrawIfPromoted() throws(ObjectStoreError) {
        guard key.promoted != key else { return }
        guard try tree.status(key.promoted) != nil else { return }
        try tree.remove(key)
        throw .alreadyExists
    }

    func abandon() {
        state.withLock { $0.file = nil }
        _ = try? tree.temporary.unlink(name)
    }
}
