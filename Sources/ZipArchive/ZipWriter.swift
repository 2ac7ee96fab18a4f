import BlockingCalls
import Glibc
import Synchronization

/// Collects members and writes them as one archive into an open file, without a name or a temporary name.
/// Nothing is read or written before `finish`. The local headers hold sizes and CRCs, without data descriptors; ZIP64
/// is used where a size, an offset or the number of members needs it.
package final class ZipWriter: Sendable {
    private struct State {
        var members: [ZipMember] = []
        var taken: Set<String> = []
        var isFinished = false
    }

    private let descriptor: Int32
    private let file: UnlinkedTempFile?
    private let state = Mutex(State())

    /// - Parameter descriptor: a seekable file open for reading and writing; it is emptied first. The caller closes it, after
    ///   `finish` has returned.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
        file = nil
    }

    /// Keeps the file open while the writer needs it.
    package init(file: UnlinkedTempFile) {
        descriptor = file.descriptor
        self.file = file
    }

    package var count: Int { state.withLock { $0.members.count } }

    /// - Throws: `invalidPath`, `duplicatePath`, `invalidLength` or `alreadyFinished`; the archive stays usable.
    package func add(_ member: ZipMember) throws(ZipError) {
        guard ZipPath.isAllowed(member.path) else { throw .invalidPath }
        guard member.length >= 0 else { throw .invalidLength }
        let key = ZipPath.collisionKey(member.path)
        let refusal: ZipError? = state.withLock { state in
            guard !state.isFinished else { return .alreadyFinished }
            guard state.taken.insert(key).inserted else { return .duplicatePath }
            state.members.append(member)
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Writes the archive on a dedicated thread. Cancelling the task ends it within one block of a member (`cancelled`). After
    /// an error the file is empty.
    /// - Parameters:
    ///   - pipe: a reader that follows, of the same file. What it has taken is no longer in the file afterwards.
    ///   - progress: receives 0 to 1 on the archive's thread, at most about a thousand times.
    /// - Returns: the archive's size in bytes.
    package func finish(through pipe: ZipPipe? = nil, progress: (@Sendable (Double) -> Void)? = nil) async throws(ZipError) -> Int64 {
        let members: [ZipMember]? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.isFinished = true
            // An archive may have hundreds of thousands of members, and libzip has its own copy of each path.
            defer { (state.members, state.taken) = ([], []) }
            return state.members
        }
        guard let members else { throw .alreadyFinished }
        guard !members.isEmpty else {
            pipe?.end(.noMembers)
            throw .noMembers
        }

        let run = ZipRun(descriptor: descriptor, members: members, pipe: pipe, progress: progress)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<Int64, ZipError>, Never>) in
                // The stack of an ordinary thread: members are read on it by the caller's closures.
                let isRunning = NamedThread.start("zip", stackSize: 8 << 20) { continuation.resume(returning: run.write()) }
                if !isRunning {
                    pipe?.end(.file(EAGAIN))
                    continuation.resume(returning: .failure(.file(EAGAIN)))
                }
            }
        } onCancel: {
            run.cancel()
        }
        return try result.get()
    }
}
