import DiaryCore
import NIOCore
import NIOPosix
import Synchronization

/// The waiters of this process and the kinds of job that each waits for. First come, first woken; one signal wakes one waiter.
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
        /// Kinds with a signal that found no waiter: the next waiter returns at once.
        var remembered: Set<JobKind> = []
    }

    /// Seconds: a day. Longer timeouts are cut to it, the timer counts in nanoseconds.
    private static let longest = 86_400.0

    private let state = Mutex(State())
    private let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next()

    /// Returns on a signal for one of `kinds`, after `timeout` seconds, or when the task is cancelled.
    /// - Parameter added: called once the waiter is registered, before it sleeps.
    func wait(for kinds: [JobKind], timeout: Double, added: () -> Void = {}) async {
        let id = state.withLock { state in
            defer { state.nextID &+= 1 }
            return state.nextID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = Waiter(kinds: Set(kinds), since: .now, continuation: continuation)
                let isAdded = state.withLock { state in
                    if let kind = waiter.kinds.first(where: state.remembered.contains) {
                        state.remembered.remove(kind)
                        return false
                    }
                    state.waiters[id] = waiter
                    return true
                }
                guard isAdded else { return continuation.resume() }
                // A cancellation before the waiter was registered has not removed it.
                if Task.isCancelled || !(timeout > 0) { return remove(id) }
                setTimer(id, seconds: min(timeout, Self.longest))
                added()
            }
        } onCancel: {
            remove(id)
        }
    }

    /// - Returns: false when no waiter waits for the kind.
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

    /// Wakes a waiter, or without one the next that comes.
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

    /// The kinds with waiters, and when the latest waiter of each came: it has just queried for jobs.
    var wanted: [JobKind: ContinuousClock.Instant] {
        state.withLock { state in
            state.waiters.values.reduce(into: [:]) { wanted, waiter in
                for kind in waiter.kinds { wanted[kind] = max(wanted[kind] ?? waiter.since, waiter.since) }
            }
        }
    }

    private func remove(_ id: UInt64) {
        guard let waiter = state.withLock({ $0.waiters.removeValue(forKey: id) }) else { return }
        waiter.timer?.cancel()
        waiter.continuation.resume()
    }

    private func setTimer(_ id: UInt64, seconds: Double) {
        let timer = loop.scheduleTask(in: .nanoseconds(Int64(seconds * 1e9))) { [weak self] () -> Void in self?.remove(id) }
        let isGone = state.withLock { state in
            state.waiters[id]?.timer = timer
            return state.waiters[id] == nil
        }
        if isGone { timer.cancel() }
    }
}
