import DiaryCore
import Logging
import Synchronization

/// Reads signals for the kinds that have waiters, on a connection of its own. One blocking read at a time for the whole process; a waiter
/// for a kind that it misses interrupts it, and the next read includes that kind.
final class SignalReader: Sendable {
    private struct Reading {
        /// Number of the read, so that an interruption does not hit a later one.
        var round: UInt64 = 0
        var kinds: Set<JobKind>?
        var connectionID: Int64?
        var isInterrupting = false
    }

    /// Seconds a read blocks before the kinds with waiters are collected again.
    private static let block = 5
    /// Signals older than the latest query for jobs by this much are stale: the query saw their jobs.
    private static let slack = Duration.seconds(2)
    private static let trim = RedisScript(
        """
        local t = redis.call('TIME')
        local now = t[1] * 1000 + math.floor(t[2] / 1000)
        for i, key in ipairs(KEYS) do
          redis.call('XTRIM', key, 'MINID', string.format('%.0f', math.max(0, now - ARGV[i])))
        end
        return #KEYS
        """)

    private let blocking: RedisClient
    private let client: RedisClient
    private let streams: SignalStreams
    private let waiters: SignalWaiters
    private let republish: @Sendable (JobKind) -> Void
    private let logger: Logger
    private let reading = Mutex(Reading())
    private let isClosed = Atomic<Bool>(false)
    private let newWaiters: AsyncStream<Void>
    private let newWaiter: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - client: interrupts the read.
    ///   - republish: receives a signal without a waiter here, for another process.
    init(
        client: RedisClient, streams: SignalStreams, waiters: SignalWaiters, logger: Logger,
        republish: @escaping @Sendable (JobKind) -> Void
    ) {
        var options = RedisOptions()
        options.deadline = .seconds(Self.block + 2)
        blocking = RedisClient(endpoint: client.endpoint, options: options, logger: logger)
        self.client = client
        self.streams = streams
        self.waiters = waiters
        self.republish = republish
        self.logger = logger
        (newWaiters, newWaiter) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func close() {
        isClosed.store(true, ordering: .releasing)
        blocking.close()
        newWaiter.finish()
    }

    func waiterAdded() {
        newWaiter.yield()
        interruptIfNeeded()
    }

    /// Reads until closed.
    func run() async {
        var newWaiters = newWaiters.makeAsyncIterator()
        while !isClosed.load(ordering: .acquiring) {
            let wanted = waiters.wanted
            guard !wanted.isEmpty else {
                guard await newWaiters.next() != nil else { return }
                continue
            }
            do throws(RedisError) {
                try await read(wanted)
            } catch .server(code: "NOGROUP"), .server(code: "UNBLOCKED") {
                await makeGroups(wanted.keys)
            } catch {
                // Waiters poll meanwhile. The client reconnects.
                if !isClosed.load(ordering: .acquiring) { await pause() }
            }
            reading.withLock { $0.kinds = nil }
        }
    }

    private func read(_ wanted: [JobKind: ContinuousClock.Instant]) async throws(RedisError) {
        let kinds = Array(wanted.keys)
        let keys = kinds.map(streams.key)
        let now = ContinuousClock.now
        // The connection may be a new one since the last read, hence its id each time.
        let id = try await blocking.send("CLIENT", "ID").int
        let ages = kinds.map { kind in RedisArgument(milliseconds(now - (wanted[kind] ?? now) + Self.slack)) }
        _ = try await Self.trim.run(on: blocking, keys: keys, arguments: ages)
        reading.withLock { reading in
            reading.round &+= 1
            reading.kinds = Set(kinds)
            reading.connectionID = id
            reading.isInterrupting = false
        }
        // A waiter added since `wanted` was taken is not part of this read.
        guard Set(waiters.wanted.keys).isSubset(of: kinds) else { return }
        let command: [RedisArgument] = [
            "XREADGROUP", "GROUP", streams.group, "worker", "COUNT", 1, "BLOCK", RedisArgument(Self.block * 1000), "NOACK", "STREAMS",
        ]
        deliver(try await blocking.send(command + keys + kinds.map { _ in ">" }))
    }

    private func deliver(_ reply: RedisValue) {
        for stream in reply.array ?? [] {
            guard let pair = stream.array, pair.count == 2, let kind = pair[0].bytes.flatMap(streams.kind) else { continue }
            for _ in pair[1].array ?? [] where !waiters.wake(kind) { republish(kind) }
        }
    }

    /// At first use, or after Redis was wiped. From 0, so that signals older than the group are not lost.
    private func makeGroups(_ kinds: some Sequence<JobKind>) async {
        for kind in kinds {
            do throws(RedisError) {
                _ = try await blocking.send("XGROUP", "CREATE", streams.key(kind), streams.group, 0, "MKSTREAM")
            } catch .server(code: "BUSYGROUP") {
                // Another process made the group.
            } catch {
                logger.debug("signal group not made", metadata: ["reason": "\(error)"])
                return await pause()
            }
        }
    }

    private func pause() async {
        try? await Task.sleep(for: .milliseconds(Int.random(in: 50...300)))
    }

    private func milliseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return max(0, seconds) * 1000 + attoseconds / 1_000_000_000_000_000
    }
}

extension SignalReader {
    /// Sends `CLIENT UNBLOCK` when the current read misses a kind. The reply is 0 while the read has not reached the server yet: then it
    /// is sent again.
    private func interruptIfNeeded() {
        let wanted = Set(waiters.wanted.keys)
        let target = reading.withLock { reading -> (round: UInt64, id: Int64)? in
            guard let kinds = reading.kinds, let id = reading.connectionID, !wanted.isSubset(of: kinds), !reading.isInterrupting else {
                return nil
            }
            reading.isInterrupting = true
            return (reading.round, id)
        }
        guard let target else { return }
        client.submit(["CLIENT", "UNBLOCK", RedisArgument(target.id)]) { [weak self] result in
            guard let self else { return }
            let isOpen = reading.withLock { reading in
                guard reading.round == target.round, reading.kinds != nil else { return false }
                reading.isInterrupting = false
                return true
            }
            if isOpen, case .success(.int(0)) = result { retryInterrupt() }
        }
    }

    private func retryInterrupt() {
        client.schedule(after: .milliseconds(2)) { [weak self] in self?.interruptIfNeeded() }
    }
}
