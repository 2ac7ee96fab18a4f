import NIOCore
import Synchronization

/// Where any thread leaves commands for the event loop. Bounded.
final class RedisInbox: Sendable {
    /// What becomes of a command that arrives now.
    enum Gate { case open, down, closed }

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

    /// - Returns: `drainNow` to the one caller who has to wake the event loop for this batch.
    func admit(_ command: RedisPendingCommand) -> Admission {
        state.withLock { state in
            switch state.gate {
            case .closed: return .refused(.closed)
            case .down: return .refused(.unavailable)
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

    /// Counts the connection's own commands, which are freed like any other.
    func reserve(_ count: Int) { state.withLock { $0.inFlight += count } }

    func release(_ count: Int) { state.withLock { $0.inFlight -= count } }

    func setGate(_ gate: Gate) {
        state.withLock { if $0.gate != .closed { $0.gate = gate } }
    }

    var inFlight: Int { state.withLock { $0.inFlight } }
}
