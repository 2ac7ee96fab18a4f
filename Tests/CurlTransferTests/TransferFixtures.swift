import CurlTransfer
import TestPeers
import Testing

/// A misbehaving HTTP server and transfers that may reach it.
struct TransferFixtures {
    let server: PythonPeer
    let transfers: CurlTransfers

    var base: String { "http://127.0.0.1:\(server.port("http"))" }

    init(mayBePrivate: Bool = true, name: String = "curl-test") async throws {
        let server = try await PythonPeer("http_fake.py")
        self.server = server
        transfers = try CurlTransfers(
            TransferConfiguration(hosts: [
                AllowedHost(.http, "127.0.0.1", port: server.port("http"), mayBePrivate: mayBePrivate),
                AllowedHost(.http, "127.0.0.1", port: server.port("silent"), mayBePrivate: mayBePrivate),
                // Port 1 has no listener.
                AllowedHost(.http, "127.0.0.1", port: 1, mayBePrivate: mayBePrivate),
                AllowedHost(.http, "localhost", port: server.port("http"), mayBePrivate: mayBePrivate),
            ]), name: name)
    }

    func get(
        _ path: String, maximumBytes: Int = 1 << 20, deadlines: TransferDeadlines = TransferDeadlines()
    ) async throws -> CollectedResponse {
        try await transfers.collect(TransferRequest(.get, base + path, deadlines: deadlines), maximumBytes: maximumBytes)
    }

    /// The server's events of one kind so far.
    func events(_ name: String) async throws -> [[String: Any]] {
        try await server.settle()
        return server.events(name)
    }

    func expect(_ error: TransferError, at place: SourceLocation = #_sourceLocation, _ body: () async throws -> Void) async {
        await #expect(throws: error, sourceLocation: place) { try await body() }
    }
}
