import Synchronization

/// A Lua script, called by its hash once the server has computed that.
package final class RedisScript: Sendable {
    private let source: String
    private let hash = Mutex<String?>(nil)

    package init(_ source: String) { self.source = source }

    package func run(
        on client: RedisClient, keys: [RedisArgument], arguments: [RedisArgument], deadline: Duration? = nil
    ) async throws(RedisError) -> RedisValue {
        let rest = [RedisArgument(keys.count)] + keys + arguments
        let known = try await digest(client, deadline)
        do throws(RedisError) {
            return try await client.send(["EVALSHA", RedisArgument(known)] + rest, deadline: deadline)
        } catch .server(code: "NOSCRIPT") {
            // Restarted or SCRIPT FLUSH; EVAL also stores it again.
            return try await client.send(["EVAL", RedisArgument(source)] + rest, deadline: deadline)
        }
    }

    /// SHA-1 of the source. The server computes it, so the client needs no SHA-1 of its own.
    private func digest(_ client: RedisClient, _ deadline: Duration?) async throws(RedisError) -> String {
        if let known = hash.withLock({ $0 }) { return known }
        let reply = try await client.send(["SCRIPT", "LOAD", RedisArgument(source)], deadline: deadline)
        guard let digest = reply.text, digest.utf8.count == 40 else { throw .protocolError }
        hash.withLock { $0 = digest }
        return digest
    }
}
