import Synchronization

/// One call: waits in a queue, runs on one connection, and resumes its caller exactly once.
final class DatabaseRequest: Sendable {
    typealias Answer = Result<[Rows], DatabaseError>
    typealias Continuation = CheckedContinuation<Answer, Never>

    enum Work: Sendable {
        case pipeline([Statement])
        case script(String)
    }

    private enum Phase {
        case new
        case waiting(Continuation)
        case running(Continuation, EventDescriptor)
        case finished
    }

    let work: Work
    /// Latest start.
    let deadline: ContinuousClock.Instant
    private let phase = Mutex<Phase>(.new)

    init(_ work: Work, deadline: ContinuousClock.Instant) {
        self.work = work
        self.deadline = deadline
    }

    /// Hands the request to `submit` and waits for its answer, or for the task's cancellation.
    func answer(submit: (DatabaseRequest) -> Void) async -> Answer {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = phase.withLock { phase in
                    guard case .new = phase else { return true }
                    phase = .waiting(continuation)
                    return false
                }
                if isCancelled {
                    continuation.resume(returning: .failure(DatabaseError(.cancelled)))
                } else {
                    submit(self)
                }
            }
        } onCancel: {
            abandon(.cancelled)
        }
    }

    /// false when the caller has been answered already, by cancellation or a deadline.
    func begin(on wakeup: EventDescriptor) -> Bool {
        phase.withLock { phase in
            guard case .waiting(let continuation) = phase else { return false }
            phase = .running(continuation, wakeup)
            return true
        }
    }

    func finish(_ answer: Answer) {
        let continuation: Continuation? = phase.withLock { phase in
            defer { phase = .finished }
            switch phase {
            case .waiting(let continuation), .running(let continuation, _): return continuation
            case .new, .finished: return nil
            }
        }
        continuation?.resume(returning: answer)
    }

    /// Answers the caller now. Wakes the thread that reads the connection, which checks `isAbandoned`.
    func abandon(_ kind: DatabaseError.Kind) {
        let (continuation, wakeup): (Continuation?, EventDescriptor?) = phase.withLock { phase in
            defer { phase = .finished }
            switch phase {
            case .new, .finished: return (nil, nil)
            case .waiting(let continuation): return (continuation, nil)
            case .running(let continuation, let wakeup): return (continuation, wakeup)
            }
        }
        continuation?.resume(returning: .failure(DatabaseError(kind, outcomeUnknown: wakeup != nil)))
        wakeup?.signal()
    }

    var isAbandoned: Bool {
        phase.withLock { phase in
            if case .finished = phase { true } else { false }
        }
    }
}
