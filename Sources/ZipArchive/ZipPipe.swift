import Dispatch
import Glibc
import Synchronization

/// Lets a reader follow an archive while it is written into a temporary file. What the reader has taken is freed on the disk, so the file holds no more than
/// one member and what is written ahead, however large the archive is.
package final class ZipPipe: Sendable {
    private struct State {
        /// Everything before is final.
        var settled: Int64 = 0
        /// Everything before has been read.
        var taken: Int64 = 0
        var freed: Int64 = 0
        var isEnded = false
        var failure: ZipError?
        var isAbandoned = false
        /// The reader, waiting for more.
        var reader: CheckedContinuation<Void, Never>?
        /// The archive's thread waits for space.
        var isWriterWaiting = false
    }

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
    /// - Parameter largest: the longest member.
    package func space(largest: Int64, size: Int64) -> Int64 { file.canFree ? min(size, largest + ahead + Self.hole) : size }

    var settled: Int64 { state.withLock { $0.settled } }

    // MARK: The archive's thread

    func settle(_ offset: Int64) {
        let reader = state.withLock { state in
            state.settled = max(state.settled, offset)
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    func end(_ failure: ZipError?) {
        let reader = state.withLock { state in
            state.isEnded = true
            state.failure = failure
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
                let hasRoom = state.settled - state.taken <= ahead
                state.isWriterWaiting = !hasRoom && !state.isAbandoned
                return (state.isAbandoned, hasRoom)
            }
            if isAbandoned { throw .cancelled }
            if hasRoom { return }
            spaceFreed.wait()
        }
    }

    // MARK: The reader

    /// Ends the archive's writing at its next member; the reader gets nothing any more.
    package func abandon() {
        let (reader, isWaiting) = state.withLock { state in
            state.isAbandoned = true
            defer { (state.reader, state.isWriterWaiting) = (nil, false) }
            return (state.reader, state.isWriterWaiting)
        }
        reader?.resume()
        if isWaiting { spaceFreed.signal() }
    }

    /// Waits until something can be read.
    /// - Returns: what can be read, which `read` then reads; nil at the archive's end.
    /// - Throws: what the archive could not be written for.
    package func next(max: Int) async throws(ZipError) -> Range<Int64>? {
        while true {
            let (range, isEnded, failure): (Range<Int64>?, Bool, ZipError?) = state.withLock { state in
                if state.isAbandoned { return (nil, true, .cancelled) }
                if let failure = state.failure { return (nil, true, failure) }
                guard state.settled > state.taken else { return (nil, state.isEnded, nil) }
                return (state.taken..<min(state.settled, state.taken + Int64(max)), false, nil)
            }
            if let failure { throw failure }
            if let range { return range }
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
        let (hole, isWaiting): (Range<Int64>?, Bool) = state.withLock { state in
            state.taken = range.upperBound
            let hole = state.freed..<state.taken / Self.hole * Self.hole
            let isWaiting = state.isWriterWaiting && state.settled - state.taken <= ahead
            if isWaiting { state.isWriterWaiting = false }
            guard !hole.isEmpty else { return (nil, isWaiting) }
            state.freed = hole.upperBound
            return (hole, isWaiting)
        }
        if let hole { file.free(hole) }
        if isWaiting { spaceFreed.signal() }
        return bytes
    }
}
