import DiaryCore
import S3Client
import Synchronization

/// The pieces of a put, checked against its length. The last piece is held back until the source has ended, so that a body that is too long
/// or fails at its end never arrives as a whole.
final class PutBody: Sendable {
    private struct State {
        var received: Int64 = 0
        var held: [UInt8]?
        var hasEnded = false
        var failure: (any Error)?
    }

    private let source: any ByteSource
    private let length: Int64
    private let state = Mutex(State())

    init(_ source: any ByteSource, length: Int64) {
        self.source = source
        self.length = length
    }

    /// What the source threw, or what is wrong with its length: libcurl reports only that the body failed.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// All pieces.
    func collect() async throws(S3Error) -> [UInt8] {
        var all: [UInt8] = []
        do {
            while let piece = try await next() { all += piece }
            try Task.checkCancellation()
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
            throw S3Error.body
        }
        return all
    }

    func next() async throws -> [UInt8]? {
        do {
            while !state.withLock({ $0.hasEnded }) {
                let piece = try await source.next().map { try $0() }
                let ready: [UInt8]? = try state.withLock { state in
                    state.received += Int64(piece?.count ?? 0)
                    guard state.received <= length, piece != nil || state.received == length else { throw ObjectStoreError.lengthMismatch }
                    if piece == nil { state.hasEnded = true }
                    defer { state.held = piece }
                    return state.held
                }
                if let ready, !ready.isEmpty { return ready }
            }
            return nil
        } catch {
            state.withLock { $0.failure = error }
            throw error
        }
    }
}
