package import Logging
import ServiceLifecycle

/// Makes every process reload what it keeps in memory: a Redis stream that each process reads from its end. A notice only makes a change
/// visible sooner: each process reloads every `interval` anyway, so a lost notice or a missing Redis costs seconds.
package final class ChangeNotices: Service {
    private static let stream: RedisArgument = "diary:changes"

    private let reader: RedisClient
    private let interval: Duration
    private let refresh: [ChangeTopic: @Sendable () async -> Void]

    /// - Parameters:
    ///   - interval: whole seconds, at most 60.
    ///   - refresh: runs at the start, at each notice of its topic, and every `interval`.
    package init(
        endpoint: RedisEndpoint, every interval: Duration = .seconds(5), logger: Logger, refresh: [ChangeTopic: @Sendable () async -> Void]
    ) {
        var options = RedisOptions()
        options.deadline = interval + .seconds(2)
        // A blocking read needs a connection of its own.
        reader = RedisClient(endpoint: endpoint, options: options, logger: logger)
        self.interval = interval
        self.refresh = refresh
    }

    package static func publish(_ topic: ChangeTopic, on client: RedisClient) async throws(RedisError) {
        _ = try await client.send("XADD", stream, "MAXLEN", "~", 100, "*", "topic", RedisArgument(topic.rawValue))
    }

    package func run() async throws {
        // A blocking read does not end with its task. Closing its connection ends it; without that each stop would wait for the read.
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await cancelWhenGracefulShutdown { await self.listen() }
            } onGracefulShutdown: {
                self.reader.close()
            }
        } onCancel: {
            reader.close()
        }
        reader.close()
    }

    private func listen() async {
        var position: String?
        while !Task.isCancelled {
            await refreshAll()
            let deadline = ContinuousClock.now + interval
            while !Task.isCancelled, ContinuousClock.now < deadline {
                if position == nil {
                    position = await end()
                    // What changed before the end was known has no notice after it.
                    if position != nil { await refreshAll() }
                }
                guard let from = position, let (topics, last) = await next(after: from) else {
                    // Without Redis the interval alone decides.
                    try? await Task.sleep(until: deadline, clock: .continuous)
                    break
                }
                if let last { position = last }
                for topic in topics { await refresh[topic]?() }
            }
        }
    }

    private func refreshAll() async {
        for action in refresh.values { await action() }
    }

    /// The id of the stream's last notice; earlier ones need no reload. `$` would miss notices that are added between two reads.
    private func end() async -> String? {
        guard let reply = try? await reader.send("XREVRANGE", Self.stream, "+", "-", "COUNT", 1) else { return nil }
        return reply.array?.first?.array?.first?.text ?? "0"
    }

    /// - Returns: nil without Redis; no topics when the wait timed out.
    private func next(after position: String) async -> (Set<ChangeTopic>, last: String?)? {
        let milliseconds = Int64(interval.components.seconds) * 1000
        do throws(RedisError) {
            let reply = try await reader.send(
                "XREAD", "COUNT", 100, "BLOCK", RedisArgument(milliseconds), "STREAMS", Self.stream, RedisArgument(position))
            return Self.read(reply)
        } catch {
            return nil
        }
    }

    static func read(_ reply: RedisValue) -> (Set<ChangeTopic>, last: String?) {
        var topics: Set<ChangeTopic> = []
        var last: String?
        for stream in reply.array ?? [] {
            guard let pair = stream.array, pair.count == 2 else { continue }
            for notice in pair[1].array ?? [] {
                guard let parts = notice.array, parts.count == 2 else { continue }
                last = parts[0].text ?? last
                for word in parts[1].array ?? [] { if let topic = word.text.flatMap(ChangeTopic.init) { topics.insert(topic) } }
            }
        }
        return (topics, last)
    }
}

/// What other processes keep in memory and should reload.
package enum ChangeTopic: String, Sendable, CaseIterable {
    case tenants
    case signingKeys = "signing_keys"
}
