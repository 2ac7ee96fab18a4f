import Synchronization

/// One running transfer, shared by the caller's task and the loop's thread.
final class Transfer: Sendable {
    /// Bytes buffered for the reader before libcurl is paused.
    static let highWater = 64 * 1024

    let plan: TransferPlan
    private let loop: MultiLoop
    let state: Mutex<TransferState>

    init(_ plan: TransferPlan, body: RequestBody, loop: MultiLoop) {
        var state = TransferState()
        switch body {
        case .none: state.isOutgoingComplete = true
        case .bytes(let bytes):
            state.outgoing = bytes
            state.isOutgoingComplete = true
        case .stream: break
        }
        self.plan = plan
        self.loop = loop
        self.state = Mutex(state)
    }

    func start() { loop.start(self) }

    // MARK: Reading

    func responseHead() async throws(TransferError) -> ResponseHead {
        await waitToRead { $0.head != nil }
        return try state.withLock { state throws(TransferError) in
            if let head = state.head { return head }
            throw state.end?.error ?? .protocol(0)
        }
    }

    /// nil at the end of a complete body.
    func nextChunk() async throws(TransferError) -> [UInt8]? {
        await waitToRead { !$0.chunks.isEmpty }
        let (chunk, resumes) = try state.withLock { state throws(TransferError) -> ([UInt8]?, Bool) in
            if let error = state.end?.error { throw error }
            guard !state.chunks.isEmpty else { return (nil, false) }
            let chunk = state.chunks.removeFirst()
            state.buffered -= chunk.count
            let resumes = state.isReceivePaused && state.buffered < Self.highWater
            if resumes { state.isReceivePaused = false }
            return (chunk, resumes)
        }
        if resumes { loop.resume(self) }
        return chunk
    }

    func outcome() async -> TransferEnd {
        await waitToRead { $0.end != nil }
        return state.withLock { $0.end } ?? TransferEnd(error: .cancelled, code: 0)
    }

    private func waitToRead(until isReady: @Sendable (borrowing TransferState) -> Bool) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.end != nil || isReady(state) { return true }
                    state.reader = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            cancel()
        }
    }

    // MARK: Sending the body

    /// Pulls the request's body until it ends or the transfer is over. With a length, no chunk is requested beyond it.
    func feed(length: Int64?, _ next: @Sendable () async throws -> [UInt8]?) async {
        var left = length
        while await isHungry() {
            let chunk: [UInt8]?
            do { chunk = try await next() } catch { return cancel(.bodyFailed) }
            guard let chunk else {
                // A short body must not look complete to the peer.
                return left == nil || left == 0 ? supply(nil) : cancel(.bodyFailed)
            }
            if let before = left {
                guard Int64(chunk.count) <= before else { return cancel(.bodyFailed) }
                left = before - Int64(chunk.count)
            }
            if !chunk.isEmpty { supply(chunk) }
        }
    }

    /// Waits until libcurl has sent all it holds. False when the transfer is over.
    private func isHungry() async -> Bool {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.end != nil || state.isSendPaused { return true }
                state.feeder = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
        return state.withLock { $0.end == nil }
    }

    private func supply(_ chunk: [UInt8]?) {
        state.withLock { state in
            state.outgoing = chunk ?? []
            state.offset = 0
            state.isOutgoingComplete = chunk == nil
            state.isSendPaused = false
        }
        loop.resume(self)
    }

    // MARK: Ending

    /// Resumes the caller; the loop removes the handle. Has no effect on a transfer that is over.
    func cancel(_ error: TransferError = .cancelled) {
        if finish(TransferEnd(error: error, code: 0)) { loop.remove(self) }
    }

    /// Only the first call has an effect.
    /// - Returns: true for the first call.
    @discardableResult
    func finish(_ end: TransferEnd) -> Bool {
        let (isFirst, reader, feeder) = state.withLock { state in
            let isFirst = state.end == nil
            if isFirst { state.end = end }
            defer { (state.reader, state.feeder) = (nil, nil) }
            return (isFirst, state.reader, state.feeder)
        }
        reader?.resume()
        feeder?.resume()
        return isFirst
    }
}
