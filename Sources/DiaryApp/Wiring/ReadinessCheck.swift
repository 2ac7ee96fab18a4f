import DiaryCore
import DiaryDatabase
import DiaryHTTP
import DiaryRedis
import PostgresClient
import Synchronization

/// A check of one dependency. A dependency that does not answer within a second counts as down. A call to a hanging disk does not return,
/// so calls made while one is running share its answer, and `/readyz` does not hang with it. An answer is kept for a second: calls of
/// `/readyz` in a loop make no more work than one call a second.
final class ReadinessCheck: Sendable {
    private struct Waiting {
        var isRunning = false
        var next = 0
        var answers: [Int: AsyncStream<ReadinessState>.Continuation] = [:]
        var last: (state: ReadinessState, at: ContinuousClock.Instant)?
    }

    private let ask: @Sendable () async -> ReadinessState
    private let freshFor: Duration
    private let waiting = Mutex(Waiting())

    init(freshFor: Duration = .seconds(1), state ask: @escaping @Sendable () async -> ReadinessState) {
        self.ask = ask
        self.freshFor = freshFor
    }

    convenience init(_ passes: @escaping @Sendable () async -> Bool) {
        self.init(state: { ReadinessState(await passes()) })
    }

    func state(within limit: Duration = .seconds(1)) async -> ReadinessState {
        let known = waiting.withLock { $0.last }
        if let known, ContinuousClock.now - known.at < freshFor { return known.state }
        let (answers, continuation) = AsyncStream.makeStream(of: ReadinessState.self, bufferingPolicy: .bufferingOldest(1))
        let (number, isFirst) = waiting.withLock { waiting in
            defer {
                waiting.next += 1
                waiting.isRunning = true
            }
            waiting.answers[waiting.next] = continuation
            return (waiting.next, !waiting.isRunning)
        }
        defer { waiting.withLock { _ = $0.answers.removeValue(forKey: number) } }
        // Unstructured: a thread that waits for a disk cannot be cancelled, and no request may wait for it.
        if isFirst { Task { finish(await ask()) } }
        let timer = Task {
            try? await Task.sleep(for: limit)
            continuation.yield(.down)
        }
        defer { timer.cancel() }
        for await answer in answers { return answer }
        return .down
    }

    private func finish(_ answer: ReadinessState) {
        let continuations = waiting.withLock { waiting in
            defer {
                waiting.answers = [:]
                waiting.isRunning = false
                waiting.last = (answer, .now)
            }
            return waiting.answers
        }
        for continuation in continuations.values { continuation.yield(answer) }
    }
}

/// The checks of `/readyz` that distinguish more than up and down.
extension Application {
    /// A Redis that answers and refuses writes (a replica, a full one, one that cannot save) is of no use to this service.
    func redisState() async -> ReadinessState {
        do throws(RedisError) {
            _ = try await redis.send("SET", "diary:readiness", 1, "EX", 60)
            return .ok
        } catch .server {
            return .degraded
        } catch {
            return .down
        }
    }

    func storageState() async -> ReadinessState { await objectStorage.state(largest: settings.limits.maxAudioBytes) }

    func workersCheck(_ database: ConnectionPool) -> ReadinessCheck {
        let presence = PostgresWorkerPresence(pool: database)
        return ReadinessCheck(state: {
            switch try? await presence.alive() {
            case .hearing: .ok
            case .deaf: .degraded
            case .gone, nil: .down
            }
        })
    }
}
