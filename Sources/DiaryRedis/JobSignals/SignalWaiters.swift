import DiaryCore
import NIOCore
import NIOPosix
import Synchronization

/// Who waits for which kind of work in this process. First come, first woken; one signal wakes one waiter.
final class SignalWaiters: Sendable {
    private struct Waiter {
        let kinds: Set<JobKind>
        let since: ContinuousClock.Instant
        let continuation: CheckedContinuation<Void, Never>
        var timer: Scheduled<Void>?
    }

    private struct State {
        var nextID: UInt64 = 0
        var waiters: [UInt64: Waiter] = [:]
        /// Kinds whose signal found nobody: the next waiter returns at once.
        var remembered: Set<JobKind> = []
    }

    /// A day; longer waits are no waits for a poll.
    private static let longest = 86_400.0

    private let state = Mutex(State())
    private let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()

    /// Returns on a signal for one of `kinds`, after `timeout` seconds, or when the task is cancelled.
    /// - Parameter entered: called once the waiter is in, before it sleeps.
    func wait(_ kinds: [JobKind], timeout: Double, entered: () -> Void = {}) async {
        let id = state.withLock { state in
            defer { state.nextID &+= 1 }
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = Waiter(kinds: Set(kinds), since: .now, continuation: continuation)
                let isIn = state.withLock { state in
                    if let kind = waiter.kinds.first(where: state.remembered.contains) {
                        state.remembered.remove(kind)
                        return false
                    }
                    state.waiters[id] = waiter
                    return true
                }
                guard isIn else { return continuation.resume() }
                // A cancellation that came before the waiter was in has found nobody.
                if Task.isCancelled || !(timeout > 0) { return leave(id) }
                setTimer(id, seconds: min(timeout, Self.longest))
                entered()
            }
        } onCancel: {
            leave(id)
        }
    }

    /// - Returns: whether somebody waited for it.
    @discardableResult
    func wake(_ kind: JobKind) -> Bool {
        let waiter = state.withLock { state in
            let first = state.waiters.filter { $0.value.kinds.contains(kind) }.keys.min()
            return first.flatMap { state.waiters.removeValue(forKey: $0) }
        }
        guard let waiter else { return false }
        waiter.timer?.cancel()
        waiter.continuation.resume()
        return true
    }

    /// Wakes somebody now, or whoever waits next.
    func wakeOrRemember(_ kind: JobKind) {
        let waiter = state.withLock { state -> Waiter? in
            guard let first = state.waiters.filter({ $0.value.kinds.contains(kind) }).keys.min() else {
                state.remembered.insert(kind)
                return nil
            }
            return state.waiters.removeValue(forKey: first)
        }
        waiter?.timer?.cancel()
        waiter?.continuation.resume()
    }

    /// Each kind somebody waits for, and when the latest of them came: that one has just looked for work.
    var wanted: [JobKind: ContinuousClock.Instant] {
        state.withLock { state in
            state.waiters.values.reduce(into: [:]) { wanted, waiter in
                for kind in waiter.kinds { wanted[kind] = max(wanted[kind] ?? waiter.since, waiter.since) }
            }
        }
    }

    private func leave(_ id: UInt64) {
        guard let waiter = state.withLock({ $0.waiters.removeValue(forKey: id) }) else { return }
        waiter.timer?.cancel()
        waiter.continuation.resume()
    }

    private func setTimer(_ id: UInt64, seconds: Double) {
        let timer = loop.scheduleTask(in: .nanoseconds(Int64(seconds * 1e9))) { [weak self] () -> Void in self?.leave(id) }
        let isGone = state.withLock { state in
            state.waiters[id]?.timer = timer
            return state.waiters[id] == nil
        }
        if isGone { timer.cancel() }
    }
}
