import NIOCore
import Synchronization

/// Commands from any thread for the event loop. Bounded.
final class RedisInbox: Sendable {
    /// Whether new commands are accepted.
    enum Gate: Equatable {
        case open
        /// Commands fail with this error.
        case down(RedisError)
        case closed
    }

    private struct State {
        var gate = Gate.open
        var waiting: [RedisPendingCommand] = []
        var isDrainDue = false
        var inFlight = 0
    }

    private let state = Mutex(State())
    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    enum Admission { case refused(RedisError), queued, drainNow }

    /// - Returns: `drainNow` to the one caller that schedules the drain of this batch.
    func admit(_ command: RedisPendingCommand) -> Admission {
        state.withLock { state in
            switch state.gate {
            case .closed: return .refused(.closed)
            case .down(let error): return .refused(error)
            case .open: break
            }
            guard state.inFlight < capacity else { return .refused(.unavailable) }
            state.inFlight += 1
            state.waiting.append(command)
            defer { state.isDrainDue = true }
            return state.isDrainDue ? .queued : .drainNow
        }
    }

    func take() -> [RedisPendingCommand] {
        state.withLock { state in
            defer { state.waiting = [] }
            state.isDrainDue = false
            return state.waiting
        }
    }

    /// Counts the connection's own commands, which are released like any other.
    func reserve(_ count: Int) { state.withLock { $0.inFlight += count } }

    func release(_ count: Int) { state.withLock { $0.inFlight -= count } }

    func setGate(_ gate: Gate) {
        state.withLock { if $0.gate != .closed { $0.gate = gate } }
    }

    var inFlight: Int { state.withLock { $0.inFlight } }
}

/// A formatted command; `complete` is called exactly once.
struct RedisPendingCommand: Sendable {
    let bytes: ByteBuffer
    let deadline: NIODeadline
    let complete: RedisCompletion
}

package typealias RedisCompletion = @Sendable (Result<RedisValue, RedisError>) -> Void
