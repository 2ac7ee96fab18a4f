import DiaryCore
import Glibc
import Synchronization

/// An object or a part that is being written: a locked 0600 file in `tmp`. Its calls block on the disk.
final class IncomingFile: Sendable {
    private struct State {
        var written: Int64 = 0
        /// Everything before is on its way to the disk.
        var started: Int64 = 0
        /// Nil once published or abandoned.
        var file: Descriptor?
    }

    /// Bytes after which the disk begins to write.
    private static let batch: Int64 = 16 << 20

    private let tree: ObjectTree
    private let length: Int64
    private let publication: @Sendable (String) throws(ObjectStoreError) -> Void
    private let name: String
    private let state: Mutex<State>

    /// - Parameter publication: gives the file of this name in `tmp` its own name, durably.
    init(
        in tree: ObjectTree, length: Int64, publication: @escaping @Sendable (String) throws(ObjectStoreError) -> Void
    ) throws(ObjectStoreError) {
        let file: Descriptor
        (name, file) = try tree.lockedTemporary()
        self.tree = tree
        self.length = length
        self.publication = publication
        state = Mutex(State(file: file))
    }

    /// - Throws: `lengthMismatch` before a byte too many is written.
    func append(_ bytes: [UInt8]) throws(ObjectStoreError) {
        try state.withLock { state throws(ObjectStoreError) in
            guard let file = state.file else { throw .unavailable(full: false) }
            guard Int64(bytes.count) <= length - state.written else { throw .lengthMismatch }
            try file.write(bytes)
            state.written += Int64(bytes.count)
            if state.written - state.started >= Self.batch {
                file.startWriting(state.started..<state.written)
                state.started = state.written
            }
        }
    }

    /// Fsyncs the file and publishes it.
    /// - Throws: `lengthMismatch`, what the publication throws.
    func publish() throws(ObjectStoreError) {
        try state.withLock { state throws(ObjectStoreError) in
            guard let file = state.file else { throw .unavailable(full: false) }
            guard state.written == length else { throw .lengthMismatch }
            try file.sync()
            try publication(name)
        }
        // The object is durable; a second name that stays in `tmp` costs nothing and is wiped at the next start.
        abandon()
    }

    func abandon() {
        state.withLock { $0.file = nil }
        _ = try? tree.temporary.unlink(name)
    }
}
