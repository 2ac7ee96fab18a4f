import Dispatch
import Glibc
import Synchronization

/// Lets a reader follow an archive while it is written. Short members pass through memory, longer ones through a temporary file. What the reader has
/// taken is freed on the disk, so the file holds no more than one member and what is written ahead, however large the archive is.
package final class ZipPipe: Sendable {
    /// What the reader gets next.
    package enum Piece: Sendable {
        /// - Parameter end: where it ends in the archive.
        case memory([UInt8], end: Int64)
        /// Of the file: `read` reads it.
        case file(Range<Int64>)
    }

    private struct State {
        /// Everything before is final.
        var settled: Int64 = 0
        /// Everything before has been read.
        var taken: Int64 = 0
        /// What is not in the file, in order.
        var memory: [(start: Int64, block: [UInt8])] = []
        var freed: Int64 = 0
        var isEnded = false
        var failure: ZipError?
        var isAbandoned = false
        /// The reader, waiting for more.
        var reader: CheckedContinuation<Void, Never>?
        /// The archive's thread waits for space.
        var isWriterWaiting = false
    }

    /// A member that is longer passes through the file. In bytes, with what is left of the members before it.
    static let mostInMemory = 4 << 20
    /// Blocks that wait for the reader, above which the next member waits: 8 MiB.
    private static let mostWaiting = (8 << 20) / ZipTail.blockSize
    /// Between two holes, in bytes.
    private static let hole: Int64 = 8 << 20

    private let file: UnlinkedTempFile
    /// How far the archive may be ahead of its reader, beside the member that is written.
    private let ahead: Int64
    private let state = Mutex(State())
    private let spaceFreed = DispatchSemaphore(value: 0)

    package init(_ file: UnlinkedTempFile, ahead: Int64 = 64 << 20) {
        self.file = file
        self.ahead = ahead
    }

    /// What the file may hold at once, in bytes.
    /// - Parameter largest: bytes of the longest member.
    package func space(largest: Int64, of archive: ZipSize) -> Int64 {
        let size = archive.total
        return file.canFree ? min(size, largest + archive.directory + ahead + Self.hole + 2 * Int64(ZipTail.blockSize)) : size
    }

    var settled: Int64 { state.withLock { $0.settled } }

    // MARK: The archive's thread

    /// Everything before is final, and in the file unless it has been handed over.
    func settle(_ offset: Int64) {
        let reader = state.withLock { state in
            guard offset > state.settled else { return nil as CheckedContinuation<Void, Never>? }
            state.settled = offset
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    /// Hands over what is not in the file.
    /// - Parameter start: where everything is settled.
    func hand(_ blocks: [[UInt8]], at start: Int64) {
        var end = start
        state.withLock { state in
            for block in blocks {
                state.memory.append((end, block))
                end += Int64(block.count)
            }
        }
        settle(end)
    }

    func end(_ failure: ZipError?) {
        let reader = state.withLock { state in
            state.isEnded = true
            state.failure = failure
            if failure != nil { state.memory = [] }
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    /// Blocks the thread while the reader is too far behind.
    /// - Throws: `cancelled` when there is no reader any more.
    func waitForRoom() throws(ZipError) {
        while true {
            let (isAbandoned, hasRoom) = state.withLock { state in
                let hasRoom = self.hasRoom(state)
                state.isWriterWaiting = !hasRoom && !state.isAbandoned
                return (state.isAbandoned, hasRoom)
            }
            if isAbandoned { throw .cancelled }
            if hasRoom { return }
            spaceFreed.wait()
        }
    }

    private func hasRoom(_ state: State) -> Bool {
        state.memory.count <= Self.mostWaiting && state.settled - state.taken <= ahead
    }

    // MARK: The reader

    /// Ends the archive's writing at its next member; the reader gets nothing any more.
    package func abandon() {
        let (reader, isWaiting) = state.withLock { state in
            state.isAbandoned = true
            state.memory = []
            defer { (state.reader, state.isWriterWaiting) = (nil, false) }
            return (state.reader, state.isWriterWaiting)
        }
        reader?.resume()
        if isWaiting { spaceFreed.signal() }
    }

    /// Waits until something can be read.
    /// - Parameter max: bytes of the file.
    /// - Returns: nil at the archive's end.
    /// - Throws: what the archive could not be written for.
    package func next(max: Int) async throws(ZipError) -> Piece? {
        while true {
            let (piece, isEnded, failure): (Piece?, Bool, ZipError?) = state.withLock { state in
                if state.isAbandoned { return (nil, true, .cancelled) }
                if let failure = state.failure { return (nil, true, failure) }
                guard state.settled > state.taken else { return (nil, state.isEnded, nil) }
                guard let first = state.memory.first, first.start == state.taken else {
                    let end = min(state.settled, state.taken + Int64(max), state.memory.first?.start ?? .max)
                    return (.file(state.taken..<end), false, nil)
                }
                state.memory.removeFirst()
                return (.memory(first.block, end: first.start + Int64(first.block.count)), false, nil)
            }
            if let failure { throw failure }
            if let piece {
                if case .memory(_, let end) = piece { take(upTo: end) }
                return piece
            }
            if isEnded { return nil }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard state.settled <= state.taken, !state.isEnded, !state.isAbandoned else { return true }
                    state.reader = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }

    /// Reads a range that `next` gave, and frees what has been read. Blocks on the disk.
    /// - Throws: what the archive could not be written for, when it failed after `next`.
    package func read(_ range: Range<Int64>) throws(ZipError) -> [UInt8] {
        let bytes = try file.read(offset: range.lowerBound, count: Int(range.upperBound - range.lowerBound))
        // An archive that failed meanwhile has been emptied: its reader gets the cause.
        guard bytes.count == Int(range.upperBound - range.lowerBound) else { throw state.withLock { $0.failure } ?? .lengthMismatch }
        take(upTo: range.upperBound)
        let hole: Range<Int64> = state.withLock { state in
            let hole = state.freed..<max(state.freed, state.taken / Self.hole * Self.hole)
            state.freed = hole.upperBound
            return hole
        }
        if !hole.isEmpty { file.free(hole) }
        return bytes
    }

    /// Lets the archive's thread go on when it waits for this.
    private func take(upTo offset: Int64) {
        let isWaiting = state.withLock { state in
            state.taken = offset
            guard state.isWriterWaiting, hasRoom(state) else { return false }
            state.isWriterWaiting = false
            return true
        }
        if isWaiting { spaceFreed.signal() }
    }
}
