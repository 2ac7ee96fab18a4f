import Logging
import Synchronization

/// The thread that reads all connections of a pool and enforces their deadlines.
struct PoolLoop {
    private static let wakeupToken = UInt32.max
    let core: PoolCore

    func main() {
        core.ready.watch(core.wakeup.descriptor, token: Self.wakeupToken)
        var events: [ReadyList.Event] = []
        var due = ContinuousClock.now
        while true {
            core.ready.wait(until: due, into: &events)
            let now = ContinuousClock.now
            var isWoken = now >= due
            for event in events {
                if event.token == Self.wakeupToken {
                    core.wakeup.drain()
                    isWoken = true
                } else if core.connections.indices.contains(Int(event.token)) {
                    take(event, core.connections[Int(event.token)], now)
                }
            }
            if isWoken {
                guard let next = checkDeadlines(now) else { break }
                due = next
            }
        }
        core.threadEnded()
    }

    private func take(_ event: ReadyList.Event, _ connection: PooledConnection, _ now: ContinuousClock.Instant) {
        switch connection.advance(event, now: now, takeIdle: { core.takeIdle(connection.index) }) {
        case .waiting: break
        case .absorbed: core.serve(connection)
        case .lost:
            core.logger.info("database connection lost", metadata: ["connection": .stringConvertible(connection.index)])
            core.withdraw(connection.index, .lost)
        case .proven(let request): core.serve(connection, request, isFresh: true)
        case .unproven(let request): core.withdraw(connection.index, .lost, unbegun: request)
        case .finished(let request, let outcome, let isSpent):
            // Before the caller resumes, so that its next call does not get a connection that is about to be closed.
            if isSpent {
                connection.drop()
                core.withdraw(connection.index, outcome.loss)
            } else {
                core.serve(connection, isFresh: true)
            }
            request.finish(outcome.result)
        }
    }

    /// Ends requests that waited or ran too long, abandoned requests, and connections past their lifetime.
    /// - Returns: when to check again; nil when the pool is closed and empty.
    private func checkDeadlines(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let (isClosing, queueDue) = expireRequests(now)
        // A request that begins after this moment is not due before this bound, so it need not wake the loop.
        var due = now + min(core.configuration.runDeadline, core.configuration.checkoutDeadline)
        if let queueDue { due = min(due, queueDue) }
        for connection in core.connections {
            switch connection.check(now: now, isClosing: isClosing, takeIdle: { core.takeIdle(connection.index) }) {
            case .fine(let next): if let next { due = min(due, next) }
            case .abandoned: core.withdraw(connection.index, .done)
            case .expired: core.withdraw(connection.index, isClosing ? nil : .done)
            case .unproven(let request): core.withdraw(connection.index, .lost, unbegun: request)
            case .overdue(let request):
                core.withdraw(connection.index, .done)
                request.finish(.failure(DatabaseError(.timeout, outcomeUnknown: true)))
            }
        }
        // The connector ends when the queue is empty, but does not check it by itself.
        if isClosing { core.connectorWakeup.signal() }
        let isOver = core.state.withLock { state in
            // A request that kept its turn may have an earlier deadline than those behind it.
            if let first = state.queue.first { due = min(due, first.deadline) }
            state.planned = due
            return isClosing && state.threads == 1
        }
        return isOver && core.connections.allSatisfy(\.isEmpty) ? nil : due
    }

    private func expireRequests(_ now: ContinuousClock.Instant) -> (isClosing: Bool, due: ContinuousClock.Instant?) {
        var expired: [(DatabaseRequest, DatabaseError.Kind)] = []
        let result: (Bool, ContinuousClock.Instant?) = core.state.withLock { state in
            let isForced = state.closeDeadline.map { $0 <= now } ?? false
            while let first = state.queue.first, first.deadline <= now || isForced || first.isAbandoned {
                _ = state.queue.popFirst()
                expired.append((first, isForced ? .closed : state.downSince == nil ? .timeout : .unavailable))
            }
            if isForced {
                for case let request? in state.current { expired.append((request, .closed)) }
            }
            return (
                state.closeDeadline != nil && state.queue.isEmpty,
                [state.queue.first?.deadline, isForced ? nil : state.closeDeadline].compactMap { $0 }.min()
            )
        }
        for (request, kind) in expired { request.abandon(kind) }
        return result
    }
}

extension PipelineOutcome {
    /// For a connection that cannot be kept.
    var loss: PoolCore.Loss {
        if case .failure(let error) = result, error.kind == .unavailable { .lost } else { .done }
    }
}
